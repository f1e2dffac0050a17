"""The calendar's pages, its file, the next events elsewhere, and the administrator's schedules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime, time, timedelta

import pytest
from django.test import Client
from django.utils import translation

from tests.tournaments import events, pages
from tests.tournaments.conftest import event_of
from tests.tournaments.frozen_clock import FrozenClock
from tournaments.models import Event, Game, Occurrence, Schedule, User
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.queries.events import plans
from tournaments.queries.results import tables
from tournaments.services.accounts import players
from tournaments.services.arbiter import corrections
from tournaments.services.events import announcements, entries, registration
from tournaments.services.rounds import lifecycle, scheduled_events, schedules
from tournaments.text import house, rulesets
from tournaments.text.points import halves

pytestmark = pytest.mark.django_db
EVENING = datetime(2026, 3, 10, 20, tzinfo=UTC)
FORM = {
    "name": "Night arena",
    "ruleset": "morelli(size=7)",
    "format": "arena",
    "clock": "180+2",
    "duration_minutes": "45",
    "rounds_total": "5",
    "is_rated": "on",
    "weekdays": ["1", "5"],
    "time_of_day": "21:30",
    "zone": "Europe/Madrid",
    "field_size": "6",
    "opens_before_h": "12",
}


@pytest.fixture
def user(clock: FrozenClock) -> User:
    return players.sign_up(name="Lucía", password="rayuela-rayuela")


@pytest.fixture
def event(clock: FrozenClock) -> Event:
    """Tonight's arena of a schedule."""
    plan = plans.EventPlan(
        name="Evening arena",
        ruleset="morelli(edition=revised,size=7)",
        format=Event.Format.ARENA,
        clock=Clock(180_000, 2_000),
        duration_s=3600,
        admits=Event.Admits.BOTH,
    )
    timetable = schedules.Timetable(
        time_of_day=time(20), zone="UTC", weekdays=127, field_size=4, opens_before_h=24
    )
    schedules.create(actor=None, plan=plan, timetable=timetable)
    scheduled_events.create_coming(clock.now)
    return Event.objects.get()


