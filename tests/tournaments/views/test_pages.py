"""Pages: all visitors may look, members may act, and each refusal is beside its success."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments import pages
from tournaments.models import Event, Game, Player, User


@pytest.fixture
def game(ana: User, ben: User) -> Game:
    """Return a game of Ana and Ben at Morelli 5x5. Ana begins."""
    return pages.new_game(ana.player, ben.player)


@pytest.fixture
def event(ana: User, ben: User, bots: list[Player]) -> Event:
    return pages.running_event(ana, ben, bots)


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
    assert "Page not found" in answer.content.decode()


@pytest.mark.long
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
    ("seek-create", []),
    ("seek-cancel", []),
    ("invite", []),
    ("invitation-join", ["x"]),
    ("invitation-withdraw", ["x"]),
    ("game-say", [1]),
    ("game-note", [1]),
    ("game-conditionals-drop", [1]),
    ("email-set", []),
    ("email-digest", []),
    ("email-remove", []),
    ("sessions-end", []),
    ("session-end", ["x"]),
    ("chat-report", [1]),
    ("player-mute", [1]),
    ("player-report", [1]),
    ("player-report-resolve", [1]),
    ("introduction", []),
    ("introduction-hide", [1]),
    ("chat-resolve", [1]),
    ("event-enter", ["test"]),
    ("event-withdraw", ["test"]),
    ("event-bye", ["test"]),
    ("event-act", ["test"]),
    ("game-move", [1]),
    ("game-resign", [1]),
    ("game-agree", [1]),
    ("game-decline", [1]),
    ("game-abort", [1]),
    ("game-claim", [1]),
    ("game-time", [1]),
    ("game-takeback", [1]),
    ("vacation-start", []),
    ("vacation-end", []),
    ("game-rematch", [1]),
    ("bot-activate", [1]),
    ("bot-enter", [1]),
    ("bot-leave", [1]),
    ("bot-ladder-enter", [1]),
    ("bot-remote-module", [1]),
    ("bot-retire", [1]),
    ("bot-recheck", [1]),
]


@pytest.mark.parametrize(("name", "args"), POSTS, ids=[name for name, _ in POSTS])
def test_what_changes_something_takes_posts_only(
    ana: User, name: str, args: list[object], request: pytest.FixtureRequest
) -> None:
    assert pages.member(ana).get(_address(name, args, request)).status_code == 405


def _address(name: str, args: list[object], request: pytest.FixtureRequest) -> str:
    """Return the address of that form, for an existing event, since others have no forms."""
    if name.startswith("event-"):
        args = [request.getfixturevalue("event").slug]
    return reverse(name, args=args)


# Actions of a visitor without an account.
FOR_GUESTS = {"challenge", "seek-create", "invite", "invitation-join"}
FOR_ACCOUNTS = [(name, args) for name, args in POSTS[1:] if name not in FOR_GUESTS]


@pytest.mark.parametrize(("name", "args"), FOR_ACCOUNTS, ids=[name for name, _ in FOR_ACCOUNTS])
def test_visitors_are_asked_to_sign_in_before_they_change_something(
    client: Client, db: None, name: str, args: list[object], request: pytest.FixtureRequest
) -> None:
    """Signed in, they are on the page that the form was on: its own address takes posts only."""
    address = _address(name, args, request)
    answer = client.post(address, {"next": "/events/"})
    assert answer.status_code == 302
    assert answer["Location"] == "/sign-in/?next=/events/"
    assert "next=//evil" not in client.post(address, {"next": "//evil"})["Location"]


def test_guests_who_send_a_move_are_led_back_to_the_game(client: Client, game: Game) -> None:
    address = reverse("game-move", args=[game.pk])
    assert client.post(address)["Location"] == f"/sign-in/?next=/game/{game.pk}/"
    response = client.post(address, headers={"accept": "application/json"})
    assert (response.status_code, response.json()["code"]) == (403, "signed-out")


def test_guests_are_asked_to_sign_in_before_they_make_an_event(client: Client, db: None) -> None:
    assert client.get("/events/new/")["Location"] == "/sign-in/?next=/events/new/"


def test_forms_without_the_csrf_mark_are_refused_in_our_words(ana: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(ana)
    answer = client.post(reverse("challenge"))
    assert answer.status_code == 403
    assert "Please send that again" in answer.content.decode()


def test_games_that_wait_for_a_player_are_boards_on_the_front_page(ana: User, ben: User) -> None:
    for _ in range(7):
        pages.new_game(ana.player, ben.player)
    page = pages.member(ana).get("/")
    assert page.context["my_turn"] == 7
    text = page.content.decode()
    turns = text[text.index("Your turn") : text.index(">Events</a></h2>")]
    assert turns.count('class="card board-card"') == 6
    assert turns.count('class="game-row"') == 1
    assert "left" in turns
    assert "Your turn <span" not in pages.member(ben).get("/").content.decode()
