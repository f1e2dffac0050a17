"""Players who share a place, ordered by the arbiter at the end of an event."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from tournaments.errors import RefusedError, StaleError
from tournaments.models import Event, User
from tournaments.queries import formats
from tournaments.queries.events.staff import Task
from tournaments.queries.results import tables
from tournaments.services.events.acts import act
from tournaments.services.notifications import news


@act("order-tie", task=Task.RESULTS, done=_("The order of these players was stored."))
def order_tie(event: Event, actor: User, *, order: Sequence[int], reason: str) -> Event:
    """Order the players of one shared place by hand. `order` are their pairing numbers, the best first.

    The order holds as long as exactly these players are tied.

    Raises:
        NotAllowedError: `not-organiser`.
        StaleError: `tie-early` before the end of the event.
        RefusedError: `reason-bad`, `tie-order` if these are not the players of a shared place, or if
            points do not decide the places of the format.
    """
    if event.state != Event.State.FINISHED:
        raise StaleError("tie-early", event.state)
    table = tables.event_table(event)
    ties = [*table.hand_orders, *table.ties()]
    tied = [sorted(each.tpn or 0 for each in group) for group in ties]
    if not formats.of(event).is_ranked_by_points or sorted(order) not in tied:
        raise RefusedError("tie-order", ", ".join(map(str, order)))
    before = event.tie_orders
    event.tie_orders = [*(each for each in before if set(each) != set(order)), list(order)]
    event.save(update_fields=["tie_orders"])
    ids = dict(event.entries.filter(tpn__in=order).values_list("tpn", "player"))
    players = [ids[tpn] for tpn in order]
    order_tie.note(event, actor, reason=reason, players=players, order=list(order), before=before)
    news.announce(news.of_event(event.pk), "settings", {})
    return event
