"""Invitations: two seats behind a link."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from tests.tournaments import pages
from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import Game, Invitation, NewsItem, User
from tournaments.queries.clocks import game_clocks
from tournaments.services.accounts import players
from tournaments.services.lobby import invitations

pytestmark = pytest.mark.engines

FORM = {"ruleset": "morlox(size=5)", "clock": "600+10"}


def _invite(host: User, **changes: object) -> Invitation:
    plan = {"ruleset": "morlox(size=5)", "clock": game_clocks.Clock(60_000), **changes}
    return invitations.invite(host=host.player, **plan)  # type: ignore[arg-type]  # by keyword


def test_whoever_comes_by_the_link_plays_the_host(ana: User, ben: User) -> None:
    invitation = _invite(ana, side="first")
    assert invitations.join(token=invitation.token, player=ana.player).game is None
    game = invitations.join(token=invitation.token, player=ben.player).game
    assert game is not None
    assert (game.first, game.second) == (ana.player, ben.player)
    with pytest.raises(StaleError, match="invitation-over"):
        invitations.join(token=invitation.token, player=ben.player)


def test_a_link_for_two_others_seats_the_first_two(ana: User, ben: User) -> None:
    cleo = players.sign_up(name="Cleo", password="rayuela-1963")
    invitation = _invite(ana, is_player=False)
    assert invitations.join(token=invitation.token, player=ben.player).game is None
    game = invitations.join(token=invitation.token, player=cleo.player).game
    assert game is not None
    assert {game.first, game.second} == {ben.player, cleo.player}
    news_items = NewsItem.objects.filter(topic__name=f"user:{ana.pk}", kind="invitation")
    assert news_items.get().payload == {"game": game.pk}


def test_only_the_host_withdraws_it(ana: User, ben: User) -> None:
    invitation = _invite(ana)
    with pytest.raises(NotAllowedError, match="not-your-invitation"):
        invitations.withdraw(token=invitation.token, player=ben.player)
    invitations.withdraw(token=invitation.token, player=ana.player)
    with pytest.raises(StaleError, match="invitation-over"):
        invitations.join(token=invitation.token, player=ben.player)


def test_a_link_for_an_evening_does_not_stand_for_weeks(ana: User, ben: User) -> None:
    invitation = _invite(ana)
    days = _invite(ana, clock=game_clocks.Clock.read("604800+86400<1209600"))
    Invitation.objects.update(made_at=database_time.now() - timedelta(days=2))
    with pytest.raises(StaleError, match="invitation-over"):
        invitations.join(token=invitation.token, player=ben.player)
    page = pages.member(ben).get(invitation.get_absolute_url()).content.decode()
    assert "no longer open" in page
    assert invitations.join(token=days.token, player=ben.player).game is not None


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"ruleset": "go(size=19)"}, "ruleset-bad"),
        ({"side": "third"}, "side-bad"),
        ({"side": "first", "is_player": False}, "side-bad"),
    ],
)
def test_a_bad_invitation_is_refused_by_name(
    ana: User, changes: dict[str, object], code: str
) -> None:
    with pytest.raises(RefusedError, match=code):
        _invite(ana, **changes)


def test_nobody_makes_links_without_end(ana: User) -> None:
    for _ in range(50):
        _invite(ana)
    with pytest.raises(RefusedError, match="too-many-invitations"):
        _invite(ana)


def test_the_second_seat_is_taken_once(erasable: None, ana: User) -> None:
    guests = [players.sign_up(name=f"P {n}", password="rayuela-1963") for n in range(6)]
    invitation = _invite(ana)
    barrier = threading.Barrier(len(guests))
    has_begun: list[bool] = []

    def run(user: User) -> None:
        barrier.wait()
        try:
            has_begun.append(
                invitations.join(token=invitation.token, player=user.player).game is not None
            )
        except StaleError:
            has_begun.append(False)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(user,)) for user in guests]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(has_begun) == [False] * 5 + [True]
    assert Game.objects.count() == 1


def test_the_pages_from_the_link_to_the_board(ana: User, ben: User, client: Client) -> None:
    of_ana, of_ben = pages.member(ana), pages.member(ben)
    address = of_ana.post(reverse("invite"), {**FORM, "seats": "mine", "side": "second"})[
        "Location"
    ]
    page = of_ana.get(address).content.decode()
    assert f'value="http://testserver{address}"' in page
    assert 'class="qr"' in page
    assert "You have joined" in page
    guest = client.get(address).content.decode()
    assert f"/sign-up/?next={address}" in guest
    game = of_ben.post(f"{address}join/")["Location"]
    assert game.startswith("/game/")
    assert of_ana.get(address)["Location"] == game
    assert "Both seats are taken" in client.get(address).content.decode()
    assert Game.objects.get().second == ana.player


def test_unknown_links_and_bad_wishes_say_so(ana: User) -> None:
    of_ana = pages.member(ana)
    for name in ("invitation-join", "invitation-withdraw"):
        assert of_ana.post(reverse(name, args=["nix"])).status_code == 404
    for token, status in (("nix", 404), ("%00", 400), ("%00/join", 400), ("x" * 3_000, 404)):
        assert of_ana.get(f"/play/with/{token}/").status_code == status
    refused = of_ana.post(reverse("invite"), {"clock": "x"})
    assert refused.status_code == 422
    assert set(refused.context["form"].errors) == {"ruleset", "clock"}
