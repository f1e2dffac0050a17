"""Matches between ways to search or between two modules, in this process.

With a limit of nodes, a seed always gives equal games. With a limit of time, the processor's time
is counted, so that a busy machine changes little. Then a faster search has an advantage too, and no
game is repeated exactly.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from engine.errors import EngineError
from engine.kernel import LEVELS
from engine.stats.outcomes import Outcomes
from engine.stats.sprt import SprtVerdict
from games.core import Outcome, Side
from games.registry import load

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from engine.kernel.host import Kernel
    from engine.stats.sprt import Sprt

# This number of random plies makes a start if a rule set has only one. It is before the swap of
# Morlox, so that a start that favours one side can be refused.
_OPENING_PLIES = 1
# Half a millisecond of a fast machine, of which the end of a move's time is missed by half.
_SLICE_UNITS = 500
_NS_PER_MS = 1_000_000


class MatchWordError(EngineError):
    """A text that is no way to search."""

    code = "kernel-match-word"


@dataclass(frozen=True, slots=True)
class Way:
    """A way to choose moves: a level, or a search with a limit of nodes or of time.

    Attributes:
        nodes: of the search. 0 of a level and of a search by time.
        milliseconds: of the processor, for a move. 0 of a level and of a search by nodes.
        words: `level`, or the constants of the search, as `Kernel.search` takes them.
    """

    nodes: int
    words: tuple[tuple[str, int], ...]
    milliseconds: int = 0

    @classmethod
    def read(cls, text: str) -> Self:
        """Such as `level=3`, `nodes=500 amaf=1` or `ms=20`. Raises MatchWordError."""
        words: dict[str, int] = {}
        for word in text.split():
            name, _, value = word.partition("=")
            if not value.isdecimal() or name in words:
                raise MatchWordError(f"{word!r} is no word such as nodes=500")
            words[name] = int(value)
        nodes, milliseconds = words.pop("nodes", 0), words.pop("ms", 0)
        if [nodes > 0, milliseconds > 0, "level" in words].count(True) != 1:
            raise MatchWordError(f"{text!r} has not one of nodes, ms and level")
        return cls(nodes, tuple(words.items()), milliseconds)

    def move(self, kernel: Kernel, seed: int) -> str:
        """Return the move in the kernel's position."""
        words = dict(self.words)
        if "level" in words:
            return kernel.level_move(words["level"], seed)
        if self.nodes:
            return kernel.search(self.nodes, seed=seed, **words).lines[0].moves[0]
        end_ns = time.process_time_ns() + self.milliseconds * _NS_PER_MS
        kernel.begin_search(seed=seed, **words)
        while not kernel.go_on(_SLICE_UNITS) and time.process_time_ns() < end_ns:
            pass
        return kernel.search_on(0).lines[0].moves[0]


@dataclass(frozen=True, slots=True)
class Match:
    """Two ways, and the starts of their games.

    Attributes:
        ruleset: the key.
        player, opponent: the ways. Results are the player's.
        seed: of the starts and of the searches.
    """

    ruleset: str
    player: Way
    opponent: Way
    seed: int = 1

    def pairs(self, kernel: Kernel, opponents: Kernel | None = None) -> Iterator[Outcomes]:
        """Yield the counts after each pair of games from one start with sides exchanged, without end.

        Args:
            kernel: the player's.
            opponents: the opponent's, with its own table. None: `kernel` too.

        Raises:
            KernelError: a search does not know a word of its way, or the two kernels do not play by
                the same rules.
        """
        kernels = (kernel, opponents or kernel)
        outcomes = Outcomes.no_pairs()
        number = self.seed * 1_000_003
        while True:
            number += 1
            start = lay_start(self.ruleset, kernel, number)
            halves = sum(self._halves(kernels, start, number, side) for side in Side)
            outcomes = outcomes.plus(halves=halves)
            yield outcomes

    def _halves(self, kernels: tuple[Kernel, Kernel], start: str, seed: int, side: Side) -> int:
        """Return the player's half points in a game that he plays as `side`."""
        own, _ = kernels
        boards = list(dict.fromkeys(kernels))
        for board in boards:
            board.load_text(load(self.ruleset).key, start)
        while (outcome := own.outcome()) is None:
            is_players = own.side_to_move is side
            way = self.player if is_players else self.opponent
            kernel = kernels[not is_players]
            move = way.move(kernel, (seed * 1009 + own.ply) % 999_999_937)
            for board in boards:
                board.play(move)
        if outcome is Outcome.DRAW:
            return 1
        return 2 if outcome is Outcome.won_by(side) else 0


def lay_start(ruleset: str, kernel: Kernel, seed: int) -> str:
    """Load the start of this number into the kernel, and return its text."""
    rules = load(ruleset)
    kernel.load(rules.initial(seed=seed))
    if not rules.setup_text(rules.initial(seed=seed)):
        for move in kernel.random_game(seed)[:_OPENING_PLIES]:
            kernel.play(move)
    return kernel.text()


def weight_words(weights: Iterable[int]) -> dict[str, int]:
    """Return the words that set all weights of an evaluation, each 0 to 10,000, in the order of its `Weight`."""
    return {f"w{place}": weight + 1 for place, weight in enumerate(weights)}


def ladder(ruleset: str, kernel: Kernel, *, games: int, seed: int = 1) -> Iterator[Outcomes]:
    """Yield the counts of each level from the second on against the next lower one."""
    for level in LEVELS[1:]:
        player, opponent = (Way.read(f"level={number}") for number in (level, level - 1))
        match = Match(ruleset, player, opponent, seed)
        yield outcomes_of(match, kernel, test=None, most_pairs=games // 2)


def outcomes_of(
    match: Match,
    kernel: Kernel,
    opponents: Kernel | None = None,
    *,
    test: Sprt | None,
    most_pairs: int,
) -> Outcomes:
    """Return the counts when the test has a verdict, or after the last pair.

    The kernels are those of `pairs`.
    """
    outcomes = Outcomes.no_pairs()
    for number, outcomes in enumerate(match.pairs(kernel, opponents), 1):
        if number >= most_pairs:
            break
        if test and test.verdict(outcomes) is not SprtVerdict.GOING_ON:
            break
    return outcomes
