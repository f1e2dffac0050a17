"""Quick pairing: the pairs, and the rule that a player waits at one board only."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.urls import reverse

from tests.tournaments import pages
from tournaments import database_time
from tournaments.errors import RefusedError
from tournaments.models import Game, Seek, User
from tournaments.queries.clocks import game_clocks
from tournaments.queries.lobby import open_seeks
from tournaments.services.accounts import players
from tournaments.services.games import play
from tournaments.services.lobby import seeks
from tournaments.services.notifications import news

pytestmark = pytest.mark.engines

RULESET = "morelli(size=5)"


def _sit(user: User, ruleset: str = RULESET, initial_ms: int = 300_000) -> Seek:
    return seeks.create(
        player=user.player, ruleset=ruleset, clock=game_clocks.Clock(initial_ms, 5_000)
    )


def test_two_who_want_the_same_meet_at_once(ana: User, ben: User) -> None:
    assert _sit(ana).state == Seek.State.WAITING
    seek = _sit(ben)
    assert seek.game is not None
    assert {seek.game.first, seek.game.second} == {ana.player, ben.player}
    assert seek.game.is_rated
    assert ana.player.seeks.get().game == seek.game


def test_other_wishes_do_not_meet(ana: User, ben: User) -> None:
    _sit(ana)
    assert _sit(ben, initial_ms=600_000).game is None
    assert _sit(ben, ruleset="morlox(size=5)").game is None
    assert ben.player.seeks.waiting().count() == 1


def test_lists_of_open_games_hear_of_a_seek_its_end_and_its_pairing(
    ana: User, ben: User, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    def news_of(act: Callable[[], object]) -> list[str]:
        reached = news.last_seq(news.SITE)
        with django_capture_on_commit_callbacks(execute=True):
            act()
        return [item.kind for item in news.after(news.SITE, reached)]

    assert "seek" in news_of(lambda: _sit(ana))
    assert news_of(lambda: seeks.cancel(ana.player)) == ["seek"]
    assert news_of(lambda: seeks.cancel(ana.player)) == [], "nothing has changed"
    _sit(ana)
    assert "seek" in news_of(lambda: _sit(ben))
    _sit(ana)
    later = database_time.now() + open_seeks.PRESENT + timedelta(seconds=1)
    assert news_of(lambda: seeks.forget_absent(later)) == ["seek"]


def test_ones_own_seek_is_not_offered_to_oneself(ana: User, ben: User) -> None:
    _sit(ana)
    part = {
        user: pages.member(user).get(reverse("open-games")).content.decode() for user in (ana, ben)
    }
    assert "Join the game" in part[ben]
    assert "Join the game" not in part[ana]
    assert f'href="{reverse("seek")}"' in part[ana]


def test_who_has_closed_the_page_is_not_paired(ana: User, ben: User) -> None:
    _sit(ana)
    long_ago = database_time.now() - open_seeks.PRESENT - timedelta(seconds=1)
    Seek.objects.update(seen_at=long_ago)
    assert _sit(ben).game is None
    seeks.forget_absent(database_time.now())
    assert not ana.player.seeks.waiting().exists()
    assert ben.player.seeks.waiting().exists()


def test_who_leaves_is_not_paired(ana: User, ben: User) -> None:
    _sit(ana)
    seeks.cancel(ana.player)
    assert _sit(ben).game is None
    assert seeks.heartbeat(ana.player) is None


def test_patience_brings_strangers_together(ana: User, ben: User) -> None:
    _sit(ana)
    _sit(ben)  # paired: as strong as each other
    Seek.objects.update(state=Seek.State.LEFT, game=None)
    _sit(ana)
    Seek.objects.waiting().update(centielo=250_000)
    assert _sit(ben).game is None
    Seek.objects.waiting().update(made_at=database_time.now() - timedelta(minutes=2))
    seek = seeks.heartbeat(ana.player)
    assert seek is not None
    assert seek.game is not None


@pytest.mark.parametrize("ruleset", ["go(size=19)", "x" * 9_000, ""])
def test_what_is_no_game_is_refused(ana: User, ruleset: str) -> None:
    with pytest.raises(RefusedError, match="ruleset-bad"):
        _sit(ana, ruleset)


def test_many_who_sit_down_and_look_at_once_are_paired_once_each(erasable: None) -> None:
    everybody = [players.sign_up(name=f"P {n}", password="rayuela-1963") for n in range(8)]
    barrier = threading.Barrier(len(everybody))
    errors: list[OperationalError] = []

    def run(user: User) -> None:
        try:
            barrier.wait()
            _sit(user)
            for _ in range(3):
                seeks.heartbeat(user.player)
        except OperationalError as error:  # a deadlock would be one
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(user,)) for user in everybody]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    for user in everybody:
        seeks.heartbeat(user.player)
    assert Game.objects.count() == 4
    player_ids = [
        player for game in Game.objects.all() for player in (game.first_id, game.second_id)
    ]
    assert sorted(player_ids) == sorted(user.player.pk for user in everybody)


def test_the_page_waits_and_leads_to_the_game(ana: User, ben: User) -> None:
    form = {"ruleset": RULESET, "clock": "600+10", "is_rated": "on"}
    of_ana, of_ben = pages.member(ana), pages.member(ben)
    assert of_ana.post(reverse("seek-create"), form)["Location"] == reverse("seek")
    page = of_ana.get(reverse("seek"))
    assert "You are waiting for an opponent" in page.content.decode()
    assert "1 person is waiting" in of_ben.get(reverse("lobby")).content.decode()
    game = of_ben.post(reverse("seek-create"), form)["Location"]
    assert game.startswith("/game/")
    assert of_ana.get(reverse("seek-live")).status_code == 205
    # The one who waited is led there as well, without a script too, as long as there is something to play.
    assert of_ana.get(reverse("seek"))["Location"] == game
    play.resign(game_id=Game.objects.get().pk, player=ana.player)
    assert of_ana.get(reverse("seek"))["Location"] == reverse("lobby")


def test_a_bad_wish_is_refused_in_words(ana: User) -> None:
    refused = pages.member(ana).post(reverse("seek-create"), {"clock": "1+1"})
    assert refused.status_code == 422
    assert set(refused.context["form"].errors) == {"ruleset", "clock"}


def test_guests_have_nothing_to_wait_for(client: Client, db: None) -> None:
    assert client.get(reverse("seek"))["Location"] == reverse("lobby")
    assert client.get(reverse("seek-live")).status_code == 205
