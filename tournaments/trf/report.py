"""A report file as data: the content of every record, with ids as in the file.

Records are named tuples: a file has thousands, and a command that pairs one round would spend more
time on `dataclasses` than on the round.
"""

# No `from __future__ import annotations`: see `tournaments.pairing.problem`.
from enum import StrEnum
from typing import NamedTuple, Self

from tournaments.pairing.problem import STANDARD_POINTS, PointSystem
from tournaments.round_kinds import Kind


class Code(StrEnum):
    """The result letters of a `001` record."""

    WIN = "1"
    DRAW = "="
    LOSS = "0"
    SHORT_WIN = "W"  # decided before one move was played: counts as a game, is not rated
    SHORT_DRAW = "D"
    SHORT_LOSS = "L"
    ADJOURNED = "?"  # not over: a draw for the pairing
    FORFEIT_WIN = "+"
    FORFEIT_LOSS = "-"
    HALF_BYE = "H"
    FULL_BYE = "F"
    PAIRING_BYE = "U"
    ZERO_BYE = "Z"

    @classmethod
    def of(cls, kind: Kind) -> Self:
        """Return the code of a round of that kind. A void game is one that both forfeited."""
        if kind in _WITHOUT_CODE:
            return _WITHOUT_CODE[kind]
        return cls[kind.name]

    @property
    def kind(self) -> Kind:
        """Return the kind of the round. A game that was decided before a move counts as played."""
        return _KINDS[self._value_]

    @property
    def short(self) -> Self:
        """Return the code of a win, a draw or a loss for a game that was decided before a move."""
        return Code[f"SHORT_{self.name}"]

    @property
    def is_played(self) -> bool:
        """Return whether a game was played."""
        return self in _PLAYED

    @property
    def is_bye(self) -> bool:
        """Return whether there was no opponent, not even one who stayed away."""
        return self in _BYES


_WITHOUT_CODE = {
    **dict.fromkeys((Kind.FREE, Kind.THROUGH, Kind.OUT), Code.ZERO_BYE),
    **dict.fromkeys((Kind.VOID, Kind.OPEN), Code.FORFEIT_LOSS),
}
# Every result of a file is looked up in these. A set or a dict of members takes three times as long,
# because their hash is a function in Python.
_KINDS = {code.value: Kind[code.name.removeprefix("SHORT_")] for code in Code}
_PLAYED = (
    *(Code.WIN, Code.DRAW, Code.LOSS, Code.SHORT_WIN, Code.SHORT_DRAW, Code.SHORT_LOSS),
    Code.ADJOURNED,
)
_BYES = (Code.HALF_BYE, Code.FULL_BYE, Code.PAIRING_BYE, Code.ZERO_BYE)


class Doubt(StrEnum):
    """Something in a file that can be read in two ways, and changes the pairing."""

    BAKU_BY_NAME = "baku-by-name"
    ROUND_OF_BYES = "round-of-byes"


class Result(NamedTuple):
    """One round of one player. `is_white` is None if no colour was given."""

    code: Code
    opponent: int | None = None
    is_white: bool | None = None


class Player(NamedTuple):
    """A `001` record.

    `id` is the starting rank, which is the TPN. `points_halves` is the file's claim.
    """

    id: int
    name: str = ""
    results: tuple[Result | None, ...] = ()  # None: the columns are blank
    points_halves: int | None = None
    place: int | None = None
    sex: str = ""
    title: str = ""
    rating: int | None = None
    federation: str = ""
    fide_id: str = ""
    born: str = ""


class Absence(NamedTuple):
    """Players who are not to be paired in a round, and the value of that (`240`, `XXZ`)."""

    code: Code
    round_number: int
    ids: tuple[int, ...]


class VirtualPoints(NamedTuple):
    """Virtual points of a range of players or teams in a range of rounds, both ends in it (`250`, `XXA`)."""

    halves: int
    first_round: int
    last_round: int
    first_id: int
    last_id: int


class Forbidden(NamedTuple):
    """Players who must not meet each other in a range of rounds (`260`). `XXP` has no last round."""

    first_round: int
    last_round: int | None
    ids: tuple[int, ...]


class AbnormalPoints(NamedTuple):
    """The value of a result for some players against the rule, or a penalty or bonus for them (`299`).

    Attributes:
        code: the result, a short game included. None: a penalty or bonus, added to the score of the
            round.
        halves: in half points. May be negative. For teams they are game points.
        round_number: None: in every round.
    """

    code: Code | None
    halves: int
    round_number: int | None
    ids: tuple[int, ...]
    match_halves: int = 0


class Team(NamedTuple):
    """A `310` record. `number` is the TPN. The points and the rank are the file's claims."""

    number: int
    name: str = ""
    nickname: str = ""
    strength: str = ""
    match_halves: int | None = None
    game_halves: int | None = None
    rank: int | None = None
    members: tuple[int, ...] = ()


class LineUp(NamedTuple):
    """The players of a team in a round, board by board, if their order is not the default one (`300`), 0 for an empty board."""

    round_number: int
    team: int
    opponent: int
    players: tuple[int, ...]


class MatchForfeit(NamedTuple):
    """A match that was not played (`330`): `sides` is `+-`, `-+` or `--`, White's sign first."""

    sides: str
    round_number: int
    white: int
    black: int


class TeamByes(NamedTuple):
    """The pairing-allocated byes of teams (`320`): the value of each, and the team of each round, None without one."""

    match_halves: int
    game_halves: int
    teams: tuple[int | None, ...]


class TeamRecords(NamedTuple):
    """The records of a file about teams and matches.

    Attributes:
        colours: of the boards of the team that has White (`352`).
        win, draw, loss: half match points (`362`).
    """

    teams: tuple[Team, ...] = ()
    line_ups: tuple[LineUp, ...] = ()
    forfeits: tuple[MatchForfeit, ...] = ()
    byes: TeamByes | None = None
    colours: str = ""
    win: int = 4
    draw: int = 2
    loss: int = 0


class Header(NamedTuple):
    """A record without effect on the pairing, kept unchanged, from column 5."""

    code: str
    text: str


class Refused(NamedTuple):
    """A record that changes who is paired in a way we cannot follow."""

    line: int
    code: str


class Report(NamedTuple):
    """A tournament as a file tells it."""

    players: tuple[Player, ...]
    headers: tuple[Header, ...] = ()
    rounds_total: int | None = None
    odd_is_white: bool | None = None  # the initial colour (C.04.3 5.1)
    points: PointSystem = STANDARD_POINTS
    system: str | None = None
    absences: tuple[Absence, ...] = ()
    virtual: tuple[VirtualPoints, ...] = ()
    forbidden: tuple[Forbidden, ...] = ()
    abnormal: tuple[AbnormalPoints, ...] = ()
    refused: tuple[Refused, ...] = ()
    team_records: TeamRecords = TeamRecords()
