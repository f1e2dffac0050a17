"""Pages: everybody may look, members may act, and each refusal beside the success it differs from."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

import games
from tests.tournaments import authors, uploads, visits
from tournaments.models import Event, Game, Player
from tournaments.services import (
    beginnings,
    challenges,
    entries,
    events,
    invitations,
    plans,
    play,
    players,
    studies,
    trials,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tournaments.models import User

LISTS = [
    "home",
    "home-live",
    "events",
    "event",
    "event-live",
    "event-pairings",
    "event-standings",
    "event-crosstable",
    "event-strengths",
    "lobby",
    "watch",
    "player",
    "bots",
    "leaderboard",
    "leaderboard-strengths",
    "leaderboard-calibration",
    "head-to-head",
    "game-clock-played",
]


@pytest.fixture
def game(ana: User, ben: User) -> Game:
    """Ana and Ben at Morelli 5x5; Ana begins."""
    return visits.new_game(ana.player, ben.player)


@pytest.fixture
def event(
    ana: User,
    ben: User,
    bots: list[Player],
    new_event: Callable[..., Event],
    enter: Callable[..., None],
) -> Event:
    return visits.running_event(ana, ben, bots, new_event, enter)


@pytest.fixture
def addresses(ana: User, ben: User, game: Game, event: Event) -> dict[str, str]:
    """The address of every page that is looked at, by its name, with something on it to see."""
    finished = visits.new_game(ana.player, ben.player)
    visits.play_out(finished)
    metered = visits.new_game(authors.module(ana, "Hexer"), authors.module(ben, "Other"))
    visits.play_out(metered)
    Game.objects.filter(pk=metered.pk).update(fuel=10**6, fuel_meter="rayuela 1, wasmtime 1")
    timed_out = visits.new_game(ana.player, ben.player)
    play.play_move(game_id=timed_out.pk, player=ana.player, ply=0, move=visits.legal(timed_out))
    timed_out.refresh_from_db()
    assert timed_out.deadline_at is not None
    assert play.flag(timed_out.pk, timed_out.deadline_at)
    under_way = visits.new_game(ana.player, ben.player)
    play.play_move(game_id=under_way.pk, player=ana.player, ply=0, move=visits.legal(under_way))
    challenges.challenge(
        challenger=ben.player, opponent=None, ruleset="morlox(size=5)", clock=visits.CLOCK
    )
    challenges.challenge(
        challenger=ben.player, opponent=ana.player, ruleset="perfect()", clock=visits.CLOCK
    )
    pool = finished.ledger.get(side="first").pool
    plain = ["home", "home-live", "games", "events", "lobby", "bots", "leaderboard"]
    plain += ["lab", "downloads", "watch", "watch-live", "settings"]
    house = [players.add_bot(name=f"House {n}", engine="random").bot for n in (1, 2)]
    trial = trials.start(
        ana, trials.Plan(house[0], house[1], "morelli(size=5)", beginnings.Clock(5_000))
    )
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
        "game-pointed-out": f"{game.get_absolute_url()}?flip=1&show=1&q=help",
        "game-ask": f"{reverse('game-ask', args=[game.pk])}?q=clocks",
        "game-choices": f"{reverse('game-choices', args=[game.pk])}?from=A1",
        "invitation": invitations.invite(
            host=ben.player, ruleset="morlox(size=5)", clock=visits.CLOCK
        ).get_absolute_url(),
        "game-record": reverse("game-record", args=[finished.pk]),
        "game-ply": f"{finished.get_absolute_url()}?ply=1",
        "embed-game": reverse("embed-game", args=[finished.pk]),
        "embed-live": reverse("embed-live", args=[game.pk]),
        "analysis": reverse("analysis"),
        "analysis-of-game": f"{reverse('analysis')}?game={finished.pk}&at=1",
        "study": studies.keep(studies.opened(studies.of_game(finished, None))).get_absolute_url(),
        "figure": reverse("figure", args=["morelli", "capture"]),
        "game-fuel-record": reverse("game-fuel-record", args=[metered.pk]),
        "game-under-fuel": metered.get_absolute_url(),
        "game-over": finished.get_absolute_url(),
        "game-clock": reverse("game-clock", args=[game.pk]),
        "game-clock-played": reverse("game-clock", args=[timed_out.pk]),
        "game-clock-of-bots": reverse("game-clock", args=[metered.pk]),
        "player": ana.player.get_absolute_url(),
        "trial": reverse("trial", args=[trial.pk]),
        "trial-live": reverse("trial-live", args=[trial.pk]),
        "bot": Player.objects.bots()[0].get_absolute_url(),
        **{
            f"leaderboard-{tab}": reverse(f"leaderboard-{tab}", args=[pool.key])
            for tab in ("pool", "strengths", "calibration")
        },
        "head-to-head": reverse("head-to-head", args=[ana.player.pk, ben.player.pk]),
        "rating-calculator": f"{reverse('rating-calculator')}?{visits.CALCULATION}",
    }


@pytest.mark.engines
def test_guests_may_look_at_everything(client: Client, addresses: dict[str, str]) -> None:
    for name, address in {**addresses, "sign-in": "/sign-in/", "sign-up": "/sign-up/"}.items():
        assert client.get(address).status_code == 200, name


def test_members_may_look_at_everything(ana: User, addresses: dict[str, str]) -> None:
    client = visits.member(ana)
    for name, address in {**addresses, "event-new": "/events/new/"}.items():
        assert client.get(address).status_code == 200, name


@pytest.mark.parametrize(
    "path",
    [
        "nix/",
        "events/nix/",
        "game/999/",
        "players/999/",
        "players/998/against/999/",
        "games/nix/",
        "leaderboard/nix/",
        "leaderboard/nix/bots/",
        "leaderboard/nix/calibration/",
    ],
)
def test_what_does_not_exist_says_so_in_our_words(client: Client, db: None, path: str) -> None:
    answer = client.get(f"/{path}")
    assert answer.status_code == 404
    assert "There is nothing here" in answer.content.decode()


@pytest.fixture
def authors_addresses(ana: User) -> dict[str, str]:
    """The pages that only authors, or those concerned, see."""
    bot = uploads.line(ana)
    return {
        "vacation": reverse("vacation"),
        "bots-mine": reverse("bots-mine"),
        "notices": reverse("notices"),
        "bot-new": reverse("bot-new"),
        "bot-line": reverse("bot-line", args=[bot.line_id]),
        "bot-upload": reverse("bot-upload", args=[bot.line_id]),
        "bot-version": reverse("bot-version", args=[bot.pk]),
    }


def test_pages_keep_the_content_security_policy(
    ana: User, client: Client, addresses: dict[str, str], authors_addresses: dict[str, str]
) -> None:
    for who in (client, visits.member(ana)):
        for name, address in {**addresses, **authors_addresses}.items():
            if name in {"game-record", "game-fuel-record"}:
                continue
            page = who.get(address, follow=True).content.decode()
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
    ana: User, client: Client, addresses: dict[str, str], authors_addresses: dict[str, str]
) -> None:
    for who in (client, visits.member(ana)):
        for name, address in {**addresses, **authors_addresses}.items():
            if name.endswith(("-record", "-live", "-ask", "-choices")):  # no whole pages
                continue
            page = who.get(address, follow=True).content.decode()
            assert len(re.findall(r"<h1[ >]", page)) == 1, name
            ids = re.findall(r'\sid="([^"]+)"', page)
            assert sorted(ids) == sorted(set(ids)), name


def test_labels_name_a_field_that_exists(
    ana: User, addresses: dict[str, str], authors_addresses: dict[str, str]
) -> None:
    for address in [*addresses.values(), *authors_addresses.values(), "/events/new/"]:
        page = visits.member(ana).get(address).content.decode()
        ids = set(re.findall(r'\sid="([^"]+)"', page))
        assert set(re.findall(r'<label[^>]* for="([^"]+)"', page)) <= ids, address


@pytest.mark.parametrize("name", LISTS)
def test_lists_take_no_more_queries_for_more_rows(
    ana: User, ben: User, bots: list[Player], event: Event, addresses: dict[str, str], name: str
) -> None:
    client = visits.member(ana)
    client.get(addresses[name])
    before = _queries(client, addresses[name])
    _add_rows(ana, ben, bots, event)
    after = _queries(client, addresses[name])
    assert len(after) <= len(before), "\n".join(after)
    assert len(after) <= 26


def _queries(client: Client, address: str) -> list[str]:
    cache.clear()
    with CaptureQueriesContext(
        connection,
    ) as caught:
        assert client.get(address).status_code == 200
    return [query["sql"] for query in caught.captured_queries]


def _add_rows(ana: User, ben: User, bots: list[Player], event: Event) -> None:
    """More of everything that lists show: players, games, challenges, entries, rounds, events."""
    cleo = players.sign_up(name="Cleo", password="rayuela-73")
    visits.play_out(visits.new_game(ben.player, ana.player, "morlox(size=5)"))
    visits.play_out(visits.new_game(bots[4], bots[5]))
    for ruleset in ("morelli(size=5)", "morelli(size=7)", "morlox(size=5)"):
        visits.play_out(visits.new_game(ana.player, cleo.player, ruleset))
        running = visits.new_game(cleo.player, ana.player, ruleset)
        move = games.load(ruleset).parse(running.position).legal_moves()[0]
        play.play_move(game_id=running.pk, player=cleo.player, ply=0, move=move)
        challenges.challenge(
            challenger=cleo.player, opponent=ana.player, ruleset=ruleset, clock=visits.CLOCK
        )
        challenges.challenge(
            challenger=cleo.player, opponent=None, ruleset=ruleset, clock=visits.CLOCK
        )
    for bot in bots[4:]:
        entries.enter(event_id=event.pk, player=bot, actor=ana)
    entries.enter(event_id=event.pk, player=cleo.player, actor=cleo)
    visits.play_out(Game.objects.ongoing().get(pairing__event=event))
    events.advance_event(event.pk)
    visits.matches_due(event)
    for number in range(3):
        plan = plans.EventPlan(
            name=f"More {number}", ruleset="morelli(size=5)", rounds_total=2, clock=visits.CLOCK
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
    ("quick-sit", []),
    ("quick-leave", []),
    ("invite", []),
    ("invitation-sit", ["x"]),
    ("invitation-withdraw", ["x"]),
    ("game-say", [1]),
    ("game-note", [1]),
    ("game-conditionals-drop", [1]),
    ("mail-ask", []),
    ("mail-choose", []),
    ("mail-forget", []),
    ("chat-report", [1]),
    ("player-mute", [1]),
    ("chat-judge", [1]),
    ("event-enter", ["test"]),
    ("event-withdraw", ["test"]),
    ("event-bye", ["test"]),
    ("event-act", ["test"]),
    ("game-move", [1]),
    ("game-resign", [1]),
    ("game-agree", [1]),
    ("game-decline", [1]),
    ("game-abort", [1]),
    ("game-time", [1]),
    ("game-takeback", [1]),
    ("vacation-start", []),
    ("vacation-end", []),
    ("game-rematch", [1]),
    ("bot-activate", [1]),
    ("bot-enter", [1]),
    ("bot-leave", [1]),
    ("bot-retire", [1]),
    ("bot-recheck", [1]),
]


@pytest.mark.parametrize(("name", "args"), POSTS, ids=[name for name, _ in POSTS])
def test_what_changes_something_takes_posts_only(ana: User, name: str, args: list[object]) -> None:
    assert visits.member(ana).get(reverse(name, args=args)).status_code == 405


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
