"""Tie-breaks by name: the name and meaning of each, and the choices of organisers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.standings import System, tie_break
from tournaments.standings.catalogue import TEAM_CATALOGUE

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

# Name and meaning, by the code of C.07.
WORDS: Mapping[str, tuple[_StrPromise, _StrPromise]] = {
    "PTS": (gettext_lazy("Points"), gettext_lazy("results of the rounds")),
    "DE": (
        gettext_lazy("Direct encounter"),
        gettext_lazy("points from the games among those who are tied"),
    ),
    "WIN": (gettext_lazy("Wins"), gettext_lazy("rounds worth a win, played or not")),
    "WON": (gettext_lazy("Games won"), gettext_lazy("games won over the board")),
    "BPG": (
        gettext_lazy("Games as second player"),
        gettext_lazy("games played as the second player"),
    ),
    "BWG": (gettext_lazy("Wins as second player"), gettext_lazy("games won as the second player")),
    "PS": (
        gettext_lazy("Progressive score"),
        gettext_lazy("the sum of the scores after each round"),
    ),
    "REP": (gettext_lazy("Rounds played"), gettext_lazy("rounds one chose to play")),
    "STD": (
        gettext_lazy("Standard points"),
        gettext_lazy("rounds in which one scored more than the opponent, half for as much"),
    ),
    "TPN": (gettext_lazy("Pairing number"), gettext_lazy("the lower first")),
    "LOT": (gettext_lazy("Lot"), gettext_lazy("drawn from the seed of the event at its end")),
    "BH": (gettext_lazy("Buchholz"), gettext_lazy("the sum of the opponents' scores")),
    "AOB": (
        gettext_lazy("Average Buchholz"),
        gettext_lazy("the average Buchholz of the opponents one has met"),
    ),
    "FB": (
        gettext_lazy("Fore Buchholz"),
        gettext_lazy("Buchholz as if the final round had been drawn"),
    ),
    "SB": (
        gettext_lazy("Sonneborn-Berger"),
        gettext_lazy("the opponents' scores, each times the points against that opponent"),
    ),
    "KS": (gettext_lazy("Koya"), gettext_lazy("points against those who scored at least half")),
    "ABH": (
        gettext_lazy("Adjusted score"),
        gettext_lazy("the own score as it counts in opponents' Buchholz"),
    ),
    "AFB": (
        gettext_lazy("Adjusted score (fore)"),
        gettext_lazy("the own score as it counts in opponents' Fore Buchholz"),
    ),
    "ARO": (gettext_lazy("Opponents' rating"), gettext_lazy("the average rating of the opponents")),
    "TPR": (
        gettext_lazy("Performance"),
        gettext_lazy("the opponents' average rating and a bonus for the score"),
    ),
    "PTP": (
        gettext_lazy("Perfect performance"),
        gettext_lazy("the least rating that would be expected to score as much"),
    ),
    "APRO": (
        gettext_lazy("Opponents' performance"),
        gettext_lazy("the average performance of the opponents"),
    ),
    "APPO": (
        gettext_lazy("Opponents' perfect performance"),
        gettext_lazy("the average perfect performance of the opponents"),
    ),
    "RTNG": (gettext_lazy("Rating"), gettext_lazy("the own rating, the higher first")),
    "KEIZER": (
        gettext_lazy("Keizer points"),
        gettext_lazy("the values of those one has beaten, and half of those one drew with"),
    ),
    "MMS": (
        gettext_lazy("McMahon score"),
        gettext_lazy("points, and the score to begin with by rating"),
    ),
    "SOS": (
        gettext_lazy("Opponents' McMahon scores"),
        gettext_lazy("the sum of the opponents' McMahon scores"),
    ),
    "SOSOS": (
        gettext_lazy("Opponents' sums"),
        gettext_lazy("the sum of the sums that the opponents have"),
    ),
    "MPVGP": (gettext_lazy("Game points"), gettext_lazy("the points of all boards")),
    "EMMSB": (
        gettext_lazy("Sonneborn-Berger (match, match)"),
        gettext_lazy("the opponents' match points, each times the match points against that team"),
    ),
    "EMGSB": (
        gettext_lazy("Sonneborn-Berger (match, game)"),
        gettext_lazy("the opponents' match points, each times the game points against that team"),
    ),
    "EGMSB": (
        gettext_lazy("Sonneborn-Berger (game, match)"),
        gettext_lazy("the opponents' game points, each times the match points against that team"),
    ),
    "EGGSB": (
        gettext_lazy("Sonneborn-Berger (game, game)"),
        gettext_lazy("the opponents' game points, each times the game points against that team"),
    ),
    **{
        code: (gettext_lazy("Extended direct encounter"), meaning)
        for code, meaning in {
            "EDE": gettext_lazy("match points, then game points of the matches among the tied"),
            "EDEBT": gettext_lazy("as before, then board count and top boards of two teams"),
            "EDEBB": gettext_lazy("as before, then board count and bottom boards of two teams"),
            "EDET": gettext_lazy("as before, then top boards of two teams"),
            "EDEB": gettext_lazy("as before, then bottom boards of two teams"),
        }.items()
    },
    "SSSC": (
        gettext_lazy("Game points with Buchholz"),
        gettext_lazy("the points of all boards, and a part of the Buchholz of match points"),
    ),
    "BC": (
        gettext_lazy("Board count"),
        gettext_lazy("the number of each board times the points on it, the lower first"),
    ),
    "TBR": (gettext_lazy("Top boards"), gettext_lazy("points on board 1, then on board 2")),
    "BBE": (
        gettext_lazy("Bottom boards"),
        gettext_lazy("points without the last board, and so on"),
    ),
}
_MODIFIERS = {
    "C1": gettext_lazy("Cut-1"),
    "C2": gettext_lazy("Cut-2"),
    "M1": gettext_lazy("Median-1"),
    "M2": gettext_lazy("Median-2"),
    "P": gettext_lazy("forfeits as games"),
    "R": gettext_lazy("the other way round"),
}
# Values that a modifier leaves out of a sum or an average (C.07 14.1 and 14.2).
_VALUES = {
    "C1": gettext_lazy("without the lowest value"),
    "C2": gettext_lazy("without the two lowest values"),
    "M1": gettext_lazy("without the lowest and the highest value"),
    "M2": gettext_lazy("without the two lowest and the two highest values"),
}
_FIRST_ROUNDS = {
    "C1": gettext_lazy("without the first round"),
    "C2": gettext_lazy("without the first two rounds"),
}
# The choices of organisers, in the order of the list.
OFFERED = (
    *("DE", "BH/C1", "BH", "BH/C2", "BH/M1", "SB", "SB/C1", "FB", "FB/C1", "AOB", "KS"),
    *("WIN", "WON", "BPG", "BWG", "PS", "PS/C1", "REP", "STD"),
    *("ARO", "ARO/C1", "TPR", "PTP", "APRO", "APPO", "RTNG", "TPN", "LOT"),
    *("MPVGP", "EMGSB", "EMMSB", "EGMSB", "EGGSB", "EDE", "EDEBT", "EDEBB", "EDET", "EDEB"),
    *("SSSC", "BC", "TBR", "BBE"),
)


def name_of(name: str) -> str:
    """A tie-break in words: `Buchholz, without the lowest`."""
    code, *modifiers = name.split("/")
    return ", ".join([str(WORDS[code][0]), *(str(_MODIFIERS.get(m, m)) for m in modifiers)])


def meaning_of(name: str) -> str:
    """Return the meaning of the tie-break, with the scores that its modifiers leave out, in half a line."""
    code, *modifiers = name.split("/")
    left_out = _FIRST_ROUNDS if tie_break(name, of_teams=True).entry.cuts_first_rounds else _VALUES
    return ", ".join(
        [str(WORDS[code][1]), *(str(left_out[each]) for each in modifiers if each in left_out)]
    )


def choices() -> list[tuple[str, str]]:
    """Return the choices of an organiser, as values and words."""
    return [
        (name, f"{name}: {name_of(name)} – {meaning_of(name)}{_limits(name)}") for name in OFFERED
    ]


def _limits(name: str) -> str:
    """Return the events for which C.07 does not have the tie-break, in brackets, or an empty text."""
    entry = tie_break(name, of_teams=True).entry
    fits = entry.fits
    if entry.code in TEAM_CATALOGUE:
        return " " + _("(for teams only)")
    if System.ROUND_ROBIN not in fits:
        return " " + _("(not for a round robin)")
    return " " + _("(for a round robin only)") if System.SWISS not in fits else ""
