"""Plies taken back by consent."""

from __future__ import annotations

import pytest

from engine.errors import MatchAbortedError
from tests.tournaments import clock_lines, pages
from tests.tournaments.conftest import enter, event_of
from tests.tournaments.frozen_clock import FrozenClock, freeze
from tournaments.errors import RefusedError, StaleError, TournamentError
from tournaments.models import Game, NewsItem, Player, User
from tournaments.queries.records import game_records
from tournaments.services.accounts import players
from tournaments.services.games import offers, takebacks
from tournaments.services.matches import replies
from tournaments.services.rounds import lifecycle


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> FrozenClock:
    return freeze(monkeypatch)


@pytest.fixture
def game(wall: FrozenClock, ana: User, ben: User) -> Game:
    """Return a game of Ana and Ben, after three plies. Ben is to move."""
    return _after(pages.new_game(ana.player, ben.player), 3)


def _after(game: Game, plies: int) -> Game:
    for _ in range(plies):
        pages.move(game)
    return game


def _take_back(game: Game, player: Player, *, is_answer: bool = False) -> None:
    takebacks.offer_takeback(game_id=game.pk, player=player, is_answer=is_answer)
    game.refresh_from_db()


def test_the_last_ply_goes_back_when_the_other_agrees(game: Game, ana: User, ben: User) -> None:
    before = list(game.plies.order_by("number").values_list("move", flat=True))
    _take_back(game, ana.player)
    assert (game.attempt, game.ply) == (1, 3)
    _take_back(game, ben.player, is_answer=True)
    assert (game.attempt, game.ply, game.side_to_move) == (2, 2, "first")
    assert game_records.record_of(game).moves == tuple(before[:2])
    assert game.plies.filter(attempt=1).count() == 3
    news = NewsItem.objects.filter(topic__name=f"game:{game.pk}", kind="restart").get()
    assert news.payload == {"attempt": 2, "ply": 2}


def test_a_reply_goes_back_with_the_ply(game: Game, ana: User, ben: User) -> None:
    _take_back(game, ben.player)
    _take_back(game, ana.player, is_answer=True)
    assert (game.attempt, game.ply, game.side_to_move) == (2, 1, "second")


def test_the_game_goes_on_from_there(game: Game, ana: User, ben: User) -> None:
    _take_back(game, ana.player)
    _take_back(game, ben.player)
    pages.play_out(game)
    assert game.ending == Game.Ending.RULES
    assert len(game_records.record_of(game).moves) == game.ply


def test_a_page_that_has_not_seen_it_plays_no_ply(game: Game, ana: User, ben: User) -> None:
    """Three plies again, but others: the page of the first attempt shows another position."""
    _take_back(game, ana.player)
    _take_back(game, ben.player)
    pages.move(game, attempt=2)
    assert game.ply == 3
    with pytest.raises(StaleError) as refused:
        pages.move(game, attempt=1)
    assert refused.value.code == "moved-on"
    pages.move(game, attempt=2)


def test_a_request_repeated_after_it_makes_no_ply(game: Game, ana: User, ben: User) -> None:
    pages.move(game, client_key="k")
    _take_back(game, ben.player)
    _take_back(game, ana.player)
    pages.move(game, client_key="k")
    assert (game.ply, game.plies.filter(client_key="k").count()) == (3, 1)


def test_the_clocks_stay_as_they_are(game: Game, wall: FrozenClock, ana: User, ben: User) -> None:
    before = (game.first_ms, game.second_ms)
    _take_back(game, ana.player)
    wall.wait(seconds=9)
    _take_back(game, ben.player)
    assert (game.first_ms, game.second_ms) == (before[0], before[1] - 9_000)
    assert clock_lines.of(game)[-2:] == [
        ("second", "spent", -9_000),
        ("second", "takeback", 0),
    ]
    assert game.turn_started_at == wall.now


