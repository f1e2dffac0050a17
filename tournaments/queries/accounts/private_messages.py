"""Private messages of a player: conversations, messages and the number of unread ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Case, Count, F, Max, Q, When

from tournaments.models import ChatLine, Player

_MOST_CONVERSATIONS = 50
_MOST_MESSAGES = 100


@dataclass(frozen=True, slots=True)
class Conversation:
    """The messages of a player with another one: the latest, and the number of unread ones."""

    other: Player
    latest: ChatLine
    unread: int


@dataclass(frozen=True, slots=True)
class Page:
    """Some conversations, the latest first. `before` is the number for the next page, None on the last."""

    conversations: Sequence[Conversation]
    before: int | None


def conversations(player: Player, *, before: int | None = None) -> Page:
    """Return fifty conversations of `player`, those whose latest message has a number below `before`."""
    rows = (
        ChatLine.objects.private_of(player)
        .values(other=Case(When(author=player, then=F("recipient")), default=F("author")))
        .annotate(latest=Max("pk"), unread=Count("pk", filter=Q(recipient=player, is_read=False)))
        .order_by("-latest")
    )
    if before is not None:
        rows = rows.filter(latest__lt=before)
    rows_with_next = list(rows[: _MOST_CONVERSATIONS + 1])
    on_page = rows_with_next[:_MOST_CONVERSATIONS]
    players = Player.objects.in_bulk(row["other"] for row in on_page)
    lines = ChatLine.objects.in_bulk(row["latest"] for row in on_page)
    return Page(
        [
            Conversation(players[row["other"]], lines[row["latest"]], row["unread"])
            for row in on_page
        ],
        on_page[-1]["latest"] if len(rows_with_next) > len(on_page) else None,
    )


def messages(player: Player, other: Player, *, before: int | None = None) -> Sequence[ChatLine]:
    """Return a hundred messages of the two that `player` has not deleted, oldest first, those with numbers below `before`."""
    rows = ChatLine.objects.private_of(player).with_player(other).select_related("author")
    if before is not None:
        rows = rows.filter(pk__lt=before)
    return list(rows.order_by("-pk")[:_MOST_MESSAGES])[::-1]


def earlier(player: Player, other: Player, line: ChatLine) -> int | None:
    """Return the number of `line` if older messages of the two precede it, else None."""
    rows = ChatLine.objects.private_of(player).with_player(other)
    return line.pk if rows.filter(pk__lt=line.pk).exists() else None


def unread(player: Player) -> int:
    """Return the number of unread messages to `player`."""
    return player.private_messages.filter(is_read=False).count()
