"""Lists of players as organisers have them, read row by row: pasted names, CSV, or a TRF file.

Nothing is entered here. Every row says what was read and what is wrong with it, with its line.
"""

from __future__ import annotations

import csv
import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from tournaments import trf
from tournaments.models.players import NAME_LENGTH, canonical_name
from tournaments.services.errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

MAX_CHARACTERS = 400_000
MAX_ROWS = 2000
MAX_ELO = 4000
MAX_CLUB, MAX_CATEGORY, MAX_FIDE_ID = 60, 20, 11
# What stands in a row without a heading, in this order.
COLUMNS = ("name", "rating", "federation", "club", "fide_id", "category")
_DELIMITERS = (";", "\t", "|", ",")
# Words of headings, as `_plain` has them, in the languages of the programs that clubs use.
_HEADINGS: Mapping[str, Collection[str]] = {
    "name": {"name", "player", "fullname", "nombre", "nom", "spieler", "naam", "nome", "jugador"}
    | {"氏名", "名前", "選手"},
    "surname": {"surname", "lastname", "familyname", "nachname", "apellido", "apellidos", "姓"},
    "given": {"firstname", "givenname", "forename", "vorname", "prenom", "名"},
    "rating": {
        "rating",
        "elo",
        "rtg",
        "fiderating",
        "stdrating",
        "fideelo",
        "rtgi",
        "rat",
        "レート",
    },
    "federation": {"federation", "fed", "country", "nat", "land", "pais", "国"},
    "club": {"club", "team", "clubname", "clubcity", "verein", "equipo", "クラブ", "所属"},
    "fide_id": {"fideid", "fidenr", "fideno", "idnumber", "idfide", "idno", "id"},
    "category": {
        "category",
        "cat",
        "group",
        "type",
        "typ",
        "kategorie",
        "categoria",
        "class",
        "部門",
    },
}
_NAME_OF = {word: column for column, words in _HEADINGS.items() for word in words}


class Problem(StrEnum):
    """What can be wrong with a row; `tournaments.text.player_lists` has the sentences."""

    NO_NAME = "no-name"
    NAME_LONG = "name-long"
    NAME_CHARACTERS = "name-characters"
    RATING = "rating"
    FEDERATION = "federation"
    CLUB_LONG = "club-long"
    FIDE_ID = "fide-id"
    CATEGORY_LONG = "category-long"
    COLUMNS = "columns"
    BROKEN = "broken"
    RECORD = "record"


@dataclass(frozen=True, slots=True)
class ListedPlayer:
    """A player as a list has it; `rating_elo` is None where there is none."""

    name: str
    rating_elo: int | None = None
    federation: str = ""
    club: str = ""
    fide_id: str = ""
    category: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the list.

    Attributes:
        line: where it stands, from 1.
        player: what was read; None when something is wrong.
        problem: what that is.
        text: the place of the problem as it stands in the list, at most 60 characters.
        same_as: the line of an earlier row with the same name, 0 for an entry of the event, None
            when nobody else has it.
    """

    line: int
    player: ListedPlayer | None
    problem: Problem | None = None
    text: str = ""
    same_as: int | None = None


@dataclass(frozen=True, slots=True)
class PlayerList:
    """What was read, row by row."""

    rows: Sequence[Row]

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


def read(text: str, *, entered: Collection[str] = ()) -> PlayerList:
    """The players of a list in any of the forms; `entered` are the names the event has already.

    Raises:
        RefusedError: `list-large`, or `list-empty` when there is no row.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
    if len(text) > MAX_CHARACTERS:
        raise RefusedError("list-large", f"{len(text)} characters")
    if re.search(r"^001 +\d", text, re.MULTILINE):
        rows = list(_report_rows(text))
    else:
        rows = list(_table_rows(text))
    if not rows:
        raise RefusedError("list-empty")
    if len(rows) > MAX_ROWS:
        raise RefusedError("list-large", f"{len(rows)} rows")
    return PlayerList(_with_duplicates(rows, entered))


def checked(player: ListedPlayer) -> ListedPlayer:
    """The player with blanks joined.

    Raises RefusedError `listed-<problem>`, as rows of a list have it.
    """
    row = _row(
        0,
        {
            "name": player.name,
            "rating": "" if player.rating_elo is None else str(player.rating_elo),
            "federation": player.federation,
            "club": player.club,
            "fide_id": player.fide_id,
            "category": player.category,
        },
    )
    if row.player is None:
        assert row.problem is not None, "a row has a player or a problem"
        raise RefusedError(f"listed-{row.problem.value}", row.text)
    return row.player


