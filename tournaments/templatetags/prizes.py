"""Prizes on pages: sums of money, categories, and the text of a row."""

from __future__ import annotations

from collections.abc import Iterable

from django import template

from tournaments.models import Award, Prize
from tournaments.queries.events import prizes
from tournaments.text import prizes as words

register = template.Library()


@register.filter
def category(row: Prize | Award) -> str:
    """The category of a prize or an award."""
    return words.category_text(prizes.category_of(row))


@register.filter
def money(minor: int, currency: str) -> str:
    """Minor units of a currency as a sum."""
    return words.money_text(minor, currency)


@register.filter
def prize(row: Prize | Award, currency: str) -> str:
    """Return a prize or an award in words: money, other prizes, or both."""
    return words.prize_text(row.amount, row.words, currency)


@register.filter
def prizes_in(rows: Iterable[Award], currency: str) -> str:
    """Return all prizes of a player, one after the other."""
    return " + ".join(prize(row, currency) for row in rows)
