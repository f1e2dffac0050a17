"""A game under fuel, which any reader can play again.

Two modules, a start, a seed and a budget decide every move.
"""

from __future__ import annotations

import importlib.metadata
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

import games
from engine import records, referee
from engine.clock import Fuel
from engine.errors import LaunchError
from engine.match import Ending, MatchSpec
from engine.programs import fuel_plies
from engine.programs.fuel_errors import BadFuelGameError, UndecidedError
from engine.programs.fuel_plies import FuelTurn
from engine.programs.launch import run_in_place
from engine.programs.program import ProgramKind
from engine.protocol import SetOption

if TYPE_CHECKING:
    from engine.match import BotSpec
    from engine.process import Launcher
    from engine.programs.program import Program

# The version of the host's counting, increased with every change of the price of a call or the
# budget of a line, or of the JavaScript interpreter.
COUNTING = 1
_HEADER = re.compile(r'\[([A-Z][A-Za-z]+) "([^"\n]*)"\]')
_NAMES = ("First", "Second", "Fuel", "Seed", "Meter", "Instances")
_DIGEST = re.compile(r"[0-9a-f]{64}")
# The headers of the options of both programs: one for each option, and none without options.
_OPTIONS = ("FirstOption", "SecondOption")
# Between the name and the value, as in `setoption`.
_VALUE = " value "

# The values of options by their names, of the first program and of the second.
SideOptions: TypeAlias = tuple[Mapping[str, str], Mapping[str, str]]
NO_OPTIONS: SideOptions = ({}, {})


class Instances(StrEnum):
    """Lifetime of an instance of a module: the whole game, or one ply of it."""

    GAME = "game"
    PLY = "ply"


class ReplayVerdict(StrEnum):
    """The result of playing a game again."""

    CONFIRMED = "confirmed"
    DIFFERENT = "different"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class ReplayFinding:
    """A verdict and one English sentence.

    `ply` counts from 1 and is the first that differs, if one does.
    """

    verdict: ReplayVerdict
    detail: str
    ply: int | None = None


@dataclass(frozen=True, slots=True)
class FuelGame:
    """A game with everything that decided it.

    Attributes:
        first: the digest of the program that made the first ply.
        second: the digest of the other one.
        fuel: the budget for each ply, in units.
        seed: of the random bytes of both programs.
        meter: the counting of fuel, as `meter` tells. Other meters may count otherwise.
        instances: the lifetime of each instance: of two machines, a ply.
        options: the values by name that the first program receives before the game, and those of
            the second. A tuning sets them.
    """

    record: games.Record
    first: str
    second: str
    fuel: int
    seed: str
    meter: str
    instances: Instances = Instances.GAME
    options: SideOptions = NO_OPTIONS

    def text(self) -> str:
        """Return six headers and those of options before the text of the record.

        `parse_fuel_game` reads the text back.
        """
        counted = (str(self.fuel), self.seed, self.meter)
        values = (self.first, self.second, *counted, self.instances.value)
        headers = [f'[{name} "{value}"]' for name, value in zip(_NAMES, values, strict=True)]
        for header, options in zip(_OPTIONS, self.options, strict=True):
            pairs = sorted(options.items())
            headers += [f'[{header} "{name}{_VALUE}{value}"]' for name, value in pairs]
        return "\n".join([*headers, self.record.text()])


def meter() -> str:
    """Return the counting of fuel on this machine: our version, and that of the installed wasmtime."""
    return f"rayuela {COUNTING}, wasmtime {importlib.metadata.version('wasmtime')}"


def parse_fuel_game(text: str) -> FuelGame:
    """Return the game whose `text()` this is.

    Raises:
        BadFuelGameError: the headers are not as they should be.
        RulesError: the record is unreadable.
    """
    lines = text.split("\n", len(_NAMES))
    values = []
    for name, line in zip(_NAMES, lines[:-1], strict=False):
        match = _HEADER.fullmatch(line)
        if match is None or match[1] != name:
            raise BadFuelGameError(f'{line[:60]!r} is not of the form [{name} "..."]')
        values.append(match[2])
    if len(values) < len(_NAMES):
        raise BadFuelGameError(f"no game under fuel: {text[:60]!r}")
    first, second, fuel, seed, counter, instances = values
    if not (_DIGEST.fullmatch(first) and _DIGEST.fullmatch(second)):
        raise BadFuelGameError(f"no SHA-256 digests: {first[:70]!r}, {second[:70]!r}")
    if not (fuel.isascii() and fuel.isdecimal() and int(fuel[:19]) > 0 and len(fuel) < 19):
        raise BadFuelGameError(f"no amount of fuel: {fuel[:60]!r}")
    if instances not in set(Instances):
        raise BadFuelGameError(f"no life of an instance: {instances[:60]!r}")
    options, record = _split_options(lines[-1])
    life = Instances(instances)
    if life is Instances.PLY and any(options):
        raise BadFuelGameError("options of instances that live for a ply")
    return FuelGame(
        games.parse_record(record), first, second, int(fuel), seed, counter, life, options
    )