def _text(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def test_the_calendar_has_the_event_and_a_button_that_enters_it(event: Event, user: User) -> None:
    client = pages.member(user)
    before = _text(client, "/calendar/")
    address = f"/events/{event.slug}/enter/"
    assert f'action="{address}"' in before
    client.post(address)
    after = _text(client, "/calendar/")
    assert f'action="{address}"' not in after
    assert "You take part." in after


def test_the_calendar_names_starts_whose_registration_is_not_open(event: Event) -> None:
    text = _text(Client(), "/calendar/")
    assert 'data-starts="2026-03-11T20:00:00+00:00"' in text
    assert "Registration opens:" in text


@pytest.mark.parametrize("address", ["/", "/events/", "/play/"])
def test_pages_show_the_next_events_and_lists_leave_them_out(event: Event, address: str) -> None:
    text = _text(Client(), address)
    assert "Next events" in text
    # The card of an event is a link around its whole text.
    assert f'event-card" href="/events/{event.slug}/"' not in text


@pytest.mark.long
def test_players_see_the_next_events_after_a_game_and_spectators_do_not(
    event: Event, user: User
) -> None:
    rival = players.sign_up(name="Nilo", password="rayuela-rayuela")
    game = pages.new_game(user.player, rival.player)
    assert "Next events" not in _text(pages.member(user), game.get_absolute_url())
    pages.play_out(game)
    assert "Next events" in _text(pages.member(user), game.get_absolute_url())
    assert "Next events" not in _text(Client(), game.get_absolute_url())


@pytest.mark.long
def test_next_events_show_a_new_event_and_the_own_entry_to_members(
    event: Event, user: User
) -> None:
    rival = players.sign_up(name="Nilo", password="rayuela-rayuela")
    member, other = pages.member(user), pages.member(rival)
    assert "You take part." not in _next(member)
    entries.enter(event_id=event.pk, player=user.player, actor=user)
    assert "You take part." in _next(member)
    assert "You take part." not in _next(other)
    assert "1 player<" in _next(other)
    assert "Second arena" not in _next(other)
    _coming(user, "Second arena")
    assert "Second arena" in _next(other)


def test_next_events_show_private_events_to_those_with_a_part_in_them(
    event: Event, user: User
) -> None:
    rival = players.sign_up(name="Nilo", password="rayuela-rayuela")
    _coming(user, "Closed arena", is_private=True, access_code="open-sesame")
    assert "Closed arena" in _next(pages.member(user))
    assert "Closed arena" not in _next(pages.member(rival))
    assert "Closed arena" not in _next(Client())


def test_next_events_show_an_event_closed_to_people_to_those_in_it(
    event: Event, user: User
) -> None:
    rival = players.sign_up(name="Nilo", password="rayuela-rayuela")
    entries.enter(event_id=event.pk, player=user.player, actor=user)
    Event.objects.update(admits=Event.Admits.BOTS)
    assert "You take part." in _next(pages.member(user))
    assert "Next events" not in _text(pages.member(rival), "/play/")


def _next(client: Client) -> str:
    return _text(client, "/play/").partition("Next events")[2].partition("</section>")[0]


def _coming(organiser: User, name: str, **changes: object) -> Event:
    starts_at = EVENING + timedelta(hours=1)
    return event_of(
        organiser, name=name, format="arena", duration_s=3600, starts_at=starts_at, **changes
    )


def test_past_events_are_those_with_people(event: Event, user: User, clock: FrozenClock) -> None:
    entries.enter(event_id=event.pk, player=user.player, actor=user)
    clock.wait(days=1)
    scheduled_events.create_coming(clock.now)
    Event.objects.update(state=Event.State.FINISHED, started_at=EVENING, finished_at=clock.now)
    assert Event.objects.count() == 2
    text = _text(Client(), "/calendar/past/")
    assert f"/events/{event.slug}/standings/" in text
    assert text.count("/standings/") == 1
    assert event.slug not in _text(Client(), "/events/")


def _finished(admin: User, names: Sequence[str]) -> Event:
    """Return a finished Swiss of a schedule in which a lower pairing number always wins."""
    event = registration.create_event(
        organiser=admin,
        plan=plans.EventPlan(
            name=f"Swiss of {names[0]}",
            ruleset="morelli(size=5)",
            format=Event.Format.DUTCH,
            clock=Clock(180_000, 2_000),
            rounds_total=2,
            pause_s=0,
        ),
    )
    Occurrence.objects.create(event=event, starts_at=EVENING)
    for name in names:
        each = players.sign_up(name=name, password="rayuela-rayuela")
        entries.enter(event_id=event.pk, player=each.player, actor=each)
    lifecycle.start_event(event_id=event.pk, actor=admin)
    event.refresh_from_db()
    events.to_the_end(event, events.lower_number_wins)
    return event


def _podium(client: Client) -> str:
    page = _text(client, "/calendar/past/")
    return pages.text_of(page[page.index('class="podium"') :].partition("</ol>")[0].encode())


@pytest.mark.long
def test_past_events_show_the_first_three_with_their_scores(user: User) -> None:
    event = _finished(user, ["Ana", "Ben", "Cleo", "Dora"])
    table = tables.event_table(event).rows
    expected = [f"{row.rank} {row.entry.player.name} {halves(row.points_halves)}" for row in table]
    assert all(line in _podium(Client()) for line in expected[:3])
    assert expected[3].split()[1] not in _podium(Client())
    first, second = (row.entry.player for row in table[:2])
    game = Game.objects.of(first).get(pk__in=Game.objects.of(second).values("pk"))
    corrections.correct(game_id=game.pk, actor=user, result="draw", reason="A slip")
    assert "1½" in _podium(Client()), "a correction renews it"


@pytest.mark.long
def test_the_first_three_are_computed_once(
    user: User, django_assert_max_num_queries: Callable[[int], AbstractContextManager[object]]
) -> None:
    _finished(user, ["Ana", "Ben", "Cleo", "Dora"])
    _finished(user, ["Eva", "Fredo", "Gil", "Hugo"])
    _text(Client(), "/calendar/past/")
    with django_assert_max_num_queries(8):
        assert _text(Client(), "/calendar/past/").count('class="podium"') == 2


@pytest.mark.parametrize("before", ["x", "9" * 30, "-1"])
def test_a_page_of_past_events_that_does_not_exist_is_not_found(before: str) -> None:
    assert Client().get(f"/calendar/past/?before={before}").status_code == 404


def test_older_events_are_on_a_further_page(event: Event, user: User, clock: FrozenClock) -> None:
    entries.enter(event_id=event.pk, player=user.player, actor=user)
    Event.objects.update(state=Event.State.FINISHED, started_at=EVENING, finished_at=clock.now)
    assert event.slug in _text(Client(), f"/calendar/past/?before={event.pk + 1}")
    assert event.slug not in _text(Client(), f"/calendar/past/?before={event.pk}")


def test_the_file_has_each_public_event_with_its_end(event: Event) -> None:
    answer = Client().get("/calendar.ics")
    lines = answer.content.decode().split("\r\n")
    assert answer["Content-Type"].startswith("text/calendar")
    assert {"DTSTART:20260310T200000Z", "DTEND:20260310T210000Z"} <= set(lines)
    assert lines.count("BEGIN:VEVENT") == 1


@pytest.mark.long
def test_a_usual_event_has_its_name_in_the_language_of_each_reader(event: Event) -> None:
    english = house.stored_name(house.DAILY_ARENA, event.ruleset)
    Event.objects.filter(pk=event.pk).update(name=english)
    with translation.override("ja"):
        japanese = house.event_name(Event.objects.get())
    assert japanese != english
    for language, name in (("ja", japanese), ("en", english), ("fr", english)):
        answer = Client().get(f"/api/v1/events/{event.slug}", headers={"accept-language": language})
        assert answer.json()["name"] == name
        assert answer.json()["settings"]["name"] == english
        assert "Accept-Language" in answer["Vary"]
    for query, name in (("?language=ja", japanese), ("", english), ("?language=x", english)):
        assert f"SUMMARY:{name}" in Client().get(f"/calendar.ics{query}").content.decode()
    page = Client().get("/calendar/", headers={"accept-language": "ja"}).content.decode()
    assert "/calendar.ics?language=ja" in page


def test_the_page_of_a_cancelled_event_states_the_reason(event: Event, clock: FrozenClock) -> None:
    clock.wait(hours=8)
    scheduled_events.prepare_due(clock.now)
    text = _text(Client(), f"/events/{event.slug}/")
    assert "At least two players are needed." in text


def test_a_form_creates_a_schedule_and_another_changes_it(user: User) -> None:
    User.objects.filter(pk=user.pk).update(is_superuser=True)
    client = pages.member(user)
    assert client.post("/schedules/", FORM).status_code == 302
    row = Schedule.objects.get()
    assert (row.name, row.weekdays, row.time_of_day, row.duration_s) == (
        "Night arena", 0b100010, time(21, 30), 45 * 60,
    )  # fmt: skip
    address = f"/schedules/{row.pk}/"
    assert 'value="21:30"' in _text(client, address)
    client.post(address, {**FORM, "format": "dutch", "rounds_total": "7"})
    row.refresh_from_db()
    assert (row.format, row.rounds_total, row.duration_s) == ("dutch", 7, 0)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"zone": "Rayuela"}, "There is no such time zone."),
        ({"weekdays": []}, "This field is required."),
        ({"clock": "10+0.1"}, "This clock is too short for people."),
    ],
    ids=["zone", "no day", "clock of bots"],
)
def test_a_form_that_cannot_be_a_schedule_is_shown_with_the_reason(
    user: User, changes: dict[str, object], sentence: str
) -> None:
    User.objects.filter(pk=user.pk).update(is_superuser=True)
    answer = pages.member(user).post("/schedules/", FORM | changes)
    assert answer.status_code == 200
    assert sentence in answer.content.decode()
    assert not Schedule.objects.exists()


