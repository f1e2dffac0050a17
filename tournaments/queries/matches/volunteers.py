"""Volunteers' workers and their queue: throughput, checks, priority, and the shares of authors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, F, Q, QuerySet, Sum
from django.urls import reverse

from tournaments.models import (
    Event,
    Gauntlet,
    Match,
    SharedMatch,
    SprtTest,
    User,
    Worker,
    WorkerRun,
)
from tournaments.queries.matches import trust

State = WorkerRun.State
# Throughput and the shares of authors are those of this window.
WINDOW = timedelta(hours=1)
_PLAYED = [State.CHECKING, State.COUNTED, State.VERIFIED]


@dataclass(frozen=True, slots=True)
class WorkerRow:
    """A worker with its figures.

    Attributes:
        matches: reported and not wrong or taken back.
        checking: matches that wait for their replay.
        fuel_a_second: the fuel that its plies were allowed, for each second of a process.
        trust: the percentage of its results that count without a replay.
    """

    worker: Worker
    matches: int
    checking: int
    verified: int
    wrong: int
    fuel_a_second: int | None
    trust: int

    @property
    def millions_a_second(self) -> float | None:
        """Return the fuel a second in millions of units."""
        return None if self.fuel_a_second is None else self.fuel_a_second / 1_000_000


@dataclass(frozen=True, slots=True)
class Lab:
    """A running SPRT test or gauntlet that volunteers may play, with its waiting matches."""

    test: SprtTest | Gauntlet
    waiting: int

    @property
    def url(self) -> str:
        """Return the address of its page."""
        name = "sprt-test" if isinstance(self.test, SprtTest) else "gauntlet"
        return reverse(name, args=[self.test.pk])


@dataclass(frozen=True, slots=True)
class Ladder:
    """A running ladder that volunteers may play, with its waiting matches."""

    event: Event
    waiting: int


@dataclass(frozen=True, slots=True)
class AuthorShare:
    """The matches of an author that volunteers played in the window, and their part of all."""

    author: User
    matches: int
    percent: int


@dataclass(frozen=True, slots=True)
class Overview:
    """The work of volunteers.

    Attributes:
        an_hour: the matches that were reported in the window.
        verified_percent: the verified part of the results that are not wrong or taken back. None
            without results.
    """

    workers: Sequence[WorkerRow]
    an_hour: int
    verified_percent: int | None
    wrong: int
    labs: Sequence[Lab]
    ladders: Sequence[Ladder]
    shares: Sequence[AuthorShare]

    @property
    def waiting(self) -> int:
        """Return the number of waiting matches."""
        labs = sum(lab.waiting for lab in self.labs)
        return labs + sum(ladder.waiting for ladder in self.ladders)


def overview(now: datetime) -> Overview:
    """Return the connected workers at `now`, and their queue."""
    counts = WorkerRun.objects.aggregate(
        verified=Count("pk", filter=Q(state=State.VERIFIED)),
        played=Count("pk", filter=Q(state__in=_PLAYED)),
        wrong=Count("pk", filter=Q(state=State.WRONG)),
        an_hour=Count("pk", filter=Q(state__in=_PLAYED, ended_at__gt=now - WINDOW)),
    )
    played = counts["played"]
    return Overview(
        workers=rows(Worker.objects.connected(now)),
        an_hour=counts["an_hour"],
        verified_percent=100 * counts["verified"] // played if played else None,
        wrong=counts["wrong"],
        labs=_labs(),
        ladders=_ladders(),
        shares=_shares(now),
    )


def rows(workers: QuerySet[Worker]) -> list[WorkerRow]:
    """Return the workers with their figures, those that asked last at the head."""
    counted = workers.select_related("owner__player").annotate(
        matches=Count("runs", filter=Q(runs__state__in=_PLAYED)),
        checking=Count("runs", filter=Q(runs__state=State.CHECKING)),
        verified=Count("runs", filter=Q(runs__state=State.VERIFIED)),
        wrong=Count("runs", filter=Q(runs__state=State.WRONG)),
        fuel=Sum("runs__fuel"),
        busy_ms=Sum("runs__busy_ms"),
    )
    return [
        WorkerRow(
            worker,
            matches=worker.matches,
            checking=worker.checking,
            verified=worker.verified,
            wrong=worker.wrong,
            fuel_a_second=1000 * worker.fuel // worker.busy_ms if worker.busy_ms else None,
            trust=0 if worker.stop_code == Worker.Stop.WRONG else trust.trust(worker.verified),
        )
        for worker in counted.order_by(F("seen_at").desc(nulls_last=True), "-pk")
    ]


def _labs() -> list[Lab]:
    """Return the running tests for volunteers, those of high priority first."""
    tests = SprtTest.objects.running().filter(volunteer_priority__isnull=False)
    gauntlets = Gauntlet.objects.running().filter(volunteer_priority__isnull=False)
    of_tests = _waiting_by("match__sprt_pair__sprt_test")
    of_gauntlets = _waiting_by("match__gauntlet_pair__opponent__gauntlet")
    names = ("candidate__player", "owner__player")
    labs = [
        *(Lab(row, of_tests.get(row.pk, 0)) for row in tests.select_related(*names)),
        *(Lab(row, of_gauntlets.get(row.pk, 0)) for row in gauntlets.select_related(*names)),
    ]
    return sorted(labs, key=lambda lab: (-(lab.test.volunteer_priority or 0), lab.test.created_at))


def _ladders() -> list[Ladder]:
    """Return the running ladders for volunteers that all visitors may see."""
    waiting = _waiting_by("match__event")
    rows = Event.objects.listed().running().filter(allows_volunteers=True, is_private=False)
    return [Ladder(event, waiting.get(event.pk, 0)) for event in rows.order_by("pk")]


def _waiting_by(key: str) -> dict[int, int]:
    """Return the numbers of waiting matches for volunteers by the column `key`."""
    waiting = SharedMatch.objects.filter(match__state=Match.State.QUEUED).order_by()
    return dict(waiting.values_list(key).annotate(Count("pk")))


def _shares(now: datetime) -> list[AuthorShare]:
    recent = WorkerRun.objects.filter(state__in=_PLAYED, ended_at__gt=now - WINDOW)
    counts = dict(
        recent.filter(match__requester__isnull=False)
        .order_by()
        .values_list("match__requester")
        .annotate(Count("pk"))
    )
    total = sum(counts.values())
    authors = User.objects.select_related("player").filter(pk__in=counts)
    shares = [
        AuthorShare(author, counts[author.pk], round(100 * counts[author.pk] / total))
        for author in authors
    ]
    return sorted(shares, key=lambda share: (-share.matches, share.author.pk))
