from __future__ import annotations

from pathlib import Path

import pytest

from engine.__main__ import main as command
from engine.programs import unpack
from engine.programs.fuel_game import play

pytestmark = pytest.mark.engine

ROOT = Path(__file__).resolve().parents[3]
MODULE = ROOT / "engine/sdk/samples/wasm/morlox.wasm"


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    program = unpack(MODULE.read_bytes(), MODULE.name, tmp_path_factory.mktemp("store"))
    key = "morlox(size=4,swap=off)"
    return play(program, program, ruleset=key, setup="", fuel=3_000_000, seed="1").text()


def verify(text: str, directory: Path, *uploads: Path) -> int:
    record = directory / "game.txt"
    record.write_text(text)
    return command(["verify", str(record), *map(str, uploads)])


@pytest.mark.long
def test_true_record_is_confirmed(text, tmp_path, capsys):
    assert verify(text, tmp_path, MODULE) == 0
    assert capsys.readouterr().out.startswith("confirmed: all ")


@pytest.mark.long
def test_tampered_record_is_found(text, tmp_path, capsys):
    assert verify(text.replace('[Result "1-0"]', '[Result "0-1"]'), tmp_path, MODULE) == 1
    assert capsys.readouterr().out.startswith("different: ")


def test_other_counting_is_undecided(text, tmp_path, capsys):
    assert verify(text.replace("wasmtime ", "wasmtime 9"), tmp_path, MODULE) == 2
    assert capsys.readouterr().out.startswith("undecided: ")


@pytest.mark.long
def test_record_without_its_programs_is_undecided(text, tmp_path):
    assert verify(text, tmp_path, Path(__file__)) == 2


def test_mistakes_are_told(text, tmp_path, capsys):
    assert verify(text, tmp_path, tmp_path / "missing.wasm") == 2
    assert "missing.wasm" in capsys.readouterr().err
    assert verify(text + "nonsense\n", tmp_path, MODULE) == 2
    assert "nonsense" in capsys.readouterr().err


def test_interpreter_without_wasmtime_is_named(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert verify("anything", tmp_path, MODULE) == 2
    assert "has no wasmtime" in capsys.readouterr().err
