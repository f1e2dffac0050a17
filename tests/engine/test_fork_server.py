from __future__ import annotations

import os
import platform
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from engine import fork_server
from engine.errors import BotFailedError
from engine.launch import Launch
from engine.match import Fault, Preloaded
from engine.process import BotProcess
from tests.engine.bots import is_gone_within, is_running

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(sys.platform != "linux", reason="forks are Linux's"),
]

MODULE = "tests.engine.preloaded"
ROOT = Path(__file__).resolve().parents[2]


def forked(*arguments: str) -> BotProcess:
    """Return the process of `tests/engine/preloaded.py`.

    Its argument list would not start any program.
    """
    return BotProcess(Launch(("/nonexistent",), preloaded=Preloaded(MODULE, arguments)))


def in_ms(milliseconds: int) -> int:
    return time.monotonic_ns() + milliseconds * 1_000_000


def line(bot: BotProcess) -> str:
    return bot.receive(deadline_ns=in_ms(20_000)).text


def server() -> fork_server.ForkServer:
    """Return the server of this thread, which is running."""
    running = fork_server.of_thread.servers[MODULE]
    assert running is not None
    return running


def test_a_fork_is_our_child_in_a_bare_environment():
    with forked("describe") as bot:
        assert line(bot) == f"{os.getpid()} True / ['LANG', 'PATH']"


def test_forks_have_nothing_open_but_their_pipes_and_are_loaded_once():
    with forked("describe") as first, forked("describe") as second:
        descriptions = []
        for bot in (first, second):
            line(bot)
            descriptions.append(line(bot))
    # The fourth is the listing's own.
    assert descriptions == [f"['0', '1', '2', '3'] {server().pid}"] * 2


def test_the_exit_status_is_read():
    with forked("exit", "7") as bot, pytest.raises(BotFailedError, match="status 7") as caught:
        line(bot)
    assert caught.value.fault is Fault.EXITED


def test_an_exception_ends_the_fork_and_not_the_server():
    with forked("crash") as bot:
        with pytest.raises(BotFailedError, match="status 1"):
            line(bot)
        bot.close()
        assert "ValueError: as I was asked to" in bot.stderr_text
    assert server().is_alive
    with forked("describe") as bot:
        assert line(bot)


def test_forks_beside_each_other_have_pipes_of_their_own():
    with forked("echo") as first, forked("echo") as second:
        first.send("one")
        second.send("two")
        assert (line(second), line(first)) == ("two", "one")


def test_no_fork_is_left_after_its_end():
    with forked("sleep") as bot:
        assert is_running(bot.pid)
    with pytest.raises(ChildProcessError):
        os.waitpid(bot.pid, 0)


def test_a_server_that_was_killed_is_started_again():
    with forked("describe") as bot:
        line(bot)
    old = server().pid
    os.kill(old, signal.SIGKILL)
    assert is_gone_within(old, 20)
    with forked("describe") as bot:
        assert line(bot)
    assert server().pid != old


def test_a_server_whose_answer_is_not_read_ends_without_a_word(capfd):
    """A worker that is stopped closes the socket before it reads."""
    alone = fork_server.ForkServer(MODULE, {"PATH": os.defpath, "PYTHONPATH": str(ROOT)})
    pipes = [descriptor for _ in range(3) for descriptor in os.pipe()]
    socket.send_fds(alone._socket, [b'["echo"]'], [pipes[0], pipes[3], pipes[5]])
    assert select.select([alone._socket], [], [], 60)[0], "no answer"
    alone._socket.close()
    assert alone._process.wait(60) == 0
    for descriptor in pipes:
        os.close(descriptor)
    assert capfd.readouterr().err == ""


def test_where_the_machine_cannot_the_program_is_started(monkeypatch):
    monkeypatch.setattr(platform, "machine", lambda: "an abacus")
    launch = Launch(
        (sys.executable, "-I", "-S", "-c", "print('started')"),
        preloaded=Preloaded(MODULE, ("describe",)),
    )
    with BotProcess(launch) as bot:
        assert line(bot) == "started"


def test_where_a_fork_is_refused_the_program_is_started_and_nothing_is_tried_again(caplog):
    def play() -> None:
        launch = Launch(
            (sys.executable, "-I", "-S", "-c", "print('started')"),
            preloaded=Preloaded("tests.engine.no_such_module", ()),
        )
        for _ in range(2):
            with BotProcess(launch) as bot:
                lines.append(line(bot))

    lines: list[str] = []
    thread = threading.Thread(target=play)
    thread.start()
    thread.join()
    assert lines == ["started", "started"]
    assert [record.getMessage() for record in caplog.records] == [
        "no forks of tests.engine.no_such_module: cannot fork a bot: the server has ended"
    ]


_PARENT = """
import sys, threading
from engine import fork_server

def start():
    bot = fork_server.start("tests.engine.preloaded", ["sleep"], {})
    servers = fork_server.of_thread.servers.values()
    print(bot.pid, *(server.pid for server in servers), flush=True)
    return bot

if sys.argv[1] == "thread":
    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
else:
    bot = start()
sys.stdin.read()
"""


@pytest.mark.parametrize("part", ["process", "thread"])
def test_forks_and_their_server_die_with_what_started_them(part):
    parent = subprocess.Popen(
        [sys.executable, "-c", _PARENT, part],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    with parent:
        assert parent.stdout is not None
        pids = [int(word) for word in parent.stdout.readline().split()]
        assert len(pids) == 2
        if part == "process":
            parent.kill()
        assert all(is_gone_within(pid, 20) for pid in pids)
        parent.kill()


def test_a_copy_of_our_process_starts_a_server_of_its_own():
    with forked("describe") as bot:
        line(bot)
    ours = server().pid
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        with forked("describe") as bot:
            os.write(writing, f"{line(bot).split()[0]} {os.getpid()} {server().pid}".encode())
        os._exit(0)
    os.waitpid(child, 0)
    parent, copy, theirs = os.read(reading, 100).decode().split()
    assert parent == copy
    assert int(theirs) != ours
    assert is_running(ours)
