"""The pages of a rating pool: leaderboard, performance ratings and calibration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments import database_time
from tournaments.models import Player, Pool
from tournaments.queries.ratings import bradley_terry_table, calibrations, distribution
from tournaments.queries.ratings.leaderboard import Published, published
from tournaments.services.ratings import recomputations
from tournaments.views import common_lists
from tournaments.views.access import account_player_of, user_of
from tournaments.views.ratings import strength_tables
from tournaments.views.ratings.charts import pool as pool_charts

_TABLES = "ratings/_leaderboard.html"
_RANKED = strength_tables.ROWS_ON_PAGE
_ORDER = (
    Pool.Kind.PEOPLE,
    Pool.Kind.EVENTS,
    Pool.Kind.MIXED,
    Pool.Kind.REMOTE,
    Pool.Kind.BOTS,
)
_KINDS = {str(kind): place for place, kind in enumerate(_ORDER)}  # pools of people come first


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A published rating with its error bar, or None if its certainty is unknown."""

    published: Published
    bar: pool_charts.ErrorBar | None


def leaderboard(request: HttpRequest, pool: str | None = None) -> HttpResponse:
    context = _tab_context(pool, "leaderboard-pool")
    chosen, player = context["pool"], account_player_of(request)
    context["tables"] = common_lists.drawn(
        _TABLES, user_of(request), lambda: _ranking(chosen, player), chosen and chosen.pk
    )
    return render(request, "ratings/leaderboard.html", context)


def _ranking(pool: Pool | None, player: Player | None) -> dict[str, Any]:
    """Return the ranking of the pool with its distribution, in which `player` has a place."""
    if pool is None:
        return {}
    now = database_time.now()
    spread = distribution.distribution(pool, player, now)
    return {
        "pool": pool,
        "reader": player,
        "rows": _with_bars(published(pool, now, _RANKED)),
        "distribution": spread,
        "histogram": pool_charts.histogram(spread),
        "most": _RANKED,
    }


def strength(request: HttpRequest, pool: str) -> HttpResponse:
    context = _tab_context(pool, "leaderboard-strengths")
    strengths = bradley_terry_table.strengths(context["pool"])
    if strengths is not None:
        context |= strength_tables.context(
            strengths,
            repetitions=bradley_terry_table.repetitions_in_pool(context["pool"]),
        )
        context["advantage"] = strengths.advantage_centielo / 100
        context["first_percent"] = 50 * strengths.first_halves / strengths.games
        context["drawn_percent"] = 100 * strengths.draws / strengths.games
    return render(request, "ratings/strengths.html", context)


def calibration(request: HttpRequest, pool: str) -> HttpResponse:
    context = _tab_context(pool, "leaderboard-calibration")
    report = calibrations.pool_calibration(context["pool"])
    if report is not None:
        filled = [each for each in report.bins if each.games]
        context["calibration"] = report
        context["bins"] = filled
        context["right"] = sum(each.is_right for each in filled)
        context["diagram"] = pool_charts.calibration_diagram(report.bins)
        context["enough"] = calibrations.ENOUGH
        context["drawn_percent"] = 100 * report.draws
        context["bias_percent"] = 100 * report.bias
        # 95 %, as all intervals here.
        context["bias_error_percent"] = 200 * report.bias_error
        context["is_biased"] = abs(report.bias) > 2 * report.bias_error
    return render(request, "ratings/calibration.html", context)


def _with_bars(rows: Sequence[Published]) -> list[RatingRow]:
    known = [row for row in rows if row.error_centielo is not None]
    bars = pool_charts.error_bars([(row.centielo, row.error_centielo or 0) for row in known])
    by_player = {row.rating.player_id: bar for row, bar in zip(known, bars, strict=True)}
    return [RatingRow(row, by_player.get(row.rating.player_id)) for row in rows]


def _tab_context(key: str | None, tab: str) -> dict[str, Any]:
    """The context of every page of a pool. Raises Http404."""
    rated = Count("ratings", filter=Q(ratings__games__gt=0))
    pools = list(Pool.objects.annotate(players=rated).filter(Q(players__gt=0) | Q(key=key or "")))
    pools.sort(key=lambda pool: (_KINDS.get(pool.kind, len(_KINDS)), -pool.players))
    same_key = (pool for pool in pools if pool.key == key)
    chosen = next(same_key, None) if key else next(iter(pools), None)
    if key and chosen is None:
        raise Http404
    recomputation = recomputations.current(chosen.pk if chosen else None)
    return {"pools": pools, "pool": chosen, "tab": tab, "recomputation": recomputation}
