from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

import games
from engine import referee, sandbox
from engine.clock import PerMove
from engine.errors import BotFailedError
from engine.match import BotSpec, Fault, GameReport, MatchSpec
from engine.players import registry
from engine.process import BotProcess, Launch
from engine.sandbox import bubblewrap, interpreters, landlock, users
from engine.sandbox.choice import ISOLATORS
from engine.sandbox.isolator import SandboxPaths
from games.core import Side
from tests.engine.sandbox import children

pytestmark = pytest.mark.engine
GAME = "morlox(size=5)"


@pytest.fixture(params=ISOLATORS)
def isolator(request):
    if reason := children.missing(request.param):
        pytest.skip(f"no such box on this machine: {reason}")
    return ISOLATORS[request.param]()


@pytest.fixture
def tree(tmp_path):
    """Return a program in a directory of root's or its user's alone, as uploads may be."""
    tree = tmp_path / "tree"
    tree.mkdir(mode=0o700)
    return tree


def output(launch: Launch) -> str:
    with BotProcess(launch) as process:
        try:
            return process.receive(deadline_ns=time.monotonic_ns() + 20_000_000_000).text
        except BotFailedError as error:
            process.close()
            return f"{error.detail}: {process.stderr_text}"


def test_program_finds_its_own_modules_first_then_ours(isolator, tree):
    (tree / "more.py").write_text("name = 'its own'")
    (tree / "main.py").write_text(
        "import more, games, sys\n"
        "print(more.name, sys.argv[1:], __name__, sys.path[0].endswith('bot'), sep=', ')\n"
    )
    argv = ("python", "/bot/main.py", "--level", "3")
    text = output(isolator.launcher()(BotSpec("main", argv, str(tree))))
    assert text.startswith("its own, ['--level', '3'], __main__")


def test_directory_runs_by_its_main_module(isolator, tree):
    (tree / "__main__.py").write_text("print('the main module')\n")
    launch = isolator.launcher()(BotSpec("main", ("python", "/bot"), str(tree)))
    assert output(launch) == "the main module"


def test_libraries_can_be_imported(isolator, tree, tmp_path):
    library = tmp_path / "somelibrary"
    library.mkdir()
    (library / "__init__.py").write_text("answer = 42\n")
    (tree / "main.py").write_text("import somelibrary\nprint(somelibrary.answer)\n")
    spec = BotSpec("main", ("python", "/bot/main.py"), str(tree), (str(library),))
    assert output(isolator.launcher()(spec)) == "42"


def test_limits_are_those_asked_for(isolator, tree):
    (tree / "main.py").write_text(
        "import resource as r\n"
        "names = ('AS', 'DATA', 'CPU', 'CORE', 'MEMLOCK', 'RTPRIO')\n"
        "print(*(r.getrlimit(getattr(r, f'RLIMIT_{n}'))[1] for n in names))\n"
    )
    limits = sandbox.Limits(address_space_bytes=None, data_bytes=300 << 20, cpu_s=7)
    launcher = isolator.launcher(limits)
    text = output(launcher(BotSpec("main", ("python", "/bot/main.py"), str(tree))))
    assert text == f"-1 {300 << 20} 7 0 0 0"


@pytest.fixture
def one_game(isolator, tree):
    """Play a game of the program `body`, which has the first side, against ours."""

    def play(body: str) -> GameReport:
        (tree / "main.py").write_text(body)
        bad = BotSpec("bad", ("python", "/bot/main.py"), str(tree))
        ours = registry.spec("random", seed=1)
        ruleset = games.load(GAME)
        setup = ruleset.setup_text(ruleset.initial(seed=1))
        spec = MatchSpec(GAME, setup, (bad, ours), PerMove(10_000), games=1)
        return referee.play_match(spec, launcher=isolator.launcher()).games[0]

    return play


@pytest.mark.parametrize("status", [0, 1, 125, 126])
def test_bot_that_exits_before_its_greeting_loses_whatever_its_status(one_game, status):
    game = one_game(f"import os\nos._exit({status})\n")
    assert (game.fault, game.loser) == (Fault.EXITED, Side.FIRST)


def test_bot_cannot_say_that_its_box_failed(one_game):
    game = one_game(
        "import os, sys\n"
        "sys.stderr.write('the box: no\\n')\n"
        "for descriptor in range(3, 1024):\n"
        "    try: os.write(descriptor, b'the box: no')\n"
        "    except OSError: pass\n"
        "os._exit(125)\n"
    )
    assert (game.fault, game.loser) == (Fault.EXITED, Side.FIRST)


def test_program_with_an_error_in_its_source_loses(one_game):
    game = one_game("def\n")
    assert (game.fault, game.loser) == (Fault.EXITED, Side.FIRST)


