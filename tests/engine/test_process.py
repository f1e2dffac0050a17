from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engine.errors import BotFailedError, LaunchError
from engine.match import BotSpec, Fault
from engine.process import BotProcess, Launch, unconfined
from tests.engine.bots import is_gone_within, is_running

pytestmark = pytest.mark.engine

ROOT = Path(__file__).resolve().parents[2]


def python(code: str) -> BotProcess:
    return BotProcess(Launch((sys.executable, "-I", "-S", "-c", code)))


def in_ms(milliseconds: int) -> int:
    return time.monotonic_ns() + milliseconds * 1_000_000


def test_environment_is_bare_and_directory_is_not_ours(monkeypatch):
    monkeypatch.setenv("SECRET_KEY", "s3cret")
    code = "import os; print(sorted(os.environ)); print(os.getcwd())"
    with python(code) as bot:
        assert "SECRET_KEY" not in bot.receive(deadline_ns=in_ms(5000)).text
        assert bot.receive(deadline_ns=in_ms(5000)).text == "/"


def test_descriptors_of_ours_are_not_inherited():
    code = "import os; print(sorted(os.listdir('/proc/self/fd')))"
    with Path("/dev/null").open() as file:
        os.set_inheritable(file.fileno(), True)
        with python(code) as bot:
            # The fourth is the listing's own.
            assert bot.receive(deadline_ns=in_ms(5000)).text == "['0', '1', '2', '3']"


def test_descriptors_of_a_launch_are_inherited_and_closed_here():
    reading, writing = os.pipe()
    code = f"import os; os.write({writing}, b'hello')"
    argv = (sys.executable, "-I", "-S", "-c", code)
    with os.fdopen(reading, "rb") as pipe, BotProcess(Launch(argv, descriptors=(writing,))):
        # The end comes only when no other process holds the other side open.
        assert pipe.read() == b"hello"


def test_lines_come_one_by_one_and_then_the_end():
    with python("print('a'); print('b')") as bot:
        assert bot.receive(deadline_ns=in_ms(5000)).text == "a"
        assert bot.receive(deadline_ns=in_ms(5000)).text == "b"
        with pytest.raises(BotFailedError) as caught:
            bot.receive(deadline_ns=in_ms(5000))
    assert caught.value.fault is Fault.EXITED
    assert "status 0" in caught.value.detail


def test_end_of_stderr_is_kept():
    code = "import sys; sys.stderr.write('x' * 100000 + 'the end'); print('done')"
    with python(code) as bot:
        bot.receive(deadline_ns=in_ms(5000))
        bot.close()
        assert bot.stderr_text.endswith("the end")
        assert len(bot.stderr_text) <= 16_384


def test_bot_that_leaves_by_itself_is_not_killed(tmp_path):
    marker = tmp_path / "left"
    code = f"import sys, time; sys.stdin.readline(); time.sleep(0.05); open({str(marker)!r}, 'w')"
    with python(code) as bot:
        bot.send("quit")
        bot.close(grace_ms=5000)
    assert marker.exists()


def test_whole_group_is_killed():
    code = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "print(child.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    with python(code) as bot:
        child = int(bot.receive(deadline_ns=in_ms(5000)).text)
        assert is_running(child)
    assert is_gone_within(child, 5)
    assert not is_running(bot.pid)


def test_child_that_outlives_its_bot_is_killed_too():
    code = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "print(child.pid, flush=True)\n"
    )
    with python(code) as bot:
        child = int(bot.receive(deadline_ns=in_ms(5000)).text)
        bot.close(grace_ms=200)
    assert is_gone_within(child, 5)


def test_bot_dies_with_a_parent_killed_hard():
    worker = (
        "import sys, time; from engine.process import BotProcess, Launch\n"
        "bot = BotProcess(Launch(('/bin/sleep', '60')))\n"
        "print(bot.pid, flush=True); time.sleep(60)\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", worker], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    with parent.stdout:
        bot = int(parent.stdout.readline())
        assert is_running(bot)
        os.kill(parent.pid, signal.SIGKILL)
        parent.wait()
    assert is_gone_within(bot, 5)


@pytest.mark.parametrize("argv", [("/nonexistent",), ("/etc/passwd",), ("a\0b",)])
def test_program_that_cannot_be_started_is_named(argv):
    with pytest.raises(LaunchError):
        BotProcess(unconfined(BotSpec("missing", tuple(argv))))


def test_closing_twice_is_harmless():
    bot = python("import time; time.sleep(60)")
    bot.close()
    bot.close()
    assert not is_running(bot.pid)
