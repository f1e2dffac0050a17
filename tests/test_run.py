"""The test command itself: what a machine lacks is said, not passed over."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from tests import run, servers

if TYPE_CHECKING:
    import pytest


def test_missing_programs_are_named_with_their_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.delenv("REDIS_URL", raising=False)
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.setattr(servers, "_postgresql_programs", lambda: None)
    packages = {package for _, package in servers.missing_programs()}
    assert packages == {"postgresql", "redis-server", "chromium"}


def test_the_last_line_says_what_was_not_tested(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "_pytest", lambda *_: 0)
    monkeypatch.setattr(run, "_on_servers", lambda *_: 0)
    monkeypatch.setattr(servers, "missing_programs", lambda: [("Redis", "redis-server")])
    assert run.main([]) == 0
    last = capsys.readouterr().out.strip().splitlines()[-1]
    assert "NOT TESTED" in last
    assert "redis-server" in last
