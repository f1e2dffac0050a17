"""An event from its current state to its end, as plain data that can be stored and simulated again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from tournaments.forecasts.results import ResultModel
from tournaments.pairing import (
    Board,
    Contestant,
    PairingError,
    PairingProblem,
    PointSystem,
    RoundKind,
    RoundRecord,
)
from tournaments.pairing.baku import baku_halves
from tournaments.pairing.tie_games import TieRules


class BadCourseError(Exception):
    """A stored course cannot be read, or contradicts itself."""

    code = "bad-course"


@dataclass(frozen=True, slots=True)
class Prior:
    """The knowledge of a player before the event: a rating and its standard error, in Elo points."""

    tpn: int
    rating_elo: float
    deviation_elo: float


@dataclass(frozen=True, slots=True)
class Prohibition:
    """TPNs of which no two may meet, from one round to another, or to the end if `last_round` is None."""

    first_round: int
    last_round: int | None
    tpns: tuple[int, ...]

    def holds_in(self, number: int) -> bool:
        """Return whether it says anything about that round."""
        return self.first_round <= number and (self.last_round is None or number <= self.last_round)


@dataclass(frozen=True, slots=True)
class Absence:
    """A requested bye: the player, the round and the kind."""

    tpn: int
    round_number: int
    kind: RoundKind


@dataclass(frozen=True, slots=True)
class OpenRound:
    """A public round that is not over: its boards, and the records of the others in it.

    `ties` are the boards that must have a winner, by the TPN of their first side.
    """

    boards: tuple[Board, ...]
    records: tuple[tuple[int, RoundRecord], ...]
    ties: tuple[int, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the round as JSON data."""
        records = [(tpn, record._asdict()) for tpn, record in self.records]
        return {
            "boards": [board._asdict() for board in self.boards],
            "records": records,
            "ties": self.ties,
        }


@dataclass(frozen=True, slots=True)
class TeamMatches:
    """The boards and points of matches of teams.

    Attributes:
        line_ups: for each team, by its TPN, the ratings of its first members by board, in Elo points
            above the team's rating. None for an empty board.
        match_points, game_points: the worth of a match, and of a game.
        alternates_boards: whether the first team has the first side at boards with odd numbers only.
    """

    line_ups: tuple[tuple[int, tuple[float | None, ...]], ...]
    match_points: PointSystem
    game_points: PointSystem
    alternates_boards: bool = True

    def second_halves(self, halves: int, boards: int) -> int:
        """Return the half game points of a round without a match that gave `halves` half match points."""
        each = {
            self.match_points.win: self.game_points.win,
            self.match_points.draw: self.game_points.draw,
        }
        return boards * each.get(halves, 0)

    def to_json(self) -> dict[str, Any]:
        """Return the matches as JSON data."""
        return {
            "line_ups": self.line_ups,
            "match_points": self.match_points._asdict(),
            "game_points": self.game_points._asdict(),
            "alternates_boards": self.alternates_boards,
        }


