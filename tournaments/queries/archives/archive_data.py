"""An event's archive as data, and its form as a file.

`docs/reference/event-archive.md` describes it.

A file may come from anyone: it is read within limits, and every flaw is named with its place.
"""

from __future__ import annotations

import io
import json
import lzma
import struct
import types
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, fields, is_dataclass
from datetime import date, datetime
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from tournaments.house_rules import USUAL_RULES, HouseRules
from tournaments.pairing.renumbering import Renumbering

SCHEMA = "rayuela-archive/1"
MEMBER = "archive.json"
# An event of 5,000 players and 400 rounds would not fit. One of 200 over 30 rounds takes some 5 MB.
MAX_FILE_BYTES = 64_000_000
MAX_JSON_BYTES = 256_000_000
MAX_ITEMS = 500_000
MAX_INTEGER = 2**63 - 1
# Every file of one event at one time has equal bytes: ZIP knows no earlier day than this.
DAY_ZERO = (1980, 1, 1, 0, 0, 0)
# Errors of reading a broken or hostile ZIP file.
BROKEN = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError),
    *(NotImplementedError, RuntimeError, ValueError, struct.error),
)


class ArchiveError(Exception):
    """An archive that cannot be verified. `place` names the place of the flaw."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}")
        self.place = place
        self.reason = reason


@dataclass(frozen=True, slots=True)
class ArchivedEvent:
    """The settings of the event that results follow from. Points are half points."""

    name: str
    slug: str
    url: str
    format: str
    ruleset: str
    state: str
    seed: int
    seed_commitment: str
    cycles: int
    groups: int
    promotion_places: int
    qualifiers: int
    seasons: int
    rounds_total: int
    games_per_pairing: int
    win_halves: int
    draw_halves: int
    loss_halves: int
    bye_halves: int
    tie_breaks: str
    created_at: datetime
    started_at: datetime | None
    house_rules: HouseRules = USUAL_RULES
    boards: int = 4
    match_points: str = "2-1-0"
    match_bye: str = "draw"
    lots_seed: str = ""
    has_third_place: bool = False
    exchanges_rounds: bool = True
    tie_orders: tuple[tuple[int, ...], ...] = ()
    first_day: date | None = None
    tie_break_rating: str = "start"


@dataclass(frozen=True, slots=True)
class ArchivedRating:
    """A rating that holds from a round on, and its list."""

    from_round: int
    centielo: int
    source: str


@dataclass(frozen=True, slots=True)
class ArchivedEntry:
    """A player by pairing number."""

    tpn: int
    name: str
    is_bot: bool
    state: str
    joined_round: int
    left_round: int | None
    seed_centielo: int | None
    federation: str
    club: str
    fide_id: str
    category: str
    title: str = ""
    sex: str = ""
    national_centielo: int | None = None
    national_id: str = ""
    birth_year: int | None = None
    is_expelled: bool = False
    later_ratings: tuple[ArchivedRating, ...] = ()
    rating_source: str = ""
    official_list: str = ""
    official_centielo: int | None = None


@dataclass(frozen=True, slots=True)
class ArchivedMember:
    """A member of a team: its number among all members, the pairing number of its team, its place in the team's list."""

    number: int
    team: int
    board_order: int
    name: str
    is_bot: bool
    state: str
    seed_centielo: int | None
    federation: str
    fide_id: str
    category: str
    title: str = ""
    sex: str = ""
    national_centielo: int | None = None
    national_id: str = ""


@dataclass(frozen=True, slots=True)
class ArchivedTeamBoard:
    """A board of a match of teams. The sides are numbers of members, null for an empty board."""

    number: int
    first: int | None
    second: int | None


@dataclass(frozen=True, slots=True)
class ArchivedBoard:
    """Two pairing numbers at a board. `first` has the first ply, of two teams at odd boards.

    `goes_through` is the player whom the arbiter advanced from a level tie of a knock-out. `boards` are
    those of a match of teams. A game that `is_postponed` counted as a draw until it was over.
    `tie_games` is the number of games of a tie of a knock-out without extra games.
    """

    board: int
    first: int
    second: int
    goes_through: int | None = None
    is_postponed: bool = False
    boards: tuple[ArchivedTeamBoard, ...] = ()
    tie_games: int | None = None


@dataclass(frozen=True, slots=True)
class ArchivedBye:
    """A player without a board: the kind as `Seat.Kind` has it, and who would have been the opponent."""

    tpn: int
    kind: str
    absent: int | None


