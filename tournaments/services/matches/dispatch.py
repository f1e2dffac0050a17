"""The choice of the matches that workers are called for: a few at a time, of the accounts first that have used least.

A message names a match, so the order of the messages is the order of play. Only a few of them wait,
so that an account with one match does not wait behind thousands of another. The price of a match is
the time for which a worker played it. Time in which no other account waited is free. Volunteers'
workers choose in this way too, by the time of such workers alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import Count, Q, QuerySet
from django.db.models.functions import Coalesce

from tournaments.models import Match, statements
from tournaments.models.bots import MatchQuerySet
from tournaments.services import enqueue
from tournaments.services.matches.leases import IS_LENT

# The time after which a message counts as lost and is sent again.
REPEAT = timedelta(seconds=20)
# The time that an account has used is that of this window, so that no account waits longer than this
# for others that have come later.
_WINDOW = timedelta(minutes=1)
# The least number of waiting messages. While matches are played, it is their number.
_LEAST = 2
_MOST_DOUBLINGS = 10
_LONGEST_S = 3600


class _Share(NamedTuple):
    """A share of the workers: of an account, and of its matches in an event (or outside events)."""

    requester_id: int | None
    event_id: int | None


@dataclass(frozen=True, slots=True)
class _Use:
    """The seconds that each share has used in the window, and the mean times of its matches there."""

    used_s: defaultdict[_Share, float]
    mean_s: Mapping[_Share, float]

    def expected_s(self, share: _Share, longest_s: int) -> float:
        """Return the price of an unfinished match: the mean of the share's recent matches, or of all.

        Without a recent match it is the time that the clocks of the match allow.
        """
        if share in self.mean_s or not self.mean_s:
            return self.mean_s.get(share, longest_s)
        return sum(self.mean_s.values()) / len(self.mean_s)


def wake_next(now: datetime) -> None:
    """Send for the matches that are next, of uploaded programs and of built-in bots.

    In the caller's transaction.
    """
    unsent = Match.objects.filter(_is_unsent(now - REPEAT))
    for queue in _queues(now):
        for match in _next(queue, unsent, now):
            columns = {"woken_at": now, "is_charged": queue.accounts > 1}
            if unsent.filter(pk=match.pk).update(**columns) == 1:
                limit_s = 2 * longest_s(match)
                enqueue.match(match.pk, is_sandboxed=queue.is_sandboxed, limit_s=limit_s)


def longest_s(match: Match) -> int:
    """Return the longest time of the match by the clock on the wall, twice as long after each wait for a busy machine."""
    return min(_LONGEST_S, match.longest_s << min(match.waits, _MOST_DOUBLINGS))


def next_for_volunteers(
    waiting: MatchQuerySet, now: datetime, *, order: Sequence[str], most: int
) -> list[Match]:
    """Return at most `most` of the `waiting` matches for a volunteer.

    Authors share the workers of volunteers as they share those of the site. `order` is that of one
    author's matches.
    """
    lent = Match.objects.filter(IS_LENT)
    return list(_fairly(waiting, _use(lent, now), most, order=order))


class _Queue(NamedTuple):
    """The unfinished matches of a kind.

    Attributes:
        lost: those whose worker was lost and for which no message is under way.
        waiting: those that are due and for which no message is under way.
        sent: those that are due and for which a message is under way, without volunteers' ones.
        playing: those that workers of the site play.
        accounts: the accounts whose matches are due.
    """

    is_sandboxed: bool
    lost: int
    waiting: int
    sent: int
    playing: int
    accounts: int


def _is_unsent(lost_since: datetime) -> Q:
    return Q(woken_at__isnull=True) | Q(woken_at__lte=lost_since)


def _queues(now: datetime) -> Sequence[_Queue]:
    """Return the queues with unfinished matches, that of uploaded programs first. One query, as most are short."""
    return [_Queue(*row) for row in _counts.all(now=now, lost_since=now - REPEAT)]


@statements.query
def _counts(now: datetime, lost_since: datetime) -> QuerySet[Match, Any]:
    """Return the columns of `_Queue`."""
    is_due = Q(state=Match.State.QUEUED, due_at__lte=now)
    is_lost = Q(state=Match.State.LEASED, lease_until__lt=now)
    is_played = Q(state=Match.State.LEASED, lease_until__gte=now)
    unsent = _is_unsent(lost_since)
    unfinished = Match.objects.filter(state__in=[Match.State.QUEUED, Match.State.LEASED])
    counts = unfinished.values("is_sandboxed").annotate(
        lost=Count("pk", filter=is_lost & unsent),
        waiting=Count("pk", filter=is_due & unsent),
        sent=Count("pk", filter=Q(is_due, ~unsent, ~IS_LENT)),
        playing=Count("pk", filter=Q(is_played, ~IS_LENT)),
        # Matches without a requester count as those of one account.
        accounts=Count(Coalesce("requester", 0), filter=is_due, distinct=True),
    )
    return counts.order_by("-is_sandboxed").values_list(*_Queue._fields)


def _next(queue: _Queue, unsent: MatchQuerySet, now: datetime) -> Iterator[Match]:
    """The matches to send for at `now`: all whose worker was lost, and others as far as there is room."""
    due = unsent.due(now).filter(is_sandboxed=queue.is_sandboxed)
    if queue.lost:
        yield from due.filter(state=Match.State.LEASED)
    room = max(_LEAST, queue.playing) - queue.sent
    if not queue.waiting or room <= 0:
        return
    waiting = due.filter(state=Match.State.QUEUED)
    if queue.waiting == 1:  # no share has to be compared with another
        yield from waiting.order_by("due_at", "pk")[:1]  # others may have come since
        return
    own = Match.objects.filter(~IS_LENT, is_sandboxed=queue.is_sandboxed)
    yield from _fairly(waiting, _use(own, now), room)


def _use(matches: MatchQuerySet, now: datetime) -> _Use:
    """The use of the window before `now`: of matches that are over, are played, or were sent for."""
    since = now - _WINDOW
    under_way = Q(state=Match.State.LEASED) | Q(state=Match.State.QUEUED, woken_at__gt=since)
    recent = matches.filter(under_way | Q(ended_at__gt=since)).order_by()
    rows = recent.values_list(
        "requester_id",
        "event_id",
        "state",
        "began_at",
        "ended_at",
        "is_charged",
        "longest_s",
        named=True,
    )
    times_s: defaultdict[_Share, list[float]] = defaultdict(list)
    for row in rows:
        if row.began_at is not None and row.ended_at is not None:
            time_s = (row.ended_at - row.began_at).total_seconds()
            times_s[_Share(row.requester_id, row.event_id)].append(time_s)
    mean_s = {share: sum(times) / len(times) for share, times in times_s.items()}
    use = _Use(defaultdict(float), mean_s)
    for row in rows:
        if not row.is_charged:
            continue
        share = _Share(row.requester_id, row.event_id)
        began_at = row.began_at or now
        until = row.ended_at or (now if row.state == Match.State.LEASED else began_at)
        time_s = max(0.0, (until - max(began_at, since)).total_seconds())
        if row.ended_at is None:
            time_s = max(time_s, use.expected_s(share, row.longest_s))
        use.used_s[share] += time_s
    return use


def _fairly(
    waiting: MatchQuerySet, use: _Use, room: int, *, order: Sequence[str] = ("due_at", "pk")
) -> Iterator[Match]:
    """At most `room` of the `waiting`: each the first in `order` of the share that has used least."""
    shares = {
        _Share(*row) for row in waiting.order_by().values_list("requester", "event").distinct()
    }
    of_accounts: defaultdict[int | None, float] = defaultdict(float)
    for share, used_s in use.used_s.items():
        of_accounts[share.requester_id] += used_s
    queues: dict[_Share, Iterator[Match]] = {}
    while room and shares:
        share = min(
            shares,
            key=lambda s: (
                of_accounts[s.requester_id],
                use.used_s[s],
                s.requester_id or 0,
                s.event_id or 0,
            ),
        )
        if share not in queues:
            of_share = waiting.filter(requester=share.requester_id, event=share.event_id)
            queues[share] = iter(of_share.order_by(*order)[:room])
        match = next(queues[share], None)
        if match is None:
            shares.discard(share)
            continue
        price_s = use.expected_s(share, match.longest_s)
        use.used_s[share] += price_s
        of_accounts[share.requester_id] += price_s
        room -= 1
        yield match
