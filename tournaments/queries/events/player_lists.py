"""Lists of players as organisers have them, read row by row: pasted names, CSV, or a TRF file.

No player is entered here. Every row has its content, its problem and its line.
"""

from __future__ import annotations

import csv
import json
import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from tournaments import trf
from tournaments.errors import RefusedError
from tournaments.models.players import NAME_LENGTH, canonical_name
from tournaments.queries.events import duplicates, personal_data
from tournaments.queries.events.duplicates import SameBy

MAX_CHARACTERS = 400_000
MAX_ROWS = 2000
MAX_ELO = 4000
MAX_CLUB, MAX_CATEGORY, MAX_FIDE_ID = 60, 20, 11
# The columns of a row without a heading, in this order.
COLUMNS = ("name", "rating", "federation", "club", "fide_id", "category")
_DELIMITERS = (";", "\t", "|", ",")
# Words of headings in the form of `_plain`, in the languages of the programs that clubs use. If a
# row has several columns of one kind of ratings, the first filled one counts, in the order of this
# list.
_HEADINGS: Mapping[str, Sequence[str]] = {
    kind: words.split()
    for kind, words in {
        "name": "name username player fullname nombre nom spieler naam nome jugador 氏名 名前 選手",
        "surname": "surname lastname familyname nachname apellido apellidos 姓",
        "given": "firstname givenname forename vorname prenom 名",
        "rating": "rating elo rtg rat レート"
        " fiderating fideelo eloint eloi rtgint rtgi stdrating srtg fide",
        "national": "nationalrating natrating elonat elon rtgnat rtgn dwz nwz nat",
        "federation": "federation fed country nat land pais 国",
        "club": "club team clubname clubcity verein vereinort equipo クラブ 所属",
        "fide_id": "fideid fidenr fideno idfide idnumber fide id",
        "category": "category cat group type typ kategorie categoria class 部門",
        "title": "title titel tit titre titulo titolo 称号",
        "sex": "sex gender geschlecht sexe sexo mw mf 性別",
        "birth": "birthday birthdate birth born bday dateofbirth yearofbirth byear geburtstag"
        " geburtsdatum gebdatum geburtsjahr jahrgang geb 生年月日 生年",
        "national_id": "nationalid natid idnat idno",
    }.items()
}
_KNOWN = {word for words in _HEADINGS.values() for word in words}
_ALTERNATIVES = {"rating", "national"}
# Programs put one or two lines about the event above the table, and then blank ones.
_MOST_LINES_ABOVE = 20
# A line as people write it: `Rossi Mario 1850 ITA`, perhaps with a number in front.
_WRITTEN = re.compile(
    r"(?:\d{1,4}[.)]\s+)?"
    # A single word before three capitals is no whole name: `Kim LEE 1850`.
    r"(?:(?P<names>[^\d\s]+\s\D*?[^\d\s])\s+(?P<code>[A-Z]{3})\s+(?P<elo>\d{3,4})"
    r"|(?P<name>\D*[^\d\s])\s+(?P<rating>\d{3,4})(?:\s+(?P<federation>[A-Z]{3}))?)"
)


class Problem(StrEnum):
    """The problems of a row. `tournaments.text.player_lists` has the sentences."""

    NO_NAME = "no-name"
    NAME_LONG = "name-long"
    NAME_CHARACTERS = "name-characters"
    RATING = "rating"
    FEDERATION = "federation"
    CLUB_LONG = "club-long"
    FIDE_ID = "fide-id"
    CATEGORY_LONG = "category-long"
    TITLE = "title"
    SEX = "sex"
    BIRTH = "birth"
    NATIONAL_ID = "national-id"
    COLUMNS = "columns"
    BROKEN = "broken"
    RECORD = "record"


@dataclass(frozen=True, slots=True)
class ListedPlayer:
    """A player of a list. `rating_elo` is None without a rating."""

    name: str
    rating_elo: int | None = None
    federation: str = ""
    club: str = ""
    fide_id: str = ""
    category: str = ""
    title: str = ""
    sex: str = ""
    birth: str = ""
    national_elo: int | None = None
    national_id: str = ""


