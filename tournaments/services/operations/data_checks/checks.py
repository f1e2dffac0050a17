"""The checks by name, in the order in which they are run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

from django.db import connection, transaction

from tournaments import database_time
from tournaments.models import Bot, Game, Match, NewsItem, Topic
from tournaments.services.operations.data_checks import events, ledger, plies, predictions
from tournaments.services.operations.data_checks.offences import Offence

# No lease is given for longer than the longest match.
_LONGEST = timedelta(hours=3)
# No setting removes younger ones.
_NEWS_STAY = timedelta(days=8)


def news() -> Iterator[Offence]:
    """The news of a topic are numbered without gaps up to the number that the topic has.

    As far as they are too young to be removed (`services.retention`).
    """
    since = database_time.now() - _NEWS_STAY
    last: dict[int, int] = {}
    rows = NewsItem.objects.order_by("topic", "seq").values_list("topic_id", "seq", "happened_at")
    for topic, seq, happened_at in rows.iterator():
        if topic in last and seq != last[topic] + 1:
            yield Offence(f"topic {topic}", f"has no news between {last[topic]} and {seq}")
        if topic in last or happened_at >= since:
            last[topic] = seq
    topics = set(Topic.objects.values_list("pk", flat=True))
    for topic in last.keys() - topics:
        yield Offence(f"topic {topic}", "has news and no row")
    for pk, name, seq in Topic.objects.values_list("pk", "name", "seq").iterator():
        if pk in last and seq != last[pk]:
            yield Offence(f"topic {name}", f"is at {seq}, its last news is {last[pk]}")


def leases() -> Iterator[Offence]:
    """A match in work has a lease that ends. A match that is over has no running game."""
    beyond = database_time.now() + _LONGEST
    for match in Match.objects.filter(lease_until__gt=beyond).values_list("pk", flat=True):
        yield Offence(f"match {match}", "has a lease that does not end")
    for game in Game.objects.filter(reply_lease_until__gt=beyond).values_list("pk", flat=True):
        yield Offence(f"game {game}", "has a lease of a reply that does not end")
    finished = Game.objects.finished().filter(reply_lease_until__isnull=False)
    for game in finished.values_list("pk", flat=True):
        yield Offence(f"game {game}", "is over, and a worker has a lease for a reply")
    for bot in Bot.objects.filter(check_lease_until__gt=beyond).values_list("pk", flat=True):
        yield Offence(f"bot {bot}", "has a lease of a check that does not end")
    over = Match.objects.filter(state__in=[Match.State.DONE, Match.State.FAILED])
    for game in Game.objects.ongoing().filter(match__in=over).values_list("pk", flat=True):
        yield Offence(f"game {game}", "goes on in a match that is over")


@dataclass(frozen=True, slots=True)
class CheckReport:
    """One check, and every offence against it."""

    name: str
    offences: Sequence[Offence]


_CHECKS: Mapping[str, Callable[[], Iterator[Offence]]] = {
    "plies": plies.numbering,
    "clocks": plies.clocks,
    "results": plies.results,
    "endings": plies.endings,
    "corrections": plies.corrections,
    "rounds": events.rounds,
    "seats": events.seats,
    "entries": events.entries,
    "ledger": ledger.chains,
    "revisions": ledger.revisions,
    "moments": ledger.moments,
    "ratings": ledger.ratings,
    "predictions": predictions.predictions,
    "news": news,
    "leases": leases,
}


# Further possible faults of a pool that agrees with its games: these checks cover data outside the
# chains of rows.
_BESIDE_RATINGS = (
    *("results", "endings", "corrections"),
    *("revisions", "moments", "ratings", "predictions"),
)


def run(*, replays: int | None) -> Iterator[CheckReport]:
    """Yield the report of every check, at one moment.

    `replays` is the number of the latest games that are replayed by the rules. None means all of
    them.
    """
    with _one_moment():
        for name, check in _CHECKS.items():
            yield CheckReport(name, list(check()))
        yield CheckReport("replays", list(plies.replays(replays)))


def beside_ratings() -> Iterator[CheckReport]:
    """The reports of those checks that rest on ratings or that ratings rest on, as of one moment."""
    with _one_moment():
        for name in _BESIDE_RATINGS:
            yield CheckReport(name, list(_CHECKS[name]()))


@contextmanager
def _one_moment() -> Iterator[None]:
    is_first = not connection.in_atomic_block
    with transaction.atomic():
        if connection.vendor == "postgresql" and is_first:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                cursor.execute("SET LOCAL statement_timeout = 0")
        yield
