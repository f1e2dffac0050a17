"""Players, ratings and pools by the API, as the services have them."""

from __future__ import annotations

import pytest

from tests.tournaments import pages
from tests.tournaments.api.conftest import Program
from tournaments.models import Game, LedgerEntry, Player, Rating, User
from tournaments.services.accounts import players
from tournaments.services.games import play


@pytest.fixture
def rated(ana: User, ben: User) -> Game:
    """A rated game that Ana has resigned."""
    game = pages.new_game(ana.player, ben.player, "morlox(size=5)")
    for ply, (user, move) in enumerate([(ana, "a1"), (ben, "b2")]):
        play.play_move(game_id=game.pk, player=user.player, ply=ply, move=move)
    return play.resign(game_id=game.pk, player=ana.player)


def test_players_are_looked_for_by_name(anybody: Program, ana: User, ben: User) -> None:
    names = [each["name"] for each in anybody("GET", "/players?q=AN").json()["items"]]
    assert names == ["Ana"]
    profile = anybody("GET", f"/players/{ana.player.pk}").json()
    assert (profile["name"], profile["kind"], profile["url"]) == (
        "Ana",
        "person",
        ana.player.get_absolute_url(),
    )


def test_a_guest_has_no_page(anybody: Program) -> None:
    guest = players.add_player("Guest 1", Player.Kind.GUEST, None)
    assert anybody("GET", f"/players/{guest.pk}").status_code == 404


def test_ratings_are_those_of_the_ledger(anybody: Program, rated: Game, ana: User) -> None:
    path = f"/players/{ana.player.pk}"
    ratings = anybody("GET", f"{path}/ratings").json()["items"]
    rows = Rating.objects.filter(player=ana.player).select_related("pool")
    assert {(r["pool"], r["rating_elo"], r["games"]) for r in ratings} == {
        (row.pool.key, row.centielo / 100, row.games) for row in rows
    }
    assert ratings
    pool = ratings[0]["pool"]
    entries = anybody("GET", f"{path}/ledger?pool={pool}").json()["items"]
    ledger = LedgerEntry.objects.filter(player=ana.player, pool__key=pool).order_by("seq")
    assert [each["after_elo"] for each in entries] == [row.after_centielo / 100 for row in ledger]
    assert entries[-1]["after_elo"] == ratings[0]["rating_elo"]


def test_two_players_have_their_results(anybody: Program, rated: Game) -> None:
    one, other = rated.first_id, rated.second_id
    results = anybody("GET", f"/players/{one}/versus/{other}").json()
    assert results["together"] == {"games": 1, "wins": 0, "draws": 0, "losses": 1}
    assert results["by_game"][0]["as_first"]["losses"] == 1
    assert anybody("GET", f"/players/{one}/versus/{one}").status_code == 404
    assert anybody("GET", f"/players/{one}/versus/999999").status_code == 404


def test_pools_have_their_leaderboards(anybody: Program, rated: Game) -> None:
    assert rated.pool is not None
    key = rated.pool.key
    assert key in [each["key"] for each in anybody("GET", "/pools").json()["items"]]
    rows = anybody("GET", f"/pools/{key}/leaderboard").json()["items"]
    assert {row["player"]["name"] for row in rows} == {"Ana", "Ben"}
    spread = anybody("GET", f"/pools/{key}/distribution").json()
    assert sum(step["players"] for step in spread["steps"]) == spread["players"] == 2
    assert anybody("GET", "/pools/none/leaderboard").status_code == 404
