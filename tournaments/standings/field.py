"""The field of an event: the participants and the results of every round, as tie-breaks need them (C.07)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from tournaments.house_rules import USUAL_RULES, HouseRules
from tournaments.round_kinds import Kind
from tournaments.standings.errors import BadFieldError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class System(StrEnum):
    """Method of finding opponents, as far as C.07 sets it apart (article 15)."""

    SWISS = "swiss"
    ROUND_ROBIN = "rr"  # pre-determined pairings: forfeits count as games (15.2)


class Edition(StrEnum):
    """The editions of C.07 by the year in which they came into force."""

    AUGUST_2024 = "2024"
    MARCH_2026 = "2026"


_MARCH_2026 = date(2026, 3, 1)


def edition_at(start: date) -> Edition:
    """Return the edition for an event that starts on that day.

    Earlier events have the oldest known edition.
    """
    return Edition.MARCH_2026 if start >= _MARCH_2026 else Edition.AUGUST_2024


PLAYED = frozenset((Kind.WIN, Kind.DRAW, Kind.LOSS))
FORFEITS = frozenset((Kind.FORFEIT_WIN, Kind.FORFEIT_LOSS, Kind.VOID))
REQUESTED_BYES = frozenset((Kind.HALF_BYE, Kind.ZERO_BYE))
# 16.2: the rounds a participant chose not to play.
VOLUNTARY = REQUESTED_BYES | {Kind.FORFEIT_LOSS, Kind.VOID}
# Rounds without a counting result.
SILENT = frozenset((Kind.FREE, Kind.THROUGH, Kind.OUT, Kind.OPEN))


# Report files give ratings four digits.
MOST_RATING = 9999


@dataclass(frozen=True, slots=True)
class Game:
    """One round of one participant.

    Attributes:
        kind: of the round.
        score_halves: half points awarded, of any kind. 0 while the game is open.
        opponent: id of the opponent, also if one of the two was absent, or None without one.
        is_first: whether the participant had the first ply (the field's White), or None without an
            opponent or if unknown.
        second_halves: of a team the other of match points and game points.
        boards: of a team the half points of each board.
    """

    kind: Kind
    score_halves: int = 0
    opponent: int | None = None
    is_first: bool | None = None
    second_halves: int = 0
    boards: tuple[int, ...] = ()


class RatingFrom(NamedTuple):
    """A later rating of a participant, which holds from a round on, counted from 1."""

    first_round: int
    rating: int


@dataclass(frozen=True, slots=True)
class Participant:
    """A participant by its pairing number, its rounds from the first on, and the rating the event began with.

    Rounds missing at the end count as zero-point byes. `rating` is None for the unrated.
    `later_ratings` are those that count in tie-breaks for games of later rounds, in any order.
    """

    id: int
    games: tuple[Game, ...]
    rating: int | None = None
    later_ratings: tuple[RatingFrom, ...] = ()


@dataclass(frozen=True, slots=True)
class Scoring:
    """Values of games, in half points."""

    win: int = 2
    draw: int = 1
    loss: int = 0


class Row(NamedTuple):
    """The parts of one participant's tie-break: one entry a contribution in every list.

    Attributes:
        rounds: indices of rounds, from 0.
        opponents: positions in the field, -1 without opponent.
        worth: contributions, in the unit of the tie-break.
        strength: the order of cuts (14, 16.5): the opponent's score or rating.
        reasons: why a contribution is not simply the result. Empty if all are.
        voluntary: indices into these lists of rounds not played by choice (16.5).
        points: half points of the rounds that a product was made with, if they are not the field's
            own.
    """

    rounds: Sequence[int]
    opponents: Sequence[int]
    worth: Sequence[int]
    strength: Sequence[int]
    reasons: Sequence[Reason | None] = ()
    voluntary: tuple[int, ...] = ()
    points: Sequence[int] = ()


class Reason(StrEnum):
    """A reason why a contribution is not simply the result over the board."""

    OPPONENT_ADJUSTED = "opponent-adjusted"
    FORFEIT_AS_GAME = "forfeit-as-game"
    FORFEIT_BY_MODIFIER = "forfeit-by-modifier"
    FINAL_ROUND_DRAWN = "final-round-drawn"
    DUMMY = "dummy"
    DUMMY_UP_TO_OPPONENT = "dummy-up-to-opponent"
    DUMMY_UP_TO_DRAWS = "dummy-up-to-draws"
    LATER_RATING = "later-rating"

    @property
    def article(self) -> str:
        """Return the article of C.07, or the modifier, that says so."""
        return _ARTICLES[self]


_ARTICLES = {
    Reason.OPPONENT_ADJUSTED: "16.3",
    Reason.FORFEIT_AS_GAME: "15.2",
    Reason.FORFEIT_BY_MODIFIER: "/P",
    Reason.FINAL_ROUND_DRAWN: "8.3",
    Reason.DUMMY: "16.4",
    Reason.DUMMY_UP_TO_OPPONENT: "16.4.1",
    Reason.DUMMY_UP_TO_DRAWS: "16.4.2",
    Reason.LATER_RATING: "10",
}


class Field:
    """All participants of an event, at positions from 0 by ascending id, so that the order of entry has no effect.

    Attributes:
        ids: participants' ids by position.
        ratings: their ratings by position, None for the unrated.
        later_ratings: by position, the latest first.
        games: their rounds by position, of equal number. `kinds` and `scores` (half points) are
            their contents.
        opponents: positions of the opponents by position and round, -1 without one.
        counted: indices of the rounds that count, by position.
        points: half points by position.
        met: rounds with a game over the board by position, and `met_opponents` in them.
        met_halves: half points from those games by position, a win counted as 2 in any point
            system.
        rounds_total: rounds the event has in all, for the rules that ask for it (8.3, 16.4.2).
        house_rules: the parameters of Keizer and McMahon.
        lots_seed: the text from which lots are drawn. Empty before the draw.
        primary: of teams the score of `points`, `MP` or `GP`. Empty for individuals.
        boards: of teams the half points of each board by position and round.
        rows, numbers: results that families of tie-breaks have computed and others use again.
    """

    def __init__(
        self,
        participants: Iterable[Participant],
        *,
        system: System = System.SWISS,
        edition: Edition = Edition.MARCH_2026,
        scoring: Scoring | None = None,
        rounds_total: int | None = None,
        house_rules: HouseRules = USUAL_RULES,
        lots_seed: str = "",
        primary: str = "",
        second_scoring: Scoring | None = None,
    ) -> None:
        """Take the rounds played so far. Without `rounds_total` there will be no more.

        Raises:
            BadFieldError: an id is given twice, an opponent is unknown or the participant itself,
                or a rating has more than four digits.
        """
        members = sorted(participants, key=lambda p: p.id)
        rounds = max((len(p.games) for p in members), default=0)
        self.system = system
        self.is_round_robin = system is System.ROUND_ROBIN
        self.edition = edition
        self.scoring = scoring or Scoring()
        self.house_rules = house_rules
        self.lots_seed = lots_seed
        self.primary = primary
        self._second_scoring = second_scoring or Scoring()
        self._by_other: Field | None = None
        self.rounds = rounds
        self.rounds_total = max(rounds, rounds_total or 0)
        self.ids = [p.id for p in members]
        self.ratings = [p.rating for p in members]
        self.later_ratings = [sorted(p.later_ratings, reverse=True) for p in members]
        self.position = {i: n for n, i in enumerate(self.ids)}
        self._check(members)
        absent = (Game(Kind.ZERO_BYE),)
        self.games = [p.games + absent * (rounds - len(p.games)) for p in members]
        self.kinds = [[g.kind for g in games] for games in self.games]
        self.scores = [[g.score_halves for g in games] for games in self.games]
        self.boards = [[g.boards for g in games] for games in self.games]
        self.points = [sum(scores) for scores in self.scores]
        self.opponents = [self._opponents(n, games) for n, games in enumerate(self.games)]
        everything = range(rounds)
        self.counted: list[Sequence[int]] = [
            everything
            if SILENT.isdisjoint(kinds)
            else [r for r in everything if kinds[r] not in SILENT]
            for kinds in self.kinds
        ]
        self.met = [
            [r for r, kind in enumerate(kinds) if kind in PLAYED and opponents[r] >= 0]
            for kinds, opponents in zip(self.kinds, self.opponents, strict=True)
        ]
        self.met_opponents = [
            [opponents[r] for r in met]
            for opponents, met in zip(self.opponents, self.met, strict=True)
        ]
        self.met_halves = [
            sum([_RESULTS[kinds[r]] for r in met])
            for kinds, met in zip(self.kinds, self.met, strict=True)
        ]
        self.rows: dict[str, list[Row]] = {}
        self.numbers: dict[str, list[int | None]] = {}

    def by_score(self, score: str) -> Field:
        """Return this field of teams with match points (`MP`) or game points (`GP`) for its scores."""
        if score in ("", self.primary):
            return self
        if self._by_other is None:
            self._by_other = Field(
                [
                    Participant(
                        i,
                        tuple(
                            replace(g, score_halves=g.second_halves, second_halves=g.score_halves)
                            for g in games
                        ),
                        rating,
                    )
                    for i, games, rating in zip(self.ids, self.games, self.ratings, strict=True)
                ],
                system=self.system,
                edition=self.edition,
                scoring=self._second_scoring,
                rounds_total=self.rounds_total,
                primary=score,
                second_scoring=self.scoring,
            )
        return self._by_other

    def _check(self, members: Sequence[Participant]) -> None:
        if len(self.position) < len(members):
            raise BadFieldError("an id is given twice")
        for each in members:
            for rating in (each.rating, *(later.rating for later in each.later_ratings)):
                if rating is not None and abs(rating) > MOST_RATING:
                    raise BadFieldError(f"{each.id} has a rating of {rating}")

    def _opponents(self, position: int, games: Sequence[Game]) -> list[int]:
        known = self.position
        try:
            positions = [-1 if g.opponent is None else known[g.opponent] for g in games]
        except KeyError as error:
            raise BadFieldError(
                f"{self.ids[position]} has met {error}, who takes no part"
            ) from None
        if position in positions:
            raise BadFieldError(f"{self.ids[position]} is their own opponent")
        return positions

    def later_rating(self, position: int, round_index: int) -> int | None:
        """Return the later rating that holds in a round, counted from 0; None if the first one still does."""
        later = self.later_ratings[position]
        return next((each.rating for each in later if each.first_round <= round_index + 1), None)

    def game_kinds(self, *, forfeits: bool) -> frozenset[Kind]:
        """Kinds of rounds in which an opponent and a result count: forfeits only by 15.2, or by the modifier P."""
        return PLAYED | FORFEITS if forfeits or self.is_round_robin else PLAYED

    @property
    def forfeit_reason(self) -> Reason:
        """Return why a forfeit counts as a game if it does."""
        return Reason.FORFEIT_AS_GAME if self.is_round_robin else Reason.FORFEIT_BY_MODIFIER


_RESULTS = {Kind.WIN: 2, Kind.DRAW: 1, Kind.LOSS: 0}