@dataclass(frozen=True, slots=True)
class ArchivedNumber:
    """A player's pairing number in the input of a round, and the present number, if they differ."""

    then: int
    now: int


@dataclass(frozen=True, slots=True)
class ArchivedRound:
    """A closed round, paired by `engine` from `report`, or else from `problem`.

    `is_edited` marks boards that are not the engine's: changed by hand, or paired elsewhere. Numbers
    outside the input are the present ones: `renumbered` has those that differ.
    """

    number: int
    engine: str
    report: str
    problem: Mapping[str, Any]
    is_edited: bool
    setup: str
    setup_seed: str
    drafted_at: datetime
    boards: tuple[ArchivedBoard, ...]
    byes: tuple[ArchivedBye, ...]
    renumbered: tuple[ArchivedNumber, ...] = ()

    @property
    def numbers(self) -> Renumbering:
        """The present pairing numbers by those of the input."""
        return Renumbering({each.then: each.now for each in self.renumbered})


@dataclass(frozen=True, slots=True)
class ArchivedCorrection:
    """A result that the arbiter has corrected."""

    before: str
    after: str
    reason: str
    made_at: datetime


@dataclass(frozen=True, slots=True)
class ArchivedGame:
    """A game with its plies. `first` is the pairing number of the side with the first ply, or of a member of a team the number.

    `rated_as` is the result in the rating report, if it is another one.
    """

    id: int
    round: int
    board: int
    number: int
    first: int
    second: int
    setup: str
    result: str
    ending: str
    opening_plies: int
    ended_at: datetime
    plies: tuple[str, ...]
    corrections: tuple[ArchivedCorrection, ...]
    rated_as: str = ""


@dataclass(frozen=True, slots=True)
class ArchivedDeduction:
    """Half points that the arbiter deducted from a round of a player, until they were given back."""

    tpn: int
    round: int
    halves: int
    reason: str
    given_at: datetime
    lifted_at: datetime | None


@dataclass(frozen=True, slots=True)
class ArchivedStanding:
    """A row of the final table. `tie_breaks` are in the order of the event's."""

    rank: int
    tpn: int
    points_halves: int
    tie_breaks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ArchivedLedgerRow:
    """A row of the rating ledger, with the ids that its digest covers, and the previous digest.

    `is_standing`: whether it counts. Its reversal may belong to another event.
    """

    id: int
    pool: str
    pool_id: int
    player_id: int
    tpn: int
    game_id: int
    side: str
    seq: int
    kind: str
    is_standing: bool
    revision: int
    reverses_id: int | None
    correction_id: int | None
    period: date | None
    before_centielo: int
    delta_centielo: int
    after_centielo: int
    opponent_centielo: int
    k_factor: int
    expected_millionths: int
    score_halves: int
    formula: str
    inputs: Mapping[str, Any]
    previous_digest: str
    digest: str


@dataclass(frozen=True, slots=True)
class ArchivedPrize:
    """A prize of the fund, in the fund's order. Money is in minor units."""

    kind: str
    rating_from: int | None
    rating_below: int | None
    text: str
    amount: int
    words: str


@dataclass(frozen=True, slots=True)
class ArchivedAward:
    """The award of a player in a category. Prizes of a festival name the section by its slug."""

    tpn: int
    kind: str
    rating_from: int | None
    rating_below: int | None
    text: str
    place: int
    amount: int
    words: str
    section: str = ""


@dataclass(frozen=True, slots=True)
class ArchivedPrizes:
    """The prize fund with its rules, and the confirmed awards; no awards before the confirmation.

    `elsewhere` are the players who won a prize of the festival instead.
    """

    currency: str
    sharing: str
    rounding: int
    is_cumulative: bool
    least_points_halves: int
    least_games: int
    fund: tuple[ArchivedPrize, ...]
    confirmed_at: datetime | None
    awards: tuple[ArchivedAward, ...]
    elsewhere: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Archive:
    """Everything of an event that is needed to compute it again, after its closed rounds."""

    schema: str
    event: ArchivedEvent
    entries: tuple[ArchivedEntry, ...]
    rounds: tuple[ArchivedRound, ...]
    games: tuple[ArchivedGame, ...]
    standings: tuple[ArchivedStanding, ...]
    ledger: tuple[ArchivedLedgerRow, ...]
    prizes: ArchivedPrizes | None
    members: tuple[ArchivedMember, ...] = ()
    deductions: tuple[ArchivedDeduction, ...] = ()


