"""Playing without an account: three clicks, a signed cookie, and the actions reserved for accounts."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tests.tournaments import pages
from tests.tournaments.conftest import event_of
from tournaments import limits
from tournaments.models import Game, Guest, Player, Seek, Throttle, User
from tournaments.queries.clocks import game_clocks
from tournaments.queries.records import archive
from tournaments.services.accounts import guests, players, throttles
from tournaments.services.lobby import invitations

FORM = {"ruleset": "morelli(size=5)", "clock": "600+10"}
PASSWORD = "pedrecita-y-cielo-9"


@pytest.fixture
def bot(db: None) -> Player:
    return players.add_bot(name="Rocamadour", engine="random")


def _begin(client: Client, bot: Player, **more: str) -> Game:
    answer = client.post(reverse("challenge"), {**FORM, "side": "first", "bot": bot.name, **more})
    assert answer.status_code == 302
    assert answer["Location"].startswith("/game/")
    return Game.objects.latest("pk")


def test_from_the_front_page_two_clicks_lead_to_the_board(client: Client, bot: Player) -> None:
    assert f'href="{reverse("lobby")}"' in client.get("/").content.decode()
    lobby = client.get(reverse("lobby")).content.decode()
    assert f'value="{bot.name}" formaction="{reverse("challenge")}"' in lobby
    game = _begin(client, bot)
    page = client.get(game.get_absolute_url()).content.decode()
    assert "data-may-move" in page
    answer = client.post(
        reverse("game-move", args=[game.pk]),
        {"move": pages.legal(game), "ply": 0},
        headers={"Accept": "application/json"},
    )
    assert answer.status_code == 204


def test_the_cookie_is_signed_and_out_of_reach(client: Client, bot: Player) -> None:
    game = _begin(client, bot)
    cookie = client.cookies[settings.GUEST_COOKIE_NAME]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    for forged in (str(game.first_id), f"{game.first_id}:x:y", cookie.value[:-1] + "!"):
        thief = Client()
        thief.cookies[settings.GUEST_COOKIE_NAME] = forged
        answer = thief.post(reverse("game-resign", args=[game.pk]))
        assert answer["Location"].startswith("/sign-in/")
    game.refresh_from_db()
    assert game.result is None


def test_a_guest_does_nothing_without_the_token_of_a_form(bot: Player) -> None:
    careful = Client(enforce_csrf_checks=True)
    assert careful.post(reverse("challenge"), {**FORM, "bot": bot.name}).status_code == 403
    assert not Guest.objects.exists()


def test_pages_of_guests_are_not_shared_by_caches(client: Client, bot: Player) -> None:
    game = _begin(client, bot)
    for path in ("/", reverse("lobby"), game.get_absolute_url()):
        assert "Cookie" in client.get(path)["Vary"], path
    assert game.first.name in client.get("/").content.decode()
    assert game.first.name not in client.get("/events/").content.decode().replace(
        f'<span class="guest-name">{game.first.name}</span>', ""
    )


def test_who_only_reads_becomes_no_guest(client: Client, bot: Player) -> None:
    for path in ("/", reverse("lobby"), reverse("levels"), "/events/"):
        client.get(path)
    assert not Guest.objects.exists()
    assert settings.GUEST_COOKIE_NAME not in client.cookies


def test_a_guest_is_one_player_in_all_games(client: Client, bot: Player) -> None:
    assert _begin(client, bot).first == _begin(client, bot).first


def test_a_flood_is_stopped_in_words(client: Client, bot: Player, with_limits: None) -> None:
    for _ in range(limits.GUESTS.most):
        throttles.count(throttles.Visitor(address="127.0.0.1"), limits.GUESTS)
    answer = client.post(reverse("challenge"), {**FORM, "bot": bot.name}, follow=True)
    assert "Too many guests have come from your network" in answer.content.decode()
    assert not Game.objects.exists()
    Throttle.objects.all().delete()
    _begin(client, bot)


def test_games_of_guests_are_never_rated(client: Client, bot: Player, ana: User) -> None:
    assert not _begin(client, bot, is_rated="on").is_rated
    seek = {**FORM, "is_rated": "on"}
    assert client.post(reverse("seek-create"), seek)["Location"] == reverse("seek")
    assert not Seek.objects.get().is_rated


def test_guests_are_in_no_list_and_have_no_page(client: Client, bot: Player, ana: User) -> None:
    guest = _begin(client, bot).first
    assert pages.member(ana).get(guest.get_absolute_url()).status_code == 404
    between = reverse("head-to-head", args=[ana.player.pk, guest.pk])
    assert pages.member(ana).get(between).status_code == 404
    assert guest.get_absolute_url() not in client.get("/").content.decode()
    assert guest.name not in pages.text_of(client.get(reverse("players")).content).replace(
        f"{guest.name} Sign in", ""
    )
    assert archive.player_named(guest.name) is None
    challenge = {**FORM, "opponent": guest.name}
    refused = pages.member(ana).post(reverse("challenge"), challenge)
    assert "There is no player of this name." in refused.content.decode()


def test_what_asks_for_an_account_leads_to_the_sign_in(
    client: Client, bot: Player, ana: User
) -> None:
    game = _begin(client, bot)
    event = event_of(ana)
    for path in (
        reverse("event-enter", args=[event.slug]),
        reverse("game-say", args=[game.pk]),
        reverse("player-mute", args=[ana.player.pk]),
        reverse("vacation-start"),
    ):
        assert client.post(path)["Location"].startswith("/sign-in/"), path
    assert not event.entries.exists()


def test_a_friend_opens_the_link_and_plays(client: Client, bot: Player) -> None:
    friend = Client()
    link = client.post(reverse("invite"), FORM)["Location"]
    page = friend.get(link).content.decode()
    assert "You can play without an account." in page
    # A preview of the link in a messenger takes no seat.
    assert not Game.objects.exists()
    game = friend.post(f"{link}join/")["Location"]
    assert game.startswith("/game/")
    assert client.get(link)["Location"] == game
    row = Game.objects.get()
    assert row.first.is_guest
    assert row.second.is_guest
    assert not row.is_rated


def test_who_looks_on_gets_no_seat(client: Client, bot: Player) -> None:
    game = _begin(client, bot)
    stranger = Client()
    assert "data-may-move" not in stranger.get(game.get_absolute_url()).content.decode()
    assert stranger.post(reverse("game-resign", args=[game.pk]))["Location"].startswith("/sign-in/")


def test_a_sign_up_takes_the_games_along(client: Client, bot: Player) -> None:
    game = _begin(client, bot)
    client.post(reverse("sign-up"), {"name": "Lucía", "password": PASSWORD})
    game.refresh_from_db()
    assert game.first.name == "Lucía"
    assert game.first.user is not None
    assert not client.cookies[settings.GUEST_COOKIE_NAME].value
    assert "data-may-move" in client.get(game.get_absolute_url()).content.decode()


def test_a_sign_in_takes_ongoing_games_along(client: Client, bot: Player, ana: User) -> None:
    game = _begin(client, bot)
    client.post(reverse("sign-in"), {"username": "Ana", "password": "rayuela-1963"})
    game.refresh_from_db()
    assert game.first == ana.player
    assert not client.cookies[settings.GUEST_COOKIE_NAME].value


def test_a_wrong_password_takes_nothing(client: Client, bot: Player, ana: User) -> None:
    game = _begin(client, bot)
    client.post(reverse("sign-in"), {"username": "Ana", "password": "wrong"})
    game.refresh_from_db()
    assert game.first.is_guest


def test_after_a_sign_out_the_next_guest_is_another(client: Client, bot: Player) -> None:
    game = _begin(client, bot)
    client.post(reverse("sign-up"), {"name": "Lucía", "password": PASSWORD})
    client.post(reverse("sign-out"))
    assert _begin(client, bot).first != game.first


def test_a_host_reads_that_a_guest_makes_the_game_casual(client: Client, ana: User) -> None:
    invitation = invitations.invite(
        host=ana.player, ruleset=FORM["ruleset"], clock=game_clocks.Clock(60_000), is_rated=True
    )
    assert (
        "With a guest the game is not rated."
        in client.get(invitation.get_absolute_url()).content.decode()
    )
    client.post(reverse("invitation-join", args=[invitation.token]))
    assert not Game.objects.get().is_rated


def test_a_pruned_guest_comes_back_as_another(client: Client, bot: Player) -> None:
    guest = _begin(client, bot).first
    Guest.objects.all().delete()
    assert guests.find(guest.pk) is None
    assert _begin(client, bot).first != guest


def test_rematches_count_among_the_games_of_guests(
    client: Client, bot: Player, with_limits: None
) -> None:
    game = _begin(client, bot)
    client.post(reverse("game-abort", args=[game.pk]))
    for _ in range(limits.GUEST_GAMES.most - 1):
        throttles.count(throttles.Visitor(address="127.0.0.1"), limits.GUEST_GAMES)
    answer = client.post(
        reverse("game-rematch", args=[game.pk]), headers={"Accept": "application/json"}
    )
    assert (answer.status_code, answer.json()["limit"]) == (429, "guest-games-by-network")
    assert Game.objects.count() == 1
