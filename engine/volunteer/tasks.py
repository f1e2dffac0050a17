"""Games under fuel as tasks for a worker, and checks of the transcripts that come back."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import games
from engine.errors import EngineError
from engine.programs import fuel_game
from engine.programs.fuel_errors import BadFuelGameError
from engine.programs.fuel_game import NO_OPTIONS, SideOptions
from games import Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.programs.fuel_game import FuelGame

# The packages whose sources decide a game, below one directory.
_ROOT = Path(__file__).resolve().parents[2]
_PACKAGES = ("games", "engine")
# Endings that a worker reports. The site plays games with other endings, because the machine may be
# the cause of a crash.
REPORTED_ENDINGS = frozenset({"rules", "resignation"})


# The digests, the seed, the set-up and the options of a tuning.
_MOST_HEADERS = 16_384


class LongTranscriptError(EngineError, ValueError):
    """A transcript that is longer than that of the longest game of its rule set."""

    code = "long-transcript"


class WrongTranscriptError(EngineError, ValueError):
    """A transcript that no game of the task can have.

    `ply` counts from 1 and is the first wrong one, or None if the moves are not wrong.
    """

    code = "wrong-transcript"

    def __init__(self, detail: str, ply: int | None = None) -> None:
        self.detail = detail
        self.ply = ply
        super().__init__(detail)


@dataclass(frozen=True, slots=True)
class FuelTask:
    """A game to play: everything that decides it.

    Attributes:
        ruleset: its key.
        setup: of the game.
        first: the digest of the module that plays first.
        second: the digest of the other one.
        fuel: the budget for each ply, in units.
        seed: of the random bytes of both modules.
        options: the values by name that the first module receives before the game, and those of
            the second.
    """

    ruleset: str
    setup: str
    first: str
    second: str
    fuel: int
    seed: str
    options: SideOptions = NO_OPTIONS

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> FuelTask:
        """Return the task whose `asdict` this is. Raises KeyError, TypeError, ValueError."""
        ruleset, setup, first, second, seed = (
            str(values[name]) for name in ("ruleset", "setup", "first", "second", "seed")
        )
        fuel, (own, other) = int(str(values["fuel"])), values["options"]
        return cls(ruleset, setup, first, second, fuel, seed, (dict(own), dict(other)))

    def values(self) -> dict[str, object]:
        """Return the fields by their names."""
        return asdict(self)


@cache
def version() -> str:
    """Return the version of everything that decides a game here: the counting of fuel, and our sources."""
    whole = hashlib.sha256()
    for package in _PACKAGES:
        for path in sorted((_ROOT / package).rglob("*.py")):
            whole.update(path.relative_to(_ROOT).as_posix().encode() + b"\0")
            whole.update(hashlib.sha256(path.read_bytes()).digest())
    return f"{fuel_game.meter()}, sources {whole.hexdigest()[:16]}"


def most_characters(task: FuelTask) -> int:
    """Return the length that a transcript of the task may have: that of the longest game."""
    return _MOST_HEADERS + games.record.most_characters(games.load(task.ruleset))


def require_length(task: FuelTask, transcript: str) -> None:
    """Raise LongTranscriptError for a transcript that is longer than those of the task can be."""
    most = most_characters(task)
    if len(transcript) > most:
        raise LongTranscriptError(
            f"a transcript of {len(transcript)} characters. Of {task.ruleset} it has {most} at most"
        )


def checked(task: FuelTask, transcript: str) -> FuelGame:
    """Return the game of `transcript` if the rules allow it as a game of `task`.

    The modules are not run: `first_difference` compares the moves with those that they choose.

    Raises WrongTranscriptError.
    """
    try:
        game = fuel_game.parse_fuel_game(transcript)
    except (BadFuelGameError, games.RulesError) as error:
        raise WrongTranscriptError(str(error)[:300]) from error
    record = game.record
    played = FuelTask(
        record.ruleset,
        record.setup,
        game.first,
        game.second,
        game.fuel,
        game.seed,
        game.options,
    )
    for name, expected in task.values().items():
        if getattr(played, name) != expected:
            raise WrongTranscriptError(f"{name} is {getattr(played, name)!r}, not {expected!r}")
    if (game.meter, game.instances) != (fuel_game.meter(), fuel_game.Instances.GAME):
        raise WrongTranscriptError(f"counted by {game.meter!r}, each {game.instances.value}")
    _require_result(record)
    return game


def _require_result(record: games.Record) -> None:
    """Raise WrongTranscriptError unless the moves can be played and give the result."""
    position = games.starting_position(games.load(record.ruleset), record.setup)
    for ply, move in enumerate(record.moves, start=1):
        if position.outcome() is not None:
            raise WrongTranscriptError(f"ply {ply} follows the end of the game", ply)
        try:
            if move == games.AGREE or position.canonical(move) != move:
                raise WrongTranscriptError(f"ply {ply} is {move[:40]!r}", ply)
            position = position.play(move)
        except games.IllegalMoveError as error:
            raise WrongTranscriptError(f"ply {ply} is illegal: {error}"[:300], ply) from error
    outcome = position.outcome()
    if record.ending == "resignation" and outcome is None:
        outcome = Outcome.won_by(position.side_to_move.opponent)
    elif record.ending != "rules":
        raise WrongTranscriptError(f"the game ends by {record.ending}", len(record.moves))
    if outcome is None or outcome is not record.outcome:
        detail = f"the result is {record.outcome}, and by the rules {outcome}"
        raise WrongTranscriptError(detail, len(record.moves))


def first_difference(reported: games.Record, played: games.Record) -> int | None:
    """Return the first ply, from 1, in which two games differ. None for equal games.

    Games of equal moves with another end differ in the ply after the last.
    """
    for ply, moves in enumerate(zip(reported.moves, played.moves, strict=False), start=1):
        if moves[0] != moves[1]:
            return ply
    if reported == played:
        return None
    return min(len(reported.moves), len(played.moves)) + 1
