"""Pairs of games in which bots are compared, by SPRT tests and gauntlets: which wait, which count, and how many may wait.

A pair is a row with its match and, once both games have counted, its score.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import TypeVar

from django.db.models import Count, Q, QuerySet, Sum

from tournaments.models import (
    Game,
    Gauntlet,
    GauntletPair,
    Match,
    SprtPair,
    SprtTest,
    Worker,
    WorkerRun,
)
from tournaments.queries.games import repetitions

Pair = TypeVar("Pair", SprtPair, GauntletPair)

# Pairs of one kind of comparison that wait or are played at a time, shared among authors first and then
# among the comparisons of each.
PAIRS_AT_ONCE = 8
# The limit of pairs of a comparison that are played again after our failures.
MAX_VOID_PAIRS = 10
_FIRST_HALVES = {Game.Result.FIRST: 2, Game.Result.DRAW: 1, Game.Result.SECOND: 0}
# The condition of pairs that wait or are being played.
UNDER_WAY = Q(match__state__in=(Match.State.QUEUED, Match.State.LEASED))


class Over(StrEnum):
    """The reasons for calling off the pairs that wait: the comparison has ended."""

    SPRT_TEST = "the SPRT test is over"
    GAUNTLET = "the gauntlet is over"


def halves_of(player_id: int, pair: Iterable[Game]) -> int:
    """The half points of the player in both games, 0 to 4. The games have ended, and neither is void."""
    total = 0
    for game in pair:
        first = _FIRST_HALVES[Game.Result(game.result or "")]
        total += first if game.first_id == player_id else 2 - first
    return total


def under_way(pairs: QuerySet[Pair]) -> QuerySet[Pair]:
    """Return the pairs that wait or are being played."""
    return pairs.filter(UNDER_WAY)


def uncounted(pairs: QuerySet[Pair]) -> QuerySet[Pair]:
    """Return the finished pairs that have no score yet."""
    ended = pairs.filter(
        score_halves__isnull=True, is_repetition=False, match__state=Match.State.DONE
    )
    return ended.exclude(match__games__result=Game.Result.VOID)


def is_repetition(pairs: QuerySet[Pair], pair: Pair) -> bool:
    """Return whether the games of the pair were played move by move in those of `pairs` that count."""
    counted = pairs.filter(score_halves__isnull=False).values("match")
    return repetitions.are_all_among(
        Game.objects.filter(match__in=counted), pair.match.games.select_related("first", "second")
    )


def are_failing(pairs: QuerySet[Pair]) -> bool:
    """Return whether the site's failures are too many for further pairs.

    Pairs that were called off, and results that were taken back from a volunteer's worker, are no
    failures: they are there when a comparison runs again.
    """
    is_void = Q(match__state=Match.State.FAILED) | Q(match__games__result=Game.Result.VOID)
    revoked = WorkerRun.objects.filter(state=WorkerRun.State.REVOKED).values("match")
    void = pairs.filter(is_void).exclude(match__in=revoked).exclude(match__fault__in=Over)
    return void.distinct().count() > MAX_VOID_PAIRS


def are_due(pairs: QuerySet[Pair], share: int) -> bool:
    """Return whether one of the pairs is to be counted, or fewer than `share` of them wait or are played."""
    return under_way(pairs).count() < share or uncounted(pairs).exists()


def counts(pairs: QuerySet[Pair], key: str) -> dict[int, list[int]]:
    """Return, by the column `key`, the number of pairs with each score from 0 to 4.

    A key without a counted pair is absent.
    """
    result: dict[int, list[int]] = {}
    scored = pairs.filter(score_halves__isnull=False).order_by()
    for value, halves, number in scored.values_list(key, "score_halves").annotate(Count("pk")):
        result.setdefault(value, [0] * 5)[halves] = number
    return result


def volunteer_share(now: datetime) -> int:
    """Return the number of further pairs of a comparison for volunteers that may wait or be played.

    There are two for each process of a connected worker, so that no worker waits for the next pair.
    They are divided among the comparisons.
    """
    processes = Worker.objects.connected(now).aggregate(total=Sum("processes"))["total"] or 0
    comparisons = sum(
        rows.running().filter(volunteer_priority__isnull=False).count()
        for rows in (SprtTest.objects, Gauntlet.objects)
    )
    return 2 * processes // max(1, comparisons)


def share(running: QuerySet[SprtTest] | QuerySet[Gauntlet], owner_id: int) -> int:
    """Return the number of pairs of one of the `running` comparisons of this author that may wait or be played."""
    owners = running.order_by().values("owner").distinct().count()
    siblings = running.filter(owner=owner_id).count()
    return max(1, PAIRS_AT_ONCE // max(1, owners) // max(1, siblings))
