"""Built-in players by name, with their level after a colon: `search:200` thinks 200 ms a move."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.errors import UnknownPlayerError
from engine.players.search import TreeSearch
from engine.players.simple import Greedy, RandomMover

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.match import BotSpec
    from engine.players.core import BuiltinPlayer

DEFAULT_LEVEL_MS = 300
_LEVELS_MS = range(10, 60_001)
# A bot's environment is empty and its directory is not ours, so the way to this package is part of
# the command. `python -m engine serve` does the same in twice the time: it knows the other commands
# too.
_SERVE = (
    "import sys; sys.path.insert(0, {root!r}); "
    "from engine.players import server; sys.exit(server.main(sys.argv[1:]))"
)

_PLAYERS: dict[str, Callable[[], BuiltinPlayer]] = {
    "random": RandomMover,
    "greedy": Greedy,
    "search": TreeSearch,
}


@dataclass(frozen=True, slots=True)
class PlayerCard:
    """A built-in player to offer: its name, a sentence, and its rank from 0, the weakest."""

    name: str
    description: str
    strength: int


@dataclass(frozen=True, slots=True)
class PlayerLevel:
    """A built-in player at a level, and the longest it thinks about one move, in milliseconds."""

    name: str
    player: BuiltinPlayer
    cap_ms: int


_CARDS = (
    PlayerCard("random", "Plays any legal move, each equally likely.", 0),
    PlayerCard("greedy", "Plays the move after which the position looks best, one ply deep.", 1),
    PlayerCard("search:100", "Monte-Carlo tree search, a tenth of a second a move.", 2),
    PlayerCard("search", "Monte-Carlo tree search, 0.3 seconds a move.", 3),
    PlayerCard("search:1000", "Monte-Carlo tree search, a second a move.", 4),
    PlayerCard("search:3000", "Monte-Carlo tree search, three seconds a move.", 5),
)


def available() -> tuple[PlayerCard, ...]:
    """The players to offer, the weakest first. `search` takes other levels than these too."""
    return _CARDS


def is_player(name: str) -> bool:
    """Whether `name` is a built-in player at a level it takes."""
    try:
        create(name)
    except UnknownPlayerError:
        return False
    return True


def create(name: str) -> PlayerLevel:
    """The player called `name`. Raises UnknownPlayerError."""
    family, colon, level = name.partition(":")
    if family not in _PLAYERS:
        raise UnknownPlayerError(f"no player is called {name[:60]!r}: {', '.join(_PLAYERS)}")
    if colon and family != "search":
        raise UnknownPlayerError(f"{family} has no levels: {name[:60]!r}")
    if not colon:
        return PlayerLevel(name, _PLAYERS[family](), DEFAULT_LEVEL_MS)
    if not (level.isascii() and level.isdecimal() and int(level[:9]) in _LEVELS_MS):
        raise UnknownPlayerError(
            f"a level is {_LEVELS_MS[0]} to {_LEVELS_MS[-1]} ms: {name[:60]!r}"
        )
    return PlayerLevel(name, _PLAYERS[family](), int(level))


def command(name: str, *, seed: int | None = None) -> list[str]:
    """The argument list that serves `name` in a process of its own, wherever it is started.

    Raises:
        UnknownPlayerError: there is no such player or level.
    """
    from pathlib import Path

    create(name)
    serve = _SERVE.format(root=str(Path(__file__).resolve().parent.parent.parent))
    seed_words = [] if seed is None else [str(seed)]
    return [sys.executable, "-P", "-c", serve, name, *seed_words]


def spec(name: str, *, seed: int | None = None) -> BotSpec:
    """The built-in player `name` as the referee takes it. Raises UnknownPlayerError."""
    from engine.match import BotSpec, Preloaded

    arguments = (name,) if seed is None else (name, str(seed))
    preloaded = Preloaded("engine.players.server", arguments)
    return BotSpec(name, tuple(command(name, seed=seed)), preloaded=preloaded)
