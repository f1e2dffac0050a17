"""The catalogue of bots: lines with their versions, ratings, games and queues."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from tournaments import database_time
from tournaments.models import Bot, BotLine, Entry, Event, Game, Match, Player, Rating, User
from tournaments.models.bots import BotQuerySet
from tournaments.queries import formats

_EVENTS = 50


@dataclass(frozen=True, slots=True)
class VersionCard:
    """A version with its ratings, the most played pool first, and its number of open games."""

    bot: Bot
    ratings: Sequence[Rating]
    queued: int

    @property
    def games(self) -> int:
        """Rated games that ended, in all pools."""
        return sum(rating.games for rating in self.ratings)

    @property
    def rating(self) -> Rating | None:
        """The rating in the pool in which it has played most."""
        return next(iter(self.ratings), None)


@dataclass(frozen=True, slots=True)
class LineCard:
    """A line with its versions, the latest first, and which of them plays."""

    line: BotLine
    versions: Sequence[VersionCard]

    @property
    def active(self) -> VersionCard | None:
        """The version that plays."""
        return next((card for card in self.versions if card.bot.is_active), None)

    @property
    def latest(self) -> VersionCard:
        """Return the version that was uploaded last. A line has at least one."""
        return self.versions[0]

    @property
    def games(self) -> int:
        """Rated games of all versions."""
        return sum(card.games for card in self.versions)

    @property
    def queued(self) -> int:
        """Games of all versions that wait or are being played."""
        return sum(card.queued for card in self.versions)


def lines_of(author: User) -> list[LineCard]:
    """The author's bots by name."""
    return _cards(BotLine.objects.filter(owner=author))


def line_card(bot_line: BotLine) -> LineCard:
    """One line as its page shows it."""
    return _cards(BotLine.objects.filter(pk=bot_line.pk))[0]


def joinable(bot: Bot) -> list[Event]:
    """Return the events that a version may enter now, those that start immediately first.

    Standing ladders are not among them: there is one for every pool.
    """
    if not bot.is_active:
        return []
    late_formats = [
        name for name in Event.Format.values if formats.FORMATS[name].late is formats.Late.ALWAYS
    ]
    now = database_time.now()
    takes_late_entries = Q(state=Event.State.RUNNING, format__in=late_formats)
    takes_late_entries &= Q(ends_at__isnull=True) | Q(ends_at__gt=now)
    entered_events = bot.player.entries.active().values("event")
    events = Event.objects.filter(standing_pool="")
    if bot.is_remote:
        events = events.filter(admits_remote=True)
    if not Player.objects.metered().filter(bot=bot).exists():
        events = events.filter(fuel=None)
    events = (
        events.filter(Q(state=Event.State.REGISTRATION) | takes_late_entries)
        .exclude(admits=Event.Admits.PEOPLE)
        .exclude(pk__in=entered_events)
        .order_by("-state", "-created_at")
    )
    return [event for event in events[:_EVENTS] if bot.plays(event.ruleset)]


def open_entries(bot: Bot) -> QuerySet[Entry]:
    """The active entries of a version in events that are not over."""
    open_states = [Event.State.REGISTRATION, Event.State.RUNNING]
    going_on = bot.player.entries.active().filter(event__state__in=open_states)
    return going_on.select_related("event").order_by("-entered_at")


def public_bots() -> BotQuerySet:
    """Return the public bots, the active ones first.

    These are built-in bots, and of authors' lines the versions that play or have played.
    """
    own_ratings = Rating.objects.filter(player=OuterRef("player"))
    bots = Bot.objects.filter(Q(line__isnull=True) | Q(is_active=True) | Exists(own_ratings))
    ratings = Rating.objects.select_related("pool").order_by("-games")
    return (
        bots.select_related("player", "line", "owner__player", "program")
        .defer("check_log", "program__upload")
        .prefetch_related(Prefetch("player__ratings", ratings))
        .order_by("-is_active", "player__canonical")
    )


def _cards(lines: QuerySet[BotLine]) -> list[LineCard]:
    ratings = Rating.objects.select_related("pool").order_by("-games")
    versions = (
        Bot.objects.select_related("player", "program")
        .defer("check_log", "program__upload")
        .prefetch_related(Prefetch("player__ratings", ratings))
        .order_by("-version")
    )
    rows = list(
        lines.select_related("owner__player").prefetch_related(Prefetch("versions", versions))
    )
    queue_lengths = _queue_lengths(bot.player_id for each in rows for bot in each.versions.all())
    return [
        LineCard(
            each,
            [
                VersionCard(bot, list(bot.player.ratings.all()), queue_lengths[bot.player_id])
                for bot in each.versions.all()
            ],
        )
        for each in rows
    ]


def _queue_lengths(players: Iterable[int]) -> Counter[int]:
    """Return the number of unfinished games of each of the players that a worker plays or will play."""
    ids = set(players)
    open_games = Game.objects.ongoing().filter(
        Q(first__in=ids) | Q(second__in=ids),
        match__state__in=[Match.State.QUEUED, Match.State.LEASED],
    )
    pairs = open_games.values_list("first_id", "second_id")
    return Counter(pk for pair in pairs for pk in pair)
