"""The engine on pages: the pages that offer it, and the rule that it helps no player at a board."""

from __future__ import annotations

import html
from collections.abc import Sequence
from urllib.parse import quote

import pytest
from django.test import Client

import games
from games import variations
from tests.tournaments import correspondence, pages
from tests.tournaments.conftest import enter, event_of
from tournaments import database_time
from tournaments.errors import NotAllowedError
from tournaments.models import Event, Game, Player, User
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.queries.records import engine_use
from tournaments.services.games import play
from tournaments.services.rounds import lifecycle

KEY = "morelli(edition=revised,size=5,setup=random)"
OTHER_SIZE = "morelli(edition=revised,size=7,setup=random)"
OTHER_FAMILY = "morlox(size=5,swap=on)"
SWITCH = 'role="switch"'
REVIEW = "data-review-button"


def _over(first: Player, second: Player, ruleset: str = KEY) -> Game:
    game = pages.new_game(first, second, ruleset)
    pages.move(game)
    play.resign(game_id=game.pk, player=second)
    return Game.objects.with_players().get(pk=game.pk)


def _page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return html.unescape(answer.content.decode())


def test_a_game_that_is_over_is_looked_at_and_reviewed(
    client: Client, ana: User, ben: User
) -> None:
    game = _over(ana.player, ben.player)
    page = _page(client, game.get_absolute_url())
    assert SWITCH in page
    assert REVIEW in page
    start = games.starting_position(games.load(game.ruleset), game.setup)
    assert f'data-rules="{KEY}" data-start="{start.text()}"' in page
    assert "Learn from the mistakes of Ana" in page
    assert "Learn from your mistakes" in _page(pages.member(ana), game.get_absolute_url())


def test_a_game_that_goes_on_has_no_engine_on_its_page_nor_on_analysis_of_it(
    client: Client, ana: User, ben: User
) -> None:
    game = pages.new_game(ana.player, ben.player, KEY)
    assert SWITCH not in _page(client, game.get_absolute_url())
    analysis = f"/analysis/?game={game.pk}"
    assert "This game is in progress" in _page(client, analysis)
    assert SWITCH not in _page(client, analysis)
    answer = client.post("/analysis/", {"game": game.pk, "tree": "", "at": 0, "do": "share"})
    study = _page(client, answer["Location"])
    assert SWITCH not in study
    play.resign(game_id=game.pk, player=ana.player)
    assert SWITCH in _page(client, analysis)
    assert SWITCH in _page(client, answer["Location"])


@pytest.mark.long
def test_whoever_sits_at_a_game_has_no_engine_for_its_family(ana: User, ben: User) -> None:
    over = _over(ana.player, ben.player)
    client = pages.member(ana)
    board = f"/analysis/?rules={OTHER_SIZE}"
    assert SWITCH in _page(client, board)
    running = pages.new_game(ana.player, ben.player, KEY)
    for address in (board, over.get_absolute_url()):
        page = _page(client, address)
        assert SWITCH not in page
        assert REVIEW not in page
        assert "It opens again when that game is over." in page
        assert f'href="{running.get_absolute_url()}"' in page
    assert SWITCH in _page(client, f"/analysis/?rules={OTHER_FAMILY}")
    play.resign(game_id=running.pk, player=ben.player)
    assert SWITCH in _page(client, board)


@pytest.mark.long
@pytest.mark.parametrize("clock", [correspondence.BANK, Clock.read("unlimited")], ids=str)
def test_a_game_without_haste_forbids_it_for_the_position_on_its_board(
    ana: User, ben: User, staff: User, clock: Clock
) -> None:
    own, other = _over(ana.player, ben.player), _over(ben.player, staff.player, OTHER_SIZE)
    running = correspondence.begin(ana.player, ben.player, clock)
    pages.move(running)
    client = pages.member(ana)
    for address in (f"/analysis/?rules={KEY}", own.get_absolute_url(), other.get_absolute_url()):
        assert SWITCH in _page(client, address), address
    assert REVIEW in _page(client, own.get_absolute_url())
    start = games.starting_position(games.load(running.ruleset), running.setup)
    first = start.legal_moves()[0]
    line = variations.line([first, start.play(first).legal_moves()[0]]).text()
    board = f"/analysis/?rules={KEY}&start={quote(start.text())}&tree={quote(line)}"
    assert SWITCH in _page(client, f"{board}&at=0")
    for at in (1, 2):
        page = _page(client, f"{board}&at={at}")
        assert SWITCH not in page, at
        assert "on the board of a game that you are playing" in page
        assert f'href="{running.get_absolute_url()}"' in page
    assert SWITCH in _page(pages.member(staff), f"{board}&at=1")


