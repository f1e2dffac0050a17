"""Every tie-break for individuals: its code, article, order, and where it belongs. A new one is one line here."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from tournaments.standings import buchholz, club_systems, own_results, performance, sonneborn
from tournaments.standings.errors import UnknownTieBreakError
from tournaments.standings.field import Edition, Field, Row, System
from tournaments.standings.names import Modifiers, modifiers, split_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

_BOTH = frozenset(System)
_SWISS = frozenset({System.SWISS})
_ROUND_ROBIN = frozenset({System.ROUND_ROBIN})


class Combination(Enum):
    """How a value comes from the contributions that were not cut."""

    SUM = "sum"
    ONLY = "only"  # there is one at most; none: undefined
    MEAN = "mean"  # rounded to the unit, halves up; none: undefined
    PERFORMANCE = "performance"  # the mean and a bonus for the score (10.2)
    PERFECT = "perfect"  # the rating that would be expected to score as much (10.3)
    ENCOUNTER = "encounter"  # depends on who is tied (6): only a ranking knows


@dataclass(frozen=True, slots=True)
class Entry:
    """A tie-break as C.07 defines it.

    Attributes:
        code: its name, as in report files.
        article: the article of C.07.
        meaning: what it is, in one English line; the code is the key of a translation.
        rows: what a field contributes to it, a row a position.
        combination: how the contributions make the value.
        scale: units a point in the value: 2 for half points.
        row_scale: the same in contributions; 0 where it is that of the value.
        fits: the systems it is meant for.
        allowed: letters of the modifiers it takes.
        is_higher_better: its order, before the modifier R.
        since: the first edition that has it.
        cuts_first_rounds: whether cuts leave out the first rounds (14.1.1), not the least values.
        needs_ratings: whether it is undefined for everybody when somebody is unrated.
    """

    code: str
    article: str
    meaning: str
    rows: Callable[[Field, Modifiers], list[Row]]
    combination: Combination = Combination.SUM
    scale: int = 1
    row_scale: int = 0
    fits: frozenset[System] = _BOTH
    allowed: str = ""
    is_higher_better: bool = True
    since: Edition = Edition.AUGUST_2024
    cuts_first_rounds: bool = False
    needs_ratings: bool = False

    @property
    def term_scale(self) -> int:
        """Units a point in contributions."""
        return self.row_scale or self.scale


def _direct_encounter(field: Field, _: Modifiers) -> list[Row]:
    """Nothing: what counts depends on who is tied."""
    return [Row((), (), (), ())] * len(field.ids)


def _entries() -> list[Entry]:
    return [*_own(), *_scores(), *_performances(), *_clubs()]


def _own() -> list[Entry]:
    return [
        Entry("PTS", "4.1", "points", own_results.points, scale=2),
        Entry(
            "DE",
            "6",
            "direct encounter: points from the games among the tied",
            _direct_encounter,
            Combination.ENCOUNTER,
            allowed="P",
        ),
        Entry("WIN", "7.1", "rounds worth a win, played or not", own_results.wins),
        Entry("WON", "7.2", "games won over the board", own_results.won_games),
        Entry("BPG", "7.3", "games played with the second ply", own_results.second_games),
        Entry("BWG", "7.4", "games won with the second ply", own_results.second_wins),
        Entry(
            "PS",
            "7.5",
            "progressive score: the sum of the scores after each round",
            own_results.progressive,
            scale=2,
            allowed="C",
            cuts_first_rounds=True,
        ),
        Entry("REP", "7.6", "rounds elected to play", own_results.rounds_elected),
        Entry(
            "STD",
            "7.7",
            "standard points: rounds in which more was scored than by the opponent, half for as much",
            own_results.standard_points,
            scale=2,
            since=Edition.MARCH_2026,
        ),
        Entry(
            "TPN",
            "7.8",
            "pairing number, the lower first",
            own_results.pairing_number,
            Combination.ONLY,
            allowed="R",
            is_higher_better=False,
            since=Edition.MARCH_2026,
        ),
    ]


def _scores() -> list[Entry]:
    return [
        Entry(
            "BH",
            "8.1",
            "Buchholz: the sum of the opponents' scores",
            buchholz.buchholz,
            scale=2,
            fits=_SWISS,
            allowed="CMPF",
        ),
        Entry(
            "AOB",
            "8.2",
            "the average Buchholz of the opponents met",
            buchholz.opponents_buchholz,
            Combination.MEAN,
            scale=100,
            row_scale=2,
            fits=_SWISS,
            allowed="CMPF",
        ),
        Entry(
            "FB",
            "8.3",
            "Fore Buchholz: Buchholz as if the final round had been drawn",
            buchholz.fore_buchholz,
            scale=2,
            fits=_SWISS,
            allowed="CMP",
        ),
        Entry(
            "SB",
            "9.1",
            "Sonneborn-Berger: the opponents' scores times the points against them",
            sonneborn.sonneborn_berger,
            scale=4,
            allowed="CMP",
        ),
        Entry(
            "KS",
            "9.2",
            "Koya: points against those who scored at least half",
            sonneborn.koya,
            scale=2,
            fits=_ROUND_ROBIN,
            allowed="LP",
        ),
        Entry(
            "ABH",
            "16.3",
            "the own score as it counts in opponents' Buchholz",
            buchholz.adjusted,
            scale=2,
            fits=_SWISS,
        ),
        Entry(
            "AFB",
            "16.3",
            "the own score as it counts in opponents' Fore Buchholz",
            buchholz.fore_adjusted,
            scale=2,
            fits=_SWISS,
        ),
    ]


def _performances() -> list[Entry]:
    return [
        Entry(
            "ARO",
            "10.1",
            "the average rating of the opponents",
            performance.opponents_ratings,
            Combination.MEAN,
            allowed="CMU",
            needs_ratings=True,
        ),
        Entry(
            "TPR",
            "10.2",
            "performance rating: the opponents' average and a bonus for the score",
            performance.opponents_ratings,
            Combination.PERFORMANCE,
            allowed="U",
            needs_ratings=True,
        ),
        Entry(
            "PTP",
            "10.3",
            "perfect performance: the least rating that would be expected to score as much",
            performance.opponents_ratings,
            Combination.PERFECT,
            allowed="U",
            needs_ratings=True,
        ),
        Entry(
            "APRO",
            "10.4",
            "the average performance rating of the opponents",
            performance.opponents_performance,
            Combination.MEAN,
            allowed="CMU",
            needs_ratings=True,
        ),
        Entry(
            "APPO",
            "10.5",
            "the average perfect performance of the opponents",
            performance.opponents_perfect,
            Combination.MEAN,
            allowed="CMU",
            needs_ratings=True,
        ),
        Entry(
            "RTNG",
            "10.6",
            "the own rating, the higher first",
            performance.own_rating,
            Combination.ONLY,
            allowed="RU",
            since=Edition.MARCH_2026,
            needs_ratings=True,
        ),
    ]


def _clubs() -> list[Entry]:
    return [
        Entry(
            "KEIZER",
            "Keizer",
            "Keizer points: the values of the opponents beaten, half of those of draws",
            club_systems.keizer,
            scale=club_systems.KEIZER_SCALE,
        ),
        Entry(
            "MMS",
            "McMahon",
            "McMahon score: points and the score to begin with, by rating",
            club_systems.mcmahon,
            scale=2,
        ),
        Entry(
            "SOS",
            "McMahon",
            "the sum of the opponents' McMahon scores",
            club_systems.opponents_mcmahon,
            scale=2,
        ),
        Entry(
            "SOSOS",
            "McMahon",
            "the sum of the opponents' SOS",
            club_systems.opponents_sos,
            scale=2,
        ),
    ]


CATALOGUE: Mapping[str, Entry] = {entry.code: entry for entry in _entries()}

# Tie-breaks of C.07 12 and 13: they need teams.
_TEAMS = frozenset(
    [
        "MPVGP",
        "ESB",
        "EMMSB",
        "EMGSB",
        "EGMSB",
        "EGGSB",
        "EDE",
        "EDEBT",
        "EDEBB",
        "EDET",
        "EDEB",
        "SSSC",
        "BC",
        "TBR",
        "BBE",
    ]
)
# What an event uses that has announced nothing else.
DEFAULTS: Mapping[System, tuple[str, ...]] = {
    System.SWISS: ("BH/C1", "BH", "SB", "DE"),
    System.ROUND_ROBIN: ("DE", "SB", "KS", "WIN"),
}


@dataclass(frozen=True, slots=True)
class TieBreak:
    """A tie-break with its modifiers; `name` in capitals, as asked for."""

    name: str
    entry: Entry
    modifiers: Modifiers

    @property
    def is_higher_better(self) -> bool:
        """Its order, the modifier R included."""
        return self.entry.is_higher_better is not self.modifiers.is_reversed


def tie_break(name: str) -> TieBreak:
    """The tie-break of that name, e.g. `BH/C1`.

    Raises:
        UnknownTieBreakError: for any other text, for tie-breaks of teams, and for modifiers that do not belong to it.
    """
    code, parts = split_name(name)
    if code in _TEAMS:
        raise UnknownTieBreakError(f"{code!r} is a tie-break of teams")
    entry = CATALOGUE.get(code)
    if entry is None:
        raise UnknownTieBreakError(f"{code!r} is none of {', '.join(CATALOGUE)}")
    full = name.strip().upper()
    return TieBreak(full, entry, modifiers(parts, allowed=entry.allowed, name=full))


def tie_breaks(names: Iterable[str]) -> tuple[TieBreak, ...]:
    """The tie-breaks of an ordered list; points come first unless the list places them (record 202 or 212).

    Raises:
        UnknownTieBreakError: for a name that is none, or comes twice.
    """
    result = [tie_break(name) for name in names]
    if not any(t.name == "PTS" for t in result):
        result.insert(0, tie_break("PTS"))
    seen: set[str] = set()
    for each in result:
        if each.name in seen:
            raise UnknownTieBreakError(f"{each.name!r} comes twice")
        seen.add(each.name)
    return tuple(result)


def misfits(chosen: Iterable[TieBreak], field: Field) -> list[str]:
    """Names of those that C.07 does not have in the field's edition, or not for its system."""
    return [
        t.name
        for t in chosen
        if field.system not in t.entry.fits
        or (t.entry.since is Edition.MARCH_2026 and field.edition is Edition.AUGUST_2024)
    ]
