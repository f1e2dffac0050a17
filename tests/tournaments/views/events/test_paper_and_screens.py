"""Sheets to print, the page for a projector, standings in a frame, and the pages of forecasts."""

from __future__ import annotations

import re

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests.tournaments import pages, shared_rows
from tests.tournaments.conftest import enter, event_of
from tournaments.models import Event, Forecast, Game, Player, User
from tournaments.services.accounts import players
from tournaments.services.arbiter import sanctions, undo
from tournaments.services.forecasts import computing, requests
from tournaments.services.games import play
from tournaments.services.rounds import interruptions, lifecycle, rounds

NAMES = ["Zoe", "Alba", "Mina", "Bruno", "Óscar", "Flor", "Gil"]
PLAN: dict[str, str | int] = {
    "format": "dutch",
    "ruleset": "morelli(edition=revised,size=9)",
    "players": 8,
    "rounds_total": 3,
    "spread_elo": 200,
    "deviation_elo": 100,
    "clock": "600+10",
    "pause_s": 60,
}


@pytest.fixture
def table(ana: User, entrants: list[Player]) -> Event:
    """A round robin of five that has not begun."""
    event = event_of(ana, name="All against all", format="round-robin")
    enter(event, *entrants[:5])
    return event


def _event(ana: User, entrants: list[Player]) -> Event:
    """Return a Swiss of seven after its first round, with the second round in progress."""
    event = event_of(ana, name="Thursday Club")
    enter(event, *entrants)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    for game in Game.objects.ongoing().filter(pairing__event=event).with_players():
        play.resign(game_id=game.pk, player=game.second)
    lifecycle.advance_event(event.pk)
    lifecycle.advance_event(event.pk)
    event.refresh_from_db()
    return event


rows_of_file = shared_rows.of_people(NAMES, _event)
ana = shared_rows.part("ana")
entrants = shared_rows.part("entrants")
event = shared_rows.part("event")


def _text(address: str, client: Client | None = None) -> str:
    answer = (client or Client()).get(address)
    assert answer.status_code == 200, address
    return pages.text_of(answer.content)


def _sheet(event: Event, kind: str, number: int | None = None) -> str:
    if number is None:
        return reverse("event-sheet", args=[event.slug, kind])
    return reverse("event-sheet-of-round", args=[event.slug, kind, number])


def _rows(address: str) -> list[str]:
    content = Client().get(address).content.decode()
    body = content.split("<tbody>", 1)[1].split("</tbody>", 1)[0]
    return [pages.text_of(row.encode()) for row in re.findall(r"<tr>.*?</tr>", body, re.DOTALL)]


# --- paper -------------------------------------------------------------------------------------


@pytest.mark.long
def test_the_page_of_prints_links_every_sheet_and_each_is_there(event: Event) -> None:
    content = Client().get(reverse("event-print", args=[event.slug])).content.decode()
    links = re.findall(rf'href="(/events/{event.slug}/print/[^"]+)"', content)
    assert {_sheet(event, kind) for kind in ("standings", "crosstable", "cards")} <= set(links)
    for number in (1, 2):
        assert {_sheet(event, k, number) for k in ("pairings", "names", "slips")} <= set(links)
    for link in links:
        answer = Client().get(link)
        assert answer.status_code == 200
        assert b"<form" not in answer.content
        assert b"site-nav" not in answer.content
    assert b"qr" in Client().get(_sheet(event, "pairings", 1)).content


def test_pairings_by_board_have_numbers_ratings_and_points(event: Event) -> None:
    rows = _rows(_sheet(event, "pairings", 2))
    first = event.rounds.get(number=2).pairings.select_related("first__player", "second__player")[0]
    assert len(rows) == 4  # three boards and a bye
    expected = (
        f"1 {first.first.tpn} {first.first.player.name} 1500 1 still to be played 1 1500"
        f" {first.second.player.name} {first.second.tpn}"
    )
    assert rows[0] == expected
    assert rows[-1].endswith("bye")
    assert "1–0" in _rows(_sheet(event, "pairings", 1))[0]


def test_a_result_that_was_entered_over_the_board_is_shown_before_the_round_closes(
    event: Event,
) -> None:
    round_ = event.rounds.get(number=2)
    Game.objects.filter(pairing__round=round_).delete()
    Event.objects.filter(pk=event.pk).update(
        is_over_the_board=True, clock_kind="unlimited", is_rated=False, is_automatic=False
    )
    round_.pairings.filter(board=1).update(entered_result="draw")
    assert "½–½" in _rows(_sheet(event, "pairings", 2))[0]
    assert "Round 2: 1 of 3 games over" in _text(reverse("event-screen", args=[event.slug]))


def test_pairings_by_name_are_in_alphabetical_order_whatever_the_accents(event: Event) -> None:
    rows = _rows(_sheet(event, "names", 2))
    assert [row.split()[0] for row in rows] == [
        "Alba",
        "Bruno",
        "Flor",
        "Gil",
        "Mina",
        "Óscar",
        "Zoe",
    ]
    pairing = event.rounds.get(number=2).pairings.select_related("first__player", "second__player")[
        0
    ]
    name, other = pairing.first.player.name, pairing.second.player.name
    row = next(row for row in rows if row.startswith(f"{name} "))
    assert row == f"{name} {pairing.first.tpn} 1500 1 1 Black {other} {pairing.second.tpn}" or (
        "White" in row
    )