@dataclass(frozen=True, slots=True)
class Course:
    """The inputs of a forecast of an event.

    Attributes:
        system: the name of the pairing system.
        problem: the round after the closed ones, as the event's own pairing would be given it.
        open_round: that round if it is public already. Else None, and the system pairs it.
        priors: the knowledge of all players in the problem, in the order of the TPNs.
        model: how games end.
        tie_breaks: names of C.07, in their order. Formats with a draw do not ask for them.
        edition: of C.07.
        is_swiss: whether the organiser sets the number of rounds. Other formats end automatically.
        prohibitions: players who must not meet.
        absences: requested byes, in the round of the problem and later.
        group_a: the last TPN of the accelerated group (C.04.7 1.2), or 0 without acceleration.
        tie_games: the number of games of a tie of a knock-out, without extra games.
        most_replays: the most extra games of a level tie.
        has_extra_pairs: whether they come in pairs.
        has_armageddon: whether an armageddon game follows them.
        matches: of an event of teams, or None.
        game_points: the points of a game, if a pairing is a match of two games with the sides
            exchanged. The `second_halves` of its records are the points of the second game. None if
            a pairing is one game.
    """

    system: str
    problem: PairingProblem
    priors: tuple[Prior, ...]
    model: ResultModel
    tie_breaks: tuple[str, ...]
    edition: str
    is_swiss: bool
    open_round: OpenRound | None = None
    prohibitions: tuple[Prohibition, ...] = ()
    absences: tuple[Absence, ...] = ()
    group_a: int = 0
    most_replays: int = 2
    matches: TeamMatches | None = None
    game_points: PointSystem | None = None
    tie_games: int = 1
    has_extra_pairs: bool = False
    has_armageddon: bool = False

    @property
    def tie_rules(self) -> TieRules:
        """Return the games that a tie of a knock-out may have."""
        return TieRules(
            games=self.tie_games,
            extra_games=self.most_replays,
            in_pairs=self.has_extra_pairs,
            has_armageddon=self.has_armageddon,
        )

    def __post_init__(self) -> None:
        """Raise BadCourseError unless every player has one prior."""
        tpns = sorted(c.tpn for c in (*self.problem.contestants, *self.problem.absent))
        if [prior.tpn for prior in self.priors] != tpns:
            raise BadCourseError("the priors are not those of the contestants")

    @property
    def worth(self) -> PointSystem:
        """The points of results: of teams the match points, of a match of two games those of a game."""
        if self.matches is not None:
            return self.matches.match_points
        return self.game_points or self.problem.points

    @property
    def worths(self) -> tuple[PointSystem, ...]:
        """The points of each game of a pairing."""
        return (
            (self.worth,) if self.game_points is None else (self.worth, self.worth.in_second_game)
        )

    def games_of(self, record: RoundRecord) -> tuple[RoundRecord, ...]:
        """Return the record of each game of a round."""
        if self.game_points is None:
            return (record,)
        kinds = _KINDS_OF_GAMES.get(record.kind, (record.kind, record.kind))
        second = record.second_halves
        halves = (record.score_halves - second, second)
        if record.kind is RoundKind.SPLIT and second > self.worth.forfeit_loss:
            kinds = kinds[::-1]
        return tuple(
            RoundRecord(kind, record.opponent, each)
            for kind, each in zip(kinds, halves, strict=True)
        )

    def following(
        self, problem: PairingProblem, records: Mapping[int, RoundRecord]
    ) -> PairingProblem:
        """Return the round after that of `problem`, with `records` as its results.

        Players who have left stay away. Players who were absent on request are back.
        """
        number = problem.round_number + 1
        away = {a.tpn for a in self.absences if a.round_number == number}
        departures = self.departures
        here: list[Contestant] = []
        absent: list[Contestant] = []
        for old in sorted((*problem.contestants, *problem.absent), key=lambda c: c.tpn):
            one = old._replace(
                records=(*old.records, records[old.tpn]),
                virtual_halves=self.virtual_halves(old.tpn, number),
            )
            (absent if one.tpn in departures or one.tpn in away else here).append(one)
        return problem._replace(
            round_number=number,
            contestants=tuple(here),
            absent=tuple(absent),
            forbidden=self.forbidden(number),
        )

    @property
    def departures(self) -> frozenset[int]:
        """TPNs of those who do not come back: absent from the problem, and no bye was asked for."""
        number = self.problem.round_number
        requested_byes = {a.tpn for a in self.absences if a.round_number == number}
        return frozenset(c.tpn for c in self.problem.absent if c.tpn not in requested_byes)

    def bye_of(self, tpn: int, number: int) -> RoundKind:
        """Return the kind of that player's absence in that round."""
        kinds = [a.kind for a in self.absences if (a.tpn, a.round_number) == (tpn, number)]
        return kinds[0] if kinds else RoundKind.ZERO_BYE

    def forbidden(self, number: int) -> frozenset[frozenset[int]]:
        """Return the pairs that must not meet in that round."""
        return frozenset(
            frozenset(pair)
            for each in self.prohibitions
            if each.holds_in(number)
            for pair in combinations(each.tpns, 2)
        )

    def virtual_halves(self, tpn: int, number: int) -> tuple[int, ...]:
        """Return the virtual points of that player in the rounds up to `number`, in half points (C.04.7 1.3)."""
        if tpn > self.group_a:
            return ()
        return tuple(
            baku_halves(
                rank=1,
                players=self.group_a,
                round_number=each,
                rounds_total=self.problem.rounds_total,
                win_halves=self.problem.points.win,
            )
            for each in range(1, number + 1)
        )

    def to_json(self) -> dict[str, Any]:
        """Return the course as JSON data. `from_json` reads it back."""
        return {
            "problem": self.problem.to_json(),
            "priors": [asdict(each) for each in self.priors],
            "model": asdict(self.model),
            "tie_breaks": list(self.tie_breaks),
            "open_round": None if self.open_round is None else self.open_round.to_json(),
            "prohibitions": [asdict(each) for each in self.prohibitions],
            "absences": [asdict(each) for each in self.absences],
            "matches": None if self.matches is None else self.matches.to_json(),
            "game_points": None if self.game_points is None else self.game_points._asdict(),
            **{name: getattr(self, name) for name in _OF_TIES},
            **{name: getattr(self, name) for name in _PLAIN},
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Course:
        """Return the course stored as `data`. Raises BadCourseError."""
        try:
            return cls(
                problem=PairingProblem.from_json(data["problem"]),
                priors=tuple(Prior(**each) for each in data["priors"]),
                model=ResultModel(**data["model"]),
                tie_breaks=tuple(data["tie_breaks"]),
                open_round=_open_round(data["open_round"]),
                prohibitions=tuple(
                    Prohibition(each["first_round"], each["last_round"], tuple(each["tpns"]))
                    for each in data["prohibitions"]
                ),
                absences=tuple(
                    Absence(each["tpn"], each["round_number"], RoundKind(each["kind"]))
                    for each in data["absences"]
                ),
                matches=_matches(data.get("matches")),
                game_points=points_of(data.get("game_points")),
                **{name: data[name] for name in _OF_TIES if name in data},
                **{name: data[name] for name in _PLAIN},
            )
        except (KeyError, TypeError, ValueError, PairingError) as error:
            raise BadCourseError(f"not a stored course: {error!r}") from error


# The games of a match whose kind is not that of both.
_KINDS_OF_GAMES = {
    RoundKind.FIRST: (RoundKind.FIRST, RoundKind.SECOND),
    RoundKind.SECOND: (RoundKind.SECOND, RoundKind.FIRST),
    RoundKind.SPLIT: (RoundKind.FORFEIT_WIN, RoundKind.FORFEIT_LOSS),
}
_OF_TIES = ("tie_games", "has_extra_pairs", "has_armageddon")
_PLAIN = ("system", "edition", "is_swiss", "group_a", "most_replays")


def _open_round(data: Mapping[str, Any] | None) -> OpenRound | None:
    if data is None:
        return None
    return OpenRound(
        boards=tuple(Board(**board) for board in data["boards"]),
        records=tuple(
            (tpn, RoundRecord(**{**r, "kind": RoundKind(r["kind"])})) for tpn, r in data["records"]
        ),
        ties=tuple(data["ties"]),
    )


def points_of(data: Mapping[str, Any] | None) -> PointSystem | None:
    """Return the points stored as `data`."""
    return None if data is None else PointSystem(**data)


def _matches(data: Mapping[str, Any] | None) -> TeamMatches | None:
    if data is None:
        return None
    return TeamMatches(
        line_ups=tuple((tpn, tuple(boards)) for tpn, boards in data["line_ups"]),
        match_points=PointSystem(**data["match_points"]),
        game_points=PointSystem(**data["game_points"]),
        alternates_boards=data.get("alternates_boards", True),
    )
