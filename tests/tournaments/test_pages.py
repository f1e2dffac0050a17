"""Pages: everybody may look, members may act, and each refusal beside the success it differs from."""

from __future__ import annotations

import pathlib
import re
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

import games
from tournaments.models import Challenge, Event, Game, Match, Player, Round
from tournaments.services import (
    beginnings,
    challenges,
    entries,
    events,
    matches,
    plans,
    play,
    players,
    rounds,
)
from tournaments.views import refusals

if TYPE_CHECKING:
    from collections.abc import Callable

    from tournaments.models import User

CLOCK = beginnings.Clock(600_000, 5_000)
LISTS = [
    "home",
    "home-live",
    "events",
    "event",
    "event-live",
    "event-pairings",
    "event-standings",
    "event-crosstable",
    "lobby",
    "player",
    "bots",
    "leaderboard",
]


def new_game(first: Player, second: Player, ruleset: str = "morelli(size=5)") -> Game:
    return beginnings.create_game(
        ruleset=ruleset,
        setup=beginnings.draw_setup(ruleset, 11),
        first=first,
        second=second,
        clock=CLOCK,
        is_rated=True,
    )


def play_out(game: Game) -> None:
    while game.result is None:
        position = games.load(game.ruleset).parse(game.position)
        move = position.legal_moves()[0]
        play.play_move(
            game_id=game.pk, player=game.player_on(game.side_to_move), ply=game.ply, move=move
        )
        game.refresh_from_db()


@pytest.fixture
def game(ana: User, ben: User) -> Game:
    """Ana and Ben at Morelli 5x5; Ana begins."""
    return new_game(ana.player, ben.player)


@pytest.fixture
def event(
    ana: User,
    ben: User,
    bots: list[Player],
    new_event: Callable[..., Event],
    enter: Callable[..., None],
) -> Event:
    """Ana's event of three bots and Ben after its first round, which has a game going on."""
    made = new_event(rounds_total=5)
    enter(made, ben.player, *bots[:4])
    events.start_event(event_id=made.pk, actor=ana)
    matches_due(made)
    made.refresh_from_db()
    return made


def matches_due(event: Event) -> None:
    due = Game.objects.ongoing().filter(pairing__event=event, match__isnull=False)
    for match_id in list(due.values_list("match_id", flat=True)):
        matches.play_match(match_id)


@pytest.fixture
def addresses(ana: User, ben: User, game: Game, event: Event) -> dict[str, str]:
    """The address of every page that is looked at, by its name, with something on it to see."""
    finished = new_game(ana.player, ben.player)
    play_out(finished)
    under_way = new_game(ana.player, ben.player)
    play.play_move(game_id=under_way.pk, player=ana.player, ply=0, move=_legal(under_way))
    challenges.challenge(
        challenger=ben.player, opponent=None, ruleset="morlox(size=5)", clock=CLOCK
    )
    challenges.challenge(
        challenger=ben.player, opponent=ana.player, ruleset="perfect()", clock=CLOCK
    )
    pool = finished.ledger.get(side="first").pool
    plain = ["home", "home-live", "games", "events", "lobby", "bots", "leaderboard"]
    of_event = [name for name in LISTS if name.startswith("event-")]
    return {
        **{name: reverse(name) for name in plain},
        **{f"rules-{f.name}": reverse("rules", args=[f.name]) for f in games.available()},
        "event": event.get_absolute_url(),
        **{name: reverse(name, args=[event.slug]) for name in of_event},
        "event-round": reverse("event-round", args=[event.slug, 1]),
        "event-board": reverse("event-board", args=[event.slug, 1, 1]),
        "game": game.get_absolute_url(),
        "game-live": reverse("game-live", args=[game.pk]),
        "game-record": reverse("game-record", args=[finished.pk]),
        "game-over": finished.get_absolute_url(),
        "player": ana.player.get_absolute_url(),
        "bot": Player.objects.bots()[0].get_absolute_url(),
        "leaderboard-pool": reverse("leaderboard-pool", args=[pool.key]),
    }


