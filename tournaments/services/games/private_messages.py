"""Private messages between two players: writing, reading and deleting."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from tournaments import database_time, limits
from tournaments.errors import RefusedError
from tournaments.models import ChatLine, Inbox, Player, User
from tournaments.models.chat import MESSAGE_LENGTH, ChatLineQuerySet
from tournaments.queries.accounts import private_messages
from tournaments.services.accounts import guests, throttles
from tournaments.services.games import chat
from tournaments.services.notifications import inbox, news
from tournaments.text.lines import several_lines

# An account begins few conversations for this time.
NEW_ACCOUNT = timedelta(days=7)


def write(*, author: Player, recipient: Player, text: str) -> ChatLine:
    """Send a message of `author` to `recipient`.

    Raises:
        NotAllowedError: `account-needed` for guests.
        RefusedError: `chat-empty`, `message-long`, as `require_reader`, or as `chat.add`.
        TooManyError: too many messages in a few seconds, or new conversations in an hour.
    """
    guests.require_account(author)
    text = several_lines(text)
    if not text:
        raise RefusedError("chat-empty")
    if len(text) > MESSAGE_LENGTH:
        raise RefusedError("message-long", f"{len(text)} > {MESSAGE_LENGTH}")
    now = database_time.now()
    with transaction.atomic():
        # Two messages of one author are counted one after the other.
        author = Player.objects.select_for_update(of=("self",), no_key=True).get(pk=author.pk)
        reader = require_reader(author, recipient)
        _count_conversation(author, recipient, now)
        line = ChatLine(recipient=recipient, room=ChatLine.Room.PRIVATE, text=text)
        chat.add(line, author, now)
        number = private_messages.unread(recipient)
        news.announce(
            news.of_user(reader.pk),
            "private-message",
            {"sender": author.pk, "line": line.pk, "unread": number},
        )
        return line


def require_reader(author: Player, recipient: Player) -> User:
    """Return the account of `recipient` if it takes messages of `author`.

    A player to whom `recipient` has written can always answer.

    Raises RefusedError `not-yourself-message`, `message-bot`, `player-guest`, `player-deleted`,
    `message-muted` for a recipient whom the author has muted, or `message-unwilling`.
    """
    if author.pk == recipient.pk:
        raise RefusedError("not-yourself-message")
    if recipient.is_bot:
        raise RefusedError("message-bot", recipient.name)
    reader = recipient.user
    if reader is None:
        raise RefusedError("player-guest", recipient.name)
    if not reader.is_active:
        raise RefusedError("player-deleted", recipient.name)
    if author.mutes.filter(muted=recipient).exists():
        raise RefusedError("message-muted", recipient.name)
    if recipient.mutes.filter(muted=author).exists() or not _may_begin(author, recipient):
        raise RefusedError("message-unwilling", recipient.name)
    return reader


def mark_read(*, player: Player, other: Player) -> None:
    """Note that `player` has read the messages of `other`."""
    player.private_messages.filter(author=other, is_read=False).update(is_read=True)


@transaction.atomic
def delete(*, player: Player, other: Player) -> None:
    """Delete the messages of the two for `player`, and the rows of messages that both have deleted.

    A reported message is stored for the moderators.
    """
    player.chat_lines.filter(recipient=other).update(is_deleted_by_author=True)
    player.private_messages.filter(author=other).update(is_deleted_by_recipient=True, is_read=True)
    _forget(ChatLine.objects.private().with_player(player).with_player(other))


def delete_all(*, player: Player) -> None:
    """Delete the messages that `player` has sent, and those that `player` has received for `player`.

    In the caller's transaction. A reported message is stored for the moderators.
    """
    player.chat_lines.private().update(is_deleted_by_author=True, is_deleted_by_recipient=True)
    player.private_messages.update(is_deleted_by_recipient=True, is_read=True)
    _forget(ChatLine.objects.private().with_player(player))


def _forget(lines: ChatLineQuerySet) -> None:
    """Delete those of the messages that both players have deleted and that have no report."""
    both = lines.filter(is_deleted_by_author=True, is_deleted_by_recipient=True)
    both.without_report().delete()


def choose_writers(user: User, writers: str) -> None:
    """Store the players who may begin to write to `user`. Raises RefusedError `message-writers`."""
    if writers not in Inbox.Writers.values:
        raise RefusedError("message-writers", writers[:80])
    Inbox.objects.filter(pk=inbox.of_user(user).pk).update(writers=writers)


def _may_begin(author: Player, recipient: Player) -> bool:
    """Return whether the choice of `recipient`, or an earlier message by `recipient`, lets `author` write."""
    choice = Inbox.objects.filter(user=recipient.user_id).first()
    if choice is None or choice.writers == Inbox.Writers.EVERYONE:
        return True
    follows = recipient.follows.filter(followed=author)
    if choice.writers == Inbox.Writers.FOLLOWED and follows.exists():
        return True
    return recipient.chat_lines.filter(recipient=author).exists()


def _count_conversation(author: Player, recipient: Player, now: datetime) -> None:
    """Count a first message between the two. Raises TooManyError."""
    if ChatLine.objects.private().with_player(author).with_player(recipient).exists():
        return
    assert author.user is not None, "guests have no account"
    visitor = throttles.Visitor(author.user.pk)
    if now < author.user.date_joined + NEW_ACCOUNT:
        throttles.count(visitor, limits.CONVERSATIONS_OF_NEW)
    throttles.count(visitor, limits.CONVERSATIONS)
