from __future__ import annotations

import os
import time

import pytest

from engine import sandbox
from engine.errors import BotFailedError
from engine.match import BotSpec
from engine.process import BotProcess, Launch
from engine.sandbox.choice import ISOLATORS
from engine.sandbox.isolator import BROKEN_STATUS, SandboxPaths
from tests.engine.sandbox import children

pytestmark = pytest.mark.engine


@pytest.fixture(params=ISOLATORS)
def isolator(request):
    if reason := children.missing(request.param):
        pytest.skip(f"no such box on this machine: {reason}")
    return ISOLATORS[request.param]()


@pytest.fixture
def tree(tmp_path):
    """A program in a directory of root's or its user's alone, as uploads may be."""
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
        "print(*(r.getrlimit(getattr(r, n))[1] for n in ('RLIMIT_AS', 'RLIMIT_DATA', 'RLIMIT_CPU')))\n"
    )
    limits = sandbox.Limits(address_space_bytes=None, data_bytes=300 << 20, cpu_s=7)
    launcher = isolator.launcher(limits)
    text = output(launcher(BotSpec("main", ("python", "/bot/main.py"), str(tree))))
    assert text == f"-1 {300 << 20} 7"


def test_box_that_cannot_be_made_says_so_by_its_status(isolator, tree, monkeypatch):
    (tree / "main.py").write_text("print('never')\n")
    # A limit that makes no sense fails inside, before anything of the program has run.
    monkeypatch.setattr(sandbox.Limits, "as_rlimits", lambda _: {"RLIMIT_NPROC": -2})
    launch = isolator.launcher()(BotSpec("main", ("python", "/bot/main.py"), str(tree)))
    text = output(launch)
    assert f"status {BROKEN_STATUS}" in text
    assert "the box:" in text


@pytest.mark.skipif(os.geteuid() != 0, reason="an ordinary worker's bots are its own user")
def test_every_slot_of_root_has_a_user_of_its_own(isolator, tree):
    (tree / "main.py").write_text("")
    bot = BotSpec("main", ("python", "/bot/main.py"), str(tree))
    launches = [isolator.launcher(slot=slot)(bot) for slot in (0, 1, 2)]
    for launch in launches:
        for descriptor in launch.descriptors:
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
