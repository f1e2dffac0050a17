"""Matches between ways to search, in this process: by nodes, so that a seed gives the same games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from engine.errors import EngineError
from engine.kernel import LEVELS
from engine.stats.outcomes import Outcomes
from engine.stats.sprt import SprtVerdict
from games.core import Outcome, Side
from games.registry import load

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.kernel.host import Kernel
    from engine.stats.sprt import Sprt

# So many random plies make a start where a rule set has but one.
_OPENING_PLIES = 2


class MatchWordError(EngineError):
    """A text that is no way to search."""

    code = "kernel-match-word"


@dataclass(frozen=True, slots=True)
class Way:
    """A way to choose moves: a level, or a search of so many nodes.

    Attributes:
        nodes: of the search; 0 of a level.
        words: `level`, or the constants of the search, as `Kernel.search` takes them.
    """

    nodes: int
    words: tuple[tuple[str, int], ...]

    @classmethod
    def read(cls, text: str) -> Self:
        """Such as `level=3` or `nodes=500 amaf=1`. Raises MatchWordError."""
        words: dict[str, int] = {}
        for word in text.split():
            name, _, value = word.partition("=")
            if not value.isdecimal() or name in words:
                raise MatchWordError(f"{word!r} is no word such as nodes=500")
            words[name] = int(value)
        nodes = words.pop("nodes", 0)
        if bool(nodes) == ("level" in words):
            raise MatchWordError(f"{text!r} has not one of nodes and level")
        return cls(nodes, tuple(words.items()))

    def move(self, kernel: Kernel, seed: int) -> str:
        """The move in the kernel's position."""
        words = dict(self.words)
        if "level" in words:
            return kernel.level_move(words["level"], seed)
        return kernel.search(self.nodes, seed=seed, **words).lines[0].moves[0]


@dataclass(frozen=True, slots=True)
class Match:
    """Two ways, and where their games begin.

    Attributes:
        ruleset: the key.
        player, opponent: the ways; results are the player's.
        seed: of the starts and of the searches.
    """

    ruleset: str
    player: Way
    opponent: Way
    seed: int = 1

    def pairs(self, kernel: Kernel) -> Iterator[Outcomes]:
        """The counts after each pair of games from one start with sides exchanged, without end."""
        outcomes = Outcomes.no_pairs()
        number = self.seed * 1_000_003
        while True:
            number += 1
            start = self._start(kernel, number)
            halves = sum(self._halves(kernel, start, number, side) for side in Side)
            outcomes = outcomes.plus(halves=halves)
            yield outcomes

    def _start(self, kernel: Kernel, seed: int) -> str:
        ruleset = load(self.ruleset)
        kernel.load(ruleset.initial(seed=seed))
        if not ruleset.setup_text(ruleset.initial(seed=seed)):
            for move in kernel.random_game(seed)[:_OPENING_PLIES]:
                kernel.play(move)
        return kernel.text()

    def _halves(self, kernel: Kernel, start: str, seed: int, side: Side) -> int:
        """The player's half points in a game that he plays as `side`."""
        kernel.load_text(load(self.ruleset).key, start)
        while (outcome := kernel.outcome()) is None:
            way = self.player if kernel.side_to_move is side else self.opponent
            kernel.play(way.move(kernel, (seed * 1009 + kernel.ply) % 999_999_937))
        if outcome is Outcome.DRAW:
            return 1
        return 2 if outcome is Outcome.won_by(side) else 0


def ladder(ruleset: str, kernel: Kernel, *, games: int, seed: int = 1) -> Iterator[Outcomes]:
    """The counts of each level from the second on against the next lower one."""
    for level in LEVELS[1:]:
        player, opponent = (Way.read(f"level={number}") for number in (level, level - 1))
        match = Match(ruleset, player, opponent, seed)
        yield outcomes_of(match, kernel, test=None, most_pairs=games // 2)


def outcomes_of(match: Match, kernel: Kernel, *, test: Sprt | None, most_pairs: int) -> Outcomes:
    """The counts when the test has a verdict, or after the last pair."""
    outcomes = Outcomes.no_pairs()
    for number, outcomes in enumerate(match.pairs(kernel), 1):
        if number >= most_pairs:
            break
        if test and test.verdict(outcomes) is not SprtVerdict.GOING_ON:
            break
    return outcomes
