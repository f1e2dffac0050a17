"""Players of a list, row by row: values, and the problem of a row."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from tournaments.errors import RefusedError
from tournaments.models.players import NAME_LENGTH, canonical_name
from tournaments.queries.events import duplicates, personal_data
from tournaments.queries.events.duplicates import SameBy

MAX_ELO = 4000
MAX_CLUB, MAX_CATEGORY, MAX_FIDE_ID = 60, 20, 11


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
    """A player of a list. `rating_elo` is None without a rating. `source` is the rating list that has it."""

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
    source: str = ""


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


def checked(player: ListedPlayer) -> ListedPlayer:
    """The player with blanks joined.

    Raises RefusedError `listed-<problem>`, as rows of a list have it.
    """
    row = row_of(
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
    return replace(row.player, source=player.source)


def keys_of_player(player: ListedPlayer) -> Mapping[SameBy, str]:
    """Return the name and the ids of a player, by which duplicates are found."""
    return duplicates.keys(
        player.name,
        fide_id=player.fide_id,
        national_id=player.national_id,
        federation=player.federation,
    )


def row_of(line: int, cells: Mapping[str, str]) -> Row:
    """Return the row of the cells by their kinds, or its problem."""
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
