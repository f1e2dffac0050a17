"""The parts that all rating systems share: a rated game, a ledger line, and a standing."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from tournaments.ratings.elo import INITIAL_CENTIELO
from tournaments.ratings.fide import TimeClass

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date, datetime

# Inputs of a line beside its columns: whole numbers and short words, so that they are equal on
# every machine.
Inputs = dict[str, int | str]


class SystemName(StrEnum):
    """Rating system of a pool."""

    # FIDE's lists: rated together once a month, each against the ratings on a list (B.02). People's
    # events.
    LISTS = "lists"
    # Glicko-2, each game immediately. People's other games.
    GLICKO2 = "glicko2"
    # Elo after each game. Bots, whose published strengths are fitted to all games together.
    RUNNING = "running"


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A game that counts.

    Attributes:
        game: its id.
        first: the first side's player by id.
        second: the second side's.
        first_halves: the first side's score in half points, 0, 1 or 2.
        ended_at: when, with a time zone.
        event: the id of its event, or None outside of events.
        event_began: the day on which that event began.
        time_class: its speed.
        advantage_centielo: the first side's advantage in this game.
    """

    game: int
    first: int
    second: int
    first_halves: int
    ended_at: datetime
    event: int | None = None
    event_began: date | None = None
    time_class: TimeClass = TimeClass.STANDARD
    advantage_centielo: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    """The effect of one game on one rating, in hundredths of a point and millionths of an expectation.

    A line without a game closes a rating period of lists: it brings the sum of the period's games
    to the whole points of the next list. `period` is the first day of the month in which the line
    counts, or None without periods.
    """

    player: int
    game: int | None
    side: str
    before_centielo: int
    delta_centielo: int
    opponent_centielo: int
    k_factor: int
    expected_millionths: int
    score_halves: int
    formula: str
    period: date | None = None
    inputs: Inputs = field(default_factory=dict)

    @property
    def after_centielo(self) -> int:
        """Return the rating after it."""
        return self.before_centielo + self.delta_centielo


@dataclass(slots=True)
class RatingStanding:
    """A player's state in a pool after the last line.

    Deviation and volatility are Glicko-2's. `listed_elo` is the rating on the latest list, in whole
    points. They are None in other systems.
    """

    centielo: int = INITIAL_CENTIELO
    peak_centielo: int = INITIAL_CENTIELO
    games: int = 0
    wins: int = 0
    draws: int = 0
    last_at: datetime | None = None
    deviation_centielo: int | None = None
    volatility_billionths: int | None = None
    listed_elo: int | None = None

    def count(self, line: Line, *, at: datetime) -> None:
        """Take in the line of a game that ended then."""
        self.centielo = line.after_centielo
        self.peak_centielo = max(self.peak_centielo, self.centielo)
        self.games += 1
        self.wins += line.score_halves == 2
        self.draws += line.score_halves == 1
        self.last_at = at


class RatingSystem(Protocol):
    """The ratings of a pool while its games are entered, one after the other."""

    standings: dict[int, RatingStanding]

    def order(self, game: RatedGame) -> int:
        """Return the sort key of games before the order in which they were entered."""
        ...

    def enter(self, game: RatedGame) -> Sequence[Line]:
        """Rate one game.

        Returns a line for each side, after the lines that close earlier periods of these two.
        """
        ...

    def close(self, until: date) -> Sequence[Line]:
        """Close all periods that ended before the month of `until`."""
        ...

    def restore(self, player: int, lines: Sequence[Line]) -> None:
        """Restore the data of the player's earlier lines that `standings` does not contain."""
        ...

    def expected_millionths(self, game: RatedGame) -> int:
        """Return the first side's expected score in a game that begins at `ended_at`."""
        ...

    def formula_of(self, game: RatedGame) -> str:
        """Return the name of the formula that rates a game which ends at `ended_at`."""
        ...


def both_sides(game: RatedGame) -> tuple[tuple[str, int, int, int], tuple[str, int, int, int]]:
    """Return for each side its name, its player, the opponent, and its score in half points."""
    return (
        ("first", game.first, game.second, game.first_halves),
        ("second", game.second, game.first, 2 - game.first_halves),
    )


def standing_of(standings: Mapping[int, RatingStanding], player: int) -> RatingStanding:
    """Return the player's state, or the initial one if it is not known."""
    return standings.get(player) or RatingStanding()
