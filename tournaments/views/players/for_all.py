"""Parts of a player's page that are equal for all visitors, members too.

A process keeps them for one state of the player (`_state_of`): ratings, results, moves of current games, entries and
the states of their events. Other facts, such as the new name of an opponent, are at most half a minute old, as on
the pages of events.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.core.cache import cache
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from tournaments import database_time
from tournaments.models import (
    Entry,
    Event,
    Game,
    LedgerEntry,
    Player,
    Pool,
    Rating,
    Recomputation,
    User,
    statements,
)
from tournaments.models.events import EventQuerySet
from tournaments.queries.events import conditions
from tournaments.queries.ratings import certainty, comparison, distribution, headlines
from tournaments.queries.ratings import head_to_head as opponents
from tournaments.services.ratings import recomputations
from tournaments.services.results import computations
from tournaments.views.ratings.charts import rating_history
from tournaments.views.ratings.charts.courses import CoursesChart, courses_chart

# A process keeps the parts for this time, in seconds.
_KEPT_S = 30
_RECENT = 20
_OPPONENTS = 12
# Lines that a reader can distinguish in one chart.
_LINES = 6
# The picture is 640 points wide. A bot has tens of thousands of games.
_GRAPH_ROWS = 1_000


@dataclass(frozen=True, slots=True)
class Parts:
    """Parts of a player's page.

    Attributes:
        headlines: one rating for each game.
        ratings: the ratings with their history, drawn.
        opponents: the most frequent opponents in the pool.
        lists: the latest games and events, drawn.
        private_event_ids: private events in which the player is entered or has games. They are in no part for
            all visitors.
    """

    headlines: Sequence[headlines.Headline]
    ratings: SafeString
    opponents: Sequence[opponents.Opponent]
    lists: SafeString
    private_event_ids: Collection[int]


def parts(profile: Player, pool_key: str | None, user: User | None) -> Parts:
    """Return the parts of the page. They are drawn for `user` alone if a private event of both is in them.

    `pool_key` is None if the address names no pool. A key that is of no pool of the player counts as empty.
    """
    ratings = _ratings.all(player=profile.pk)
    if pool_key is not None and all(row.pool.key != pool_key for row in ratings):
        pool_key = ""
    state = _state_of(profile, ratings)
    key = f"player-{computations.hash_of([*state, pool_key, get_language()])}"
    known: Parts | None = cache.get(key)
    if known is None:
        known = _drawn(profile, ratings, pool_key, None)
        cache.set(key, known, _KEPT_S)
    if user is not None and known.private_event_ids:
        private = Event.objects.filter(pk__in=known.private_event_ids)
        if conditions.visible(private, user).exists():
            return _drawn(profile, ratings, pool_key, user)
    return known


@statements.query
def _ratings(player: int) -> QuerySet[Rating]:
    return Rating.objects.filter(player=player).select_related("pool").order_by("-games")


def _state_of(profile: Player, ratings: Iterable[Rating]) -> list[object]:
    """Return values of which at least one changes with the player's name, ratings, games, entries and their events."""
    rows = (profile, *ratings)
    columns = [[getattr(row, field.attname) for field in row._meta.concrete_fields] for row in rows]
    entries = _entries.all(player=profile.pk)
    return [columns, entries, *_last.all(player=profile.pk)]


@statements.query
def _entries(player: int) -> QuerySet[Entry, tuple[object, ...]]:
    """The columns of the latest entries that their list shows."""
    latest = Entry.objects.filter(player=player).order_by("-entered_at")
    return latest.values_list("pk", "state", "event__state", "event__name")[:_RECENT]


@statements.query
def _last(player: int) -> QuerySet[Player, tuple[object, ...]]:
    """The ends of the last games, and the progress of current games and of recomputations."""
    columns = []
    for side in ("first", "second"):
        games = Game.objects.filter(**{side: OuterRef("pk")}).order_by()
        ended = games.filter(ended_at__isnull=False).order_by("-ended_at")
        current = games.filter(ended_at__isnull=True).values(side)
        plies = current.annotate(number=Sum(F("ply") + 1)).values("number")
        columns += [Subquery(ended.values("ended_at")[:1]), Subquery(plies)]
    in_private = Entry.objects.filter(player=OuterRef("pk"), event__is_private=True).order_by()
    number = in_private.values("player").annotate(number=Count("pk")).values("number")
    under_way = Recomputation.objects.open().order_by().values("finished_at")
    done = Sum(F("games_done") + F("games_total") + 1)
    progress = under_way.annotate(number=done).values("number")
    columns += [Subquery(number), Subquery(progress)]
    return Player.objects.filter(pk=player).values_list(*columns)


def _drawn(
    profile: Player, ratings: Sequence[Rating], pool_key: str | None, user: User | None
) -> Parts:
    """Return the parts as `user` may see them."""
    now = database_time.now()
    best_known = headlines.of_player(profile, now)
    pool = named_pool(
        pool_key, [*(row.rating.pool for row in best_known), *(row.pool for row in ratings)]
    )
    events = conditions.visible(Event.objects.all(), user)
    games = conditions.visible_games(Game.objects.of(profile), user)
    ledger = LedgerEntry.objects.filter(player=profile, pool=pool).order_by("seq")
    history, event_starts, has_earlier = _history(ledger, events)
    lines = ledger.filter(game__in=games).select_related("game__first", "game__second")
    entries = profile.entries.filter(event__in=events).select_related("event")
    of_ratings = {
        "profile": profile,
        "ratings": ratings,
        "headlines": best_known,
        "percentiles": _percentiles(profile, best_known),
        "is_pool_named": pool_key is not None,
        "pool": pool,
        "spread": distribution.distribution(pool, profile, now) if pool else None,
        "recomputation": recomputations.current(pool),
        "pools_of_game": _pools_of_game(ratings, pool),
        "graph": rating_history.rating_chart(history, event_starts),
        "has_earlier": has_earlier,
        "ledger": lines.order_by("-seq")[:_RECENT],
    }
    of_lists = {
        "profile": profile,
        "games": games.with_players().order_by("-created_at")[:_RECENT],
        "entries": entries.order_by("-entered_at")[:_RECENT],
    }
    return Parts(
        best_known,
        render_to_string("players/_ratings.html", of_ratings),
        opponents.opponents(profile, pool, most=_OPPONENTS) if pool else [],
        render_to_string("players/_lists.html", of_lists),
        _private_events_of(profile),
    )


def _private_events_of(profile: Player) -> Collection[int]:
    """Return the private events in which the player is entered or has games, such as those of a team."""
    private = Event.objects.filter(is_private=True).order_by()
    entered = private.filter(entries__player=profile).values_list("pk", flat=True)
    played = private.filter(
        Q(pairings__games__first=profile) | Q(pairings__games__second=profile)
    ).values_list("pk", flat=True)
    return frozenset(entered.union(played))


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


def named_pool(pool_key: str | None, pools: Sequence[Pool]) -> Pool | None:
    """Return the pool of this key, or else the first one."""
    return next((pool for pool in pools if pool.key == pool_key), next(iter(pools), None))
