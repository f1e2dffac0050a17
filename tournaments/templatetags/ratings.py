"""A rating as pages show it: with half of its 95 % interval, and a question mark while it is a guess."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import template

from tournaments.services import database_time
from tournaments.services.ratings import certainty
from tournaments.templatetags.rayuela import elo

if TYPE_CHECKING:
    from tournaments.models import LedgerEntry, Rating
    from tournaments.services.ratings.certainty import Certainty
    from tournaments.services.ratings.distribution import Place
    from tournaments.services.ratings.leaderboard import Published

register = template.Library()


@register.filter
def rating(row: Rating) -> str:
    """A player's rating: `1512 ±90`, `1659 ±780?`; of systems without a deviation `1659`."""
    return rating_text(row.centielo, certainty.of_rating(row, database_time.now()))


@register.filter
def rating_before(entry: LedgerEntry) -> str:
    """The rating with which somebody came to a game: `1500?`."""
    mark = "?" if certainty.before(entry).is_provisional else ""
    return f"{elo(entry.before_centielo)}{mark}"


@register.filter
def rating_after(entry: LedgerEntry) -> str:
    """The rating that a game left behind: `1659 ±780?`."""
    return rating_text(entry.after_centielo, certainty.after(entry))


@register.filter
def marked_rating(row: Published | Place) -> str:
    """A published rating in whole points, with a question mark while it is a guess: `1659?`."""
    return f"{elo(row.centielo)}{'?' if row.is_provisional else ''}"


def rating_text(centielo: int, known: Certainty) -> str:
    """A rating in whole points with what is known of its certainty."""
    error = "" if known.error_centielo is None else f" ±{elo(known.error_centielo)}"
    return f"{elo(centielo)}{error}{'?' if known.is_provisional else ''}"