# The texts of a player, which are columns of an entry by these names.
TEXTS = ("federation", "club", "fide_id", "category", "title", "sex", "birth", "national_id")
_KINDS = ("name", "rating", "national", *TEXTS)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the list.

    Attributes:
        line: its number, from 1.
        player: the player; None with a problem.
        problem: the problem.
        text: the place of the problem in the list, at most 60 characters.
        same_as: the line of an earlier row that may be this person, 0 for an entry of the event,
            None without one.
        same_by: the data in which the two are equal.
    """

    line: int
    player: ListedPlayer | None
    problem: Problem | None = None
    text: str = ""
    same_as: int | None = None
    same_by: SameBy | None = None


@dataclass(frozen=True, slots=True)
class PlayerList:
    """The rows of a list.

    Attributes:
        unused: the headings of columns that were not read, `#2` for the second without one; None if
            the list has no heading.
        above: the number of lines above the heading, which were left out.
    """

    rows: Sequence[Row]
    unused: Sequence[str] | None = None
    above: int = 0

    @property
    def players(self) -> Mapping[int, ListedPlayer]:
        """The players that can be entered, by the line."""
        return {row.line: row.player for row in self.rows if row.player is not None}

    @property
    def problems(self) -> Sequence[Row]:
        """The rows that cannot."""
        return [row for row in self.rows if row.problem is not None]


def decoded(upload: bytes) -> str:
    """The text of a file: UTF-16 or UTF-8 by its mark, UTF-8 without one, else Windows-1252.

    Raises RefusedError `list-large`.
    """
    if len(upload) > 4 * MAX_CHARACTERS:
        raise RefusedError("list-large", f"{len(upload)} bytes")
    marked = upload.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ("utf-16",) if marked else ("utf-8-sig", "cp1252"):
        try:
            return upload.decode(encoding)
        except UnicodeDecodeError:
            continue
    return upload.decode("latin-1")


def read(text: str, *, entered: Collection[Mapping[SameBy, str]] = ()) -> PlayerList:
    """Return the players of a list in any of the forms.

    `entered` are the names and ids of the event's entries, as `duplicates.keys` returns them.

    Raises:
        RefusedError: `list-large`, or `list-empty` without a row.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
    if len(text) > MAX_CHARACTERS:
        raise RefusedError("list-large", f"{len(text)} characters")
    if re.search(r"^001 +\d", text, re.MULTILINE):
        player_list = PlayerList(list(_report_rows(text)))
    elif text.lstrip().startswith("{"):
        player_list = _objects(text.split("\n"))
    else:
        player_list = _table(text.split("\n"))
    if not player_list.rows:
        raise RefusedError("list-empty")
    if len(player_list.rows) > MAX_ROWS:
        raise RefusedError("list-large", f"{len(player_list.rows)} rows")
    return replace(player_list, rows=_with_duplicates(player_list.rows, entered))


def checked(player: ListedPlayer) -> ListedPlayer:
    """The player with blanks joined.

    Raises RefusedError `listed-<problem>`, as rows of a list have it.
    """
    row = _row(
        0,
        {
            "name": player.name,
            "rating": "" if player.rating_elo is None else str(player.rating_elo),
            "national": "" if player.national_elo is None else str(player.national_elo),
            **{name: getattr(player, name) for name in TEXTS},
        },
    )
    if row.player is None:
        assert row.problem is not None, "a row has a player or a problem"
        raise RefusedError(f"listed-{row.problem.value}", row.text)
    return row.player


def _with_duplicates(rows: Sequence[Row], entered: Collection[Mapping[SameBy, str]]) -> list[Row]:
    lines = {key: 0 for each in entered for key in each.items()}
    marked = []
    for row in rows:
        if row.player is None:
            marked.append(row)
            continue
        keys = list(keys_of_player(row.player).items())
        same = next((key for key in keys if key in lines), None)
        if same is not None:
            row = replace(row, same_as=lines[same], same_by=same[0])
        marked.append(row)
        for key in keys:
            lines.setdefault(key, row.line)
    return marked


