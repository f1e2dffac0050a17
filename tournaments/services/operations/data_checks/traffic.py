"""News and the work of workers."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from tournaments.models import Bot, Game, Match, NewsItem, Topic
from tournaments.services import database_time
from tournaments.services.operations.data_checks.offences import Offence

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    for pk, name, seq in Topic.objects.values_list("pk", "name", "seq").iterator():
        if pk in last and seq != last[pk]:
            yield Offence(f"topic {name}", f"is at {seq}, its last news is {last[pk]}")


def leases() -> Iterator[Offence]:
    """Whoever works has a lease that ends; a match that is over has no game that goes on."""
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
