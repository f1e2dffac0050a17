from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

from engine.sandbox import users


def test_running_tasks_are_processes_and_threads():
    before = users.running_tasks(None)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        hold = threading.Event()
        thread = threading.Thread(target=hold.wait)
        thread.start()
        tasks = set(os.listdir("/proc/self/task")) | {str(child.pid)}
        assert users.running_tasks(None) >= len(tasks) >= 3
        hold.set()
        thread.join()
        child.communicate(b"\n")
    assert before >= 1


def test_user_who_runs_nothing_has_no_tasks():
    assert users.running_tasks(4_000_000_000) == 0


@pytest.mark.parametrize(("mode", "is_read"), [(0o644, True), (0o640, False), (0o600, False)])
def test_stranger_reads_what_is_open_to_everybody(tmp_path, mode, is_read):
    for directory in (tmp_path, *list(tmp_path.parents)[:3]):
        directory.chmod(0o755)
    path = tmp_path / "file"
    path.write_text("")
    path.chmod(mode)
    assert users.can_read(path, 64_000) is is_read
    assert users.can_read(path, None)


def test_nobody_reads_behind_a_closed_door(tmp_path):
    path = tmp_path / "closed" / "file"
    path.parent.mkdir()
    path.write_text("")
    path.parent.chmod(0o700)
    assert not users.can_read(path, 64_000)
    assert not users.can_enter(path.parent, 64_000)


def test_root_gives_every_slot_a_user_and_others_have_only_themselves(monkeypatch):
    monkeypatch.setattr(users, "_try_to_become", lambda uid: None)
    monkeypatch.setattr(os, "getuid", lambda: 0)
    assert users.user_for(0) != users.user_for(1)
    monkeypatch.setattr(os, "getuid", lambda: 1000)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert users.user_for(0) is None