def _split_options(text: str) -> tuple[tuple[dict[str, str], dict[str, str]], str]:
    """Return the options of both programs in the headers before a record, and the text of the record.

    Raises BadFuelGameError.
    """
    options: tuple[dict[str, str], dict[str, str]] = ({}, {})
    while True:
        line, _, rest = text.partition("\n")
        match = _HEADER.fullmatch(line)
        if match is None or match[1] not in _OPTIONS:
            return options, text
        name, _, value = match[2].rpartition(_VALUE)
        of_side = options[_OPTIONS.index(match[1])]
        if not name or name in of_side:
            raise BadFuelGameError(f"no option, or one that is set twice: {line[:100]!r}")
        of_side[name] = value
        text = rest


def play(
    first: Program,
    second: Program,
    *,
    ruleset: str,
    setup: str,
    fuel: int,
    seed: str,
    options: SideOptions = NO_OPTIONS,
    launcher: Launcher = run_in_place,
) -> FuelGame:
    """Return the game that `first` and `second` play with `fuel` units for each ply.

    It is equal wherever it is played. The `options` of both are set before it.

    Raises:
        RulesError: there is no such rule set or set-up.
        LaunchError: one of them is no module.
        UndecidedError: the machine failed.
    """
    bots = tuple(
        replace(fuel_bot(program, name, seed=seed), options=SetOption.all_of(values))
        for program, name, values in zip((first, second), ("first", "second"), options, strict=True)
    )
    match = MatchSpec(ruleset, setup, (bots[0], bots[1]), Fuel(fuel), games=1)
    report = referee.play_match(match, launcher=launcher).games[0]
    if report.ending is Ending.VOID:
        raise UndecidedError(report.detail)
    record = records.record_of(report)
    digests = (first.digest, second.digest)
    return FuelGame(record, *digests, fuel, seed, meter(), options=options)


def fuel_bot(program: Program, name: str, *, seed: str) -> BotSpec:
    """Return the bot `name` for a game under fuel.

    Raises LaunchError for a program that is no module.
    """
    if program.kind is not ProgramKind.WASM:
        raise LaunchError(f"{name} is a Python program: nobody counts its fuel")
    return program.spec(name, seed=seed)


def replay(
    game: FuelGame, programs: Mapping[str, Program], *, launcher: Launcher = run_in_place
) -> ReplayFinding:
    """Return the finding after playing `game` again and comparing it move by move.

    Args:
        game: as it was published.
        programs: by their digests, verified.
        launcher: of the modules.

    Raises:
        RulesError: the record names no rule set or set-up.
        LaunchError: one of the programs is no module.
    """
    missing = sorted({game.first, game.second} - programs.keys())
    if missing:
        return ReplayFinding(ReplayVerdict.UNDECIDED, f"without the program {missing[0]}")
    if game.meter != meter():
        return ReplayFinding(
            ReplayVerdict.UNDECIDED, f"counted by {game.meter!r}, here is {meter()!r}"
        )
    try:
        if game.instances is Instances.PLY:
            return _replay_plies(game, programs, launcher)
        again = play(
            programs[game.first],
            programs[game.second],
            ruleset=game.record.ruleset,
            setup=game.record.setup,
            fuel=game.fuel,
            seed=game.seed,
            options=game.options,
            launcher=launcher,
        )
    except UndecidedError as error:
        return ReplayFinding(
            ReplayVerdict.UNDECIDED, f"the game could not be finished here: {error}"
        )
    return _comparison(game.record, again.record)


def _replay_plies(
    game: FuelGame, programs: Mapping[str, Program], launcher: Launcher
) -> ReplayFinding:
    """Choose every ply again.

    The modules decide the end of the game only if the rules ended it.
    """
    record = game.record
    position = games.starting_position(games.load(record.ruleset), record.setup)
    for number, recorded_move in enumerate(record.moves):
        digest = game.first if position.side_to_move is games.Side.FIRST else game.second
        moves = record.moves[:number]
        turn = FuelTurn(record.ruleset, record.setup, moves, game.fuel, game.seed)
        move = fuel_plies.move_of(fuel_plies.choose(programs[digest], turn, launcher=launcher))
        if move != recorded_move:
            detail = f"ply {number + 1} is {recorded_move} in the record; the program: {move}"
            return ReplayFinding(ReplayVerdict.DIFFERENT, detail, number + 1)
        position = position.play(move)
    return ReplayFinding(
        ReplayVerdict.CONFIRMED,
        f"all {len(record.moves)} plies are the same; the game ended by {record.ending}",
    )


def _comparison(record: games.Record, game: games.Record) -> ReplayFinding:
    for ply, (recorded_move, move) in enumerate(
        zip(record.moves, game.moves, strict=False), start=1
    ):
        if recorded_move != move:
            detail = f"ply {ply} is {recorded_move} in the record; the program plays {move}"
            return ReplayFinding(ReplayVerdict.DIFFERENT, detail, ply)
    if len(record.moves) != len(game.moves):
        recorded_plies, plies = len(record.moves), len(game.moves)
        detail = f"the record has {recorded_plies} plies; the game has {plies}"
        return ReplayFinding(ReplayVerdict.DIFFERENT, detail, min(recorded_plies, plies) + 1)
    if record != game:
        return ReplayFinding(
            ReplayVerdict.DIFFERENT,
            f"the record ends {record.outcome} by {record.ending}; the game {game.outcome} by {game.ending}",
        )
    return ReplayFinding(
        ReplayVerdict.CONFIRMED, f"all {len(game.moves)} plies and the result are the same"
    )
