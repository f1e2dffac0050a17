"""Every tie-break for individuals: its code, article, order and systems.

A new one is one line here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournaments.standings import buchholz, club_systems, own_results, performance, sonneborn, teams
from tournaments.standings.entry import Combination, Entry
from tournaments.standings.errors import UnknownTieBreakError
from tournaments.standings.field import Edition, Field, System
from tournaments.standings.names import Modifiers, modifiers, split_name
from tournaments.standings.team_catalogue import team_entries

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_SWISS = frozenset({System.SWISS})
_ROUND_ROBIN = frozenset({System.ROUND_ROBIN})


def _entries() -> list[Entry]:
    return [*_own(), *_scores(), *_performances(), *_clubs()]


def _own() -> list[Entry]:
    return [
        Entry("PTS", "4.1", "points", own_results.points, scale=2),
        Entry(
            "DE",
            "6",
            "direct encounter: points from the games among the tied",
            teams.nothing,
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
        Entry(
            "LOT",
            "",
            "the lot of the participant, the lower first",
            own_results.lots,
            Combination.ONLY,
            is_higher_better=False,
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
            "",
            "Keizer points: the values of the opponents beaten, half of those of draws",
            club_systems.keizer,
            scale=club_systems.KEIZER_SCALE,
        ),
        Entry(
            "MMS",
            "",
            "McMahon score: points and the score to begin with, by rating",
            club_systems.mcmahon,
            scale=2,
        ),
        Entry(
            "SOS",
            "",
            "the sum of the opponents' McMahon scores",
            club_systems.opponents_mcmahon,
            scale=2,
        ),
        Entry(
            "SOSOS",
            "",
            "the sum of the opponents' SOS",
            club_systems.opponents_sos,
            scale=2,
        ),
    ]


CATALOGUE: Mapping[str, Entry] = {entry.code: entry for entry in _entries()}

TEAM_CATALOGUE: Mapping[str, Entry] = {entry.code: entry for entry in team_entries()}
# Tie-breaks of an event that has announced no other ones.
DEFAULTS: Mapping[System, tuple[str, ...]] = {
    System.SWISS: ("BH/C1", "BH", "SB", "DE"),
    System.ROUND_ROBIN: ("DE", "SB", "KS", "WIN"),
}
TEAM_DEFAULTS = ("MPVGP", "EMGSB", "EDE")


@dataclass(frozen=True, slots=True)
class TieBreak:
    """A tie-break with its modifiers. `name` is the requested name in capitals."""

    name: str
    entry: Entry
    modifiers: Modifiers

    @property
    def is_higher_better(self) -> bool:
        """Return its order, the modifier R included."""
        return self.entry.is_higher_better is not self.modifiers.is_reversed


def tie_break(name: str, *, of_teams: bool = False) -> TieBreak:
    """Return the tie-break of that name, e.g. `BH/C1`, or `BH:GP/C1` of teams.

    Raises:
        UnknownTieBreakError: for any other text, for one of teams among individuals, and for
            modifiers that do not belong to it.
    """
    code, parts = split_name(name)
    known = {**CATALOGUE, **TEAM_CATALOGUE} if of_teams else CATALOGUE
    entry = known.get(code)
    if entry is None and code in TEAM_CATALOGUE:
        raise UnknownTieBreakError(f"{code!r} is a tie-break of teams")
    if entry is None:
        raise UnknownTieBreakError(f"{code!r} is none of {', '.join(known)}")
    full = name.strip().upper()
    allowed = entry.allowed + ":" * (of_teams and code in CATALOGUE)
    return TieBreak(full, entry, modifiers(parts, allowed=allowed, name=full))


def tie_breaks(names: Iterable[str], *, of_teams: bool = False) -> tuple[TieBreak, ...]:
    """Return the tie-breaks of an ordered list.

    Points come first unless the list places them (record 202 or 212).

    Raises:
        UnknownTieBreakError: for an unknown name, or a name that comes twice.
    """
    result = [tie_break(name, of_teams=of_teams) for name in names]
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
