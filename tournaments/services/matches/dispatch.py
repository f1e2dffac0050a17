"""Which matches workers are sent for: a few at a time, of the accounts first that have had least.

A message names a match, so the order of the messages is the order of play. No more of them wait than
workers take soon; who comes with one match stands behind none of the thousands of another account.
"""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Count, Q, Sum

from tournaments.models import Match
from tournaments.services import enqueue

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from tournaments.models.bots import MatchQuerySet

# How long a message may wait before it is taken for lost and sent again.
REPEAT = timedelta(seconds=20)
# What an account has had is what was sent for it within this.
_WINDOW = timedelta(minutes=10)
# So many messages wait at least where nothing is played, else as many as matches are played.
_LEAST = 2
_MOST_DOUBLINGS = 10
_LONGEST_S = 3600


class _Share(NamedTuple):
    """Who shares the workers with others: an account, and of its matches an event (or none)."""

    requester_id: int | None
    event_id: int | None


def wake_next(now: datetime) -> None:
    """Send for the matches that are next, of uploaded programs and of built-in bots.

    In the caller's transaction.
    """
    for is_sandboxed in (True, False):
        for match in _next(Match.objects.filter(is_sandboxed=is_sandboxed), now):
            is_forgotten = Q(woken_at__isnull=True) | Q(woken_at__lte=now - REPEAT)
            if Match.objects.filter(is_forgotten, pk=match.pk).update(woken_at=now) == 1:
                enqueue.match(match.pk, is_sandboxed=is_sandboxed, limit_s=2 * longest_s(match))


def longest_s(match: Match) -> int:
    """How long the match may take on the wall, after each wait for a busy machine twice as long."""
    return min(_LONGEST_S, match.longest_s << min(match.waits, _MOST_DOUBLINGS))


def _next(matches: MatchQuerySet, now: datetime) -> Iterator[Match]:
    """The matches to send for at `now`: all whose worker was lost, and others as far as there is room."""
    was_sent = Q(woken_at__gt=now - REPEAT)
    yield from matches.due(now).filter(state=Match.State.LEASED).exclude(was_sent)
    waiting = matches.due(now).filter(state=Match.State.QUEUED)
    counts = matches.filter(state__in=[Match.State.QUEUED, Match.State.LEASED]).aggregate(
        playing=Count("pk", filter=Q(state=Match.State.LEASED, lease_until__gte=now)),
        sent=Count("pk", filter=Q(state=Match.State.QUEUED, due_at__lte=now) & was_sent),
    )
    room = max(_LEAST, counts["playing"]) - counts["sent"]
    if room > 0:
        yield from _fairly(waiting.exclude(was_sent), _had_s(matches, now), room)


def _had_s(matches: MatchQuerySet, now: datetime) -> Counter[_Share]:
    """What was sent lately for each share, in seconds of the longest that its matches may take."""
    sent = matches.filter(woken_at__gt=now - _WINDOW).order_by()
    rows = sent.values_list("requester", "event").annotate(Sum("longest_s"))
    return Counter({_Share(requester, event): total for requester, event, total in rows})


def _fairly(waiting: MatchQuerySet, had: Counter[_Share], room: int) -> Iterator[Match]:
    """At most `room` of the `waiting`: each the oldest of the share that had least."""
    shares = {
        _Share(*row) for row in waiting.order_by().values_list("requester", "event").distinct()
    }
    of_accounts: Counter[int | None] = Counter()
    for share, total in had.items():
        of_accounts[share.requester_id] += total
    queues: dict[_Share, Iterator[Match]] = {}
    while room and shares:
        share = min(
            shares,
            key=lambda s: (
                of_accounts[s.requester_id],
                had[s],
                s.requester_id or 0,
                s.event_id or 0,
            ),
        )
        if share not in queues:
            of_share = waiting.filter(requester=share.requester_id, event=share.event_id)
            queues[share] = iter(of_share.order_by("due_at", "pk")[:room])
        match = next(queues[share], None)
        if match is None:
            shares.discard(share)
            continue
        had[share] += match.longest_s
        of_accounts[share.requester_id] += match.longest_s
        room -= 1
        yield match
