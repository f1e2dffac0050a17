"""A value of the standings in detail: its contributions in words and numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.models import Event
from tournaments.queries.results import standings
from tournaments.services.results.computations import computable
from tournaments.text import points
from tournaments.text.tie_breaks import meaning_of, name_of

_REASONS = {
    "opponent-adjusted": gettext_lazy("the opponent's unplayed rounds count as draws"),
    "forfeit-as-game": gettext_lazy("a forfeit counts as a game"),
    "final-round-drawn": gettext_lazy("as if the final round had been drawn"),
    "dummy": gettext_lazy("not played: a virtual opponent with the player's own score"),
    "dummy-up-to-opponent": gettext_lazy(
        "not played: the own score, but not more than the opponent's"
    ),
    "dummy-up-to-draws": gettext_lazy(
        "not played: the own score, but not more than draws would give"
    ),
    "later-rating": gettext_lazy("the rating that the opponent had in this round"),
}
_CUTS = {
    "lowest": gettext_lazy("left out as the lowest"),
    "voluntary": gettext_lazy("left out first: a round not played by choice"),
    "highest": gettext_lazy("left out as the highest"),
    "first-round": gettext_lazy("left out as the first round"),
}


@dataclass(frozen=True, slots=True)
class OpenedTerm:
    """One contribution as it is shown.

    `how` describes its factors, `notes` the reason for an unexpected value.
    """

    round_number: int | None
    opponent: str
    contribution: str
    how: str
    notes: Sequence[str]
    is_cut: bool


@dataclass(frozen=True, slots=True)
class OpenedValue:
    """A value and its contributions. `sum` is the line `21.5 = 5 + 4.5 + ...`."""

    player: str
    name: str
    meaning: str
    article: str
    value: str
    sum: str
    terms: Sequence[OpenedTerm]


def opened(event: Event, tpn: int, name: str) -> OpenedValue | None:
    """Return the details of a player's value in the event's standings, or None without such a value."""
    if name not in {*standings.tie_break_names(event), "PTS"}:
        return None
    if not event.entries.filter(tpn=tpn).exists():
        return None
    stored = _stored.of(event, tpn, name, translation.get_language())
    if stored is None:
        return None
    return OpenedValue(**{**stored, "terms": [OpenedTerm(**term) for term in stored["terms"]]})


@computable(is_one_of_many=True)
def _stored(event: Event, tpn: int, name: str, language: str | None) -> dict[str, Any] | None:
    with translation.override(language):
        value = _opened(event, tpn, name)
    return None if value is None else asdict(value)


def _opened(event: Event, tpn: int, name: str) -> OpenedValue | None:
    breakdown = standings.value_breakdown(event, tpn, name)
    if breakdown is None:
        return None
    players = dict(event.entries.exclude(tpn=None).values_list("tpn", "player__name"))
    terms = []
    for term in breakdown.terms:
        notes = []
        if term.reason is not None:
            notes.append(f"{_REASONS[term.reason]} (C.07 {term.reason.article})")
        if term.cut is not None:
            notes.append(f"{_CUTS[term.cut]} (C.07 {term.cut.article})")
        is_product = term.strength is not None and term.score is not None
        how = (
            f"{points.tie_break(term.strength)} × {points.tie_break(term.score)}"
            if is_product
            else ""
        )
        terms.append(
            OpenedTerm(
                _round_of(event, term.round_number),
                players.get(term.opponent, "") if term.opponent else "",
                points.tie_break(term.contribution),
                how,
                notes,
                term.cut is not None,
            )
        )
    entry = breakdown.tie_break.entry
    value = points.tie_break(breakdown.value) if breakdown.value is not None else _("undefined")
    return OpenedValue(
        players[tpn],
        name_of(name),
        meaning_of(name),
        entry.article,
        value,
        _line(entry.combination.value, value, terms, breakdown.bonus),
        terms,
    )


def _round_of(event: Event, number: int | None) -> int | None:
    """Return the round of the event. In mini-matches each game is a round of the field."""
    return None if number is None else -(-number // event.games_per_pairing)


def _line(combination: str, value: str, terms: Sequence[OpenedTerm], bonus: int) -> str:
    """Return the value as the sum or the mean of the contributions that count, or an empty text if it is neither."""
    counted = [term.contribution for term in terms if not term.is_cut]
    if not counted:
        return ""
    added = " + ".join(counted)
    match combination:
        case "sum" | "encounter":
            return f"{value} = {added}"
        case "mean":
            return f"{value} = ({added}) / {len(counted)}"
        case "performance":
            sign = "+" if bonus >= 0 else "−"
            return f"{value} = ({added}) / {len(counted)} {sign} {abs(bonus)}"
        case _:
            return ""
