"""The chat of an event: its writers and readers, and the means of its staff."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments import pages
from tests.tournaments.conftest import event_of
from tests.tournaments.frozen_clock import freeze
from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError, StaleError, TooManyError
from tournaments.models import AuditEntry, ChatReport, Event, EventMute, NewsItem, Player, User
from tournaments.queries.events import event_chat as readers
from tournaments.services.accounts import players
from tournaments.services.events import entries, event_chat
from tournaments.services.games import chat


@pytest.fixture
def event(ana: User, ben: User) -> Event:
    """Return an event of Ana's that Ben has entered."""
    event = event_of(ana)
    entries.enter(event_id=event.pk, player=ben.player, actor=ben)
    return event


@pytest.fixture
def cleo(db: None) -> User:
    return players.sign_up(name="Cleo", password="rayuela-1963")


def _set(event: Event, **changes: object) -> None:
    Event.objects.filter(pk=event.pk).update(**changes)
    event.refresh_from_db()


def _texts(event: Event, player: Player | None) -> list[str]:
    return [line.text for line in readers.lines(event, player) if not line.is_hidden]


def test_signed_in_users_write_and_visitors_read(event: Event, cleo: User) -> None:
    event_chat.say(event_id=event.pk, player=cleo.player, text=" Good \n luck! ")
    assert _texts(event, None) == ["Good luck!"]
    assert readers.may_read(event, None)
    assert NewsItem.objects.filter(kind="chat").exists()


@pytest.mark.parametrize(("chosen", "writes"), [("off", ""), ("entrants", "ana ben")])
def test_the_setting_chooses_the_writers(
    event: Event, ana: User, ben: User, cleo: User, chosen: str, writes: str
) -> None:
    _set(event, chat=chosen)
    for user in (ana, ben, cleo):
        if user.username in writes.split():
            event_chat.say(event_id=event.pk, player=user.player, text="Hello")
            assert readers.may_read(event, user)
        else:
            with pytest.raises((RefusedError, NotAllowedError), match="chat-"):
                event_chat.say(event_id=event.pk, player=user.player, text="Hello")
            assert not readers.may_read(event, user)


def test_a_player_who_left_an_event_of_entrants_reads_no_more(event: Event, ben: User) -> None:
    _set(event, chat="entrants")
    entries.withdraw(event_id=event.pk, player=ben.player, actor=ben)
    assert not readers.may_read(event, ben)


def test_the_chat_closes_two_days_after_the_event(event: Event, ben: User) -> None:
    now = database_time.now()
    day = timedelta(days=1)
    _set(event, state=Event.State.FINISHED, started_at=now - 9 * day, finished_at=now - day)
    event_chat.say(event_id=event.pk, player=ben.player, text="Thank you")
    _set(event, finished_at=now - 3 * day)
    with pytest.raises(RefusedError, match="chat-closed"):
        event_chat.say(event_id=event.pk, player=ben.player, text="Still here?")
    assert _texts(event, None) == ["Thank you"]