def test_every_board_has_a_slip_and_every_player_a_card(event: Event) -> None:
    slips = Client().get(_sheet(event, "slips", 2)).content.decode()
    assert slips.count('class="slip"') == 3
    cards = Client().get(_sheet(event, "cards")).content.decode()
    assert cards.count('class="name-card"') == len(NAMES)
    assert all(name in cards for name in NAMES)


def test_standings_and_crosstable_are_those_of_the_site(event: Event) -> None:
    standings = _text(_sheet(event, "standings"))
    assert "BH" in standings
    assert all(name in standings for name in NAMES)
    assert len(_rows(_sheet(event, "crosstable"))) == len(NAMES)


def test_the_tournament_report_has_every_act_with_its_reason_in_order(
    event: Event, ana: User, entrants: list[Player]
) -> None:
    entry = event.entries.get(player=entrants[0])
    sanctions.sanction(
        event.pk,
        ana,
        entry_id=entry.pk,
        round_number=1,
        sanction_kind="warning",
        reason="The telephone rang.",
    )
    interruptions.pause(event.pk, ana, reason="Fire alarm.")
    undo.undo(
        event_id=event.pk,
        actor=ana,
        entry_id=event.audit.get(action="sanction").pk,
        reason="It was another one.",
    )
    report = _text(_sheet(event, "report"))
    first, *others = (
        report.index(words)
        for words in (
            "Round 1 was published",
            "(undone) The telephone rang.",
            "Fire alarm.",
            "It was another one.",
        )
    )
    assert others == sorted(others)
    assert first < others[0]
    assert "FIDE's: C.04 for pairings" in report


def test_the_schedule_of_a_round_robin_is_there_before_it_begins(table: Event, ana: User) -> None:
    before = _text(_sheet(table, "berger"))
    assert "Round 5" in before
    assert "Round 6" not in before
    assert "Zoe" in before
    lifecycle.start_event(event_id=table.pk, actor=ana)
    content = Client().get(_sheet(table, "berger")).content.decode()
    boards = {
        number: {
            tuple(map(int, pair))
            for pair in re.findall(r'number">(\d+)</td><td class="result">.*?number">(\d+)<', part)
        }
        for number, part in enumerate(content.split("<caption>")[1:], start=1)
    }
    real = table.rounds.get(number=1).pairings.values_list("first__tpn", "second__tpn")
    assert boards[1] == set(real)
    met = [frozenset(pair) for pairs in boards.values() for pair in pairs]
    assert len(met) == len(set(met)) == 10


def test_a_draft_is_printed_for_the_staff_only(entrants: list[Player], ana: User) -> None:
    event = event_of(ana, is_automatic=False)
    enter(event, *entrants)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    rounds.draft_round(event_id=event.pk, actor=ana)
    address = _sheet(event, "pairings", 1)
    assert Client().get(address).status_code == 404
    assert "draft" in _text(address, pages.member(ana))


@pytest.mark.parametrize(
    "path", ["nothing/", "pairings/", "standings/1/", "pairings/9/", "berger/", "berger/1/"]
)
def test_sheets_that_do_not_exist_are_not_there(event: Event, path: str) -> None:
    assert Client().get(f"/events/{event.slug}/print/{path}").status_code == 404


def test_an_arena_has_nothing_to_print(ana: User) -> None:
    arena = event_of(ana, format="arena", duration_s=3600)
    assert Client().get(reverse("event-print", args=[arena.slug])).status_code == 404