@pytest.mark.parametrize(
    ("act", "is_there", "is_paused"),
    [("pause", True, True), ("resume", True, False), ("delete", False, False)],
)
def test_buttons_pause_resume_and_delete_a_schedule(
    event: Event, user: User, act: str, is_there: bool, is_paused: bool
) -> None:
    User.objects.filter(pk=user.pk).update(is_superuser=True)
    row = Schedule.objects.get()
    pages.member(user).post(f"/schedules/{row.pk}/act/", {"act": act})
    assert Schedule.objects.exists() == is_there
    assert Schedule.objects.filter(paused_at__isnull=False).exists() == is_paused


@pytest.mark.long
def test_names_of_the_usual_schedules_and_of_their_events_are_in_the_readers_language(
    user: User, clock: FrozenClock
) -> None:
    schedules.add_usual()
    scheduled_events.create_coming(clock.now)
    event = Event.objects.get(name="Daily arena: Morelli 9×9, 2026-03-10")
    entries.enter(event_id=event.pk, player=user.player, actor=user)
    announcements.announce(event.pk, event.organiser, text="Welcome")
    client = pages.member(user)
    client.cookies["rayuela_language"] = "ja"
    with translation.override("ja"):
        board = rulesets.ruleset_name(event.ruleset)
    name = f"毎日のアリーナ：{board}"  # noqa: RUF001 - the colon of Japanese
    assert f"<strong>{name}</strong>" in _text(client, "/calendar/")
    for address in (f"/events/{event.slug}/", "/notices/", f"/search/?q={event.slug[:5]}"):
        assert f"{name}, 2026-03-10" in _text(client, address), address
    renamed = "Daily arena: for friends, 2026-03-10"
    Event.objects.filter(pk=event.pk).update(name=renamed)
    assert renamed in _text(client, f"/events/{event.slug}/")
    assert "毎日の" not in _text(client, f"/events/{event.slug}/")


def test_a_button_adds_the_usual_schedules(user: User) -> None:
    User.objects.filter(pk=user.pk).update(is_superuser=True)
    pages.member(user).post("/schedules/usual/")
    assert Schedule.objects.count() == 6
    assert not Occurrence.objects.exists()
