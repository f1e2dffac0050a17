"""Forms and their effects: moves, challenges, events, accounts."""

from __future__ import annotations

import pathlib
import re

import pytest
from django.test import Client
from django.urls import reverse

import games
from tests.tournaments import pages
from tests.tournaments.conftest import enter, event_of
from tournaments import errors
from tournaments.models import Challenge, Event, Game, Match, Player, Round, User
from tournaments.services.accounts import players
from tournaments.services.games import play
from tournaments.services.lobby import challenges
from tournaments.services.matches import matches
from tournaments.services.rounds import lifecycle, rounds
from tournaments.text import refusals as refusal_text


@pytest.fixture
def game(ana: User, ben: User) -> Game:
    """Return a game of Ana and Ben at Morelli 5x5. Ana begins."""
    return pages.new_game(ana.player, ben.player)


@pytest.fixture
def event(ana: User, ben: User, bots: list[Player]) -> Event:
    return pages.running_event(ana, ben, bots)


# --- moves -----------------------------------------------------------------------------------------------------


def _move(client: Client, game: Game, **data: object) -> tuple[int, str]:
    answer = client.post(reverse("game-move", args=[game.pk]), data)
    return answer.status_code, answer.content.decode()


def test_a_move_is_played_and_leads_back_to_the_game(ana: User, game: Game) -> None:
    answer = pages.member(ana).post(
        reverse("game-move", args=[game.pk]), {"move": pages.legal(game), "ply": 0}
    )
    assert (answer.status_code, answer["Location"]) == (302, game.get_absolute_url())
    game.refresh_from_db()
    assert game.ply == 1


def test_a_move_in_somebody_else_s_game_is_forbidden(game: Game, bots: list[Player]) -> None:
    cleo = players.sign_up(name="Cleo", password="rayuela-1963")
    status, page = _move(pages.member(cleo), game, move=pages.legal(game), ply=0)
    assert status == 403
    assert "You are not playing in this game." in page


@pytest.mark.parametrize("who", ["ben", "ana"])
def test_a_move_out_of_turn_or_for_an_earlier_position_is_stale(
    request: pytest.FixtureRequest, ana: User, game: Game, who: str
) -> None:
    move = pages.legal(game)
    if who == "ana":
        play.play_move(game_id=game.pk, player=ana.player, ply=0, move=move)
    status, _page = _move(pages.member(request.getfixturevalue(who)), game, move=move, ply=0)
    assert status == 409


@pytest.mark.parametrize(
    "data", [{}, {"move": "A1-B2"}, {"move": "A1-B2", "ply": "x"}, {"move": "", "ply": 0}]
)
def test_a_malformed_move_is_refused(ana: User, game: Game, data: dict[str, object]) -> None:
    assert _move(pages.member(ana), game, **data)[0] == 422


def test_an_illegal_move_links_to_the_paragraph_that_refuses_it(ana: User, game: Game) -> None:
    start = pages.legal(game).partition("-")[0]
    status, page = _move(pages.member(ana), game, move=f"{start}-{start}", ply=0)
    assert status == 422
    assert 'href="/games/morelli/#morelli-2015-' in page
    assert f'value="{start}-{start}"' in page


def test_the_script_is_told_the_same_as_data(ana: User, game: Game) -> None:
    answer = pages.member(ana).post(
        reverse("game-move", args=[game.pk]),
        {"move": "nonsense", "ply": 0},
        headers={"Accept": "application/json"},
    )
    assert answer.status_code == 422
    assert answer.json()["rule"] == "morelli-2015/notation"
    assert answer.json()["paragraph"] == "notation"
    assert answer.json()["rule_url"] == "/games/morelli/#morelli-2015-notation"


# --- challenges ------------------------------------------------------------------------------------------------


CHALLENGE = {
    "ruleset": "morelli(edition=revised,size=7,setup=random)",
    "clock": "600+10",
    "next": "/play/",
}


def test_a_challenge_to_a_bot_is_a_game_at_once(ana: User, bots: list[Player]) -> None:
    answer = pages.member(ana).post(reverse("challenge"), {**CHALLENGE, "opponent": bots[0].name})
    assert answer["Location"] == Game.objects.get().get_absolute_url()


@pytest.mark.parametrize(
    "changes",
    [{"ruleset": "chess"}, {"clock": "0+0"}, {"opponent": "Nobody"}, {"side": "third"}],
    ids=lambda changes: next(iter(changes)),
)
def test_a_malformed_challenge_shows_the_form_again(ana: User, changes: dict[str, str]) -> None:
    answer = pages.member(ana).post(reverse("challenge"), {**CHALLENGE, **changes})
    assert answer.status_code == 422
    assert 'class="errors"' in answer.content.decode()
    assert not Challenge.objects.exists()


