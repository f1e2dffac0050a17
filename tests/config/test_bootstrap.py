"""Setting up `.venv`: errors are reported in a sentence."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from config import bootstrap


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty checkout with a lock, entered by the interpreter of these tests."""
    monkeypatch.delenv(bootstrap.SWITCH_OFF, raising=False)
    monkeypatch.setattr(bootstrap, "ROOT", tmp_path)
    monkeypatch.setattr(bootstrap, "VENV", tmp_path / ".venv")
    (tmp_path / "requirements.lock").write_text("")
    return tmp_path


def test_a_checkout_that_cannot_be_written_is_named(checkout: Path) -> None:
    (checkout / ".venv.lock").mkdir()  # as good as forbidden, for root too
    with pytest.raises(SystemExit, match="cannot set itself up in"):
        bootstrap.enter(with_tests=False)


def test_an_environment_that_is_a_link_is_entered_once(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (checkout / ".venv").symlink_to(sys.prefix)
    monkeypatch.setattr(bootstrap, "_is_installed", lambda _: True)

    def again(*_: object) -> None:
        pytest.fail("started again, and so for ever")

    monkeypatch.setattr(os, "execv", again)
    bootstrap.enter(with_tests=False)
