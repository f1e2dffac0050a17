"""The input of a pairing system, as plain data that can be stored and paired again."""

# Without `from __future__ import annotations`: `NamedTuple` compiles each annotation that is a text,
# which takes longer than the rest of the class.
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple, Self

from tournaments.house_rules import USUAL_RULES, HouseRules
from tournaments.round_kinds import Kind


class PairingError(Exception):
    """Base of everything this package raises."""

    code = "pairing"


class NoPairingError(PairingError):
    """No legal pairing exists. The arbiter decides (C.04.3 1.9.3)."""

    code = "no-pairing"


class EventDecidedError(PairingError):
    """Nothing is left to pair: the format has its winner, or all its rounds."""

    code = "decided"


class BadProblemError(PairingError):
    """The problem contradicts itself, or its stored form cannot be read."""

    code = "bad-problem"


class RoundKind(StrEnum):
    """Kind of a contestant's past round."""

    FIRST = "first"  # played with the first ply: the field's White
    SECOND = "second"
    FORFEIT_WIN = "forfeit-win"
    FORFEIT_LOSS = "forfeit-loss"
    PAIRING_BYE = "pairing-bye"
    HALF_BYE = "half-bye"
    FULL_BYE = "full-bye"
    ZERO_BYE = "zero-bye"
    FREE = "free"  # the table of a round robin has no opponent for this one
    THROUGH = "through"  # a knock-out without opponent in this round: goes on
    OUT = "out"  # knocked out, or not among those who went on to the next stage
    SPLIT = "split"  # a match of which each forfeited a game: a meeting without a colour (C.04.5)
    WAITS = "waits"  # a continuous format leaves this one in the pool for now; never a record

    @property
    def is_played(self) -> bool:
        """Return whether a game was played: only those make colours and rematches (C.04.2 3.4, 3.5)."""
        return self in _PLAYED

    @property
    def is_meeting(self) -> bool:
        """Return whether the two must not meet again: they played, or a match was not forfeited as a whole (C.04.5)."""
        return self in _MEETINGS


# Asked for every record of every contestant: looking both up in the class takes twice as long.
_PLAYED = (RoundKind.FIRST, RoundKind.SECOND)
_MEETINGS = (*_PLAYED, RoundKind.SPLIT)


_WORTH = {kind: kind.counting.value.replace("-", "_") for kind in Kind}


class PointSystem(NamedTuple):
    """Values of a round, in half points."""

    win: int = 2
    draw: int = 1
    loss: int = 0
    pairing_bye: int = 2
    half_bye: int = 1
    full_bye: int = 2
    zero_bye: int = 0
    forfeit_win: int = 2
    forfeit_loss: int = 0
    second_bye: int | None = (
        None  # of a bye in matches of two games: the second one's; None: as the first
    )

    def worth(self, kind: Kind) -> int:
        """Return half points for a round of that kind, or 0 if it does not count."""
        return int(getattr(self, _WORTH[kind], 0))

    @property
    def in_second_game(self) -> Self:
        """Return the values of the second game of a match."""
        return self if self.second_bye is None else self._replace(pairing_bye=self.second_bye)

    @property
    def of_match(self) -> Self:
        """Return the values of a match of two games. A bye in both is worth the sum."""
        first, second = self._replace(second_bye=None)._asdict(), self.in_second_game._asdict()
        both = {name: halves + second[name] for name, halves in first.items() if halves is not None}
        return type(self)(**both)

    @property
    def is_standard_scale(self) -> bool:
        """Return whether a win is two draws and a loss zero, which acceleration requires (C.04.7 1.1)."""
        return self.win == 2 * self.draw and self.loss == 0


STANDARD_POINTS = PointSystem()