def member(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_guests_may_look_at_everything(client: Client, addresses: dict[str, str]) -> None:
    for name, address in {**addresses, "sign-in": "/sign-in/", "sign-up": "/sign-up/"}.items():
        assert client.get(address).status_code == 200, name


def test_members_may_look_at_everything(ana: User, addresses: dict[str, str]) -> None:
    client = member(ana)
    for name, address in {**addresses, "event-new": "/events/new/"}.items():
        assert client.get(address).status_code == 200, name


@pytest.mark.parametrize(
    "path", ["nix/", "events/nix/", "game/999/", "players/999/", "games/nix/", "leaderboard/nix/"]
)
def test_what_does_not_exist_says_so_in_our_words(client: Client, db: None, path: str) -> None:
    answer = client.get(f"/{path}")
    assert answer.status_code == 404
    assert "There is nothing here" in answer.content.decode()


def test_pages_keep_the_content_security_policy(
    ana: User, client: Client, addresses: dict[str, str]
) -> None:
    for who in (client, member(ana)):
        for name, address in addresses.items():
            if name == "game-record":
                continue
            page = who.get(address).content.decode()
            assert not re.search(r'\sstyle\s*=\s*["\']', page), name
            assert "<style" not in page, name
            assert not re.search(r"\son[a-z]+=", page), name
            assert "javascript:" not in page, name
            for tag in re.findall(r"<script\b[^>]*>", page):
                assert "src=" in tag or 'type="application/json"' in tag, name
            for address_of in re.findall(
                r'<(?:script|img|link)\b[^>]*?(?:src|href)="([^"]+)"', page
            ):
                assert address_of.startswith("/static/"), name


def test_pages_have_one_heading_and_unique_ids(
    ana: User, client: Client, addresses: dict[str, str]
) -> None:
    for who in (client, member(ana)):
        for name, address in addresses.items():
            if name in {"game-record", "home-live", "event-live", "game-live"}:
                continue
            page = who.get(address).content.decode()
            assert len(re.findall(r"<h1[ >]", page)) == 1, name
            ids = re.findall(r'\sid="([^"]+)"', page)
            assert sorted(ids) == sorted(set(ids)), name


def test_labels_name_a_field_that_exists(ana: User, addresses: dict[str, str]) -> None:
    for address in [*addresses.values(), "/events/new/"]:
        page = member(ana).get(address).content.decode()
        ids = set(re.findall(r'\sid="([^"]+)"', page))
        assert set(re.findall(r'<label[^>]* for="([^"]+)"', page)) <= ids, address


@pytest.mark.parametrize("name", LISTS)
def test_lists_take_no_more_queries_for_more_rows(
    ana: User, ben: User, bots: list[Player], event: Event, addresses: dict[str, str], name: str
) -> None:
    client = member(ana)
    client.get(addresses[name])
    before = _queries(client, addresses[name])
    _add_rows(ana, ben, bots, event)
    after = _queries(client, addresses[name])
    assert len(after) <= len(before), "\n".join(after)
    assert len(after) <= 25


def _queries(client: Client, address: str) -> list[str]:
    with CaptureQueriesContext(
        connection,
    ) as caught:
        assert client.get(address).status_code == 200
    return [query["sql"] for query in caught.captured_queries]


def _add_rows(ana: User, ben: User, bots: list[Player], event: Event) -> None:
    """More of everything that lists show: players, games, challenges, entries, rounds, events."""
    cleo = players.sign_up(name="Cleo", password="rayuela-73")
    for ruleset in ("morelli(size=5)", "morelli(size=7)", "morlox(size=5)"):
        play_out(new_game(ana.player, cleo.player, ruleset))
        running = new_game(cleo.player, ana.player, ruleset)
        move = games.load(ruleset).parse(running.position).legal_moves()[0]
        play.play_move(game_id=running.pk, player=cleo.player, ply=0, move=move)
        challenges.challenge(
            challenger=cleo.player, opponent=ana.player, ruleset=ruleset, clock=CLOCK
        )
        challenges.challenge(challenger=cleo.player, opponent=None, ruleset=ruleset, clock=CLOCK)
    for bot in bots[4:]:
        entries.enter(event_id=event.pk, player=bot, actor=ana)
    entries.enter(event_id=event.pk, player=cleo.player, actor=cleo)
    play_out(Game.objects.ongoing().get(pairing__event=event))
    events.advance_event(event.pk)
    matches_due(event)
    for number in range(3):
        plan = plans.EventPlan(
            name=f"More {number}", ruleset="morelli(size=5)", rounds_total=2, clock=CLOCK
        )
        made = events.create_event(organiser=ben, plan=plan)
        entries.enter(event_id=made.pk, player=ana.player, actor=ana)


def test_hostile_names_are_shown_as_text(
    client: Client, ana: User, game: Game, event: Event
) -> None:
    hostile = "<b onmouseover=alert(1)>'\"&"
    Player.objects.filter(pk=ana.player.pk).update(name=hostile)
    Event.objects.filter(pk=event.pk).update(name=hostile, description=f"{hostile}\n\n<script>")
    for address in (
        "/",
        "/events/",
        event.get_absolute_url(),
        game.get_absolute_url(),
        ana.player.get_absolute_url(),
    ):
        page = client.get(address).content.decode()
        assert "<b onmouseover" not in page, address
        assert "<script>" not in page, address
        assert "&lt;b onmouseover" in page, address


POSTS = [
    ("sign-out", []),
    ("challenge", []),
    ("challenge-accept", [1]),
    ("challenge-decline", [1]),
    ("event-enter", ["test"]),
    ("event-withdraw", ["test"]),
    ("event-bye", ["test"]),
    ("event-act", ["test"]),
    ("game-move", [1]),
    ("game-resign", [1]),
    ("game-agree", [1]),
    ("game-decline", [1]),
]


@pytest.mark.parametrize(("name", "args"), POSTS, ids=[name for name, _ in POSTS])
def test_what_changes_something_takes_posts_only(ana: User, name: str, args: list[object]) -> None:
    assert member(ana).get(reverse(name, args=args)).status_code == 405


@pytest.mark.parametrize(("name", "args"), POSTS[1:], ids=[name for name, _ in POSTS[1:]])
def test_guests_are_asked_to_sign_in_before_they_change_something(
    client: Client, db: None, name: str, args: list[object]
) -> None:
    """Signed in, they are on the page that the form was on: its own address takes posts only."""
    answer = client.post(reverse(name, args=args), {"next": "/events/"})
    assert answer.status_code == 302
    assert answer["Location"] == "/sign-in/?next=/events/"
    assert (
        "next=//evil" not in client.post(reverse(name, args=args), {"next": "//evil"})["Location"]
    )


def test_guests_who_send_a_move_are_led_back_to_the_game(client: Client, game: Game) -> None:
    address = reverse("game-move", args=[game.pk])
    assert client.post(address)["Location"] == f"/sign-in/?next=/game/{game.pk}/"
    told = client.post(address, headers={"accept": "application/json"})
    assert (told.status_code, told.json()["code"]) == (403, "signed-out")


def test_guests_are_asked_to_sign_in_before_they_make_an_event(client: Client, db: None) -> None:
    assert client.get("/events/new/")["Location"] == "/sign-in/?next=/events/new/"


def test_forms_without_the_csrf_mark_are_refused_in_our_words(ana: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(ana)
    answer = client.post(reverse("challenge"))
    assert answer.status_code == 403
    assert "Please send that again" in answer.content.decode()


# --- moves -----------------------------------------------------------------------------------------------------


def _move(client: Client, game: Game, **data: object) -> tuple[int, str]:
    answer = client.post(reverse("game-move", args=[game.pk]), data)
    return answer.status_code, answer.content.decode()


def _legal(game: Game) -> str:
    return games.load(game.ruleset).parse(game.position).legal_moves()[0]


def test_a_move_is_played_and_leads_back_to_the_game(ana: User, game: Game) -> None:
    answer = member(ana).post(
        reverse("game-move", args=[game.pk]), {"move": _legal(game), "ply": 0}
    )
    assert (answer.status_code, answer["Location"]) == (302, game.get_absolute_url())
    game.refresh_from_db()
    assert game.ply == 1


def test_a_move_in_somebody_else_s_game_is_forbidden(game: Game, bots: list[Player]) -> None:
    cleo = players.sign_up(name="Cleo", password="rayuela-73")
    status, page = _move(member(cleo), game, move=_legal(game), ply=0)
    assert status == 403
    assert "You are not playing in this game." in page


@pytest.mark.parametrize("who", ["ben", "ana"])
def test_a_move_out_of_turn_or_for_an_earlier_position_is_stale(
    request: pytest.FixtureRequest, ana: User, game: Game, who: str
) -> None:
    move = _legal(game)
    if who == "ana":
        play.play_move(game_id=game.pk, player=ana.player, ply=0, move=move)
    status, _page = _move(member(request.getfixturevalue(who)), game, move=move, ply=0)
    assert status == 409


@pytest.mark.parametrize(
    "data", [{}, {"move": "A1-B2"}, {"move": "A1-B2", "ply": "x"}, {"move": "", "ply": 0}]
)
def test_a_malformed_move_is_refused(ana: User, game: Game, data: dict[str, object]) -> None:
    assert _move(member(ana), game, **data)[0] == 422


def test_an_illegal_move_links_to_the_paragraph_that_refuses_it(ana: User, game: Game) -> None:
    start = _legal(game).partition("-")[0]
    status, page = _move(member(ana), game, move=f"{start}-{start}", ply=0)
    assert status == 422
    assert 'href="/games/morelli/#morelli-2015-' in page
    assert f'value="{start}-{start}"' in page


def test_the_script_is_told_the_same_as_data(ana: User, game: Game) -> None:
    answer = member(ana).post(
        reverse("game-move", args=[game.pk]),
        {"move": "nonsense", "ply": 0},
        headers={"Accept": "application/json"},
    )
    assert answer.status_code == 422
    assert answer.json()["rule"] == "morelli-2015/notation"
    assert answer.json()["rule_url"] == "/games/morelli/#morelli-2015-notation"


# --- challenges ------------------------------------------------------------------------------------------------


CHALLENGE = {
    "ruleset": "morelli(edition=revised,size=7,setup=random)",
    "clock": "600+10",
    "next": "/play/",
}


def test_a_challenge_to_a_bot_is_a_game_at_once(ana: User, bots: list[Player]) -> None:
    answer = member(ana).post(reverse("challenge"), {**CHALLENGE, "opponent": bots[0].name})
    assert answer["Location"] == Game.objects.get().get_absolute_url()


@pytest.mark.parametrize(
    "changes",
    [{"ruleset": "chess"}, {"clock": "0+0"}, {"opponent": "Nobody"}, {"side": "third"}],
    ids=lambda changes: next(iter(changes)),
)
def test_a_malformed_challenge_shows_the_form_again(ana: User, changes: dict[str, str]) -> None:
    answer = member(ana).post(reverse("challenge"), {**CHALLENGE, **changes})
    assert answer.status_code == 422
    assert 'class="errors"' in answer.content.decode()
    assert not Challenge.objects.exists()


def test_a_challenge_is_accepted_by_the_one_it_is_for_only(ana: User, ben: User) -> None:
    made = challenges.challenge(
        challenger=ben.player, opponent=ana.player, ruleset="morelli(size=5)", clock=CLOCK
    )
    cleo = players.sign_up(name="Cleo", password="rayuela-73")
    address = reverse("challenge-accept", args=[made.pk])
    assert member(cleo).post(address, {"next": "/play/"})["Location"] == "/play/"
    assert not Game.objects.exists()
    assert member(ana).post(address)["Location"] == Game.objects.get().get_absolute_url()


def test_forms_lead_back_to_our_own_pages_only(ana: User) -> None:
    for path in ("https://example.org/", "//example.org/", "javascript:alert(1)", ""):
        answer = member(ana).post(
            reverse("challenge"), {**CHALLENGE, "opponent": "Ana", "next": path}
        )
        assert (answer.status_code, answer["Location"]) == (302, "/")


@pytest.mark.parametrize("name", ["challenge-accept", "challenge-decline"])
def test_a_challenge_that_does_not_exist_is_not_found(ana: User, name: str) -> None:
    assert member(ana).post(reverse(name, args=[999])).status_code == 404


# --- events ----------------------------------------------------------------------------------------------------


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
    made = member(ana).post("/events/new/", fields)
    assert made["Location"] == "/events/thursday/"
    client = member(ben)
    for step, button in (("enter", "Leave"), ("withdraw", "Come back"), ("enter", "Leave")):
        answer = client.post(
            f"/events/thursday/{step}/", {"next": "/events/thursday/"}, follow=True
        )
        assert f">{button}</button>" in answer.content.decode()


def test_an_impossible_event_shows_the_form_again(ana: User) -> None:
    page = member(ana).post("/events/new/", {"name": "", "rounds_total": 99}).content.decode()
    assert page.count('class="errors"') >= 4
    assert not Event.objects.exists()


def test_steps_of_the_organiser_are_refused_to_others(ben: User, event: Event) -> None:
    answer = member(ben).post(
        reverse("event-act", args=[event.slug]),
        {"action": "finish", "next": event.get_absolute_url()},
        follow=True,
    )
    assert "Only the organiser can do this." in answer.content.decode()
    assert "You run this event" not in answer.content.decode()


def test_a_draft_is_seen_by_the_organiser_only(
    ana: User,
    ben: User,
    bots: list[Player],
    client: Client,
    new_event: Callable[..., Event],
    enter: Callable[..., None],
) -> None:
    event = new_event(is_automatic=False)
    enter(event, ben.player, *bots[:3])
    events.start_event(event_id=event.pk, actor=ana)
    rounds.draft_round(event_id=event.pk, actor=ana)
    address = reverse("event-round", args=[event.slug, 1])
    draft = member(ana).get(address).content.decode()
    assert "draft, seen by you only" in draft
    assert "Publish round 1" in draft
    for who in (client, member(ben)):
        assert "<td" not in who.get(address).content.decode()
    member(ana).post(reverse("event-act", args=[event.slug]), {"action": "publish"})
    assert Round.objects.get().state == Round.State.PUBLISHED
    assert client.get(address).content.decode().count("<tr") == 3


def test_my_game_comes_first_on_the_page_of_the_event(
    ben: User, client: Client, event: Event
) -> None:
    assert "Your game is being played" in member(ben).get(event.get_absolute_url()).content.decode()
    assert "Your game is being played" not in client.get(event.get_absolute_url()).content.decode()


def test_crosstable_says_the_same_in_signs_and_in_words(client: Client, event: Event) -> None:
    page = client.get(reverse("event-crosstable", args=[event.slug])).content.decode()
    assert re.search(
        r'aria-label="(beat|lost to|drew with) Bot \d as (Black|White)">\d[bw][01½]<', page
    )
    assert re.search(r'aria-label="plays (Ben|Bot \d) as (Black|White)">\d[bw]·<', page)
    assert "+1" in page


# --- accounts --------------------------------------------------------------------------------------------------


def test_signing_up_signs_in_and_leads_where_one_wanted_to_go(client: Client, event: Event) -> None:
    address = event.get_absolute_url()
    assert (
        f'name="next" value="{address}"' in client.get(f"/sign-up/?next={address}").content.decode()
    )
    answer = client.post("/sign-up/", {"name": "Dora", "password": "rayuela-73", "next": address})
    assert answer["Location"] == address
    assert ">Join</button>" in client.get(address).content.decode()


def test_a_taken_name_is_said_beside_the_field(client: Client, ana: User) -> None:
    page = client.post("/sign-up/", {"name": "ANA", "password": "rayuela-73"}).content.decode()
    assert "Somebody else has this name already." in page


def test_members_see_their_turn_first(ana: User, game: Game) -> None:
    page = member(ana).get("/").content.decode()
    assert page.index("Your turn") < page.index("Events</h2>")
    assert game.get_absolute_url() in page


def test_every_refusal_has_its_sentence() -> None:
    services = pathlib.Path(refusals.__file__).parent.parent / "services"
    raised = set()
    for path in services.glob("*.py"):
        raised |= set(re.findall(r'Error\(\s*"([a-z-]+)"', path.read_text()))
    assert raised - set(refusals.SENTENCES) == set()


def test_any_rule_set_can_be_asked_for_by_a_link(
    client: Client, ana: User, bots: list[Player]
) -> None:
    client.force_login(ana)
    page = client.get(reverse("lobby"), {"ruleset": "morelli(size=31)"})
    key = games.load("morelli(size=31)").key
    assert f'value="{key}" selected' in page.content.decode()
    form = {"ruleset": key, "opponent": bots[0].name, "clock": "600+10", "side": "first"}
    answer = client.post(reverse("challenge"), form)
    board = client.get(answer.headers["Location"])
    assert board.content.decode().count('class="cell"') == 31 * 31
    form["ruleset"] = "morelli(size=33)"
    assert client.post(reverse("challenge"), form).status_code == 422


def test_the_pairings_say_why(
    client: Client,
    new_event: Callable[..., Event],
    enter: Callable[..., None],
    ana: User,
    bots: list[Player],
) -> None:
    event = new_event()
    enter(event, *bots[:3])
    events.start_event(event_id=event.pk, actor=ana)
    for match in Match.objects.all():
        assert matches.play_match(match.pk)
    events.advance_event(event.pk)
    first = client.get(reverse("event-round", args=[event.slug, 1])).content.decode()
    assert "Both had scored 0." in first
    assert "C.04.3 5.2.5" in first
    second = client.get(reverse("event-round", args=[event.slug, 2])).content.decode()
    assert "paired by dutch-" in second
    assert client.get(reverse("event-round", args=[event.slug, 9])).status_code == 404