@pytest.mark.parametrize("kind", ["pairings", "names", "slips"])
def test_a_sheet_asks_the_database_no_more_for_more_players(
    event: Event, kind: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(22):
        Client().get(_sheet(event, kind, 1))


# --- screens -----------------------------------------------------------------------------------


def test_the_projector_shows_pairings_standings_and_the_way_to_the_event(event: Event) -> None:
    text = _text(reverse("event-screen", args=[event.slug]))
    assert "Round 2 of 3" in text
    assert "Standings after 2 rounds" in text
    assert "Round 2: 0 of 3 games over" in text
    assert all(name in text for name in NAMES)


@pytest.mark.long
def test_long_lists_are_on_several_slides_of_about_one_length(db: None, ana: User) -> None:
    bots = [players.add_bot(name=f"Bot {n}", engine="random") for n in range(26)]
    event = event_of(ana)
    enter(event, *bots)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    content = Client().get(reverse("event-screen", args=[event.slug])).content.decode()
    slides = [part.split("</section>")[0] for part in content.split('<section class="slide">')[1:]]
    assert [slide.count("<tr>") - 1 for slide in slides] == [7, 6, 9, 9, 8]


def test_the_clock_to_the_next_round_counts_down_to_it(entrants: list[Player], ana: User) -> None:
    event = event_of(ana, pause_s=300)
    enter(event, *entrants[:2])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    address = reverse("event-screen", args=[event.slug])
    assert "data-next" not in Client().get(address).content.decode()
    game = Game.objects.ongoing().get(pairing__event=event)
    play.resign(game_id=game.pk, player=game.second)
    lifecycle.advance_event(event.pk)
    event.refresh_from_db()
    assert event.next_step_at is not None
    content = Client().get(address).content.decode()
    assert f'data-next="{int(event.next_step_at.timestamp())}"' in content
    assert "The next round begins" in content


def test_standings_may_be_framed_and_no_other_page_of_an_event(event: Event) -> None:
    answer = Client().get(reverse("embed-event", args=[event.slug]))
    assert "frame-ancestors *" in answer["Content-Security-Policy"]
    assert "X-Frame-Options" not in answer
    assert b"<form" not in answer.content
    assert all(name in answer.content.decode() for name in NAMES)
    for name in ("event", "event-screen", "event-print", "event-standings", "event-forecast"):
        answer = Client().get(reverse(name, args=[event.slug]))
        assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]
        assert answer["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize("name", ["event-screen", "embed-event"])
@pytest.mark.parametrize(
    "plan",
    [
        {"format": "arena", "duration_s": 3600},
        {"format": "ladder", "admits": "bots"},
        {"format": "league", "groups": 1},
        {"format": "groups-knockout"},
    ],
    ids=lambda plan: plan["format"],
)
def test_screens_are_there_for_every_format(name: str, plan: dict, ana: User) -> None:
    event = event_of(ana, **plan)
    assert event.name in _text(reverse(name, args=[event.slug]))


# --- forecasts ---------------------------------------------------------------------------------


def test_the_forecast_of_an_event_is_simulated_and_shown_with_its_model(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "events_for", lambda *_a, **_k: 20)
    address = reverse("event-forecast", args=[event.slug])
    assert "20 events are being simulated" in _text(address)
    assert computing.compute(Forecast.objects.get(event=event).pk)
    text = _text(address)
    assert "after 1 closed round" in text
    assert "from 20 simulated ends of the event" in text
    assert "The pairings of the round under way are known" in text
    assert "by Elo's formula" in text
    assert all(name in text for name in NAMES)


@pytest.mark.long
def test_a_forecast_that_failed_says_so(event: Event) -> None:
    address = reverse("event-forecast", args=[event.slug])
    Client().get(address)
    Forecast.objects.update(state=Forecast.State.FAILED, error="lost")
    cache.clear()  # in which the page is kept for half a minute
    assert "could not be simulated" in _text(address)


def test_before_an_event_its_plan_can_be_simulated(table: Event, ana: User) -> None:
    content = Client().get(reverse("event-forecast", args=[table.slug])).content.decode()
    link = re.search(r'href="(/events/plan/\?[^"]+)"', content)
    assert link
    client = pages.member(ana)
    text = _text(link[1].replace("&amp;", "&"), client)
    assert "400 events are being simulated" in text


def test_a_plan_is_asked_for_by_get_and_its_answer_comes_by_itself(
    ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "events_for", lambda *_a, **_k: 20)
    client, address = pages.member(ana), reverse("event-plan")
    assert not Forecast.objects.exists()
    assert "Plan an event" in _text(address, client)
    answer = client.get(address, PLAN)
    assert b'content="events/plan"' in answer.content
    forecast = Forecast.objects.get()
    live = reverse("event-plan-live", args=[forecast.key])
    assert live in answer.content.decode()
    assert computing.compute(forecast.pk)
    for text in (_text(live, client), pages.text_of(client.get(address, PLAN).content)):
        assert "The strongest player wins" in text
        assert "from 20 simulated events" in text
    assert Forecast.objects.count() == 1


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"players": 1}, "greater than or equal to 2"),
        ({"format": "arena"}, "Select a valid choice"),
        ({"format": "swiss", "players": 200}, "A field of this size cannot be simulated"),
        ({"format": "groups-knockout", "groups": 60}, "do not fit"),
        ({"spread_elo": "x"}, "Select a valid choice"),
    ],
)
def test_plans_that_make_no_sense_are_refused_in_words(
    ana: User, changes: dict, sentence: str
) -> None:
    text = pages.text_of(pages.member(ana).get(reverse("event-plan"), {**PLAN, **changes}).content)
    assert sentence in text
    assert not Forecast.objects.exists()


def test_planning_is_for_members_and_unknown_answers_are_not_there(ana: User) -> None:
    assert Client().get(reverse("event-plan"), PLAN).status_code == 302
    assert pages.member(ana).get("/events/plan/nothing/").status_code == 404


def test_an_arena_has_no_forecast(ana: User) -> None:
    arena = event_of(ana, format="arena", duration_s=3600)
    assert Client().get(reverse("event-forecast", args=[arena.slug])).status_code == 404


def test_an_event_called_plan_has_another_address(ana: User) -> None:
    event = event_of(ana, name="Plan")
    assert event.slug != "plan"
    assert Client().get(event.get_absolute_url()).status_code == 200
