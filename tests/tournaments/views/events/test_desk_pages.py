"""The organiser's desk as its staff uses it: pages, forms, settings, and their privacy."""

from __future__ import annotations

import dataclasses

import pytest
from django.test import Client

from tests.tournaments import pages
from tests.tournaments.conftest import enter, event_of
from tournaments.errors import RefusedError, StaleError
from tournaments.forms.events import EventForm
from tournaments.models import Announcement, Event, Game, NewsItem, Player, User
from tournaments.queries.events import plans
from tournaments.services.events import settings, staff_members
from tournaments.services.notifications import inbox, news
from tournaments.services.rounds import lifecycle, rounds


@pytest.fixture
def event(ana: User, people: list[Player]) -> Event:
    event = event_of(ana, is_automatic=False, admits=Event.Admits.PEOPLE)
    enter(event, *people)
    return event


def _desk(event: Event) -> str:
    return f"/events/{event.slug}/desk/"


def _text(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def test_the_desk_is_for_the_staff(event: Event, ana: User, ben: User) -> None:
    assert pages.member(ben).get(_desk(event)).status_code == 403
    assert Client().get(_desk(event)).status_code == 302
    assert pages.member(ana).get(_desk(event)).status_code == 200
    staff_members.add(event_id=event.pk, actor=ana, player=ben.player, role="check-in")
    assert pages.member(ben).get(_desk(event)).status_code == 200
    assert pages.member(ben).get(f"{_desk(event)}settings/").status_code == 403


@pytest.mark.long
def test_an_evening_is_run_from_the_desk(event: Event, ana: User, people: list[Player]) -> None:
    client = pages.member(ana)
    act = f"/events/{event.slug}/organise/"
    client.post(act, {"action": "start"})
    client.post(act, {"action": "draft"})
    draft = _text(client, f"{_desk(event)}draft/")
    assert "By name" in draft
    client.post(act, {"action": "publish"})
    game = Game.objects.filter(pairing__event=event).order_by("pk")[0]
    assert f"/game/{game.pk}/#arbiter" in _text(client, _desk(event))
    own = _text(client, f"/game/{game.pk}/")
    assert "Set result" in own
    assert "Set result" not in _text(pages.member(people[0].user), f"/game/{game.pk}/")  # type: ignore[arg-type]
    answer = client.post(
        f"/game/{game.pk}/arbiter/",
        {"act": "decide", "result": "draw", "reason": "agreed by mouth"},
        follow=True,
    )
    assert "players were notified" in answer.content.decode()
    game.refresh_from_db()
    assert game.result == "draw"


def test_entries_are_changed_from_the_desk(event: Event, ana: User) -> None:
    client = pages.member(ana)
    entry = event.entries.order_by("pk")[0]
    address = f"{_desk(event)}entry/"
    client.post(address, {"act": "withdraw", "entry": entry.pk, "reason": "ill"})
    entry.refresh_from_db()
    assert entry.state == "withdrawn"
    answer = client.post(
        address, {"act": "withdraw", "entry": entry.pk, "next": _desk(event)}, follow=True
    )
    assert 'class="message error"' in answer.content.decode()
    client.post(address, {"act": "readmit", "entry": entry.pk, "reason": "well again"})
    client.post(f"{_desk(event)}enter/", {"enter-name": "ana"})
    assert event.entries.active().filter(player=ana.player).exists()


def test_announcements_reach_everybody(event: Event, ana: User, people: list[Player]) -> None:
    pages.member(ana).post(f"{_desk(event)}announce/", {"text": "Soup at seven"})
    assert Announcement.objects.get().text == "Soup at seven"
    assert "Soup at seven" in _text(Client(), event.get_absolute_url())
    assert people[0].user is not None
    notices = inbox.notices(people[0].user)
    assert [notice.item.kind for notice in notices] == ["announcement"]
    assert "Soup at seven" in _text(pages.member(people[0].user), "/notices/")


def test_the_organiser_is_told_that_a_round_is_over(event: Event, ana: User) -> None:
    lifecycle.start_event(event_id=event.pk, actor=ana)
    client = pages.member(ana)
    rounds.draft_round(event_id=event.pk, actor=ana)
    client.post(f"/events/{event.slug}/organise/", {"action": "publish"})
    pages.resign_all(event)
    lifecycle.advance_event(event.pk)
    items = NewsItem.objects.filter(topic__name=news.of_user(ana.pk), kind="round-over")
    assert items.get().payload == {"event": event.pk, "round": 1}


@pytest.mark.long
def test_settings_say_what_they_would_change_and_then_change_it(event: Event, ana: User) -> None:
    client = pages.member(ana)
    address = f"{_desk(event)}settings/"
    initial = EventForm.initial_of(event)
    data = {
        name: value for name, value in initial.items() if value is not None and value is not False
    }
    data |= {"name": "Renamed", "rounds_total": 5, "starts_at": "2030-05-01T19:30"}
    data["time_zone"] = "Europe/Madrid"
    page = client.post(address, data).content.decode()

    assert "These changes would be made:" in page
    assert "Test → Renamed" in page
    event.refresh_from_db()
    assert event.name == "Test"
    client.post(address, {**data, "confirm": "1"})
    event.refresh_from_db()
    assert (event.name, event.rounds_total) == ("Renamed", 5)
    assert event.starts_at is not None
    assert event.starts_at.isoformat() == "2030-05-01T17:30:00+00:00"
    assert event.win_halves == 2
    entry = event.audit.get(action="settings")
    assert entry.detail["changes"]["name"] == ["Test", "Renamed"]


@pytest.mark.long
def test_the_second_of_two_organisers_sees_what_the_first_has_changed(
    event: Event, ana: User
) -> None:
    client, address = pages.member(ana), f"{_desk(event)}settings/"
    present = client.get(address).context["present"]
    data = {
        name: value
        for name, value in EventForm.initial_of(event).items()
        if value is not None and value is not False
    }
    data |= {"rounds_total": 5, "present": present}
    plan = plans.plan_of(event)
    settings.change(event_id=event.pk, actor=ana, plan=dataclasses.replace(plan, name="Renamed"))
    for confirmation in ({}, {"confirm": "1"}):
        page = client.post(address, data | confirmation)
        assert "were changed while this page was open" in page.content.decode()
        assert "Renamed → Test" in page.content.decode()
        event.refresh_from_db()
        assert (event.name, event.rounds_total) == ("Renamed", 3)
    present = client.get(address).context["present"]
    data |= {"name": "Renamed", "present": present, "confirm": "1"}
    client.post(address, data)
    event.refresh_from_db()
    assert (event.name, event.rounds_total) == ("Renamed", 5)


def test_settings_that_have_decided_something_stay(event: Event, ana: User) -> None:
    lifecycle.start_event(event_id=event.pk, actor=ana)
    event.refresh_from_db()
    plan = plans.plan_of(event)
    assert not settings.differences(event, plan)
    with pytest.raises(StaleError, match="setting-fixed"):
        settings.change(event_id=event.pk, actor=ana, plan=dataclasses.replace(plan, win_halves=6))
    rounds.draft_round(event_id=event.pk, actor=ana)
    with pytest.raises(RefusedError, match="entries-many"):
        settings.change(event_id=event.pk, actor=ana, plan=dataclasses.replace(plan, max_entries=3))
    settings.change(event_id=event.pk, actor=ana, plan=dataclasses.replace(plan, rounds_total=2))
    event.refresh_from_db()
    assert event.rounds_total == 2
    page = _text(pages.member(ana), f"{_desk(event)}settings/")
    # Hidden, since styles read the values that decide which fields the page shows.
    hidden = page[page.index("<div hidden>") :].partition("</div>")[0]
    assert 'name="format"' in hidden
    assert page.count('name="format"') == 1


def test_an_event_is_made_like_another(event: Event, ana: User) -> None:
    page = _text(pages.member(ana), f"/events/new/?like={event.slug}")
    assert 'value="Test"' in page
    assert '<option value="first"' not in page
    club = _text(pages.member(ana), "/events/new/?template=club-evening")
    assert '<option value="button" selected>' in club


def test_events_that_one_runs_are_on_the_front_page(event: Event, ana: User, ben: User) -> None:
    assert _desk(event) in _text(pages.member(ana), "/")
    assert _desk(event) not in _text(pages.member(ben), "/")


def test_cancelling_asks_first(event: Event, ana: User) -> None:
    client = pages.member(ana)
    answer = client.post(
        f"/events/{event.slug}/organise/",
        {"action": "cancel", "next": _desk(event)},
        follow=True,
    )
    event.refresh_from_db()
    assert event.state == "registration"
    assert 'class="message error"' in answer.content.decode()
    form = {"action": "cancel", "reason": "storm"}
    assert "Confirmation" in pages.text_of(
        client.post(f"/events/{event.slug}/organise/", form).content
    )
    client.post(f"/events/{event.slug}/organise/", {**form, "confirm": "1"})
    event.refresh_from_db()
    assert event.state == "cancelled"