def keys_of_player(player: ListedPlayer) -> Mapping[SameBy, str]:
    """Return the name and the ids of a player, by which duplicates are found."""
    return duplicates.keys(
        player.name,
        fide_id=player.fide_id,
        national_id=player.national_id,
        federation=player.federation,
    )


def _report_rows(text: str) -> Iterator[Row]:
    """Yield the `001` records of a FIDE report, and the problems of any record."""
    faults = {fault.line: fault for fault in trf.faults(text)}
    records = [trf.Header(line[:3], line[4:]) for line in text.split("\n")]
    nationals = {each.id: each for each in map(trf.national_of, records) if each}
    for number, line in enumerate(text.split("\n"), start=1):
        if number in faults and not line.startswith("001"):
            yield Row(number, None, Problem.RECORD, str(faults[number])[:60])
        elif line.startswith("001"):
            player = trf.player_of_line(number, line)
            if player is None:
                yield Row(number, None, Problem.RECORD, str(faults[number])[:60])
                continue
            yield row_of_record(number, player, nationals.get(player.id))


def row_of_record(line: int, player: trf.Player, national: trf.Player | None = None) -> Row:
    """The row of a player of a FIDE report, and of the player's record of a federation.

    A sex or a birth date that cannot be read is left out.
    """
    return _row(
        line,
        {
            "name": player.name,
            "rating": str(player.rating or ""),
            "federation": player.federation,
            "fide_id": player.fide_id,
            "title": personal_data.title(player.title) or "",
            "sex": personal_data.sex(player.sex) or "",
            "birth": personal_data.birth(player.born) or "",
            "national": str(national.rating or "") if national else "",
            "national_id": national.fide_id if national else "",
        },
    )


def _objects(lines: Sequence[str]) -> PlayerList:
    """Return the list of an object of JSON a line (NDJSON), as lichess sends results and members."""
    rows = []
    unused: dict[str, None] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            content = json.loads(line)
        except (ValueError, RecursionError):
            content = None
        if not isinstance(content, dict):
            rows.append(Row(number, None, Problem.BROKEN, line[:60]))
            continue
        name = content.get("username") or content.get("name") or content.get("id") or ""
        cells = {kind: str(content.get(kind) or "") for kind in ("rating", "title")}
        rows.append(_row(number, {"name": str(name), **cells}))
        unused |= dict.fromkeys(content.keys() - {"username", "name", "id", *cells})
    return PlayerList(rows, unused=sorted(unused))


def _table(lines: Sequence[str]) -> PlayerList:
    """Return the list of a table with or without a heading, without blank rows."""
    heading = _heading(lines)
    if heading is None:
        delimiter = next((d for d in _DELIMITERS[:3] if any(d in line for line in lines)), "\0")
        return PlayerList([_plain_row(each) for each in _cells(lines, 0, delimiter)])
    rows = list(_cells(lines, heading.line, heading.delimiter))
    columns = _columns(heading.names, [each.cells for each in rows])
    used = {place for places in columns.values() for place in places}
    return PlayerList(
        [_headed_row(each, columns, len(heading.names)) for each in rows],
        unused=[
            name.strip() or f"#{place + 1}"
            for place, name in enumerate(heading.names)
            if place not in used and (name.strip() or any(each.has(place) for each in rows))
        ],
        above=sum(bool(line.strip()) for line in lines[: heading.line - 1]),
    )


@dataclass(frozen=True, slots=True)
class _Heading:
    """The heading of a table: its line from 1, the delimiter, and the cells."""

    line: int
    delimiter: str
    names: Sequence[str]


@dataclass(frozen=True, slots=True)
class _Cells:
    """The cells of a line, or its problem."""

    line: int
    cells: Sequence[str]
    text: str
    fault: str = ""

    def has(self, place: int) -> bool:
        """Return whether there is something at that place."""
        return place < len(self.cells) and self.cells[place].strip() != ""


