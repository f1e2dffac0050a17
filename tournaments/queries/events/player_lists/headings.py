"""Columns of tables of players, by the words of their headings."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from tournaments.queries.events import personal_data

# Words of headings in the form of `_plain`, in the languages of the programs that clubs use. If a
# row has several columns of one kind of ratings, the first filled one counts, in the order of this
# list.
HEADINGS: Mapping[str, Sequence[str]] = {
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
KNOWN = {word for words in HEADINGS.values() for word in words}
_ALTERNATIVES = {"rating", "national"}
NAMES = ("name", "surname", "given")


def plain(cell: str) -> str:
    """A cell of a heading without case, accents, blanks and signs."""
    letters = unicodedata.normalize("NFKD", cell.casefold())
    return "".join(c for c in letters if c.isalnum() and not unicodedata.combining(c))


def columns_of(names: Sequence[str], rows: Sequence[Sequence[str]]) -> Mapping[str, Sequence[int]]:
    """Return the places of each kind of column, the preferred one first. Only ratings have several."""
    own = [plain(name) for name in names]
    columns = {}
    for kind, words in HEADINGS.items():
        places = [
            place
            for word in words
            for place, name in enumerate(own)
            if name == word and _does_fit(kind, word, [r[place] for r in rows if place < len(r)])
        ]
        if kind == "title" and not places:
            places = [
                place for place, name in enumerate(own) if not name and _are_titles(place, rows)
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


def full_name(named: Mapping[str, str]) -> str:
    """Return the name, with the given name if it has its own column, as `Vorname` beside `Name`."""
    name, given = named.get("name", ""), named.get("given", "")
    if name and set(given.split()) <= set(re.findall(r"[^\s,]+", name)):
        return name
    return ", ".join(part for part in (name or named.get("surname", ""), given) if part)