def test_a_finished_game_of_others_through_the_position_on_ones_board_has_no_engine(
    ana: User, ben: User, staff: User
) -> None:
    running = correspondence.begin(ana.player, ben.player)
    same = pages.new_game(ben.player, staff.player, KEY)
    assert same.position == running.position
    for game in (running, same):
        pages.move(game)
    play.resign(game_id=same.pk, player=ben.player)
    address = same.get_absolute_url()
    assert SWITCH not in _page(pages.member(ana), address)
    assert SWITCH in _page(pages.member(ben), address), "it is his own"
    assert SWITCH in _page(pages.member(staff), address)


def test_bots_boxed_here_are_helped_by_nobody(bots: Sequence[Player], ana: User) -> None:
    game = pages.new_game(bots[0], bots[1], KEY)
    engine_use.require(player=ana.player, ruleset=KEY, game=game)
    against_person = pages.new_game(bots[0], ana.player, KEY)
    with pytest.raises(NotAllowedError, match="engine-running-game"):
        engine_use.require(player=None, ruleset=KEY, game=against_person)
    with pytest.raises(NotAllowedError, match="engine-own-game"):
        engine_use.require(player=ana.player, ruleset=KEY)


def test_pages_with_an_engine_may_compile_webassembly_and_others_may_not(
    client: Client, ana: User, ben: User
) -> None:
    game = _over(ana.player, ben.player)
    policies = {
        address: client.get(address)["Content-Security-Policy"]
        for address in (game.get_absolute_url(), f"/analysis/?rules={KEY}", "/games/morelli/")
    }
    allows = ["script-src 'self' 'wasm-unsafe-eval'" in policies[address] for address in policies]
    assert allows == [True, True, False]


def test_lines_are_played_by_a_click_on_the_analysis_board_alone(
    client: Client, ana: User, ben: User
) -> None:
    assert "<button" in _line(_page(client, f"/analysis/?rules={KEY}"))
    assert "<button" not in _line(_page(client, _over(ana.player, ben.player).get_absolute_url()))


def _line(page: str) -> str:
    return page.partition("data-engine-lines")[2].partition("</li>")[0]


@pytest.mark.long
def test_an_event_may_forbid_it_to_its_players_until_it_is_over(
    client: Client, ana: User, ben: User
) -> None:
    event = event_of(ana, forbids_engine=True, ruleset=KEY)
    enter(event, ana.player, ben.player)
    board = f"/analysis/?rules={OTHER_SIZE}"
    player, visitor = pages.member(ana), client
    assert SWITCH in _page(player, board), "before the start"
    lifecycle.start_event(event_id=event.pk, actor=ana)
    pages.matches_due(event)
    pages.resign_all(event)
    game = Game.objects.filter(pairing__event=event).earliest("pk")
    assert "without an engine until it is over" in _page(player, board)
    assert SWITCH not in _page(player, board)
    assert SWITCH not in _page(visitor, game.get_absolute_url())
    assert SWITCH in _page(player, f"/analysis/?rules={OTHER_FAMILY}")
    assert SWITCH in _page(visitor, board)
    Event.objects.filter(pk=event.pk).update(
        state=Event.State.FINISHED, finished_at=database_time.now()
    )
    assert SWITCH in _page(visitor, game.get_absolute_url())


HINT = "data-hint-button"


@pytest.mark.parametrize("is_rated", [False, True], ids=["unrated", "rated"])
def test_a_game_against_a_bot_has_hints_if_it_is_unrated(
    ana: User, bots: list[Player], *, is_rated: bool
) -> None:
    game = pages.new_game(ana.player, bots[0], KEY)
    Game.objects.filter(pk=game.pk).update(is_rated=is_rated)
    page = _page(pages.member(ana), game.get_absolute_url())
    assert (HINT in page) is not is_rated
    assert SWITCH not in page
    assert HINT not in _page(Client(), game.get_absolute_url())


def test_a_game_between_people_has_no_hints(ana: User, ben: User) -> None:
    game = pages.new_game(ana.player, ben.player, KEY)
    Game.objects.filter(pk=game.pk).update(is_rated=False)
    assert HINT not in _page(pages.member(ana), game.get_absolute_url())


def test_another_live_game_of_the_family_forbids_hints(
    ana: User, ben: User, bots: list[Player]
) -> None:
    game = pages.new_game(ana.player, bots[0], KEY)
    Game.objects.filter(pk=game.pk).update(is_rated=False)
    client = pages.member(ana)
    pages.new_game(ana.player, ben.player, OTHER_FAMILY)
    assert HINT in _page(client, game.get_absolute_url())
    pages.new_game(ana.player, ben.player, OTHER_SIZE)
    assert HINT not in _page(client, game.get_absolute_url())


def test_hints_are_for_the_position_that_waits_for_the_player(
    ana: User, bots: list[Player]
) -> None:
    game = pages.new_game(ana.player, bots[0], KEY)
    Game.objects.filter(pk=game.pk).update(is_rated=False)
    pages.move(game)
    assert HINT not in _page(pages.member(ana), game.get_absolute_url())
