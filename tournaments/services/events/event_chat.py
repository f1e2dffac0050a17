"""The chat of an event: lines, and its moderation by the staff."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import ChatLine, Event, EventMute, Player, User
from tournaments.queries.events import event_chat, staff
from tournaments.services.events.acts import Acts, act
from tournaments.services.games import chat
from tournaments.services.notifications import news

# A year. A mute without a number of hours has no end.
MOST_HOURS = 8760


@dataclass(frozen=True, slots=True)
class ChatArguments:
    """The arguments of the acts on a chat: a line, a player, and the hours of a mute, 0 for one without an end."""

    line_id: int = 0
    player_id: int = 0
    hours: int = 0


def say(*, event_id: int, player: Player, text: str) -> ChatLine:
    """Add a line to the chat of the event.

    Raises:
        NotAllowedError: `account-needed`, or `chat-entrants` for an account that does not take part.
        RefusedError: `chat-closed`, `chat-muted`, or as `chat.checked_text` and `chat.add`.
        TooManyError: too many lines in a few seconds.
    """
    text = chat.checked_text(player, text)
    now = database_time.now()
    with transaction.atomic():
        event = Event.objects.get(pk=event_id)
        if not event_chat.is_open(event, now):
            raise RefusedError("chat-closed")
        if not event_chat.may_read(event, player.user):
            raise NotAllowedError("chat-entrants")
        mute = EventMute.objects.at(now).filter(event=event, player=player).first()
        if mute is not None:
            raise RefusedError("chat-muted", mute.until.isoformat() if mute.until else "")
        line = ChatLine(event=event, room=ChatLine.Room.EVENT, text=text)
        return chat.add(line, player, now)


@act("chat-delete", task=None, done=_("The message was deleted."))
def delete_line(event: Event, actor: User, *, line_id: int) -> None:
    """Hide a line from all readers.

    Raises NotAllowedError `not-organiser`, StaleError `chat-line-gone`.
    """
    _require_moderator(event, actor)
    line = event.chat_lines.filter(pk=line_id, is_hidden=False).first()
    if line is None:
        raise StaleError("chat-line-gone")
    event.chat_lines.filter(pk=line.pk).update(is_hidden=True)
    delete_line.note(event, actor, player=line.author_id)
    chat.tell(line)


@act("chat-mute", task=None, done=_("The player cannot write in this chat."))
def mute(event: Event, actor: User, *, player_id: int, hours: int = 0) -> EventMute:
    """Let a player write no lines in the event for some hours, or permanently with 0 hours.

    Raises:
        NotAllowedError: `not-organiser`.
        RefusedError: `chat-hours` outside of a year, `chat-mute-staff` for a member of the staff.
        StaleError: `no-such-player`.
    """
    _require_moderator(event, actor)
    if not 0 <= hours <= MOST_HOURS:
        raise RefusedError("chat-hours", str(hours))
    player = _player(player_id)
    if player.user is not None and staff.tasks_of(event, player.user):
        raise RefusedError("chat-mute-staff", player.name)
    now = database_time.now()
    until = now + timedelta(hours=hours) if hours else None
    row, _is_new = EventMute.objects.update_or_create(
        event=event,
        player=player,
        defaults={"until": until, "resolver": actor, "made_at": now},
    )
    mute.note(event, actor, player=player.pk, until=until.isoformat() if until else "")
    news.announce(news.of_event(event.pk), "chat", {})
    return row


@act("chat-unmute", task=None, done=_("The player can write in this chat again."))
def unmute(event: Event, actor: User, *, player_id: int) -> None:
    """Let a player write in the event again.

    Raises NotAllowedError `not-organiser`, StaleError `no-such-player` for one who is not muted.
    """
    _require_moderator(event, actor)
    player = _player(player_id)
    if not EventMute.objects.filter(event=event, player=player).delete()[0]:
        raise StaleError("no-such-player")
    unmute.note(event, actor, player=player.pk)
    news.announce(news.of_event(event.pk), "chat", {})


def _require_moderator(event: Event, actor: User) -> None:
    if not event_chat.moderates(event, actor):
        raise NotAllowedError("not-organiser", event.slug)


def _player(player_id: int) -> Player:
    player = Player.objects.select_related("user").filter(pk=player_id).first()
    if player is None:
        raise StaleError("no-such-player")
    return player


# The acts of the chat's forms and of the API.
CHAT_ACTS: Acts[ChatArguments, object] = Acts(ChatArguments, delete_line, mute, unmute)