def test_a_challenge_is_accepted_by_the_one_it_is_for_only(ana: User, ben: User) -> None:
    response = challenges.challenge(
        challenger=ben.player, opponent=ana.player, ruleset="morelli(size=5)", clock=pages.CLOCK
    )
    cleo = players.sign_up(name="Cleo", password="rayuela-1963")
    address = reverse("challenge-accept", args=[response.pk])
    assert pages.member(cleo).post(address, {"next": "/play/"})["Location"] == "/play/"
    assert not Game.objects.exists()
    assert pages.member(ana).post(address)["Location"] == Game.objects.get().get_absolute_url()


@pytest.mark.parametrize(
    "path", ["https://example.org/", "//example.org/", "javascript:alert(1)", ""]
)
def test_forms_lead_back_to_our_own_pages_only(ana: User, path: str) -> None:
    address = reverse("challenge-accept", args=[_challenge_of(ana)])
    answer = pages.member(ana).post(address, {"next": path})
    assert (answer.status_code, answer["Location"]) == (302, "/")


def _challenge_of(user: User) -> int:
    """Return an open challenge of the user, who cannot accept it."""
    return challenges.challenge(
        challenger=user.player, opponent=None, ruleset="morelli(size=5)", clock=pages.CLOCK
    ).pk


@pytest.mark.parametrize("name", ["challenge-accept", "challenge-decline"])
def test_a_challenge_that_does_not_exist_is_not_found(ana: User, name: str) -> None:
    assert pages.member(ana).post(reverse(name, args=[999])).status_code == 404


# --- events ----------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_an_event_is_made_entered_left_and_entered_again(ana: User, ben: User) -> None:
    fields = {
        "name": "Thursday",
        "ruleset": CHALLENGE["ruleset"],
        "format": "dutch",
        "rounds_total": 3,
        "clock": "600+10",
        "admits": "people",
        "max_entries": 8,
        "pause_s": 60,
    }
    response = pages.member(ana).post("/events/new/", fields)
    assert response["Location"] == "/events/thursday/"
    client = pages.member(ben)
    for step, button in (("enter", "Leave"), ("withdraw", "Come back"), ("enter", "Leave")):
        answer = client.post(
            f"/events/thursday/{step}/", {"next": "/events/thursday/"}, follow=True
        )
        assert f">{button}</button>" in answer.content.decode()


def test_an_impossible_event_shows_the_form_again(ana: User) -> None:
    page = pages.member(ana).post("/events/new/", {"name": "", "rounds_total": 99}).content.decode()
    assert page.count('class="errors"') >= 4
    assert not Event.objects.exists()


def test_a_clock_of_seconds_is_for_bots_alone(ana: User) -> None:
    fields_of_event = {
        "name": "Rápida",
        "ruleset": "morlox(size=5,swap=on)",
        "format": "ladder",
        "clock": "10+0.1",
        "max_entries": "8",
        "pause_s": "0",
        "duration_s": "1800",
    }
    browser = pages.member(ana)
    refused = browser.post(
        reverse("event-new"), fields_of_event | {"format": "dutch", "admits": "both"}
    )
    assert "too short for people" in pages.text_of(refused.content)
    assert (
        browser.post(reverse("event-new"), fields_of_event | {"admits": "bots"}).status_code == 302
    )
    event = Event.objects.get()
    assert (event.clock_initial_ms, event.clock_increment_ms) == (10_000, 100)


def test_remote_bots_enter_where_the_organiser_says_so_and_among_bots_only(ana: User) -> None:
    fields_of_event = {
        "ruleset": "morlox(size=5,swap=on)",
        "format": "dutch",
        "rounds_total": 3,
        "clock": "600+10",
        "max_entries": 8,
        "pause_s": 60,
    }
    consent = {"admits_remote": "on"}
    browser = pages.member(ana)
    for name, choice in (
        ("both", {"admits": "both", **consent}),
        ("without", {"admits": "both"}),
        ("people", {"admits": "people", **consent}),
        ("fuel", {"admits": "bots", "fuel": "10000000", **consent}),
    ):
        answer = browser.post(reverse("event-new"), fields_of_event | {"name": name, **choice})
        assert answer.status_code == 302, name
    consenting = Event.objects.filter(admits_remote=True)
    assert list(consenting.values_list("name", flat=True)) == ["both"]
    assert "remote bots too" in browser.get("/events/both/").content.decode()


def test_steps_of_the_organiser_are_refused_to_others(ben: User, event: Event) -> None:
    answer = pages.member(ben).post(
        reverse("event-act", args=[event.slug]),
        {"action": "finish", "next": event.get_absolute_url()},
        follow=True,
    )
    assert "Only the organiser can do this." in answer.content.decode()
    assert "Organiser" not in answer.content.decode()