def test_box_that_cannot_be_made_is_the_machines_fault(one_game, monkeypatch):
    # A limit that makes no sense fails inside, before anything of the program has run.
    monkeypatch.setattr(sandbox.Limits, "as_rlimits", lambda _: {"RLIMIT_NPROC": -2})
    game = one_game("print('never')\n")
    assert (game.fault, game.loser, game.outcome) == (Fault.ISOLATION, None, None)
    assert "the box: " in game.detail


def test_bubblewrap_that_fails_itself_is_the_machines_fault(one_game, isolator, monkeypatch):
    if isolator.name != "bwrap":
        pytest.skip("about bubblewrap")
    monkeypatch.setattr(bubblewrap, "TREE", "/dev/null/bot")
    assert one_game("print('never')\n").fault is Fault.ISOLATION


# Prints which of the paths it is given as arguments it can open or list.
_OPENER = """
import os, sys
def is_readable(path):
    try:
        os.listdir(path) if os.path.isdir(path) else open(path, "rb").close()
    except OSError:
        return False
    return True
print([path for path in sys.argv[1:] if is_readable(path)])
"""


def test_bot_sees_the_interpreter_and_no_other_file_of_the_machine(isolator, tree):
    python = interpreters.find(users.user_for(0))
    (tree / "main.py").write_text(_OPENER)
    closed = [
        *("/usr/share", "/usr/bin/env", "/bin/sh", "/etc/passwd", "/etc/hosts"),
        *("/usr/lib/python3/dist-packages", "/usr/local/lib", "/usr/share/zoneinfo", "/home"),
        *_packages_of_the_machine(),
    ]
    opened = [str(python.executable), str(python.directories[0] / "os.py")]
    words = ("python", "/bot/main.py", *closed, *opened)
    assert output(isolator.launcher()(BotSpec("main", words, str(tree)))) == str(opened)


def _packages_of_the_machine() -> list[str]:
    """A file of each of some packages that are installed beside any interpreter of this machine."""
    places = [Path("/usr/lib/python3"), *map(Path, sys.path)]
    return [
        str(next(place.rglob("*.py")))
        for place in places
        if place.name in {"site-packages", "dist-packages", "python3"} and any(place.rglob("*.py"))
    ]


def test_packages_below_the_standard_library_are_hidden(isolator, tree, tmp_path, monkeypatch):
    python = interpreters.find(users.user_for(0))
    # A standard library with packages of the machine in it.
    monkeypatch.setattr(interpreters, "_FOREIGN", ("json",))
    monkeypatch.setattr(landlock, "_files", landlock._files.__wrapped__)  # not the kept ones
    (tree / "main.py").write_text(_OPENER)
    paths = [str(python.directories[0] / name) for name in ("json/decoder.py", "os.py")]
    words = ("python", "/bot/main.py", *paths)
    assert output(isolator.launcher()(BotSpec("main", words, str(tree)))) == str(paths[1:])


def test_every_module_of_the_standard_library_loads_that_loads_outside(isolator, tree):
    (tree / "main.py").write_text(
        "import bz2, ctypes, hashlib, lzma, sqlite3, ssl, zlib, unicodedata, xml.parsers.expat\n"
        "import decimal, array, threading, random, statistics, heapq, itertools, json, pickle\n"
        "print(sqlite3.connect(':memory:').execute('select 1').fetchone())\n"
    )
    argv = ("python", "/bot/main.py")
    assert output(isolator.launcher()(BotSpec("main", argv, str(tree)))) == "(1,)"


@pytest.mark.long
@pytest.mark.skipif(os.geteuid() != 0, reason="an ordinary worker's bots are its own user")
def test_every_slot_of_root_has_a_user_of_its_own(isolator, tree):
    (tree / "main.py").write_text("")
    bot = BotSpec("main", ("python", "/bot/main.py"), str(tree))
    launches = [isolator.launcher(slot=slot)(bot) for slot in (0, 1, 2)]
    for launch in launches:
        for descriptor in (*launch.descriptors, launch.readiness):
            os.close(descriptor)
    users = {launch.user for launch in launches}
    assert len(users) == 3
    assert not users & {None, 0}


@pytest.mark.parametrize(
    ("word", "translated"),
    [
        ("/bot", "/trees/1"),
        ("/bot/main.py", "/trees/1/main.py"),
        ("/bottle", "/bottle"),
        ("/rayuela/engine/wasm", "/ours/engine/wasm"),
        ("--depth", "--depth"),
    ],
)
def test_words_of_an_argument_list_are_told_where_the_box_is(word, translated):
    place = SandboxPaths("/trees/1", "/ours")
    assert place.words(("python", "x.py", word)) == ["x.py", translated]
