"""Ratings of a pool from its games alone, one after the other: what the ledger must say."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tournaments.ratings.elo import FORMULA, INITIAL_CENTIELO, change, k_factor

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A game that counts: both players by id, and what the first side scored in half points, 0, 1 or 2."""

    game: int
    first: int
    second: int
    first_halves: int


@dataclass(frozen=True, slots=True)
class Line:
    """What one game does to one rating, in hundredths of a point and millionths of an expectation."""

    game: int
    player: int
    side: str
    before_centielo: int
    delta_centielo: int
    opponent_centielo: int
    k_factor: int
    expected_millionths: int
    score_halves: int
    formula: str

    @property
    def after_centielo(self) -> int:
        """The rating after the game."""
        return self.before_centielo + self.delta_centielo


@dataclass(slots=True)
class Standing:
    """A player's rating in a pool as far as it has been computed."""

    centielo: int = INITIAL_CENTIELO
    peak_centielo: int = INITIAL_CENTIELO
    games: int = 0
    wins: int = 0
    draws: int = 0


@dataclass(slots=True)
class Book:
    """The standings of a pool's players; whoever is not in it yet begins at the initial rating."""

    standings: dict[int, Standing] = field(default_factory=dict)

    def enter(self, game: RatedGame) -> tuple[Line, Line]:
        """Rate one game: the lines of the first and the second side, both from the ratings before it."""
        first = self.standings.setdefault(game.first, Standing())
        second = self.standings.setdefault(game.second, Standing())
        lines = (
            _line(game, first, second, side="first"),
            _line(game, second, first, side="second"),
        )
        for standing, line in zip((first, second), lines, strict=True):
            standing.centielo = line.after_centielo
            standing.peak_centielo = max(standing.peak_centielo, standing.centielo)
            standing.games += 1
            standing.wins += line.score_halves == 2
            standing.draws += line.score_halves == 1
        return lines


def replay(games: Iterable[RatedGame], book: Book) -> Iterator[Line]:
    """The lines of all the games, in their order; `book` has the standings after them."""
    for game in games:
        yield from book.enter(game)


def _line(game: RatedGame, mine: Standing, theirs: Standing, *, side: str) -> Line:
    is_first = side == "first"
    score_halves = game.first_halves if is_first else 2 - game.first_halves
    changed = change(
        rating_centielo=mine.centielo,
        opponent_centielo=theirs.centielo,
        score_halves=score_halves,
        k=k_factor(games=mine.games, peak_centielo=mine.peak_centielo),
    )
    return Line(
        game=game.game,
        player=game.first if is_first else game.second,
        side=side,
        before_centielo=mine.centielo,
        delta_centielo=changed.delta_centielo,
        opponent_centielo=theirs.centielo,
        k_factor=changed.k_factor,
        expected_millionths=changed.expected_millionths,
        score_halves=score_halves,
        formula=FORMULA,
    )
