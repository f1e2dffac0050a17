"""Chat: rooms at the boards, lines, mutes, reports, and decisions of moderators."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet

from tournaments import database_time, limits
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import ChatLine, ChatReport, Game, Mute, Player, Silence, User, statements
from tournaments.models.chat import LINE_LENGTH
from tournaments.queries.events import event_chat
from tournaments.services.accounts import guests, throttles
from tournaments.services.notifications import news
from tournaments.text.lines import one_line

Room = ChatLine.Room

SILENCE = timedelta(days=7)


def room_of(game: Game, player: Player | None) -> Room:
    """The room in which `player` reads and writes: the players' for the two at the board."""
    return Room.PLAYERS if game.side_of(player) else Room.SPECTATORS


def is_open(game: Game, room: str, now: datetime) -> bool:
    """Return whether lines can be written in the room.

    It is open until two days after the end of the game. A room of players with a bot never is.
    """
    if room == Room.PLAYERS and (game.first.is_bot or game.second.is_bot):
        return False
    return game.ended_at is None or now < game.ended_at + event_chat.OPEN_AFTER_END


def lines(game: Game, player: Player | None) -> Sequence[ChatLine]:
    """Return the latest lines of the room of `player` (`event_chat.for_reader`), oldest first."""
    room = room_of(game, player).value
    if player is None:
        return _lines.all(game=game.pk, room=room)[::-1]
    return _lines_for.all(game=game.pk, room=room, reader=player.pk)[::-1]


@statements.query
def _lines(game: int, room: str) -> QuerySet[ChatLine]:
    rows = ChatLine.objects.filter(game=game, room=room)
    return event_chat.latest_first(event_chat.for_reader(rows, None))


@statements.query
def _lines_for(game: int, room: str, reader: int) -> QuerySet[ChatLine]:
    rows = ChatLine.objects.filter(game=game, room=room)
    return event_chat.latest_first(event_chat.for_reader(rows, reader))


def room_lines(game: Game, player: Player | None) -> QuerySet[ChatLine]:
    """Return all lines of the room of `player`."""
    return game.chat_lines.filter(room=room_of(game, player))


def say(*, game_id: int, player: Player, text: str) -> ChatLine:
    """Add a line to the room of the player's seat.

    Raises:
        NotAllowedError: `account-needed` for guests.
        RefusedError: `chat-closed`, or as `checked_text` and `add`.
        TooManyError: too many lines in a few seconds.
    """
    text = checked_text(player, text)
    now = database_time.now()
    with transaction.atomic():
        game = Game.objects.select_related("first", "second").get(pk=game_id)
        room = room_of(game, player)
        if not is_open(game, room, now):
            raise RefusedError("chat-closed")
        return add(ChatLine(game=game, room=room, text=text), player, now)


def checked_text(player: Player, text: str) -> str:
    """Return the text of a line on one line.

    Raises NotAllowedError `account-needed` for guests, RefusedError `chat-empty` or `chat-long`.
    """
    guests.require_account(player)
    text = one_line(text)
    if not text:
        raise RefusedError("chat-empty")
    if len(text) > LINE_LENGTH:
        raise RefusedError("chat-long", f"{len(text)} > {LINE_LENGTH}")
    return text


def add(line: ChatLine, author: Player, now: datetime) -> ChatLine:
    """Save a line of `author`, and tell the readers. In the caller's transaction.

    Raises RefusedError `chat-silenced`, TooManyError for too many lines in a few seconds.
    """
    Player.objects.select_for_update(no_key=True).get(pk=author.pk)
    silence = Silence.objects.at(now).filter(player=author).first()
    if silence is not None:
        raise RefusedError("chat-silenced", silence.until.date().isoformat())
    if author.user_id is not None:
        throttles.count(throttles.Visitor(author.user_id), limits.CHAT)
    line.author, line.made_at = author, now
    line.save()
    tell(line)
    return line


def tell(line: ChatLine) -> None:
    """Let open pages draw the chat of the line again. Private messages are notices, which their service announces."""
    if line.recipient_id is not None:
        return
    if line.game_id is not None:
        topic = news.of_game(line.game_id)
    else:
        assert line.event_id is not None, "a line is in one place"
        topic = news.of_event(line.event_id)
    news.announce(topic, "chat", {"room": line.room})


def report(*, line_id: int, player: Player) -> ChatReport:
    """Report a line to the moderators. A second report has no effect.

    Raises:
        NotAllowedError: `chat-elsewhere` if the player may not read the line.
        RefusedError: `not-yourself-report` for one's own line.
    """
    line = ChatLine.objects.select_related("game", "event").get(pk=line_id)
    if not _may_read(line, player):
        raise NotAllowedError("chat-elsewhere")
    if line.author_id == player.pk:
        raise RefusedError("not-yourself-report")
    chat_report, _is_new = ChatReport.objects.get_or_create(
        line=line, reporter=player, defaults={"made_at": database_time.now()}
    )
    return chat_report


def _may_read(line: ChatLine, player: Player) -> bool:
    if line.recipient_id is not None:
        return player.pk in {line.author_id, line.recipient_id}
    if line.game is not None:
        return line.room == room_of(line.game, player)
    assert line.event is not None, "a line is in one place"
    return event_chat.may_read(line.event, player.user)


def mute(*, player: Player, muted: Player) -> None:
    """Hide the lines of another player. Raises RefusedError `not-yourself-mute`."""
    if player.pk == muted.pk:
        raise RefusedError("not-yourself-mute")
    Mute.objects.get_or_create(
        player=player, muted=muted, defaults={"made_at": database_time.now()}
    )


def unmute(*, player: Player, muted: Player) -> None:
    """Show the lines of another player again."""
    Mute.objects.filter(player=player, muted=muted).delete()


def resolve_report(*, report_id: int, actor: User, verdict: str) -> ChatReport:
    """Decide about a reported line: keep it, hide it, or silence its author for a week as well.

    All its open reports are answered.

    Raises:
        NotAllowedError: `not-moderator`.
        RefusedError: `verdict-bad`.
        StaleError: `resolved-already`.
    """
    if not actor.has_perm("tournaments.moderate"):
        raise NotAllowedError("not-moderator")
    if verdict not in ChatReport.Verdict.values:
        raise RefusedError("verdict-bad", verdict)
    now = database_time.now()
    with transaction.atomic():
        report = ChatReport.objects.select_related("line__game").get(pk=report_id)
        line = report.line
        open_reports = line.reports.filter(verdict__isnull=True)
        if not open_reports.update(verdict=verdict, resolver=actor, resolved_at=now):
            raise StaleError("resolved-already")
        if verdict != ChatReport.Verdict.DISMISSED:
            ChatLine.objects.filter(pk=line.pk).update(is_hidden=True)
            tell(line)
        if verdict == ChatReport.Verdict.SILENCED:
            Silence.objects.create(
                player_id=line.author_id,
                line=line,
                until=now + SILENCE,
                resolver=actor,
                made_at=now,
            )
        report.refresh_from_db()
        return report
