"""Players, bots and leaderboards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Count, F
from django.http import Http404
from django.shortcuts import get_object_or_404, render

from tournaments.models import Game, LedgerEntry, Player, Pool, Rating
from tournaments.views import graphs

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

_RECENT = 20
_RANKED = 200


def player(request: HttpRequest, pk: int) -> HttpResponse:
    shown = get_object_or_404(Player.objects.select_related("bot__owner__player"), pk=pk)
    ratings = Rating.objects.filter(player=shown).select_related("pool").order_by("-games")
    pool = _chosen_pool(request, [rating.pool for rating in ratings])
    ledger = LedgerEntry.objects.filter(player=shown, pool=pool).order_by("seq")
    history = [*(e.before_centielo for e in ledger[:1]), *(e.after_centielo for e in ledger)]
    context = {
        "shown": shown,
        "ratings": ratings,
        "pool": pool,
        "graph": graphs.rating_graph(history),
        "ledger": ledger.select_related("game__first", "game__second").order_by("-seq")[:_RECENT],
        "games": Game.objects.of(shown).with_players().order_by("-created_at")[:_RECENT],
        "entries": shown.entries.select_related("event").order_by("-entered_at")[:_RECENT],
    }
    return render(request, "player.html", context)


def bots(request: HttpRequest) -> HttpResponse:
    shown = (
        Player.objects.bots().select_related("bot__owner__player").prefetch_related("ratings__pool")
    )
    return render(request, "bots.html", {"bots": shown.order_by("name")})


def leaderboard(request: HttpRequest, pool: str | None = None) -> HttpResponse:
    pools = list(Pool.objects.annotate(players=Count("ratings")))
    wanted = (p for p in pools if p.key == pool)
    chosen = next(wanted, None) if pool else max(pools, key=lambda p: p.players, default=None)
    if pool and chosen is None:
        raise Http404
    ranked = (
        Rating.objects.filter(pool=chosen)
        .select_related("player")
        .order_by(F("centielo").desc(), "player__canonical")
    )
    context = {"pools": pools, "pool": chosen, "ratings": ranked[:_RANKED]}
    return render(request, "leaderboard.html", context)


def _chosen_pool(request: HttpRequest, pools: list[Pool]) -> Pool | None:
    wished = request.GET.get("pool", "")
    return next((pool for pool in pools if pool.key == wished), next(iter(pools), None))
