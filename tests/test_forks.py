"""Tests in forked processes: homes of their own, the reports of all, and failure when one ends early."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.run import ROOT

if TYPE_CHECKING:
    from pathlib import Path

HOMES = """
import os
from django.conf import settings

def test_home(capfd):
    os.write(1, b"seen")
    assert capfd.readouterr().out == "seen"
    assert str(settings.HOME) == os.environ["RAYUELA_HOME"] == str(settings.LIVE_SOCKET.parent)
    (settings.HOME / "{name}").touch()

def test_failing():
    assert "{name}" == "a"
"""
DYING = """
import os, signal

def test_dying():
    os.kill(os.getpid(), signal.SIGKILL)
"""


def _run(folder: Path, files: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Return the result of two processes that test these files with a home in the folder."""
    for name, text in files.items():
        (folder / f"test_{name}.py").write_text(text)
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-c", os.devnull, "--rootdir", str(folder), "-p",
         "no:cacheprovider", "-p", "no:django", "-p", "no:randomly", "-p", "tests.forks",
         "--forks", "2", str(folder)],
        cwd=ROOT,
        env={
            **{k: v for k, v in os.environ.items() if k not in {"DATABASE_URL", "REDIS_URL"}},
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "RAYUELA_HOME": str(folder),
        },
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip


def test_reports_of_all_processes_come_together(tmp_path: Path) -> None:
    done = _run(tmp_path, {name: HOMES.format(name=name) for name in "abc"})
    assert "2 failed, 4 passed" in done.stdout, done.stdout + done.stderr
    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    homes = {path.name: path.parent for path in tmp_path.glob("worker-*/?")}
    assert set(homes) == {"a", "b", "c"}
    assert set(homes.values()) <= {tmp_path / "worker-0", tmp_path / "worker-1"}


def test_a_failure_is_named_before_the_end(tmp_path: Path) -> None:
    done = _run(tmp_path, {name: HOMES.format(name=name) for name in "ab"})
    before_the_end, _, _ = done.stdout.partition("= FAILURES =")
    assert "test_b.py::test_failing: " in before_the_end, done.stdout + done.stderr


def test_a_process_that_is_killed_fails_the_run(tmp_path: Path) -> None:
    done = _run(tmp_path, {"dying": DYING})
    assert "a process of tests ended with -9" in done.stdout, done.stdout + done.stderr
    assert done.returncode == pytest.ExitCode.TESTS_FAILED
