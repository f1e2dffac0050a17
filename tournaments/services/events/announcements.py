"""Announcements of an event: on its page, and in the notices of all participants."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments import database_time
from tournaments.errors import RefusedError
from tournaments.models import Announcement, Event, User
from tournaments.queries.events.staff import Task
from tournaments.services.events.acts import act
from tournaments.services.notifications import news

LONGEST = 500
_MOST = 100


@act("announce", task=Task.PAIRINGS, done=_("All participants were notified."))
def announce(event: Event, actor: User, *, text: str) -> Announcement:
    """Send a message to all participants.

    Raises NotAllowedError `not-organiser`, RefusedError `announcement-bad` for an empty text or
    more than 500 characters, `announcements-many` for more than a hundred in an event.
    """
    text = text.replace("\x00", "").strip()
    if not 1 <= len(text) <= LONGEST:
        raise RefusedError("announcement-bad")
    if event.announcements.count() >= _MOST:
        raise RefusedError("announcements-many", str(_MOST))
    announcement = Announcement.objects.create(
        event=event, author=actor, text=text, made_at=database_time.now()
    )
    users = event.entries.exclude(state="withdrawn").filter(player__user__isnull=False)
    news.announce_each(
        (news.of_user(user_id), "announcement", {"event": event.pk, "text": text})
        for user_id in users.values_list("player__user", flat=True)
    )
    announce.note(event, actor, announcement=announcement.pk)
    news.announce(news.of_event(event.pk), "announcement", {})
    return announcement