def test_the_limits_are_those_of_chats_at_boards(
    event: Event, ben: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    freeze(monkeypatch)
    for number in range(5):
        event_chat.say(event_id=event.pk, player=ben.player, text=f"line {number}")
    with pytest.raises(TooManyError, match="chat-by-account"):
        event_chat.say(event_id=event.pk, player=ben.player, text="one more")


def test_the_staff_deletes_a_line_and_the_log_has_no_text(
    event: Event, ana: User, ben: User, cleo: User
) -> None:
    line = event_chat.say(event_id=event.pk, player=ben.player, text="Rude words")
    with pytest.raises(NotAllowedError, match="not-organiser"):
        event_chat.delete_line(event_id=event.pk, actor=cleo, line_id=line.pk)
    event_chat.delete_line(event_id=event.pk, actor=ana, line_id=line.pk)
    assert _texts(event, ana.player) == []
    entry = AuditEntry.objects.get(event=event, action="chat-delete")
    assert "Rude" not in str(entry.detail)
    with pytest.raises(StaleError, match="chat-line-gone"):
        event_chat.delete_line(event_id=event.pk, actor=ana, line_id=line.pk)


def test_a_mute_ends_after_its_hours_or_with_the_staffs_word(
    event: Event, ana: User, ben: User
) -> None:
    event_chat.mute(event_id=event.pk, actor=ana, player_id=ben.player.pk, hours=1)
    with pytest.raises(RefusedError, match="chat-muted"):
        event_chat.say(event_id=event.pk, player=ben.player, text="But")
    EventMute.objects.update(until=database_time.now() - timedelta(seconds=1))
    event_chat.say(event_id=event.pk, player=ben.player, text="Sorry")
    event_chat.mute(event_id=event.pk, actor=ana, player_id=ben.player.pk)
    assert EventMute.objects.get().until is None
    with pytest.raises(RefusedError, match="chat-muted"):
        event_chat.say(event_id=event.pk, player=ben.player, text="But")
    event_chat.unmute(event_id=event.pk, actor=ana, player_id=ben.player.pk)
    event_chat.say(event_id=event.pk, player=ben.player, text="Thanks")
    with pytest.raises(RefusedError, match="chat-mute-staff"):
        event_chat.mute(event_id=event.pk, actor=ana, player_id=ana.player.pk)
    with pytest.raises(RefusedError, match="chat-hours"):
        event_chat.mute(event_id=event.pk, actor=ana, player_id=ben.player.pk, hours=9000)


def test_moderators_of_the_site_keep_their_powers(
    event: Event, ben: User, cleo: User, staff: User
) -> None:
    line = event_chat.say(event_id=event.pk, player=ben.player, text="Rude words")
    report = chat.report(line_id=line.pk, player=cleo.player)
    page = pages.member(staff).get(reverse("moderation-chat")).content.decode()
    assert event.name in page
    chat.resolve_report(report_id=report.pk, actor=staff, verdict="silenced")
    assert _texts(event, None) == []
    with pytest.raises(RefusedError, match="chat-silenced"):
        event_chat.say(event_id=event.pk, player=ben.player, text="But")
    assert ChatReport.objects.get().verdict == "silenced"


def test_a_reader_of_no_chat_reports_no_line(event: Event, ben: User, cleo: User) -> None:
    line = event_chat.say(event_id=event.pk, player=ben.player, text="Rude words")
    _set(event, chat="entrants")
    with pytest.raises(NotAllowedError, match="chat-elsewhere"):
        chat.report(line_id=line.pk, player=cleo.player)


def test_a_line_of_a_private_event_is_missing_for_those_who_may_not_see_the_event(
    event: Event, ben: User, cleo: User
) -> None:
    line = event_chat.say(event_id=event.pk, player=ben.player, text="Rude words")
    _set(event, is_private=True, access_code="sesame")
    visitor, path = pages.member(cleo), reverse("chat-report", args=[line.pk])
    assert visitor.post(path).status_code == 404
    visitor.get(event.get_absolute_url(), {"code": "sesame"})
    assert visitor.post(path)["Location"] == f"{event.get_absolute_url()}#chat"


def test_the_page_has_the_chat_and_the_staffs_buttons(event: Event, ana: User, ben: User) -> None:
    of_ana, of_ben = pages.member(ana), pages.member(ben)
    hostile = "<script>alert(1)</script>"
    answer = of_ben.post(reverse("event-say", args=[event.slug]), {"text": hostile})
    assert answer["Location"].endswith("#chat")
    page = of_ana.get(event.get_absolute_url()).content.decode()
    assert "&lt;script&gt;alert" in page
    assert 'value="chat-delete"' in page
    lines = reverse("event-chat", args=[event.slug])
    assert 'value="chat-delete"' not in of_ben.get(lines).content.decode()
    act = reverse("event-chat-act", args=[event.slug])
    form = {"act": "chat-mute", "player_id": ben.player.pk, "hours": 24}
    of_ana.post(act, form)
    assert 'value="chat-unmute"' in of_ana.get(event.get_absolute_url()).content.decode()
    refusal = of_ben.post(
        reverse("event-say", args=[event.slug]),
        {"text": "But"},
        headers={"accept": "application/json"},
    )
    assert refusal.json()["code"] == "chat-muted"
    _set(event, chat="entrants")
    assert Client().get(lines).status_code == 404
    assert 'id="chat"' not in Client().get(event.get_absolute_url()).content.decode()