@pytest.mark.parametrize("answer", ["decline", "withdraw", "move"])
def test_it_is_declined_withdrawn_or_lapses(game: Game, ana: User, ben: User, answer: str) -> None:
    _take_back(game, ana.player)
    match answer:
        case "decline":
            offers.decline(game_id=game.pk, player=ben.player)
        case "withdraw":
            offers.decline(game_id=game.pk, player=ana.player)
        case _:
            pages.move(game)
    expected = {"decline": "declined", "withdraw": "withdrawn", "move": "lapsed"}[answer]
    assert game.offers.get().answer == expected
    with pytest.raises(StaleError) as refused:
        _take_back(game, ben.player, is_answer=True)
    assert refused.value.code == "offer-gone"
    assert game.attempt == 1


def test_one_offer_stands_at_a_time(game: Game, ana: User, ben: User) -> None:
    _take_back(game, ana.player)
    for player in (ana.player, ben.player):
        with pytest.raises(RefusedError) as refused:
            offers.offer_end(game_id=game.pk, player=player)
        assert refused.value.code == "offer-open"
    offers.decline(game_id=game.pk, player=ben.player)
    offers.offer_end(game_id=game.pk, player=ben.player)
    with pytest.raises(RefusedError) as refused:
        _take_back(game, ben.player)
    assert refused.value.code == "offer-open"


def test_who_has_made_no_ply_takes_none_back(wall: FrozenClock, ana: User, ben: User) -> None:
    game = pages.new_game(ana.player, ben.player)
    pages.move(game)
    with pytest.raises(RefusedError) as refused:
        _take_back(game, ben.player)
    assert refused.value.code == "takeback-none"


def test_a_bot_grants_it_at_once_where_nothing_is_rated(wall: FrozenClock, ana: User) -> None:
    bot = players.add_bot(name="Bot", engine="random")
    game = pages.new_game(ana.player, bot)
    game.is_rated = False
    game.save(update_fields=["is_rated"])
    pages.move(game)
    _take_back(game, ana.player)
    assert (game.attempt, game.ply, game.side_to_move) == (2, 0, "first")
    assert game.offers.get().answer == "accepted"


def test_a_bot_gives_nothing_back_in_a_rated_game(wall: FrozenClock, ana: User) -> None:
    game = pages.new_game(ana.player, players.add_bot(name="Bot", engine="random"))
    pages.move(game)
    with pytest.raises(RefusedError) as refused:
        _take_back(game, ana.player)
    assert refused.value.code == "takeback-bot"


def test_what_is_played_in_an_event_stays(wall: FrozenClock, ana: User, ben: User) -> None:
    event = event_of(ana, admits="people")
    enter(event, ana.player, ben.player)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    game = Game.objects.get()
    pages.move(game)
    with pytest.raises(RefusedError) as refused:
        _take_back(game, game.first)
    assert refused.value.code == "takeback-event"


def test_nothing_goes_back_after_the_flag_or_the_end(
    game: Game, wall: FrozenClock, ana: User, ben: User
) -> None:
    _take_back(game, ana.player)
    wall.wait(seconds=700)
    _take_back(game, ben.player, is_answer=True)
    assert (game.ending, game.attempt) == (Game.Ending.TIME, 1)
    assert game.offers.get().answer == "lapsed"
    with pytest.raises(TournamentError) as refused:
        _take_back(game, ana.player)
    assert refused.value.code == "game-over"


def test_a_bots_reply_to_a_ply_that_went_back_is_not_played(wall: FrozenClock, ana: User) -> None:
    """The worker has begun to think. After an equal number of plies the position is another one."""
    bot = players.add_bot(name="Bot", engine="random")
    game = pages.new_game(ana.player, bot)
    Game.objects.update(is_rated=False)
    pages.move(game)
    snapshot = Game.objects.with_players().get(pk=game.pk)
    _take_back(game, ana.player)
    pages.move(game)
    assert game.ply == snapshot.ply
    with pytest.raises(MatchAbortedError):
        replies._renew(snapshot)
