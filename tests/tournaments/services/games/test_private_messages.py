"""Private messages: their readers, their writers, and the means against abuse."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError, TooManyError
from tournaments.models import ChatLine, ChatReport, Inbox, NewsItem, Player, Throttle, User
from tournaments.queries.accounts import private_messages
from tournaments.services import retention
from tournaments.services.account_data import deletion
from tournaments.services.accounts import follows, guests, players
from tournaments.services.games import chat
from tournaments.services.games import private_messages as services
from tournaments.services.notifications import email, inbox, news

pytestmark = pytest.mark.engines

PASSWORD = "rayuela-1963"


def _write(author: User, recipient: User, text: str = "Hello") -> ChatLine:
    return services.write(author=author.player, recipient=recipient.player, text=text)


def _texts(reader: User, other: User) -> list[str]:
    return [line.text for line in private_messages.messages(reader.player, other.player)]


def _unread_on_pages(user: User) -> int:
    return inbox.waiting(user, user.player).messages


def _players(count: int) -> list[User]:
    return [players.sign_up(name=f"Reader {n}", password=PASSWORD) for n in range(count)]


def _old(user: User) -> User:
    user.date_joined = database_time.now() - timedelta(days=8)
    user.save()
    return user


def test_the_two_read_a_message_and_no_other_player_does(ana: User, ben: User) -> None:
    (cleo,) = _players(1)
    _write(ana, ben, "Hello")
    _write(ben, ana, "Hi")
    assert _texts(ana, ben) == _texts(ben, ana) == ["Hello", "Hi"]
    assert _texts(cleo, ana) == _texts(ana, cleo) == []
    assert private_messages.conversations(cleo.player).conversations == []


def test_a_message_keeps_its_lines_without_control_characters(ana: User, ben: User) -> None:
    assert _write(ana, ben, "  One\x00 \r\n\n\n\n two  \x1b\n").text == "One\n\ntwo"


@pytest.mark.parametrize(
    ("text", "code"),
    [("", "chat-empty"), (" \n\n\t", "chat-empty"), ("\u200b\n\u200d", "chat-empty")],
)
def test_an_invisible_message_is_refused(ana: User, ben: User, text: str, code: str) -> None:
    with pytest.raises(RefusedError, match=code):
        _write(ana, ben, text)


def test_a_message_has_up_to_2000_characters(ana: User, ben: User) -> None:
    assert len(_write(ana, ben, "x" * 2000).text) == 2000
    with pytest.raises(RefusedError, match="message-long"):
        _write(ana, ben, "x" * 2001)


def test_a_line_at_a_board_has_no_recipient_and_few_characters(ana: User, ben: User) -> None:
    line = _write(ana, ben)
    for change in ({"room": "players"}, {"recipient": None}, {"recipient": ana.player}):
        with pytest.raises(IntegrityError), transaction.atomic():
            ChatLine.objects.filter(pk=line.pk).update(**change)


def test_guests_bots_and_oneself_have_no_messages(ana: User, ben: User, bots: list[Player]) -> None:
    guest = guests.enter(browser="x" * 40, address="192.0.2.1")
    with pytest.raises(NotAllowedError, match="account-needed"):
        services.write(author=guest, recipient=ana.player, text="Hello")
    for recipient, code in (
        (guest, "player-guest"),
        (bots[0], "message-bot"),
        (ana.player, "not-yourself-message"),
    ):
        with pytest.raises(RefusedError, match=code):
            services.write(author=ana.player, recipient=recipient, text="Hello")


def test_a_muted_player_cannot_write_and_gets_no_messages(ana: User, ben: User) -> None:
    _write(ben, ana)
    chat.mute(player=ana.player, muted=ben.player)
    with pytest.raises(RefusedError, match="message-unwilling"):
        _write(ben, ana)
    with pytest.raises(RefusedError, match="message-muted"):
        _write(ana, ben)
    chat.unmute(player=ana.player, muted=ben.player)
    _write(ben, ana)


def test_a_choice_of_writers_refuses_first_messages_and_no_answers(ana: User, ben: User) -> None:
    services.choose_writers(ana, Inbox.Writers.FOLLOWED)
    with pytest.raises(RefusedError, match="message-unwilling"):
        _write(ben, ana)
    follows.follow(player=ana.player, followed=ben.player)
    _write(ben, ana)
    services.choose_writers(ana, Inbox.Writers.NO_ONE)
    with pytest.raises(RefusedError, match="message-unwilling"):
        _write(ben, ana)
    _write(ana, ben)
    _write(ben, ana, "An answer")
    with pytest.raises(RefusedError, match="message-writers"):
        services.choose_writers(ana, "friends")


def test_a_new_account_writes_to_three_players_an_hour_for_the_first_time(ana: User) -> None:
    readers = _players(4)
    for reader in readers[:3]:
        _write(ana, reader)
    with pytest.raises(TooManyError, match="new-conversations-by-account"):
        _write(ana, readers[3])
    _write(ana, readers[0], "A second message")
    _write(_old(readers[3]), ana)
    _write(ana, readers[3], "An answer")


@pytest.mark.long
def test_an_account_writes_to_twenty_players_an_hour_for_the_first_time(ana: User) -> None:
    author = _old(ana)
    for number, reader in enumerate(_players(21)):
        Throttle.objects.filter(key__startswith="chat-").delete()
        if number == 20:
            with pytest.raises(TooManyError, match="conversations-by-account"):
                _write(author, reader)
        else:
            _write(author, reader)


def test_messages_come_at_the_pace_of_lines_of_chat(ana: User, ben: User) -> None:
    for _ in range(5):
        _write(ana, ben)
    with pytest.raises(TooManyError, match="chat-by-account"):
        _write(ana, ben)


def test_a_refused_message_is_counted_as_no_conversation(ana: User, ben: User) -> None:
    services.choose_writers(ben, Inbox.Writers.NO_ONE)
    readers = _players(3)
    for _ in range(3):
        with pytest.raises(RefusedError, match="message-unwilling"):
            _write(ana, ben)
    for reader in readers:
        _write(ana, reader)


def test_conversations_are_listed_by_their_latest_message_with_their_unread_ones(
    ana: User, ben: User
) -> None:
    (cleo,) = _players(1)
    _write(ben, ana, "One")
    _write(cleo, ana, "Two")
    _write(ben, ana, "Three")
    rows = private_messages.conversations(ana.player).conversations
    assert [(row.other.name, row.latest.text, row.unread) for row in rows] == [
        ("Ben", "Three", 2),
        ("Reader 0", "Two", 1),
    ]
    assert _unread_on_pages(ana) == private_messages.unread(ana.player) == 3
    services.mark_read(player=ana.player, other=ben.player)
    assert _unread_on_pages(ana) == private_messages.unread(ana.player) == 1
    assert _unread_on_pages(ben) == private_messages.unread(ben.player) == 0


def test_conversations_come_fifty_at_a_time(ana: User) -> None:
    now = database_time.now()
    for reader in _players(51):
        ChatLine.objects.create(
            author=reader.player, recipient=ana.player, room="private", text="Hi", made_at=now
        )
    first = private_messages.conversations(ana.player)
    second = private_messages.conversations(ana.player, before=first.before)
    assert len(first.conversations) == 50
    assert [row.other.name for row in second.conversations] == ["Reader 0"]
    assert second.before is None


def test_a_long_conversation_is_read_in_pages(ana: User, ben: User) -> None:
    for number in range(101):
        ChatLine.objects.create(
            author=ben.player,
            recipient=ana.player,
            room="private",
            text=f"{number}",
            made_at=database_time.now(),
        )
    lines = private_messages.messages(ana.player, ben.player)
    assert [lines[0].text, lines[-1].text] == ["1", "100"]
    before = private_messages.earlier(ana.player, ben.player, lines[0])
    (oldest,) = private_messages.messages(ana.player, ben.player, before=before)
    assert oldest.text == "0"
    assert private_messages.earlier(ana.player, ben.player, oldest) is None


def test_a_deletion_is_for_oneself_until_both_have_deleted(ana: User, ben: User) -> None:
    line = _write(ben, ana)
    services.delete(player=ana.player, other=ben.player)
    assert _texts(ana, ben) == []
    assert private_messages.unread(ana.player) == 0
    assert _texts(ben, ana) == ["Hello"]
    _write(ben, ana, "Again")
    assert _texts(ana, ben) == ["Again"]
    services.delete(player=ben.player, other=ana.player)
    assert not ChatLine.objects.filter(pk=line.pk).exists()
    assert _texts(ana, ben) == ["Again"]


def test_a_reported_message_is_hidden_and_silences_its_author(
    ana: User, ben: User, staff: User
) -> None:
    line = _write(ben, ana, "Rude")
    report = chat.report(line_id=line.pk, player=ana.player)
    services.delete(player=ana.player, other=ben.player)
    services.delete(player=ben.player, other=ana.player)
    chat.resolve_report(report_id=report.pk, actor=staff, verdict=ChatReport.Verdict.SILENCED)
    line.refresh_from_db()
    assert line.is_hidden
    with pytest.raises(RefusedError, match="chat-silenced"):
        _write(ben, ana)


def test_only_the_recipient_reports_a_message(ana: User, ben: User) -> None:
    line = _write(ben, ana)
    (cleo,) = _players(1)
    with pytest.raises(NotAllowedError, match="chat-elsewhere"):
        chat.report(line_id=line.pk, player=cleo.player)
    with pytest.raises(RefusedError, match="not-yourself-report"):
        chat.report(line_id=line.pk, player=ben.player)


def test_messages_are_removed_after_a_year_unless_reported(ana: User, ben: User) -> None:
    old, reported, young = (_write(ben, ana, text) for text in ("old", "reported", "young"))
    chat.report(line_id=reported.pk, player=ana.player)
    long_ago = database_time.now() - timedelta(days=366)
    ChatLine.objects.filter(pk__in=[old.pk, reported.pk]).update(made_at=long_ago)
    assert retention.prune(database_time.now())["messages"] == 1
    of_the_two = ChatLine.objects.filter(author=ben.player)
    assert set(of_the_two.values_list("pk", flat=True)) == {reported.pk, young.pk}


@pytest.mark.long
def test_a_deleted_account_takes_its_messages_along(ana: User, ben: User) -> None:
    _write(ben, ana, "From Ben")
    _write(ana, ben, "From Ana")
    deletion.delete_account(user=ana, password=PASSWORD)
    ana = User.objects.get(pk=ana.pk)
    assert _texts(ben, ana) == ["From Ben"]
    with pytest.raises(RefusedError, match="player-deleted"):
        _write(ben, ana)
    services.delete(player=ben.player, other=ana.player)
    assert not ChatLine.objects.private().with_player(ben.player).exists()


def _due_messages(user: User) -> list[str]:
    later = database_time.now() + timedelta(minutes=1)
    fresh = inbox.pending(inbox.of_user(user), 0, later)
    return [notice.sentence for notice in fresh if notice.is_worth_sending]


def test_the_latest_unread_message_of_a_player_is_one_notice(ana: User, ben: User) -> None:
    _write(ben, ana, "First")
    _write(ben, ana, "Second")
    assert _due_messages(ana) == ["Message from Ben: Second"]
    assert inbox.unread(ana) == 0, "the list of notices does not contain messages"
    services.mark_read(player=ana.player, other=ben.player)
    assert _due_messages(ana) == []


def test_news_have_the_writer_and_the_number_of_unread_messages_without_the_text(
    ana: User, ben: User
) -> None:
    line = _write(ben, ana, "A secret")
    item = NewsItem.objects.get(topic__name=news.of_user(ana.pk), kind="private-message")
    assert item.payload == {"sender": ben.player.pk, "line": line.pk, "unread": 1}


def test_a_hidden_message_is_in_no_notice(ana: User, ben: User, staff: User) -> None:
    line = _write(ben, ana, "Rude")
    report = chat.report(line_id=line.pk, player=ana.player)
    chat.resolve_report(report_id=report.pk, actor=staff, verdict=ChatReport.Verdict.HIDDEN)
    assert _due_messages(ana) == []


def test_an_absent_reader_gets_an_email_if_they_want_it(ana: User, ben: User) -> None:
    box = inbox.of_user(ana)
    Inbox.objects.filter(pk=box.pk).update(address="ana@example.org", is_confirmed=True)
    _write(ben, ana, "Are you there?")
    email.write_due(database_time.now() + timedelta(minutes=6))
    assert "Message from Ben: Are you there?" in ana.emails.get().body
    assert f"/messages/{ben.player.pk}/" in ana.emails.get().body
    Inbox.objects.filter(pk=box.pk).update(wants_messages=False)
    _write(ben, ana, "Hello?")
    email.write_due(database_time.now() + timedelta(minutes=6))
    assert ana.emails.count() == 1
