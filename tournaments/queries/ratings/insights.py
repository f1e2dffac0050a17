"""Statistics of a player's rated games in a pool: changes, runs of wins, results by side and by strength."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain

from django.db.models import Avg, Case, Count, F, Value, When
from django.utils.translation import gettext_lazy as _

from tournaments.models import LedgerEntry, Player, Pool
from tournaments.models.games import Side
from tournaments.models.ratings import LedgerQuerySet
from tournaments.queries.ratings import certainty
from tournaments.queries.ratings.head_to_head import Tally

SPANS_DAYS = (7, 30, 90)
_CHUNK = 100
# Opponents by their rating less the player's before the game, in hundredths: each band up to its bound.
_BANDS = (
    (-200_00, _("weaker by more than 200")),
    (-50_00, _("weaker by 50 to 200")),
    (50_00, _("of equal strength, within 50")),
    (200_00, _("stronger by 50 to 200")),
    (None, _("stronger by more than 200")),
)


@dataclass(frozen=True, slots=True)
class Change:
    """The change of the rating over a number of days, in hundredths.

    None if the rating was provisional at the beginning, or did not exist.
    """

    days: int
    centielo: int | None


@dataclass(frozen=True, slots=True)
class Insights:
    """Statistics of a player's rated games in a pool.

    Attributes:
        total: the results of all games.
        sides: the results with each side, the first side first.
        bands: the results against opponents of each strength, the weakest first.
        opponents_centielo: the average rating of the opponents, in hundredths.
        peak: the row with the highest rating after it that is not provisional; None without one.
        run: the wins in a row at the end, and `longest_run` the most.
    """

    total: Tally
    sides: tuple[Tally, Tally]
    bands: Sequence[tuple[str, Tally]]
    opponents_centielo: int | None
    changes: Sequence[Change]
    peak: LedgerEntry | None
    run: int
    longest_run: int


def rated_games(player: Player, pool: Pool) -> LedgerQuerySet:
    """Return the rows of the player's games in the pool that count, in their order."""
    rows = LedgerEntry.objects.standing().filter(player=player, pool=pool, game__isnull=False)
    return rows.order_by("seq")


def of_player(player: Player, pool: Pool, now: datetime) -> Insights:
    """Return the statistics of `player` in `pool`."""
    rows = rated_games(player, pool)
    by_side = _tallies(rows, F("side"))
    gap = F("opponent_centielo") - F("before_centielo")
    bounds = [
        When(gap__lte=bound, then=Value(n)) for n, (bound, _name) in enumerate(_BANDS) if bound
    ]
    by_band = _tallies(rows.annotate(gap=gap), Case(*bounds, default=Value(len(_BANDS) - 1)))
    total = Tally()
    for tally in by_side.values():
        total.add_all(tally.wins, tally.draws, tally.losses)
    run, longest_run = _runs(rows.values_list("score_halves", flat=True).iterator())
    average = rows.aggregate(average=Avg("opponent_centielo"))["average"]
    return Insights(
        total=total,
        sides=(by_side.get(Side.FIRST, Tally()), by_side.get(Side.SECOND, Tally())),
        bands=[(str(name), by_band.get(n, Tally())) for n, (_bound, name) in enumerate(_BANDS)],
        opponents_centielo=None if average is None else round(average),
        changes=_changes(player, pool, now),
        peak=_peak(rows),
        run=run,
        longest_run=longest_run,
    )


def best_wins(rows: LedgerQuerySet, most: int) -> list[LedgerEntry]:
    """Return the wins against the opponents with the highest ratings, the best first."""
    wins = rows.filter(score_halves=2).select_related("game__first", "game__second")
    return list(wins.order_by("-opponent_centielo", "seq")[:most])


def _tallies(rows: LedgerQuerySet, key: F | Case) -> Mapping[object, Tally]:
    tallies: dict[object, Tally] = {}
    groups = rows.order_by().values_list(key, "score_halves").annotate(games=Count("pk"))
    for value, score_halves, games in groups:
        tallies.setdefault(value, Tally()).add(score_halves, games)
    return tallies


def _changes(player: Player, pool: Pool, now: datetime) -> list[Change]:
    rows = LedgerEntry.objects.filter(player=player, pool=pool).order_by("-seq")
    last = rows.first()
    if last is None or certainty.after(last).is_provisional:
        return [Change(days, None) for days in SPANS_DAYS]
    changes = []
    for days in SPANS_DAYS:
        then = rows.filter(entered_at__lte=now - timedelta(days=days)).first()
        is_known = then is not None and not certainty.after(then).is_provisional
        changes.append(
            Change(days, last.after_centielo - then.after_centielo if then and is_known else None)
        )
    return changes


def _peak(rows: LedgerQuerySet) -> LedgerEntry | None:
    """Return the first row with the highest rating that was not provisional."""
    # Most rows are not provisional, so that the first ones suffice.
    highest = rows.order_by("-after_centielo", "seq")
    others = highest.iterator(chunk_size=_CHUNK)
    settled = (
        row for row in chain(highest[:_CHUNK], others) if not certainty.after(row).is_provisional
    )
    return next(settled, None)


def _runs(scores: Iterable[int]) -> tuple[int, int]:
    """Return the wins in a row at the end, and the most wins in a row."""
    longest = run = 0
    for score_halves in scores:
        run = run + 1 if score_halves == 2 else 0
        longest = max(longest, run)
    return run, longest