def _heading(lines: Sequence[str]) -> _Heading | None:
    """The heading of the table: the first line, or one of two known columns below lines about the event."""
    seen = 0
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        for delimiter in _DELIMITERS:
            names = [cell.strip(' "') for cell in line.split(delimiter)]
            known = [plain for name in names if (plain := _plain(name)) in _KNOWN]
            has_name = any(word in _HEADINGS[kind] for kind in _NAMES for word in known)
            if has_name and (len(known) > 1 or (not seen and (len(names) > 1 or known))):
                return _Heading(number, delimiter, names)
        seen += 1
        if seen == _MOST_LINES_ABOVE:
            break
    return None


_NAMES = ("name", "surname", "given")


def _plain(cell: str) -> str:
    """A cell of a heading without case, accents, blanks and signs."""
    letters = unicodedata.normalize("NFKD", cell.casefold())
    return "".join(c for c in letters if c.isalnum() and not unicodedata.combining(c))


def _columns(names: Sequence[str], rows: Sequence[Sequence[str]]) -> Mapping[str, Sequence[int]]:
    """Return the places of each kind of column, the preferred one first. Only ratings have several."""
    plain = [_plain(name) for name in names]
    columns = {}
    for kind, words in _HEADINGS.items():
        places = [
            place
            for word in words
            for place, name in enumerate(plain)
            if name == word and _does_fit(kind, word, [r[place] for r in rows if place < len(r)])
        ]
        if kind == "title" and not places:
            places = [
                place for place, name in enumerate(plain) if not name and _are_titles(place, rows)
            ]
        if places:
            columns[kind] = places if kind in _ALTERNATIVES else places[:1]
    return columns


def _are_titles(place: int, rows: Sequence[Sequence[str]]) -> bool:
    """Return whether a column without a heading has titles, as tables of chess-results have it."""
    cells = [row[place].strip() for row in rows if place < len(row)]
    return any(cells) and all(map(personal_data.is_title, filter(None, cells)))


def _does_fit(kind: str, word: str, cells: Sequence[str]) -> bool:
    """Return whether a column of that heading is of that kind.

    `NAT` and `FIDE` have two kinds, which their cells tell.
    """
    if word not in ("nat", "fide"):
        return True
    full = [cell.strip() for cell in cells if cell.strip()]
    is_rating = bool(full) and all(cell.isdigit() and len(cell) <= 4 for cell in full)
    return is_rating is (kind in _ALTERNATIVES)


def _cells(lines: Sequence[str], start: int, delimiter: str) -> Iterator[_Cells]:
    """Yield the cells of the lines from `start` on that are not blank; one cell for a line without a delimiter."""
    if delimiter == "\0":
        for number, line in enumerate(lines[start:], start=start + 1):
            if line.strip():
                yield _Cells(number, [line], line)
        return
    reader = csv.reader(lines[start:], delimiter=delimiter)
    while True:
        number = start + reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield _Cells(number, [], "", str(error)[:60])
            continue
        if any(cell.strip() for cell in cells):
            yield _Cells(number, cells, delimiter.join(cells))


def _plain_row(each: _Cells) -> Row:
    """The row of a list without a heading, whose columns are `COLUMNS`."""
    if (problem := _wrong_width(each, len(COLUMNS))) is not None:
        return problem
    named = dict(zip(COLUMNS, each.cells, strict=False))
    written = None if any(map(each.has, range(1, len(COLUMNS)))) else _written(named["name"])
    return _row(each.line, written or named)


def _headed_row(each: _Cells, columns: Mapping[str, Sequence[int]], width: int) -> Row:
    if (problem := _wrong_width(each, width)) is not None:
        return problem
    named = {}
    for kind, places in columns.items():
        cells = [each.cells[place].strip() for place in places if place < len(each.cells)]
        named[kind] = next((cell for cell in cells if cell.strip("0")), "")
    return _row(each.line, {**named, "name": _full_name(named)})


def _full_name(named: Mapping[str, str]) -> str:
    """Return the name, with the given name if it has its own column, as `Vorname` beside `Name`."""
    name, given = named.get("name", ""), named.get("given", "")
    if name and set(given.split()) <= set(re.findall(r"[^\s,]+", name)):
        return name
    return ", ".join(part for part in (name or named.get("surname", ""), given) if part)


