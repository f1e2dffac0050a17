"""A player's statistics in a pool, and the ledger as a file."""

from __future__ import annotations

from typing import Any

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from tournaments import database_time
from tournaments.edges.access import get_player
from tournaments.edges.files import attachment
from tournaments.models import LedgerEntry, Player, Pool, Rating
from tournaments.models.games import Side
from tournaments.queries.events import conditions
from tournaments.queries.ratings import comparison, distribution
from tournaments.queries.ratings import insights as queries
from tournaments.services.results import sheets
from tournaments.views.access import user_of
from tournaments.views.ratings.charts.courses import courses_chart

_BEST = 5
_HEADS = (
    *("line", "entered", "kind", "game", "side", "opponent", "opponent_rating", "score"),
    *("expected", "before", "change", "after", "formula", "digest"),
)
# Rows instead of models: those of 10,000 lines with their games and players take four times as long.
_COLUMNS = (
    *("seq", "entered_at", "kind", "game_id", "side", "game__first__name", "game__second__name"),
    *("opponent_centielo", "score_halves", "expected_millionths", "before_centielo"),
    *("delta_centielo", "after_centielo", "formula", "digest"),
)
# The latest lines of a file. A bot has tens of thousands.
MOST_LINES = 10_000


def insights(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the statistics of the player in the chosen pool, or in that of the most games."""
    profile, pools, pool = _chosen(request, pk)
    now = database_time.now()
    own = queries.of_player(profile, pool, now)
    first, second = own.sides
    spread = distribution.distribution(pool, profile, now)
    visible = queries.rated_games(profile, pool).filter(_is_visible(request))
    best = queries.best_wins(visible, _BEST)
    context = {
        "profile": profile,
        "pools": pools,
        "pool": pool,
        "place": spread.place,
        "above_percent": 100 * spread.place.below // spread.players if spread.place else 0,
        "insights": own,
        "chart": courses_chart([comparison.course(profile, pool)]),
        "results": [
            (_("All games"), own.total),
            (_("With the first side"), first),
            (_("With the second side"), second),
            *own.bands,
        ],
        "best_wins": best,
    }
    return render(request, "players/insights.html", context)


def _is_visible(request: HttpRequest) -> Q:
    # Without a list of the games that are visible, which takes half a second for a bot.
    return conditions.is_game_visible(user_of(request), "game__")


def ledger_csv(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the latest lines of the player's ledger in the chosen pool as a file, the latest first.

    Lines of games that the visitor may not see are left out.
    """
    profile, _pools, pool = _chosen(request, pk)
    rows = LedgerEntry.objects.filter(player=profile, pool=pool)
    rows = rows.filter(Q(game=None) | _is_visible(request))
    latest = rows.order_by("-seq").values_list(*_COLUMNS, named=True)[:MOST_LINES]
    content = sheets.text(_HEADS, map(_line, latest))
    name = f"rating-history-{profile.pk}-{pool.key}.csv"
    answer = attachment(content, "text/csv; charset=utf-8", name)
    answer["Cache-Control"] = "private, no-store"
    return answer


def _line(row: Any) -> list[sheets.Value]:  # noqa: ANN401 - a named row of `_COLUMNS`
    opponent = row.game__second__name if row.side == Side.FIRST else row.game__first__name
    return [
        *(row.seq, row.entered_at.isoformat(timespec="seconds"), row.kind, row.game_id, row.side),
        *(opponent or "", _points(row.opponent_centielo) if row.game_id else ""),
        *(f"{row.score_halves / 2:g}", f"{row.expected_millionths / 1_000_000:.6f}"),
        *(_points(row.before_centielo), _points(row.delta_centielo)),
        *(_points(row.after_centielo), row.formula, row.digest),
    ]


def _points(centielo: int) -> str:
    return f"{centielo / 100:.2f}"


def _chosen(request: HttpRequest, pk: int) -> tuple[Player, list[Pool], Pool]:
    """Return the player, the pools of the ratings, and the one that the query names, or the first.

    Raises Http404 for a player without a rating.
    """
    profile = get_player(pk)
    ratings = Rating.objects.filter(player=profile, games__gt=0).select_related("pool")
    pools = [row.pool for row in ratings.order_by("-games")]
    if not pools:
        raise Http404
    key = request.GET.get("pool", "")
    return profile, pools, next((pool for pool in pools if pool.key == key), pools[0])