def _with_duplicates(rows: Sequence[Row], entered: Collection[str]) -> list[Row]:
    lines = {canonical_name(name): 0 for name in entered}
    marked = []
    for row in rows:
        if row.player is None:
            marked.append(row)
            continue
        name = canonical_name(row.player.name)
        marked.append(Row(row.line, row.player, same_as=lines.get(name)))
        lines.setdefault(name, row.line)
    return marked


def _report_rows(text: str) -> Iterator[Row]:
    """The `001` records of a FIDE report, and what is wrong with any record."""
    faults = {fault.line: fault for fault in trf.faults(text)}
    for number, line in enumerate(text.split("\n"), start=1):
        if number in faults and not line.startswith("001"):
            yield Row(number, None, Problem.RECORD, str(faults[number])[:60])
        elif line.startswith("001"):
            player = trf.player_of_line(number, line)
            if player is None:
                yield Row(number, None, Problem.RECORD, str(faults[number])[:60])
                continue
            yield row_of_record(number, player)


def row_of_record(line: int, player: trf.Player) -> Row:
    """The row of a player of a FIDE report."""
    return _row(
        line,
        {
            "name": player.name,
            "rating": str(player.rating or ""),
            "federation": player.federation,
            "fide_id": player.fide_id,
        },
    )


def _table_rows(text: str) -> Iterator[Row]:
    """The rows of a table with or without a heading; blank ones are left out."""
    lines = text.split("\n")
    head = next((n for n, line in enumerate(lines) if line.strip()), None)
    if head is None:
        return
    delimiter, columns = _heading(lines[head])
    if columns is None:
        delimiter = next((d for d in _DELIMITERS[:3] if any(d in line for line in lines)), "\0")
    yield from _cells(lines, 0 if columns is None else head + 1, delimiter, columns or COLUMNS)


def _heading(line: str) -> tuple[str, Sequence[str] | None]:
    """The delimiter of a heading and its columns; None where the line is no heading."""
    for delimiter in _DELIMITERS:
        names = [_NAME_OF.get(_plain(cell), "") for cell in line.split(delimiter)]
        has_name = "name" in names or {"surname", "given"} & set(names)
        if has_name and (len(names) > 1 or _plain(line) in _NAME_OF):
            return delimiter, names
    return "", None


def _plain(cell: str) -> str:
    """A cell of a heading without case, accents, blanks and signs."""
    letters = unicodedata.normalize("NFKD", cell.casefold())
    return "".join(c for c in letters if c.isalnum() and not unicodedata.combining(c))


def _cells(
    lines: Sequence[str], start: int, delimiter: str, columns: Sequence[str]
) -> Iterator[Row]:
    if delimiter == "\0":
        for number, line in enumerate(lines[start:], start=start + 1):
            if line.strip():
                yield _row(number, {"name": line})
        return
    reader = csv.reader(lines[start:], delimiter=delimiter)
    while True:
        number = start + reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield Row(number, None, Problem.BROKEN, str(error)[:60])
            continue
        if not any(cell.strip() for cell in cells):
            continue
        if any(cell.strip() for cell in cells[len(columns) :]):
            yield Row(number, None, Problem.COLUMNS, delimiter.join(cells)[:60])
            continue
        yield _row(number, _named(cells, columns))


def _named(cells: Sequence[str], columns: Sequence[str]) -> dict[str, str]:
    """The cells by the names of their columns, of two columns of one name the first."""
    named: dict[str, str] = {}
    for column, cell in zip(columns, cells, strict=False):
        named.setdefault(column, cell)
    if "name" not in named:
        parts = (named.get("surname", "").strip(), named.get("given", "").strip())
        named["name"] = ", ".join(part for part in parts if part)
    return named


def _row(line: int, cells: Mapping[str, str]) -> Row:
    clean = {column: " ".join(cells.get(column, "").split()) for column in COLUMNS}
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
    )
    return Row(line, player)


_NO_FEDERATION = {"", "-", "---"}
_FORMS: Mapping[Problem, Callable[[str], bool]] = {
    Problem.NO_NAME: lambda text: text != "",
    Problem.NAME_LONG: lambda text: (
        len(text) <= NAME_LENGTH and len(canonical_name(text)) <= 2 * NAME_LENGTH
    ),
    # Nothing invisible, nothing that turns the text around.
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
)
