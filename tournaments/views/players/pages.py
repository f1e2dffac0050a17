"""Players and bots, and two of them against each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from tournaments import database_time
from tournaments.edges.access import get_player
from tournaments.models import Event, Game, LedgerEntry, Player, Pool, Rating
from tournaments.models.events import EventQuerySet
from tournaments.models.players import NAME_LENGTH
from tournaments.queries.events import clubs, conditions
from tournaments.queries.ratings import certainty, comparison, distribution, headlines
from tournaments.queries.ratings import head_to_head as opponents
from tournaments.queries.records import archive
from tournaments.services.accounts import bot_consents, consent_checks
from tournaments.services.arbiter import annulment
from tournaments.services.clocks import vacations
from tournaments.services.ratings import recomputations
from tournaments.views.access import account_player_of, user_of
from tournaments.views.ratings.charts import rating_history
from tournaments.views.ratings.charts.courses import CoursesChart, courses_chart

_RECENT = 20
_OPPONENTS = 12
_ENCOUNTERS = 50
# Lines that a reader can distinguish in one chart.
_LINES = 6
# The picture is 640 points wide. A bot has tens of thousands of games.
_GRAPH_ROWS = 1_000


def players(request: HttpRequest) -> HttpResponse:
    """Everybody with a page, by name, fifty at a time."""
    words = request.GET.get("q", "")[:NAME_LENGTH]
    page = archive.search_players(words, after=request.GET.get("after", "")[:NAME_LENGTH])
    query = urlencode({"q": words, "after": page.after or ""})
    return render(request, "players/players.html", {"page": page, "words": words, "next": query})


def player(request: HttpRequest, pk: int) -> HttpResponse:
    profile = get_player(pk)
    ratings = Rating.objects.filter(player=profile).select_related("pool").order_by("-games")
    best_known = headlines.of_player(profile, database_time.now())
    pool = _chosen_pool(
        request, [*(row.rating.pool for row in best_known), *(row.pool for row in ratings)]
    )
    ledger = LedgerEntry.objects.filter(player=profile, pool=pool).order_by("seq")
    viewer = account_player_of(request)
    user = user_of(request)
    visible_events = conditions.visible(Event.objects.all(), user)
    games_to_show = conditions.visible_games(Game.objects.of(profile), user)
    history, event_starts, has_earlier = _history(ledger, visible_events)
    context = {
        "profile": profile,
        "consent": bot_consents.of_line(profile.bot.line_id)
        if profile.is_bot and profile.bot.line_id
        else None,
        "is_away": profile.is_bot
        and bool(consent_checks.unavailable([profile.pk], database_time.now())),
        "is_followed": viewer is not None and viewer.follows.filter(followed=profile).exists(),
        "is_muted": viewer is not None and viewer.mutes.filter(muted=profile).exists(),
        "clubs": clubs.of_player(profile),
        "ratings": ratings,
        "headlines": best_known,
        "percentiles": _percentiles(profile, best_known),
        "is_pool_chosen": "pool" in request.GET,
        "pool": pool,
        "spread": distribution.distribution(pool, profile, database_time.now()) if pool else None,
        "recomputation": recomputations.current(pool),
        "vacation": vacations.running(profile),
        "annulment": annulment.progress_of(profile.bot) if profile.is_bot else None,
        "pools_of_game": _pools_of_game(ratings, pool),
        "graph": rating_history.rating_chart(history, event_starts),
        "has_earlier": has_earlier,
        "opponents": opponents.opponents(profile, pool, most=_OPPONENTS) if pool else [],
        "ledger": ledger.filter(game__in=games_to_show)
        .select_related("game__first", "game__second")
        .order_by("-seq")[:_RECENT],
        "games": games_to_show.with_players().order_by("-created_at")[:_RECENT],
        "entries": profile.entries.filter(event__in=visible_events)
        .select_related("event")
        .order_by("-entered_at")[:_RECENT],
    }
    return render(request, "players/player.html", context)


def _percentiles(player: Player, rows: Iterable[headlines.Headline]) -> dict[int, int]:
    """Return the share of other players below the player, in percent, by pool.

    Provisional ratings have none, and take no query.
    """
    now = database_time.now()
    pools = [
        row.rating.pool for row in rows if not certainty.of_rating(row.rating, now).is_provisional
    ]
    spreads = {pool.pk: distribution.distribution(pool, player, now) for pool in pools}
    return {
        key: spread.percent_below
        for key, spread in spreads.items()
        if spread.percent_below is not None
    }


@dataclass(frozen=True, slots=True)
class PoolsOfGame:
    """The ratings of a player in the pools of one game, those of the most games first, and their chart over time."""

    ratings: Sequence[Rating]
    chart: CoursesChart
    has_more: bool


def _pools_of_game(ratings: Iterable[Rating], pool: Pool | None) -> PoolsOfGame | None:
    """Return the pools of the game of `pool`, or None if the player has fewer than two of them."""
    own = [row for row in ratings if pool and row.pool.family == pool.family and row.games]
    if len(own) < 2:
        return None
    on_chart = own[:_LINES]
    chart = courses_chart(comparison.courses(on_chart))
    return PoolsOfGame(on_chart, chart, len(own) > _LINES) if chart else None


def head_to_head(request: HttpRequest, pk: int, other: int) -> HttpResponse:
    pair = Player.objects.named().in_bulk([pk, other])
    if len(pair) < 2:  # one of them does not exist, or both are one
        raise Http404
    one, two = pair[pk], pair[other]
    reader = account_player_of(request)
    opponent = {one: two, two: one}.get(reader) if reader else None
    shared = comparison.shared_pools(one, two)
    pool = _chosen_pool(request, [row.pool for row in shared])
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


def _history(
    ledger: QuerySet[LedgerEntry], visible_events: EventQuerySet
) -> tuple[list[int], list[rating_history.EventStart], bool]:
    """Return the rating before the first game and after each, the first games of events, and whether earlier games exist.

    Only the latest rows are read, up to the number that the picture shows.
    """
    latest = ledger.order_by("-seq").values_list(
        "before_centielo",
        "after_centielo",
        "game__pairing__event__slug",
        "game__pairing__event__name",
        "game__pairing__event__ruleset",
    )[: _GRAPH_ROWS + 1]
    rows = list(latest)
    has_earlier = len(rows) > _GRAPH_ROWS
    history: list[int] = []
    began: dict[str, rating_history.EventStart] = {}
    slugs = {slug for _, _, slug, _, _ in rows if slug}
    visible_slugs = (
        set(visible_events.filter(slug__in=slugs).values_list("slug", flat=True))
        if slugs
        else set()
    )
    for before, after, slug, name, ruleset in reversed(rows[:_GRAPH_ROWS]):
        if not history:
            history.append(before)
        if slug in visible_slugs and slug not in began:
            began[slug] = rating_history.EventStart(len(history), slug, name, ruleset)
        history.append(after)
    return history, list(began.values()), has_earlier


def _chosen_pool(request: HttpRequest, pools: list[Pool]) -> Pool | None:
    pool_key = request.GET.get("pool", "")
    return next((pool for pool in pools if pool.key == pool_key), next(iter(pools), None))
