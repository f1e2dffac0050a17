from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from engine.match import BotSpec
from engine.process import BotProcess, Launch
from engine.programs import run_in_place, unpack
from tests.engine.programs.zips import zip_of

pytestmark = pytest.mark.engine

SAMPLE = Path(__file__).resolve().parents[3] / "engine/sdk/samples/wasm/morlox.wasm"
# The address space of every bot in its sandbox.
LIMITS = "import os, resource, sys; resource.setrlimit(resource.RLIMIT_AS, (512 << 20,) * 2);"


@pytest.fixture
def sample(tmp_path):
    return unpack(SAMPLE.read_bytes(), "morlox.wasm", tmp_path).spec("sample")


def answer(bot: BotProcess, command: str, expected: str) -> None:
    bot.send(command)
    deadline_ns = time.monotonic_ns() + 60_000_000_000
    while bot.receive(deadline_ns=deadline_ns).text != expected:
        pass


def test_program_of_ours_is_started_as_it_is():
    assert run_in_place(BotSpec("ours", ("search", "7"))).argv == ("search", "7")


def test_python_program_finds_its_own_modules(tmp_path):
    lines = b"import lib.words, sys\nsys.stdin.readline()\nprint(lib.words.HELLO)\n"
    upload = zip_of(("main.py", lines), ("lib/words.py", b"HELLO = 'ugiok'\n"))
    with BotProcess(run_in_place(unpack(upload, "bot.zip", tmp_path).spec("words"))) as bot:
        answer(bot, "ugi", "ugiok")


@pytest.mark.long
def test_module_runs_in_the_address_space_of_any_bot(sample):
    launch = run_in_place(sample)
    argv = (sys.executable, "-c", f"{LIMITS} os.execv(sys.argv[1], sys.argv[1:])")
    with BotProcess(Launch((*argv, *launch.argv), launch.directory)) as bot:
        answer(bot, "ugi\nsetoption name Game value morlox(size=26,swap=on)\nisready", "readyok")


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_module_needs_no_memfd_which_a_box_denies(sample):
    with BotProcess(run_in_place(sample)) as bot:
        answer(bot, "isready", "readyok")
        maps = Path(f"/proc/{bot.pid}/maps").read_text()
    assert "_libwasmtime" in maps
    assert "memfd" not in maps