@pytest.mark.long
def test_a_draft_is_seen_by_the_organiser_only(
    ana: User, ben: User, bots: list[Player], client: Client
) -> None:
    event = event_of(ana, is_automatic=False)
    enter(event, ben.player, *bots[:3])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    rounds.draft_round(event_id=event.pk, actor=ana)
    address = reverse("event-round", args=[event.slug, 1])
    draft = pages.member(ana).get(address).content.decode()
    assert "draft, seen by you only" in draft
    assert "Discard the draft" in draft
    for who in (client, pages.member(ben)):
        assert "<td" not in who.get(address).content.decode()
    pages.member(ana).post(reverse("event-act", args=[event.slug]), {"action": "publish"})
    assert Round.objects.get().state == Round.State.PUBLISHED
    assert client.get(address).content.decode().count("<tr") == 3


@pytest.mark.long
def test_my_game_comes_first_on_the_page_of_the_event(
    ben: User, client: Client, event: Event
) -> None:
    assert (
        "Your game is being played"
        in pages.member(ben).get(event.get_absolute_url()).content.decode()
    )
    assert "Your game is being played" not in client.get(event.get_absolute_url()).content.decode()


@pytest.mark.long
def test_crosstable_says_the_same_in_signs_and_in_words(client: Client, event: Event) -> None:
    page = client.get(reverse("event-crosstable", args=[event.slug])).content.decode()
    assert re.search(
        r'aria-label="(beat|lost to|drew with) Bot \d as (Black|White)">\d[bw][01½]<', page
    )
    assert re.search(r'aria-label="plays (Ben|Bot \d) as (Black|White)">\d[bw]·<', page)
    assert "+1" in page


# --- accounts --------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_signing_up_signs_in_and_leads_where_one_wanted_to_go(client: Client, event: Event) -> None:
    address = event.get_absolute_url()
    assert (
        f'name="next" value="{address}"' in client.get(f"/sign-up/?next={address}").content.decode()
    )
    answer = client.post("/sign-up/", {"name": "Dora", "password": "rayuela-1963", "next": address})
    assert answer["Location"] == address
    assert ">Join</button>" in client.get(address).content.decode()


def test_a_taken_name_is_said_beside_the_field(client: Client, ana: User) -> None:
    page = client.post("/sign-up/", {"name": "ANA", "password": "rayuela-1963"}).content.decode()
    assert "Another player has this name already." in page


def test_members_see_their_turn_first(ana: User, game: Game) -> None:
    page = pages.member(ana).get("/").content.decode()
    assert page.index("Your turn") < page.index("Events</a></h2>")
    assert game.get_absolute_url() in page


def test_every_refusal_has_its_sentence() -> None:
    services = pathlib.Path(errors.__file__).parent
    raised = set()
    for path in services.rglob("*.py"):
        raised |= set(
            re.findall(r'(?:Refused|Stale|NotAllowed)Error\(\s*"([a-z-]+)"', path.read_text())
        )
    assert len(raised) > 100
    assert raised - set(refusal_text.SENTENCES) == set()


@pytest.mark.long
def test_any_rule_set_can_be_asked_for_by_a_link(
    client: Client, ana: User, bots: list[Player]
) -> None:
    client.force_login(ana)
    page = client.get(reverse("lobby"), {"ruleset": "morelli(size=31)"})
    key = games.load("morelli(size=31)").key
    assert re.search(rf'value="{re.escape(key)}" [^>]* checked', page.content.decode())
    form = {"ruleset": key, "opponent": bots[0].name, "clock": "600+10", "side": "first"}
    answer = client.post(reverse("challenge"), form)
    board = client.get(answer.headers["Location"])
    assert board.content.decode().count('data-cell="') == 31 * 31
    form["ruleset"] = "morelli(size=33)"
    assert client.post(reverse("challenge"), form).status_code == 422


@pytest.mark.long
def test_the_pairings_say_why(client: Client, ana: User, bots: list[Player]) -> None:
    event = event_of(ana)
    enter(event, *bots[:3])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    for match in Match.objects.all():
        assert matches.play_match(match.pk)
    lifecycle.advance_event(event.pk)
    first = client.get(reverse("event-round", args=[event.slug, 1])).content.decode()
    assert "Both had scored 0." in first
    assert "C.04.3 5.2.5" in first
    second = client.get(reverse("event-round", args=[event.slug, 2])).content.decode()
    assert "paired by dutch-" in second
    assert client.get(reverse("event-round", args=[event.slug, 9])).status_code == 404
