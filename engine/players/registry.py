"""Built-in players by name, with their level after a colon: `kernel:200` thinks 200 ms a move."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.errors import UnknownPlayerError
from engine.kernel import LEVELS
from engine.players.core import Budget
from engine.players.kernel import KernelLevel, KernelSearch
from engine.players.search import TreeSearch
from engine.players.simple import Careless, Greedy, RandomMover
from engine.protocol import Go

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from engine.match import BotSpec
    from engine.players.core import BuiltinPlayer
    from games.core import Position

DEFAULT_LEVEL_MS = 300
_LEVELS_MS = range(10, 60_001)
# A level does not ask the time.
_UNBOUNDED_MS = 600_000
_LEVEL = "level"
# A bot's environment is empty and its directory is not ours, so the way to this package is part of
# the command. `python -m engine serve` does this in twice the time: it knows the other commands
# too.
_SERVE = (
    "import sys; sys.path.insert(0, {root!r}); "
    "from engine.players import server; sys.exit(server.main(sys.argv[1:]))"
)


@dataclass(frozen=True, slots=True)
class _Kind:
    """Players of one word, perhaps with a level after a colon.

    Attributes:
        make: the player at a level.
        levels: the available levels. Empty for a player of one strength.
        unit: of the levels, for refusals.
        default: the level of the word alone. 0 if a level is required.
        is_handicap: whether the player is the weaker the higher its level.
    """

    make: Callable[[int], BuiltinPlayer]
    levels: range = range(0)
    unit: str = ""
    default: int = 0
    is_handicap: bool = False


# The weakest first.
_KINDS = {
    "random": _Kind(lambda _: RandomMover()),
    "careless": _Kind(Careless, range(1, 100), "percent", 50, is_handicap=True),
    "greedy": _Kind(lambda _: Greedy()),
    "search": _Kind(lambda _: TreeSearch(), _LEVELS_MS, "ms", DEFAULT_LEVEL_MS),
    _LEVEL: _Kind(KernelLevel, LEVELS),
    "kernel": _Kind(lambda _: KernelSearch(), _LEVELS_MS, "ms", DEFAULT_LEVEL_MS),
}


@dataclass(frozen=True, slots=True)
class PlayerCard:
    """A built-in player to offer: its name, and a sentence."""

    name: str
    description: str


@dataclass(frozen=True, slots=True)
class PlayerLevel:
    """A built-in player at a level.

    Attributes:
        cap_ms: the longest it thinks about one move.
        strength: greater for the player of a kind that should be the stronger, and for another kind
            that comes later. Results may differ.
        level: its number if it is one of the kernel's levels, from 1 on.
    """

    name: str
    player: BuiltinPlayer
    cap_ms: int
    strength: tuple[int, int]
    level: int | None = None


_CARDS = (
    PlayerCard("random", "Plays any legal move, each equally likely."),
    PlayerCard("careless", "Looks one ply deep, and plays any legal move half of the time."),
    PlayerCard("greedy", "Plays the move after which the position looks best, one ply deep."),
    PlayerCard("search:100", "Monte-Carlo tree search, a tenth of a second a move."),
    PlayerCard("search", "Monte-Carlo tree search, 0.3 seconds a move."),
    PlayerCard("search:1000", "Monte-Carlo tree search, a second a move."),
    PlayerCard("search:3000", "Monte-Carlo tree search, three seconds a move."),
    *(PlayerCard(f"level:{n}", f"The kernel's level {n} of {LEVELS[-1]}.") for n in LEVELS),
    PlayerCard("kernel:100", "The kernel's search, a tenth of a second a move."),
    PlayerCard("kernel", "The kernel's search, 0.3 seconds a move."),
    PlayerCard("kernel:1000", "The kernel's search, a second a move."),
)


def available() -> tuple[PlayerCard, ...]:
    """Return the players to offer, the weakest first of each kind. Some take other levels too."""
    return _CARDS


def is_player(name: str) -> bool:
    """Return whether `name` is a built-in player at a level it takes."""
    try:
        create(name)
    except UnknownPlayerError:
        return False
    return True


def uses_kernel(name: str) -> bool:
    """Return whether the player `name` runs the kernel. Raises UnknownPlayerError."""
    return isinstance(create(name).player, KernelLevel | KernelSearch)


def create(name: str) -> PlayerLevel:
    """Return the player called `name`. Raises UnknownPlayerError."""
    word, colon, text = name.partition(":")
    kind = _KINDS.get(word)
    if kind is None:
        raise UnknownPlayerError(f"no player is called {name[:60]!r}: {', '.join(_KINDS)}")
    if colon and not kind.levels:
        raise UnknownPlayerError(f"{word} has no levels: {name[:60]!r}")
    level = _number(text) if colon else kind.default
    if kind.levels and level not in kind.levels:
        choice = f"{kind.levels[0]} to {kind.levels[-1]} {kind.unit}".strip()
        raise UnknownPlayerError(f"a level is {choice}: {name[:60]!r}")
    strength = (list(_KINDS).index(word), -level if kind.is_handicap else level)
    is_level = word == _LEVEL
    cap_ms = level if kind.unit == "ms" else _UNBOUNDED_MS if is_level else DEFAULT_LEVEL_MS
    return PlayerLevel(name, kind.make(level), cap_ms, strength, level if is_level else None)


def opponent(name: str) -> Callable[[Position, random.Random], str]:
    """Return the choice of moves of the player `name` in this process, for learning environments.

    Raises:
        UnknownPlayerError: there is no such player or level.
    """
    level = create(name)

    def move(position: Position, rng: random.Random) -> str:
        budget = Budget.of(
            Go(), side=position.side_to_move, cap_ms=level.cap_ms, clock=time.monotonic_ns
        )
        return level.player.choose(position, budget=budget, rng=rng).move

    return move


def _number(text: str) -> int:
    """Return the number in a text, or -1 if it is not a number."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else -1


def command(name: str, *, seed: int | None = None) -> list[str]:
    """Return the argument list that serves `name` in its own process, in any directory.

    Raises:
        UnknownPlayerError: there is no such player or level.
    """
    from pathlib import Path

    create(name)
    serve = _SERVE.format(root=str(Path(__file__).resolve().parent.parent.parent))
    seed_words = [] if seed is None else [str(seed)]
    return [sys.executable, "-P", "-c", serve, name, *seed_words]


def spec(name: str, *, seed: int | None = None) -> BotSpec:
    """Return the built-in player `name` as the referee takes it. Raises UnknownPlayerError."""
    from engine.match import BotSpec, Preloaded

    arguments = (name,) if seed is None else (name, str(seed))
    preloaded = Preloaded("engine.players.server", arguments)
    return BotSpec(name, tuple(command(name, seed=seed)), preloaded=preloaded)