def _wrong_width(each: _Cells, width: int) -> Row | None:
    if each.fault:
        return Row(each.line, None, Problem.BROKEN, each.fault)
    if any(cell.strip() for cell in each.cells[width:]):
        return Row(each.line, None, Problem.COLUMNS, each.text[:60])
    return None


def _written(line: str) -> dict[str, str] | None:
    """Return the parts of a line such as `Rossi Mario 1850 ITA`; None for a plain name."""
    match = _WRITTEN.fullmatch(line.strip())
    if match is None:
        return None
    return {
        "name": (match["name"] or match["names"]).rstrip(" ,"),
        "rating": match["rating"] or match["elo"],
        "federation": match["federation"] or match["code"] or "",
    }


def _row(line: int, cells: Mapping[str, str]) -> Row:
    clean = {column: " ".join(cells.get(column, "").split()) for column in _KINDS}
    for column, problem in _PROBLEMS:
        if not _FORMS[problem](clean[column]):
            return Row(line, None, problem, clean[column][:60])
    rating = int(clean["rating"] or 0)
    player = ListedPlayer(
        name=unicodedata.normalize("NFC", clean["name"]),
        rating_elo=rating or None,
        federation="" if clean["federation"] in _NO_FEDERATION else clean["federation"].upper(),
        club=clean["club"],
        fide_id=clean["fide_id"] if clean["fide_id"].strip("0") else "",
        category=clean["category"],
        title=personal_data.title(clean["title"]) or "",
        sex=personal_data.sex(clean["sex"]) or "",
        birth=personal_data.birth(clean["birth"]) or "",
        national_elo=int(clean["national"] or 0) or None,
        national_id=clean["national_id"] if clean["national_id"].strip("0") else "",
    )
    return Row(line, player)


_NO_FEDERATION = {"", "-", "---"}
_FORMS: Mapping[Problem, Callable[[str], bool]] = {
    Problem.NO_NAME: lambda text: text != "",
    Problem.NAME_LONG: lambda text: (
        len(text) <= NAME_LENGTH and len(canonical_name(text)) <= 2 * NAME_LENGTH
    ),
    # No invisible characters, and none that reverse the text.
    Problem.NAME_CHARACTERS: lambda text: (
        text.isprintable() and any(character.isalnum() for character in text)
    ),
    Problem.RATING: lambda text: (
        not text or (text.isascii() and text.isdigit() and len(text) < 9 and int(text) <= MAX_ELO)
    ),
    Problem.FEDERATION: lambda text: (
        text in _NO_FEDERATION or (len(text) == 3 and text.isascii() and text.isalpha())
    ),
    Problem.CLUB_LONG: lambda text: len(text) <= MAX_CLUB and text.isprintable(),
    Problem.FIDE_ID: lambda text: (
        len(text) <= MAX_FIDE_ID and (not text or (text.isascii() and text.isdigit()))
    ),
    Problem.CATEGORY_LONG: lambda text: len(text) <= MAX_CATEGORY and text.isprintable(),
    Problem.TITLE: lambda text: personal_data.title(text) is not None,
    Problem.SEX: lambda text: personal_data.sex(text) is not None,
    Problem.BIRTH: lambda text: personal_data.birth(text) is not None,
    Problem.NATIONAL_ID: lambda text: (
        len(text) <= personal_data.LONGEST_NATIONAL_ID and text.isprintable()
    ),
}
_PROBLEMS = (
    ("name", Problem.NO_NAME),
    ("name", Problem.NAME_LONG),
    ("name", Problem.NAME_CHARACTERS),
    ("rating", Problem.RATING),
    ("federation", Problem.FEDERATION),
    ("club", Problem.CLUB_LONG),
    ("fide_id", Problem.FIDE_ID),
    ("category", Problem.CATEGORY_LONG),
    ("title", Problem.TITLE),
    ("sex", Problem.SEX),
    ("birth", Problem.BIRTH),
    ("national", Problem.RATING),
    ("national_id", Problem.NATIONAL_ID),
)
