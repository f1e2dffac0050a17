"""The games of one version: searched, and those that its author should look at first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from django.db.models import Case, Exists, F, OuterRef, Q, Subquery, When

from tournaments.models import Bot, Event, Game, Player, Rating, Transcript
from tournaments.models.games import GameQuerySet
from tournaments.queries.bots import reliability

PAGE = 50
WEAKEST = "weakest"
# The largest number of games of each kind to see first.
_OF_A_KIND = 3


class BotResult(StrEnum):
    """The result of a game for one of its players."""

    WON = "won"
    LOST = "lost"
    DRAWN = "drawn"
    VOID = "void"
    GOING_ON = "going-on"


@dataclass(frozen=True, slots=True)
class BotSearch:
    """The criteria of a search for games of a version. An empty search finds all.

    Attributes:
        opponent: part of the opponent's name, in any capitals.
        result: for the version, or None for any.
        ending: one of `Game.Ending`, or empty for any.
        has_failed: only games that the version lost by failing, as `reliability` counts them.
        family: a game by its name in keys.
        since, until: the days on which it ended, in UTC, both included.
    """

    opponent: str = ""
    result: BotResult | None = None
    ending: str = ""
    has_failed: bool = False
    event: Event | None = None
    family: str = ""
    since: date | None = None
    until: date | None = None


@dataclass(frozen=True, slots=True)
class BotGamePage:
    """Games, the latest begun first. `older` is the parameter of the next page, if there is one."""

    games: Sequence[Game]
    older: int | None


@dataclass(frozen=True, slots=True)
class FirstLook:
    """Games of one kind that are worth a look.

    Attributes:
        kind: the ending, or `WEAKEST` for games that were lost to the lowest rated opponents.
        count: how many there are of the kind.
        games: the latest of them, or the worst.
    """

    kind: str
    count: int
    games: Sequence[Game]


def games_of(bot: Bot, search: BotSearch) -> GameQuerySet:
    """The games of a search with their players, each with whether its transcript was kept."""
    player = bot.player
    transcripts = Transcript.objects.filter(game=OuterRef("pk"))
    games = Game.objects.of(player).filter(_condition(player, search)).with_players()
    if search.has_failed:
        games = reliability.failures(games, player)
    return games.annotate(is_transcribed=Exists(transcripts))


def search_games(
    bot: Bot, search: BotSearch, *, before: int | None = None, most: int = PAGE
) -> BotGamePage:
    """At most `most` games of a search, of those whose number is below `before`."""
    selection = games_of(bot, search)
    if before is not None:
        selection = selection.filter(pk__lt=before)
    rows = list(selection.order_by("-pk")[: most + 1])
    return BotGamePage(rows[:most], rows[most - 1].pk if len(rows) > most else None)


def first_looks(bot: Bot) -> list[FirstLook]:
    """Return the games that its author should see first: failures by their kind, then losses to the weakest opponents."""
    failed = games_of(bot, BotSearch(has_failed=True))
    kinds = [
        (ending, failed.filter(ending=ending).order_by("-pk")) for ending in reliability.FAULTS
    ]
    lost = games_of(bot, BotSearch(result=BotResult.LOST)).exclude(ending__in=reliability.FAULTS)
    kinds.append((WEAKEST, _weakest_first(lost, bot.player)))
    looks = [FirstLook(kind, rows.count(), list(rows[:_OF_A_KIND])) for kind, rows in kinds]
    return [look for look in looks if look.count]


def result_for(game: Game, player: Player) -> BotResult:
    """The result of a game for one of its players."""
    if game.result is None:
        return BotResult.GOING_ON
    winner = game.winner_side
    if winner is not None:
        return BotResult.WON if game.side_of(player) == winner else BotResult.LOST
    if game.result == Game.Result.DRAW:
        return BotResult.DRAWN
    return BotResult.VOID if game.result == Game.Result.VOID else BotResult.LOST


def _condition(player: Player, search: BotSearch) -> Q:
    condition = _of_result(player, search.result)
    if search.opponent:
        name = search.opponent
        as_first = Q(first=player, second__name__icontains=name)
        condition &= as_first | Q(second=player, first__name__icontains=name)
    if search.ending:
        condition &= Q(ending=search.ending)
    if search.event is not None:
        condition &= Q(pairing__event=search.event)
    if search.family:
        condition &= Q(ruleset__startswith=f"{search.family}(")
    if search.since is not None:
        condition &= Q(ended_at__date__gte=search.since)
    if search.until is not None:
        condition &= Q(ended_at__date__lte=search.until)
    return condition


def _of_result(player: Player, result: BotResult | None) -> Q:
    first = Q(first=player, result__in=["first", "first-forfeit"])
    second = Q(second=player, result__in=["second", "second-forfeit"])
    lost_first = Q(first=player, result__in=["second", "second-forfeit", "double-forfeit"])
    lost_second = Q(second=player, result__in=["first", "first-forfeit", "double-forfeit"])
    match result:
        case None:
            return Q()
        case BotResult.WON:
            return first | second
        case BotResult.LOST:
            return lost_first | lost_second
        case BotResult.DRAWN:
            return Q(result=Game.Result.DRAW)
        case BotResult.VOID:
            return Q(result=Game.Result.VOID)
        case BotResult.GOING_ON:
            return Q(result__isnull=True)


def _weakest_first(games: GameQuerySet, player: Player) -> GameQuerySet:
    """Return the games against rated opponents, by the opponent's current rating in the pool of the game."""
    opponent = Case(When(first=player, then=F("second_id")), default=F("first_id"))
    ratings = Rating.objects.filter(pool=OuterRef("pool"), player=OuterRef("opponent"))
    strength = Subquery(ratings.values("centielo")[:1])
    rated = games.annotate(opponent=opponent).annotate(opponent_centielo=strength)
    return rated.filter(Q(opponent_centielo__isnull=False)).order_by("opponent_centielo", "-pk")