def packed(archive: Archive) -> bytes:
    """The archive as a ZIP file with one member, equal bytes for equal archives."""
    text = json.dumps(asdict(archive), ensure_ascii=False, indent=1, default=text_of)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as container:
        member = zipfile.ZipInfo(MEMBER, DAY_ZERO)
        member.compress_type = zipfile.ZIP_DEFLATED
        container.writestr(member, text + "\n")
    return file.getvalue()


def text_of(value: object) -> str:
    """Return a date or a moment as JSON text."""
    assert isinstance(value, date), "JSON knows the rest"
    return value.isoformat()


def unpacked(data: bytes) -> Archive:
    """Return the archive in a file.

    Raises:
        ArchiveError: if the file is no archive, is too large, or has an impossible member.
    """
    return read_record(Archive, _text(data), SCHEMA, MEMBER)


def _text(data: bytes) -> bytes:
    if len(data) > MAX_FILE_BYTES:
        raise ArchiveError("file", f"larger than {MAX_FILE_BYTES} bytes")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as container:
            is_alone = container.namelist() == [MEMBER]
            # The size that the file states may be false.
            text = container.open(MEMBER).read(MAX_JSON_BYTES + 1) if is_alone else b""
    except BROKEN as error:
        raise ArchiveError("file", f"not a readable ZIP file: {error}"[:200]) from error
    if not is_alone:
        raise ArchiveError("file", f"not a ZIP file with {MEMBER!r} alone")
    if len(text) > MAX_JSON_BYTES:
        raise ArchiveError(MEMBER, f"larger than {MAX_JSON_BYTES} bytes")
    return text


Record = TypeVar("Record")


def read_record(kind: type[Record], text: bytes, schema: str, place: str) -> Record:
    """Return the record of this schema in a JSON text. Raises ArchiveError."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ArchiveError(place, f"no JSON: {error}"[:200]) from error
    if not isinstance(content, dict) or content.get("schema") != schema:
        raise ArchiveError(f"{place}, schema", f"not {schema!r}")
    return _object(kind, content, place)


def _object(kind: type[Record], data: object, place: str) -> Record:
    if not isinstance(data, dict):
        raise ArchiveError(place, "not an object")
    hints = get_type_hints(kind)
    values = {}
    assert is_dataclass(kind), "archives are made of records"
    for each in fields(kind):
        where = f"{place}, {each.name}"
        if each.name not in data:
            if each.default is not MISSING:
                continue
            raise ArchiveError(where, "is missing")
        values[each.name] = _value(hints[each.name], data[each.name], where)
    return kind(**values)


def _value(hint: Any, data: object, place: str) -> object:  # noqa: ANN401 - any type of a field
    if get_origin(hint) is types.UnionType:
        inner = next(each for each in get_args(hint) if each is not types.NoneType)
        return None if data is None else _value(inner, data, place)
    if get_origin(hint) is tuple:
        if not isinstance(data, list) or len(data) > MAX_ITEMS:
            raise ArchiveError(place, f"not a list of at most {MAX_ITEMS}")
        inner = get_args(hint)[0]
        return tuple(_value(inner, item, f"{place} {n}") for n, item in enumerate(data, start=1))
    if is_dataclass(hint) and isinstance(hint, type):
        return _object(hint, data, place)
    if hint in (date, datetime):
        return _moment(hint, data, place)
    if get_origin(hint) is Mapping:
        hint = dict
    # True is a whole number in Python, and not in an archive.
    if not isinstance(data, hint) or (hint is int and isinstance(data, bool)):
        raise ArchiveError(place, f"not {_NAMES[hint]}")
    if isinstance(data, int) and abs(data) > MAX_INTEGER:
        raise ArchiveError(place, "a number beyond all bounds")
    return data


_NAMES: Mapping[Any, str] = {
    int: "a whole number",
    str: "text",
    bool: "true or false",
    dict: "an object",
}


def _moment(kind: type[date], data: object, place: str) -> date:
    try:
        moment = kind.fromisoformat(str(data))
    except ValueError as error:
        raise ArchiveError(place, f"no {kind.__name__}: {str(data)[:40]!r}") from error
    if isinstance(moment, datetime) and moment.tzinfo is None:
        raise ArchiveError(place, "a moment without a time zone")
    return moment
