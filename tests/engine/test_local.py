from __future__ import annotations

import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine import local, sandbox
from engine.__main__ import main
from engine.errors import LaunchError
from engine.match import BotSpec
from engine.players import server
from engine.process import unconfined

SOURCE = "from rayuela_sdk import run\nrun(lambda position, clock: position.legal_moves()[0])\n"


@pytest.fixture
def box(monkeypatch):
    """Return a sandbox that takes programs as they are, and says which it has started."""
    bots: list[BotSpec] = []

    def launcher(bot: BotSpec):
        bots.append(bot)
        if bot.tree is None:
            return unconfined(bot)
        words = [word.replace("/bot/", f"{bot.tree}/") for word in bot.argv[1:]]
        return local._here(BotSpec(bot.name, (sys.executable, *words)))

    monkeypatch.setattr(sandbox, "choose", lambda: SimpleNamespace(launcher=lambda: launcher))
    return bots


@pytest.mark.engine
def test_match_in_the_box_gives_it_a_copy_of_the_program(box, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(SOURCE)
    arguments = [
        "match",
        "--boxed",
        "--games",
        "2",
        "--game",
        "morlox(size=4)",
        "mine.py",
        "random",
    ]
    assert main(arguments) == 0
    mine = next(bot for bot in box if bot.name == "mine")
    assert mine.argv == ("python", "/bot/mine.py")
    assert mine.tree is not None
    assert not mine.tree.startswith(str(tmp_path))
    assert [bot.tree for bot in box if bot.name == "random"] == [None]


def test_upload_is_unpacked_for_the_box(box, tmp_path):
    with zipfile.ZipFile(tmp_path / "bot.zip", "w") as archive:
        archive.writestr("nilo/main.py", SOURCE)
    with local.open_local_source(is_sandboxed=True) as source:
        spec = source.bot(str(tmp_path / "bot.zip"), seed=1)
        assert (spec.name, spec.argv) == ("bot", ("python", "/bot/main.py"))
        assert Path(spec.tree or "", "main.py").read_text() == SOURCE


@pytest.mark.parametrize("text", ["/bin/cat", "missing.py", "."])
def test_what_cannot_be_boxed_is_refused(box, text):
    with local.open_local_source(is_sandboxed=True) as source, pytest.raises(LaunchError):
        source.bot(text, seed=1)


def test_machine_without_a_box_says_so(monkeypatch, capsys):
    def refuse():
        missing = sandbox.IsolationRefusal(sandbox.IsolationReason.NO_BUBBLEWRAP, "")
        raise sandbox.NoIsolationError({"bwrap": missing})

    monkeypatch.setattr(sandbox, "choose", refuse)
    assert main(["check", "--boxed", "random"]) == 2
    assert "cannot isolate foreign programs" in capsys.readouterr().err


def test_player_of_the_kernel_needs_wasmtime_and_the_others_do_not(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    server.preload()
    source = local.LocalSource(local._here)
    assert source.bot("greedy", seed=1).name == "greedy"
    for name in ("level:3", "kernel:100"):
        with pytest.raises(LaunchError, match=r"has no wasmtime.* \.venv/bin/python"):
            source.bot(name, seed=1)
