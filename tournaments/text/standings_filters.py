"""Refusals of filters of the standings in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

SENTENCES: dict[str, _StrPromise] = {
    "filter-age": _("There is no such age group. Age groups are U18 (under 18) or S50 (from 50)."),
    "filter-sex": _("The filter of the sex is w or m."),
    "filter-rating": _(
        "Ratings of a filter are whole numbers up to 4000. The lowest is below the other."
    ),
    "filter-players": _("The filter of the players is people, bots or unrated."),
    "filter-club": _("No player of this event is of this club. Choose a club of the list."),
    "filter-federation": _(
        "No player of this event is of this federation. Choose a federation of the list."
    ),
    "filter-category": _(
        "No player of this event has this category. Choose a category of the list."
    ),
}
