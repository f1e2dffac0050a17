"""The kernel in a process: its state, its limits, and its failures."""

from __future__ import annotations

import subprocess
import sys

import pytest

import games
from engine.kernel import __main__ as command
from engine.kernel import build
from engine.kernel.host import (
    Kernel,
    KernelMoveError,
    KernelTrapError,
    NoPositionError,
    TooDeepError,
    _module,
)
from games.perft import perft


@pytest.fixture
def position():
    return games.load("morelli(size=13)").initial(seed=1)


@pytest.mark.long
def test_the_compiled_module_is_kept(tmp_path, position):
    _module.cache_clear()
    Kernel(tmp_path)
    (artefact,) = (tmp_path / "kernel").iterdir()
    written_ns = artefact.stat().st_mtime_ns
    _module.cache_clear()
    assert Kernel(tmp_path).load(position).perft(2) == perft(position, 2)
    assert artefact.stat().st_mtime_ns == written_ns


@pytest.mark.long
def test_a_spoilt_file_is_compiled_anew(tmp_path, position):
    Kernel(tmp_path)
    (artefact,) = (tmp_path / "kernel").iterdir()
    artefact.write_bytes(b"nothing of ours")
    _module.cache_clear()
    assert Kernel(tmp_path).load(position).text() == position.text()
    assert artefact.read_bytes() != b"nothing of ours"


@pytest.mark.long
def test_a_folder_that_cannot_be_written_costs_no_start(tmp_path, position):
    (tmp_path / "kernel").write_text("a file where the folder should be")
    _module.cache_clear()
    assert Kernel(tmp_path).load(position).text() == position.text()


@pytest.mark.long
def test_a_newer_module_takes_the_place_of_an_older_one(tmp_path):
    older = tmp_path / "kernel" / "0123456789abcdef.cwasm"
    older.parent.mkdir()
    older.write_bytes(b"of last year")
    _module.cache_clear()
    Kernel(tmp_path)
    assert not older.exists()


def test_a_call_is_bounded_by_fuel(position):
    kernel = Kernel(fuel=10_000_000).load(position)
    with pytest.raises(KernelTrapError, match="fuel"):
        kernel.playouts(1_000_000, 1)
    # The instance is a new one.
    with pytest.raises(NoPositionError):
        kernel.text()
    assert kernel.load(position).playouts(1, 1).plies


def test_kernels_do_not_share_their_position(position):
    one, other = Kernel().load(position), Kernel().load(position)
    one.play(position.legal_moves()[0])
    assert other.text() == position.text()


@pytest.mark.long
def test_nothing_is_asked_before_a_position_is_there():
    kernel = Kernel()
    for question in (kernel.text, kernel.legal_moves):
        with pytest.raises(NoPositionError):
            question()
    for action in (
        lambda: kernel.perft(1),
        lambda: kernel.playouts(1, 1),
        lambda: kernel.random_game(1),
    ):
        with pytest.raises(NoPositionError):
            action()
    with pytest.raises(NoPositionError):
        kernel.play("A1-B2")


def test_a_count_too_deep_is_refused_at_once(position):
    kernel = Kernel(fuel=1_000_000).load(position)
    with pytest.raises(TooDeepError):
        kernel.perft(65)


def test_an_illegal_move_leaves_the_position(position):
    kernel = Kernel().load(position)
    with pytest.raises(KernelMoveError, match="illegal move"):
        kernel.play("A1-A2")
    assert kernel.text() == position.text()


def test_a_seed_may_be_any_number(position):
    kernel = Kernel().load(position)
    assert kernel.random_game(-1) == kernel.random_game(2**64 - 1)
    assert kernel.random_game(2**63) != kernel.random_game(2**63 - 1)


def test_the_command_compares_the_bytes_of_both_modules(monkeypatch, tmp_path, capsys):
    kernel, bot = tmp_path / "kernel.wasm", tmp_path / "bot.wasm"
    modules = {"one.cpp": b"one", "two.cpp": b"two"}
    for module in (command, build):
        monkeypatch.setattr(module, "UNITS", {kernel: "one.cpp", bot: "two.cpp"})
    monkeypatch.setattr(build, "module_bytes", modules.__getitem__)
    assert command.main(["build"]) == 0
    assert command.main(["build", "--check"]) == 0
    modules["two.cpp"] = b"new"
    assert command.main(["build", "--check"]) == 1
    assert "bot.wasm is not what the source gives" in capsys.readouterr().err
    assert command.main(["build"]) == 0
    assert (kernel.read_bytes(), bot.read_bytes()) == (b"one", b"new")


def test_the_modules_are_of_this_source(monkeypatch, tmp_path):
    """A change of the source needs a build: `python -m engine.kernel build`."""
    assert build.is_of_this_source()
    (tmp_path / "exports.cpp").write_text("// another one")
    monkeypatch.setattr(build, "_SOURCE", tmp_path)
    assert not build.is_of_this_source()


def test_a_machine_without_the_compiler_is_told(monkeypatch, capsys):
    def run(*_args, **_kwargs):
        return subprocess.CompletedProcess(
            [], 1, "", f"{sys.executable}: No module named ziglang\n"
        )

    monkeypatch.setattr(subprocess, "run", run)
    assert command.main(["build"]) == 2
    assert "No module named ziglang" in capsys.readouterr().err
