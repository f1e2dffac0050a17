"""Players and bots, and two of them against each other."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from tournaments import database_time
from tournaments.edges.access import get_player
from tournaments.models import Bot, Player
from tournaments.models.players import NAME_LENGTH
from tournaments.queries.clocks import vacation_days
from tournaments.queries.events import clubs, conditions
from tournaments.queries.ratings import comparison
from tournaments.queries.ratings import head_to_head as opponents
from tournaments.queries.records import archive
from tournaments.services.accounts import bot_consents, consent_checks
from tournaments.services.arbiter import annulment
from tournaments.views.access import account_player_of, user_of
from tournaments.views.players import for_all
from tournaments.views.ratings.charts.courses import courses_chart

_ENCOUNTERS = 50


def players(request: HttpRequest) -> HttpResponse:
    """Everybody with a page, by name, fifty at a time."""
    words = request.GET.get("q", "")[:NAME_LENGTH]
    page = archive.search_players(words, after=request.GET.get("after", "")[:NAME_LENGTH])
    query = urlencode({"q": words, "after": page.after or ""})
    return render(request, "players/players.html", {"page": page, "words": words, "next": query})


def player(request: HttpRequest, pk: int) -> HttpResponse:
    profile = get_player(pk)
    viewer = account_player_of(request)
    parts = for_all.parts(profile, request.GET.get("pool"), user_of(request))
    bot = profile.bot if profile.is_bot else None
    consent = bot_consents.of_line(bot.line_id) if bot and bot.line_id else None
    context = {
        "profile": profile,
        "parts": parts,
        "headlines": parts.headlines,
        "consent": consent,
        "is_away": consent is not None
        and bool(consent_checks.unavailable([pk], database_time.now())),
        "annulment": annulment.progress_of(bot)
        if bot and bot.state == Bot.State.ANNULLED
        else None,
        "vacation": None if bot else vacation_days.running(profile),
        "clubs": clubs.of_player(profile),
        "is_followed": viewer is not None and viewer.follows.filter(followed=profile).exists(),
        "is_muted": viewer is not None
        and bot is None
        and viewer.mutes.filter(muted=profile).exists(),
    }
    return render(request, "players/player.html", context)


def head_to_head(request: HttpRequest, pk: int, other: int) -> HttpResponse:
    pair = Player.objects.named().in_bulk([pk, other])
    if len(pair) < 2:  # one of them does not exist, or both are one
        raise Http404
    one, two = pair[pk], pair[other]
    reader = account_player_of(request)
    opponent = {one: two, two: one}.get(reader) if reader else None
    shared = comparison.shared_pools(one, two)
    pool = for_all.named_pool(request.GET.get("pool"), [row.pool for row in shared])
    context = {
        "shared_pools": shared,
        "pool": pool,
        "chart": courses_chart([comparison.course(each, pool) for each in (one, two)])
        if pool
        else None,
        "challenge_url": f"{reverse('lobby')}?{urlencode({'opponent': opponent.name})}"
        if opponent
        else "",
        "one": one,
        "two": two,
        "results": opponents.head_to_head(one, two),
        "games": conditions.visible_games(
            opponents.games_between(one, two).with_players(), user_of(request)
        )[:_ENCOUNTERS],
        "most": _ENCOUNTERS,
    }
    return render(request, "players/head_to_head.html", context)
