"""Plies of modules that are chosen one by one: equal at each reading."""

from __future__ import annotations

import dataclasses
import io
import subprocess
import sys
from pathlib import Path

import pytest

import games
from engine import match, referee
from engine.bot_player import FaultError
from engine.errors import ProtocolError
from engine.match import Ending
from engine.programs import Program, fuel_plies, fuel_server, unpack
from engine.programs.fuel_errors import BadFuelGameError, UndecidedError
from engine.programs.fuel_game import (
    FuelGame,
    Instances,
    ReplayVerdict,
    meter,
    parse_fuel_game,
    replay,
)
from engine.programs.fuel_plies import FuelTurn

pytestmark = pytest.mark.engine
ROOT = Path(__file__).resolve().parents[3]
SAMPLE = ROOT / "engine/sdk/samples/wasm/morlox.wasm"
MORLOX = "morlox(size=4,swap=on)"
FUEL = 3_000_000


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Program:
    return unpack(SAMPLE.read_bytes(), "morlox.wasm", tmp_path_factory.mktemp("store"))


@pytest.fixture(scope="module")
def game(sample: Program) -> FuelGame:
    """Return a game in which every ply was chosen separately."""
    position = games.load(MORLOX).start("")
    moves: list[str] = []
    while position.outcome() is None:
        reply = fuel_plies.choose(sample, FuelTurn(MORLOX, "", moves, FUEL, "7"))
        assert reply.ply is not None
        moves.append(reply.ply.move)
        position = position.play(moves[-1])
    record = games.Record(MORLOX, "", tuple(moves), position.outcome(), "rules")
    return FuelGame(record, sample.digest, sample.digest, FUEL, "7", meter(), Instances.PLY)


@pytest.mark.long
def test_a_game_by_plies_reads_back_and_is_confirmed(game: FuelGame, sample: Program) -> None:
    assert parse_fuel_game(game.text()) == game
    finding = replay(game, {sample.digest: sample})
    assert finding.verdict is ReplayVerdict.CONFIRMED, finding


@pytest.mark.long
def test_a_move_of_somebody_else_is_found(game: FuelGame, sample: Program) -> None:
    moves = list(game.record.moves)
    position = games.load(MORLOX).start("")
    for move in moves[:3]:
        position = position.play(move)
    moves[3] = next(move for move in position.legal_moves() if move != moves[3])
    tampered = dataclasses.replace(game.record, moves=tuple(moves[:4]), outcome=None, ending="")
    finding = replay(dataclasses.replace(game, record=tampered), {sample.digest: sample})
    assert (finding.verdict, finding.ply) == (ReplayVerdict.DIFFERENT, 4)


def test_any_ply_can_be_looked_at_alone(game: FuelGame, sample: Program) -> None:
    number = len(game.record.moves) - 1
    turn = FuelTurn(MORLOX, "", game.record.moves[:number], FUEL, "7")
    assert fuel_plies.move_of(fuel_plies.choose(sample, turn)) == game.record.moves[number]


@pytest.mark.long
def test_without_fuel_there_is_no_move(sample: Program) -> None:
    reply = fuel_plies.choose(sample, FuelTurn(MORLOX, "", (), 100_000, "7"))
    assert (reply.ply, fuel_plies.move_of(reply)) == (None, Ending.TIME.value)


def test_what_the_wall_clock_ends_is_the_machines(
    sample: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    def starve(*_args: object) -> object:
        raise FaultError(match.Fault.NO_ANSWER, "silent")

    monkeypatch.setattr(referee, "_next_ply", starve)
    with pytest.raises(UndecidedError, match="starved"):
        fuel_plies.choose(sample, FuelTurn(MORLOX, "", (), FUEL, "7"))


def test_a_module_hears_nothing_that_depends_on_the_machine(
    sample: Program, game: FuelGame
) -> None:
    reply = fuel_plies.choose(sample, FuelTurn(MORLOX, "", (), FUEL, "7"))
    assert "setoption name Game" in reply.transcript.text()
    assert "setoption name Clock" not in reply.transcript.text()


def test_a_record_says_how_long_an_instance_lives(game: FuelGame) -> None:
    with pytest.raises(BadFuelGameError, match="life of an instance"):
        parse_fuel_game(game.text().replace('[Instances "ply"]', '[Instances "day"]'))


@pytest.mark.long
def test_a_module_speaks_the_protocol_as_a_remote_bot_hears_it(game: FuelGame) -> None:
    moves = game.record.moves
    lines = [
        "ugi",
        f"setoption name Game value {MORLOX}",
        "setoption name Seed value 7",
        "uginewgame",
        "isready",
        "position startpos",
        f"go fuel {FUEL}",
        f"position startpos moves {moves[0]} {moves[1]}",
        f"go fuel {FUEL}",
        "quit",
    ]
    command = [sys.executable, "-m", "engine", "fuel", str(SAMPLE)]
    answer = subprocess.run(
        command, input="\n".join(lines), capture_output=True, text=True, cwd=ROOT, check=True
    )
    replies = answer.stdout.splitlines()
    assert replies[0].startswith("id name ")
    assert replies[0].endswith(meter())
    assert replies[1:] == ["ugiok", "readyok", f"bestmove {moves[0]}", f"bestmove {moves[2]}"]


def test_a_module_plays_by_fuel_alone() -> None:
    lines = io.StringIO(f"setoption name Game value {MORLOX}\nposition startpos\ngo movetime 9\n")
    with pytest.raises(ProtocolError, match="go fuel"):
        fuel_server.serve(SAMPLE, lines=lines, output=io.StringIO())
