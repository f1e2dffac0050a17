"""Pages of prizes: the public page, the forms at the desk, the award, and refused visitors."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments import pages, shared_rows
from tests.tournaments.conftest import event_of
from tests.tournaments.pages import member, text_of
from tests.tournaments.prize_events import give_fund, play
from tests.tournaments.services.results.scripted import all_draw
from tournaments.models import Award, Event, Game, Player, Prize, User
from tournaments.queries.events import prizes
from tournaments.services.arbiter import corrections, prize_awards
from tournaments.services.events import staff_members
from tournaments.services.results import event_document
from tournaments.standings.prizes import Rules, Sharing

EnterAll = Callable[..., None]


def _over(ana: User, people: list[Player]) -> Event:
    """Cleo before Dora, Emil and Finn in a round robin that is over."""
    event = event_of(ana, format="round-robin", admits="people")
    give_fund(event, ana)
    return play(event, ana, people)


rows_of_file = shared_rows.of_people(("Cleo", "Dora", "Emil", "Finn"), _over)
ana = shared_rows.part("ana")
people = shared_rows.part("entrants")
over = shared_rows.part("event")


def _text(client: Client, name: str, event: Event, *more: object) -> str:
    return text_of(client.get(reverse(name, args=[event.slug, *more])).content)


def _act(client: Client, event: Event, action: str, **data: object) -> str:
    address = reverse("event-prizes-act", args=[event.slug])
    desk = reverse("event-desk-prizes", args=[event.slug])
    return text_of(
        client.post(address, {"action": action, "next": desk, **data}, follow=True).content
    )


def test_an_event_without_prizes_says_so_and_has_no_tab(ana: User) -> None:
    event = event_of(ana)
    assert "This event has no prizes." in _text(Client(), "event-prizes", event)
    assert reverse("event-prizes", args=[event.slug]) not in (
        Client().get(event.get_absolute_url()).content.decode()
    )
    assert Client().get(f"/events/{event.slug}/print/prizes/").status_code == 404


@pytest.mark.long
def test_a_fund_is_made_at_the_desk(ana: User) -> None:
    event, client = event_of(ana), member(ana)
    page = _act(
        client,
        event,
        "rules",
        currency="eur",
        sharing="hort",
        rounding="0.50",
        least_points="1.5",
        least_games="2",
    )
    assert "The prize fund was changed." in page
    rules = prizes.fund_of(event).rules
    assert rules == Rules(Sharing.HORT, 50, least_points_halves=3, least_games=2)
    division = {"division-total": "300.00", "division-percents": "60 / 30/10"}
    assert "EUR 180.00" in _act(client, event, "divide", **division)
    prize = {"prize-kind": "rating", "prize-rating_below": "1600", "prize-amount": "25.50"}
    # Values that the kind does not use are left out.
    page = _act(client, event, "add", **prize, **{"prize-text": "Norte", "prize-words": "a cup"})
    assert "Rating under 1600 1 EUR 25.50, a cup" in page
    row = Prize.objects.get(fund__event=event, kind="rating")
    assert (row.amount, row.text, row.position) == (2550, "", 4)
    _act(client, event, "up", prize=row.pk)
    row = Prize.objects.get(fund__event=event, kind="rating")
    assert row.position == 3
    _act(client, event, "down", prize=row.pk)
    row = Prize.objects.get(fund__event=event, kind="rating")
    assert row.position == 4
    _act(client, event, "remove", prize=row.pk)
    assert Prize.objects.filter(fund__event=event).count() == 3
    assert "EUR 300.00" in text_of(Client().get(event.get_absolute_url()).content)


@pytest.mark.parametrize(
    ("action", "data", "sentence"),
    [
        ("add", {"prize-kind": "overall"}, "A prize is a sum above zero"),
        ("add", {"prize-kind": "other", "prize-amount": "5"}, "Something is missing"),
        ("add", {"prize-kind": "overall", "prize-amount": "0.001"}, "A currency is a code"),
        ("add", {"prize-kind": "overall", "prize-amount": "-5"}, "Something is missing"),
        ("add", {"prize-kind": "club", "prize-amount": "5"}, "A prize of a club"),
        ("divide", {"division-total": "5", "division-percents": "60;40"}, "Percentages are"),
        ("divide", {"division-total": "5", "division-percents": "60/30"}, "Percentages are"),
        ("divide", {"division-total": "0", "division-percents": "100"}, "must be a multiple"),
        ("rules", {"currency": "EUR", "sharing": "x", "rounding": "1"}, "Something is missing"),
        (
            "rules",
            {"currency": "EUR", "sharing": "none", "rounding": "1", "least_points": "0.3"},
            "These rules for prizes",
        ),
        ("remove", {"prize": "x"}, "This prize has been changed"),
        ("award", {}, "The event is not over yet."),
        ("fly", {}, "Something is missing"),
    ],
)
def test_what_cannot_be_is_said(
    ana: User, action: str, data: dict[str, str], sentence: str
) -> None:
    event = event_of(ana)
    assert sentence in _act(member(ana), event, action, **data)
    assert not Prize.objects.filter(fund__event=event).exists()


@pytest.mark.parametrize("role", ["deputy", "pairings", "results", "check-in", ""])
def test_the_page_of_the_fund_is_for_the_organiser(
    over: Event, ana: User, ben: User, role: str
) -> None:
    if role:
        staff_members.add(event_id=over.pk, actor=ana, player=ben.player, role=role)
    address = reverse("event-desk-prizes", args=[over.slug])
    assert member(ben).get(address).status_code == 403
    assert Client().get(address).status_code == 302
    assert member(ana).get(address).status_code == 200
    desk = Client() if not role else member(ben)
    assert address not in desk.get(f"/events/{over.slug}/desk/").content.decode()
    _act(member(ben), over, "award")
    _act(Client(), over, "award")
    assert not Award.objects.exists()
    assert member(ana).get(reverse("event-prizes-act", args=[over.slug])).status_code == 405


@pytest.mark.long
def test_during_the_event_it_is_marked_as_not_won(bots: list[Player], ana: User) -> None:
    event = event_of(ana, rounds_total=3)
    give_fund(event, ana, Rules(Sharing.EQUAL, rounding=1000))
    page = _text(Client(), "event-prizes", event)
    assert "from the first round on" in page
    play(event, ana, bots, all_draw, rounds=1)
    page = _text(Client(), "event-prizes", event)
    assert "If it ended now" in page
    assert "These prizes are not won yet" in page
    assert "Equal in places 1 to 3: Bot 1, Bot 2," in page
    assert "Together 180.00 + 90.00 + 30.00 = EUR 300.00, shared by 6: EUR 50.00 each." in page
    assert "If it ended now" in _text(member(ana), "event-desk-prizes", event)
    assert "Award these prizes" not in _text(member(ana), "event-desk-prizes", event)
    assert "if it ended now" in _text(Client(), "event-sheet", event, "prizes")
    assert "Prizes by these standings" in _text(Client(), "event-standings", event)


@pytest.mark.long
def test_the_organiser_awards_and_everybody_sees_it(
    over: Event, ana: User, people: list[Player]
) -> None:
    page = _text(Client(), "event-prizes", over)
    assert "According to the final standings" in page
    assert "Not confirmed by the organiser yet." in page
    assert "Bots, place 1: a cup no player is entitled to it" in page
    assert "The prizes were awarded. The winners were notified." in _act(member(ana), over, "award")
    page = _text(Client(), "event-prizes", over)
    assert "Confirmed by the organiser:" in page
    assert "If it ended now" not in page
    assert "EUR 180.00" in _text(Client(), "event-standings", over)
    assert "The prizes and their winners" in text_of(Client().get(over.get_absolute_url()).content)
    assert "Received (signature)" in _text(Client(), "event-sheet", over, "prizes")
    cleo = people[0].user
    assert cleo is not None
    notices = text_of(member(cleo).get("/notices/").content)
    assert "You have won a prize in Test: EUR 180.00" in notices
    desk = _text(member(ana), "event-desk-prizes", over)
    assert "The prizes have been awarded." in desk
    assert "Add a prize" not in desk
    log = member(ana).get(reverse("event-log", args=[over.slug])).content.decode()
    undo = reverse("event-undo", args=[over.slug, over.audit.get(action="award").pk])
    assert undo in log
    member(ana).post(undo, {"reason": "wrong sums"})
    assert prizes.standing_awards(over) is None
    assert "Your prize in Test was withdrawn" in text_of(member(cleo).get("/notices/").content)


@pytest.mark.long
def test_an_award_before_a_correction_has_a_mark(over: Event, ana: User) -> None:
    prize_awards.confirm(event_id=over.pk, actor=ana)
    games = Game.objects.filter(pairing__event=over).with_players()
    game = next(g for g in games if {g.first.name, g.second.name} == {"Dora", "Emil"})
    result = "second" if game.result == "first" else "first"
    words = {"result": result, "reason": "sides mixed up"}
    preview = text_of(member(ana).post(f"/game/{game.pk}/correct/", words).content)
    assert "The award stays as it was confirmed" in preview
    assert "Emil: EUR 30.00 → EUR 90.00" in preview
    corrections.correct(game_id=game.pk, actor=ana, **words)
    page = _text(Client(), "event-prizes", over)
    assert "The award was confirmed before a later correction. The current standings" in page
    assert "According to the final standings" in page
    assert "A later correction would give other prizes." in _text(
        member(ana), "event-desk-prizes", over
    )
    corrections.correct(
        game_id=game.pk,
        actor=ana,
        result="first" if result == "second" else "second",
        reason="they were not",
    )
    page = _text(Client(), "event-prizes", over)
    assert "which changes no prize" in page


def test_files_have_the_prizes(over: Event, ana: User) -> None:
    document = event_document.document_of(over)
    assert isinstance(document["prizes"], dict)
    assert (document["prizes"]["confirmed_at"], len(document["prizes"]["awards"])) == (None, 3)
    prize_awards.confirm(event_id=over.pk, actor=ana)
    confirmed = event_document.document_of(over)["prizes"]
    assert isinstance(confirmed, dict)
    assert confirmed["awards"] == document["prizes"]["awards"]
    assert confirmed["confirmed_at"] is not None
    answer = Client().get(reverse("event-prizes-csv", args=[over.slug]))
    assert answer["Content-Type"].startswith("text/csv")
    assert "Cleo,overall" in answer.content.decode()


def test_prizes_of_a_private_event_are_hidden(ana: User, ben: User) -> None:
    event = event_of(ana, is_private=True, access_code="swordfish")
    give_fund(event, ana)
    for name in ("event-prizes", "event-prizes-csv", "event-desk-prizes"):
        assert member(ben).get(reverse(name, args=[event.slug])).status_code == 404
    assert member(ana).get(reverse("event-prizes", args=[event.slug])).status_code == 200


def test_an_event_like_another_takes_its_fund_along(ana: User) -> None:
    event = event_of(ana)
    give_fund(event, ana)
    client = member(ana)
    page = client.get(f"/events/new/?like={event.slug}").content.decode()
    assert "The prize fund of Test is copied" in pages.text_of(page.encode())
    assert f'name="like" value="{event.slug}"' in page
    form = {
        "name": "Again",
        "ruleset": "morelli(size=5)",
        "format": "dutch",
        "rounds_total": "3",
        "clock": "600+10",
        "admits": "both",
        "max_entries": "20",
        "is_automatic": "on",
        "pause_s": "0",
        "like": event.slug,
    }
    answer = client.post("/events/new/", form, follow=True)
    assert "Your event is open for entries." in text_of(answer.content)
    other = Event.objects.get(name="Again")
    assert prizes.fund_of(other) == prizes.fund_of(event)
