"""One rating of a player for each game, with its change over the last 30 days."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import OuterRef, Q, Subquery

from tournaments.models import LedgerEntry, Player, Rating
from tournaments.queries.ratings import certainty

_SPAN = timedelta(days=30)
_COURSE_GAMES = 30


@dataclass(frozen=True, slots=True)
class Headline:
    """The rating that represents a player in a game.

    Attributes:
        rating: the row.
        change_centielo: the change over 30 days. None if the rating is provisional, or was at the
            beginning of that time.
        course_centielo: the ratings after the latest games, the oldest first, in hundredths.
    """

    rating: Rating
    change_centielo: int | None
    course_centielo: Sequence[int] = ()


def of_player(player: Player, now: datetime) -> list[Headline]:
    """Return one rating for each game of `player`, that of the most games first."""
    rows = _chosen(Rating.objects.filter(player=player).select_related("pool"), now)
    then = _entries_at(rows, now - _SPAN) if rows else {}
    courses = _courses(rows) if rows else {}
    return [
        Headline(
            row,
            _change(row, then.get(row.pool_id), now),
            courses.get(row.pool_id, [])[-_COURSE_GAMES:],
        )
        for row in rows
    ]


def _chosen(ratings: Iterable[Rating], now: datetime) -> Sequence[Rating]:
    """Return one rating for each game: an established one before provisional ones, then that of most games."""
    by_family: dict[str, Rating] = {}
    for row in sorted(ratings, key=lambda row: (_is_guess(row, now), -row.games)):
        by_family.setdefault(row.pool.family, row)
    return sorted(by_family.values(), key=lambda row: -row.games)


def _entries_at(rows: Sequence[Rating], moment: datetime) -> dict[int, LedgerEntry]:
    """Return the last entry of the ledger of each rating up to `moment`, by the pool's id."""
    earlier = LedgerEntry.objects.filter(
        pool=OuterRef("pool"), player=OuterRef("player"), entered_at__lte=moment
    )
    last = Subquery(earlier.order_by("-seq").values("pk")[:1])
    keys = Rating.objects.filter(pk__in=[row.pk for row in rows]).values_list(last, flat=True)
    entries = LedgerEntry.objects.filter(pk__in=[key for key in keys if key is not None])
    return {entry.pool_id: entry for entry in entries}


def _change(row: Rating, then: LedgerEntry | None, now: datetime) -> int | None:
    if then is None or certainty.after(then).is_provisional or _is_guess(row, now):
        return None
    return row.centielo - then.after_centielo


def _courses(rows: Sequence[Rating]) -> dict[int, list[int]]:
    """Return the ratings after the latest games by the pool's id, read by one query.

    The ledger has a line for each game and those of corrections, so that these lines are enough.
    """
    lines = Q()
    for row in rows:
        first = row.games - _COURSE_GAMES
        lines |= Q(pool=row.pool_id, player=row.player_id, seq__gt=first)
    courses: dict[int, list[int]] = defaultdict(list)
    entries = LedgerEntry.objects.filter(lines).order_by("seq")
    for pool, centielo in entries.values_list("pool", "after_centielo"):
        courses[pool].append(centielo)
    return courses


def _is_guess(row: Rating, now: datetime) -> bool:
    return certainty.of_rating(row, now).is_provisional
