"""The warnings before an act: the declared ones, those of its arguments, and that of leaving FIDE's rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.models import Event, User
from tournaments.models.setting_types import Level
from tournaments.queries.results import fide_rules
from tournaments.services.events import departures
from tournaments.services.events.acts import Act, ActWarning, Declaration


def before(act: Declaration, event: Event, actor: User, own: Mapping[str, Any]) -> list[ActWarning]:
    """Return the warnings before an act with these arguments.

    Raises the errors of the act, which is rehearsed if it declares a warning.
    """
    if act.warning is None and act.asks is None:
        return []
    act.require(event, actor)
    further = list(act.asks(event, **own)) if act.asks is not None else []
    if act.warning is None:
        return further
    # An act in several transactions cannot be rehearsed.
    left = of_leaving(event, lambda: act(event.pk, actor, **own)) if isinstance(act, Act) else []
    return [act.warning, *further, *left]


def of_leaving(event: Event, act: Callable[[], object]) -> list[ActWarning]:
    """Return the warning that an act would let the event leave FIDE's rules, if it would.

    The act is done and rolled back. Raises its errors.
    """
    if fide_rules.departures(event):
        return []
    with transaction.atomic():
        act()
        left = fide_rules.departures(Event.objects.get(pk=event.pk))
        transaction.set_rollback(True)
    if not left:
        return []
    words = _(
        "The event will leave FIDE's rules from round %(round)d on, permanently: %(departures)s. "
        "All its pages and the report file will say so."
    )
    reasons = ", ".join(str(each.label) for each in left)
    number = departures.next_round(event)
    return [ActWarning(Level.DOUBLE, words % {"round": number, "departures": reasons})]
