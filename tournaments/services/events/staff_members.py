"""The staff of an event: roles given and taken away."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from tournaments import database_time
from tournaments.errors import RefusedError, StaleError
from tournaments.models import Event, Player, StaffMember, User
from tournaments.queries.events.staff import Task
from tournaments.services.events.acts import act

MOST_STAFF = 20


@act("staff-add", task=Task.SETTINGS, done=_("The role was given."))
def add(event: Event, actor: User, *, player: Player, role: str) -> StaffMember:
    """Give the account of `player` a role in the event.

    Raises:
        NotAllowedError: `not-organiser`.
        RefusedError: `role-bad`, `staff-no-account`, `staff-full`, `staff-already`.
    """
    if role not in StaffMember.Role.values:
        raise RefusedError("role-bad", role)
    if player.user_id is None:
        raise RefusedError("staff-no-account", player.name)
    if event.staff.count() >= MOST_STAFF:
        raise RefusedError("staff-full", str(MOST_STAFF))
    if player.user_id == event.organiser_id:
        raise RefusedError("staff-already", player.name)
    try:
        with transaction.atomic():
            member = StaffMember.objects.create(
                event=event, user_id=player.user_id, role=role, added_at=database_time.now()
            )
    except IntegrityError as error:
        raise RefusedError("staff-already", player.name) from error
    add.note(event, actor, player=player.pk, role=role)
    return member


@act("staff-remove", task=Task.SETTINGS, done=_("The role was taken away."))
def remove(event: Event, actor: User, *, member_id: int) -> None:
    """Take a role away.

    Raises NotAllowedError `not-organiser`, StaleError `staff-gone`.
    """
    member = event.staff.select_related("user__player").filter(pk=member_id).first()
    if member is None:
        raise StaleError("staff-gone")
    remove.note(event, actor, player=member.user.player.pk, role=member.role)
    member.delete()