class FormatOptions(NamedTuple):
    """An organiser's choices beside the format itself. Each format reads its own.

    Attributes:
        cycles: how often each pair meets in a round robin, a group or a season: 1, or 2 with sides
            exchanged.
        exchanges_rounds: whether the last two rounds of the first of two cycles change places (C.05
            annex 1).
        groups: how many groups play the first stage, or how many divisions a league has.
        movers: how many change places between neighbouring divisions after a season.
        qualifiers: how many of each group enter the knock-out.
        colour_type: `A` or `B`, how teams prefer colours. Empty when they do not (C.04.6 1.7).
        has_second_score: whether the secondary score of teams tells which one is first-team (C.04.6
            4.2).
        house_rules: the parameters of Keizer, McMahon and Lim.
        has_third_place: whether the losers of the semi-finals of a knock-out meet.
    """

    cycles: int = 1
    exchanges_rounds: bool = True
    groups: int = 1
    movers: int = 1
    qualifiers: int = 2
    colour_type: str = "A"
    has_second_score: bool = True
    house_rules: HouseRules = USUAL_RULES
    has_third_place: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the options as JSON data. `options_of` reads them back."""
        return {**self._asdict(), "house_rules": self.house_rules._asdict()}


DEFAULT_OPTIONS = FormatOptions()


class RoundRecord(NamedTuple):
    """One past round of one contestant: `opponent` is a TPN or None, `score_halves` in half points.

    `goes_through` is the arbiter's word on a level tie of a knock-out. `second_halves` are the points of a team's secondary
    score (C.04.6 1.2).
    """

    kind: RoundKind
    opponent: int | None
    score_halves: int
    goes_through: bool = False
    second_halves: int = 0


class Contestant(NamedTuple):
    """A player or team to be paired: the pairing number and one record for every past round.

    Attributes:
        tpn: the tournament pairing number, from 1.
        records: its rounds, oldest first: in formats with rounds one for each past round, in
            continuous ones its games.
        virtual_halves: virtual points of an accelerated event, round by round (C.04.7). A missing
            one is 0.
        rating_centielo: its assumed strength, in hundredths of an Elo point, or 0 if unknown.
        deviation_centielo: the standard error of that, or 0 if it does not matter.
        waited_s: continuous formats: seconds in the pool without a game.
        joined_round: the first round it could take part in. Late entries have one after 1.
        left_round: the first round it could not take part in any more, or 0 if it has not left.
    """

    tpn: int
    records: tuple[RoundRecord, ...]
    virtual_halves: tuple[int, ...] = ()
    rating_centielo: int = 0
    deviation_centielo: int = 0
    waited_s: int = 0
    joined_round: int = 1
    left_round: int = 0

    @property
    def score_halves(self) -> int:
        """Points so far, in half points."""
        return sum(record.score_halves for record in self.records)

    @property
    def second_halves(self) -> int:
        """Points of a team's secondary score so far, in half points."""
        return sum(record.second_halves for record in self.records)

    def pairing_halves(self, round_number: int) -> int:
        """Points before that round with the virtual points in it, in half points (C.04.7 1.4)."""
        virtual = self.virtual_halves[round_number - 1 : round_number]
        return sum(r.score_halves for r in self.records[: round_number - 1]) + sum(virtual)

    @property
    def met(self) -> frozenset[int]:
        """TPNs of the opponents of played games."""
        return frozenset([r.opponent for r in self.records if r.kind in _MEETINGS and r.opponent])

    @property
    def colours(self) -> tuple[RoundKind, ...]:
        """Sides of the played games, oldest first."""
        return tuple([r.kind for r in self.records if r.kind in _PLAYED])

    @property
    def may_have_bye(self) -> bool:
        """Return whether it may have a bye.

        C.04.1 4: no second bye, and no bye after a win without playing.
        """
        return not any(
            r.kind in (RoundKind.PAIRING_BYE, RoundKind.FORFEIT_WIN, RoundKind.FULL_BYE)
            for r in self.records
        )

    @property
    def was_ever_paired(self) -> bool:
        """Return whether a pairing ever named this contestant: a game, a forfeit or the pairing bye."""
        return any(r.opponent is not None or r.kind in _PAIRED_ALONE for r in self.records)


_PAIRED_ALONE = (RoundKind.PAIRING_BYE, RoundKind.FORFEIT_WIN, RoundKind.FORFEIT_LOSS)


class PairingProblem(NamedTuple):
    """A round to pair. If it is made of a file or of stored data, `checked` verifies it.

    Attributes:
        round_number: of the round to pair, from 1.
        rounds_total: of the event.
        contestants: those who play this round, by TPN. Requested byes and withdrawn players are
            left out.
        odd_tpn_is_first: the drawn initial colour: whether odd TPNs get the first side (C.04.3
            5.1).
        forbidden: pairs of TPNs that must not meet in this round.
        points: the values of a round.
        absent: the others of the event. They are not paired. Their records tell the floats, and
            they count in the parity of the TPNs (C.04.3 5.2.5) once they have been paired.
        options: of the format.
        most_meetings: how often two may play each other in the event, or 0 without a limit.
        is_continuous: whether there are no common rounds: contestants are those who wait for a
            game, absent those who sit at a board, `round_number` counts the draws, and records are
            the games of each, of any number.
        seed: for formats with random draws. An equal seed gives equal draws.
        most_boards: the largest number of simultaneous pairs of continuous formats, or 0 without a
            limit.
    """

    round_number: int
    rounds_total: int
    contestants: tuple[Contestant, ...]
    odd_tpn_is_first: bool = True
    forbidden: frozenset[frozenset[int]] = frozenset()
    points: PointSystem = STANDARD_POINTS
    absent: tuple[Contestant, ...] = ()
    options: FormatOptions = DEFAULT_OPTIONS
    most_meetings: int = 1
    is_continuous: bool = False
    seed: int = 0
    most_boards: int = 0

    def checked(self) -> Self:
        """Return the problem. Raises BadProblemError if it contradicts itself."""
        everybody = (*self.contestants, *self.absent)
        tpns = [c.tpn for c in everybody]
        if len(set(tpns)) != len(tpns):
            raise BadProblemError("two contestants have the same TPN")
        for contestant in () if self.is_continuous else everybody:
            if len(contestant.records) != self.round_number - 1:
                raise BadProblemError(
                    f"TPN {contestant.tpn} has {len(contestant.records)} records before round {self.round_number}"
                )
        return self

    def uncounted_before(self, tpn: int) -> int:
        """Return how many TPNs before that one belong to players who are absent and have never been paired.

        They do not count in the parity of C.04.3 5.2.5: a player gets a TPN on arrival (C.04.2
        2.4). FIDE's Commission for Swiss Pairings gave this answer in August 2026.
        """
        return sum(c.tpn < tpn and not c.was_ever_paired for c in self.absent)

    def initial_side(self, tpn: int) -> RoundKind:
        """Return the side of a higher ranked contestant before either has played: an odd TPN has the drawn one (C.04.3 5.2.5)."""
        is_odd = (tpn - self.uncounted_before(tpn)) % 2 == 1
        return RoundKind.FIRST if is_odd == self.odd_tpn_is_first else RoundKind.SECOND

    def to_json(self) -> dict[str, Any]:
        """Return the problem as JSON data. `from_json` reads it back."""
        return {
            "round_number": self.round_number,
            "rounds_total": self.rounds_total,
            "odd_tpn_is_first": self.odd_tpn_is_first,
            "forbidden": sorted(sorted(pair) for pair in self.forbidden),
            "points": self.points._asdict(),
            "options": self.options.to_json(),
            "most_meetings": self.most_meetings,
            "is_continuous": self.is_continuous,
            "seed": self.seed,
            "most_boards": self.most_boards,
            "contestants": [_stored(contestant) for contestant in self.contestants],
            "absent": [_stored(contestant) for contestant in self.absent],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the problem stored as `data`. Raises BadProblemError."""
        try:
            return cls(
                round_number=data["round_number"],
                rounds_total=data["rounds_total"],
                contestants=_contestants(data["contestants"]),
                odd_tpn_is_first=data["odd_tpn_is_first"],
                forbidden=frozenset(frozenset(pair) for pair in data["forbidden"]),
                # Rounds stored by earlier versions lack some of these.
                points=PointSystem(**data.get("points", {})),
                absent=_contestants(data.get("absent", ())),
                options=options_of(data.get("options", {})),
                most_meetings=data.get("most_meetings", 1),
                is_continuous=data.get("is_continuous", False),
                seed=data.get("seed", 0),
                most_boards=data.get("most_boards", 0),
            ).checked()
        except (KeyError, TypeError, ValueError) as error:
            raise BadProblemError(f"not a stored pairing problem: {error!r}") from error


def _stored(contestant: Contestant) -> dict[str, Any]:
    return {
        "tpn": contestant.tpn,
        "records": [record._asdict() for record in contestant.records],
        "virtual_halves": contestant.virtual_halves,
        **{name: getattr(contestant, name) for name in _PLAIN},
    }


def options_of(data: Mapping[str, Any]) -> FormatOptions:
    """Return the options stored as JSON. Options that the data lacks are the usual ones."""
    rules = HouseRules(**data.get("house_rules", {}))
    return FormatOptions(**{**data, "house_rules": rules})


def _contestants(data: Iterable[Mapping[str, Any]]) -> tuple[Contestant, ...]:
    return tuple(
        Contestant(
            tpn=c["tpn"],
            records=tuple(
                RoundRecord(
                    RoundKind(r["kind"]),
                    r["opponent"],
                    r["score_halves"],
                    r.get("goes_through", False),
                    r.get("second_halves", 0),
                )
                for r in c["records"]
            ),
            **{name: c[name] for name in _PLAIN if name in c},
            virtual_halves=tuple(c.get("virtual_halves", ())),
        )
        for c in data
    )


_PLAIN = ("rating_centielo", "deviation_centielo", "waited_s", "joined_round", "left_round")
