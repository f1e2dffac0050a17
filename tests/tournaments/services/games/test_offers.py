"""Offers between the players of a game: draws, more time, rematches, and games that are aborted."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

import games
from tests.tournaments import pages
from tests.tournaments.conftest import enter, event_of
from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import Game, LedgerEntry, NewsItem, Offer, Player, User
from tournaments.queries.records import game_records
from tournaments.services.games import game_creation, offers, play
from tournaments.services.lobby import challenges
from tournaments.services.matches import replies
from tournaments.services.rounds import lifecycle

MORELLI = "morelli(size=5)"
PERFECT = "perfect()"
CLOCK = game_creation.Clock(600_000, 5_000)


def _game(first: Player, second: Player, ruleset: str = PERFECT) -> Game:
    return pages.new_game(first, second, ruleset)


@pytest.fixture
def game(ana: User, ben: User) -> Game:
    """Return a game of Ana and Ben at the Perfect Game, which knows draws. Ana begins."""
    return _game(ana.player, ben.player)


def _move(game: Game) -> None:
    game.refresh_from_db()
    legal = games.load(game.ruleset).parse(game.position).legal_moves()
    mover = game.player_on(game.side_to_move)
    play.play_move(game_id=game.pk, player=mover, ply=game.ply, move=legal[0])
    game.refresh_from_db()


def _answers(game: Game) -> list[tuple[str, str, str | None]]:
    return list(game.offers.order_by("pk").values_list("kind", "side", "answer"))


# --- draws --------------------------------------------------------------------------------------------------------


def test_both_agree_on_a_draw(game: Game, ana: User, ben: User) -> None:
    offers.offer_end(game_id=game.pk, player=ana.player)
    offers.offer_end(game_id=game.pk, player=ben.player, is_answer=True)
    game.refresh_from_db()
    assert (game.result, game.ending, game.ply) == ("draw", "draw-agreed", 0)
    assert _answers(game) == [("draw", "first", "accepted")]
    assert LedgerEntry.objects.filter(game=game).count() == 2


def test_the_record_of_an_agreed_draw_can_be_read_again(game: Game, ana: User, ben: User) -> None:
    _move(game)
    for user in (ana, ben):
        offers.offer_end(game_id=game.pk, player=user.player)
    game.refresh_from_db()
    again = games.parse_record(game_records.record_of(game).text())
    assert (again.outcome, again.ending) == ("draw", "draw-agreed")
    assert len(again.moves) == 1


def test_a_draw_is_offered_until_the_other_side_has_moved(game: Game, ana: User) -> None:
    offers.offer_end(game_id=game.pk, player=ana.player)
    while game.side_to_move == "first":
        _move(game)
    assert _answers(game) == [("draw", "first", None)]
    _move(game)
    assert _answers(game) == [("draw", "first", "lapsed")]
    assert game.agreement_offered_by is None


def test_what_the_throne_decides_is_offered_for_one_position(ana: User, ben: User) -> None:
    """Or who offers could take the Throne while the other accepts."""
    game = _game(ana.player, ben.player, MORELLI)
    offers.offer_end(game_id=game.pk, player=ana.player)
    _move(game)
    assert _answers(game) == [("end", "first", "lapsed")]
    with pytest.raises(StaleError) as refused:
        offers.offer_end(game_id=game.pk, player=ben.player, is_answer=True)
    assert refused.value.code == "offer-gone"
    assert game.offers.count() == 1


def test_declined_and_taken_back_are_told_apart(game: Game, ana: User, ben: User) -> None:
    offers.offer_end(game_id=game.pk, player=ana.player)
    offers.decline(game_id=game.pk, player=ben.player)
    offers.offer_end(game_id=game.pk, player=ben.player)
    offers.decline(game_id=game.pk, player=ben.player)
    assert _answers(game) == [("draw", "first", "declined"), ("draw", "second", "withdrawn")]
    game.refresh_from_db()
    assert (game.result, game.agreement_offered_by) == (None, None)


def test_nobody_is_pestered(game: Game, ana: User, ben: User) -> None:
    offers.offer_end(game_id=game.pk, player=ana.player)
    offers.decline(game_id=game.pk, player=ben.player)
    for _ in range(offers.PAUSE_PLIES):
        with pytest.raises(RefusedError) as refused:
            offers.offer_end(game_id=game.pk, player=ana.player)
        assert refused.value.code == "offer-again"
        _move(game)
    offers.offer_end(game_id=game.pk, player=ana.player)
    assert game.offers.count() == 2


def test_an_offer_repeated_is_one_offer(game: Game, ana: User) -> None:
    for _ in range(2):
        offers.offer_end(game_id=game.pk, player=ana.player)
    assert _answers(game) == [("draw", "first", None)]


def test_the_end_of_a_game_ends_what_was_offered_in_it(game: Game, ana: User, ben: User) -> None:
    offers.offer_end(game_id=game.pk, player=ana.player)
    play.resign(game_id=game.pk, player=ben.player)
    assert _answers(game) == [("draw", "first", "lapsed")]


def test_a_draw_is_not_accepted_after_the_flag(game: Game, ana: User, ben: User) -> None:
    offers.offer_end(game_id=game.pk, player=ben.player)
    Game.objects.update(deadline_at=database_time.now() - timedelta(milliseconds=1))
    offers.offer_end(game_id=game.pk, player=ana.player, is_answer=True)
    game.refresh_from_db()
    assert (game.result, game.ending) == ("second", "time")
    assert _answers(game) == [("draw", "second", "lapsed")]


@pytest.mark.parametrize("act", [offers.offer_end, offers.decline, offers.give_time, play.abort])
def test_no_offer_changes_a_finished_game(
    game: Game, ana: User, ben: User, act: Callable[..., object]
) -> None:
    play.resign(game_id=game.pk, player=ben.player)
    before = Game.objects.filter(pk=game.pk).values().get()
    with pytest.raises(StaleError) as refused:
        act(game_id=game.pk, player=ana.player)
    assert refused.value.code == "game-over"
    assert Game.objects.filter(pk=game.pk).values().get() == before


@pytest.mark.parametrize(
    "act", [offers.offer_end, offers.decline, offers.give_time, offers.offer_rematch, play.abort]
)
def test_strangers_offer_nothing(
    game: Game, bots: list[Player], act: Callable[..., object]
) -> None:
    with pytest.raises(NotAllowedError) as refused:
        act(game_id=game.pk, player=bots[0])
    assert refused.value.code == "not-your-game"


def test_an_answer_is_final(game: Game, ana: User, ben: User) -> None:
    offers.offer_end(game_id=game.pk, player=ana.player)
    offers.decline(game_id=game.pk, player=ben.player)
    for changes in ({"answer": "accepted"}, {"side": "second"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Offer.objects.update(**changes)
    rows = Offer.objects.all()
    with pytest.raises(IntegrityError), transaction.atomic():
        rows._raw_delete(rows.db)


@pytest.mark.engine
@pytest.mark.parametrize(
    ("hope", "result"), [(0.0, "draw"), (0.5, None)], ids=["not better", "better"]
)
def test_a_bot_takes_a_draw_unless_it_stands_better(
    ana: User, bots: list[Player], monkeypatch: pytest.MonkeyPatch, hope: float, result: str | None
) -> None:
    game = _game(ana.player, bots[0])
    position = type(games.load(PERFECT).parse(game.position))
    monkeypatch.setattr(position, "evaluation", lambda _: -hope)  # Ana is to move
    offers.offer_end(game_id=game.pk, player=ana.player)
    replies.reply(game.pk)
    game.refresh_from_db()
    assert (game.result, game.agreement_offered_by) == (result, None)
    assert game.offers.get().answer == ("accepted" if result else "declined")


# --- time ---------------------------------------------------------------------------------------------------------


def test_time_is_given_at_once_and_the_deadline_moves(game: Game, ben: User) -> None:
    assert game.deadline_at is not None
    offers.give_time(game_id=game.pk, player=ben.player)
    before = game.deadline_at
    game.refresh_from_db()
    assert (game.first_ms, game.second_ms) == (750_000, 600_000)
    assert game.deadline_at == before + timedelta(milliseconds=150_000)
    assert game.offers.get().given_ms == 150_000


def test_time_for_whose_clock_stands_moves_no_deadline(game: Game, ana: User) -> None:
    before = game.deadline_at
    offers.give_time(game_id=game.pk, player=ana.player)
    game.refresh_from_db()
    assert (game.second_ms, game.deadline_at) == (750_000, before)


def test_gifts_are_bounded(game: Game, ana: User, ben: User, bots: list[Player]) -> None:
    offers.give_time(game_id=game.pk, player=ana.player)
    with pytest.raises(RefusedError) as refused:
        offers.give_time(game_id=game.pk, player=ana.player)
    assert refused.value.code == "offer-again"
    Game.objects.update(first_ms=2 * CLOCK.initial_ms)
    with pytest.raises(RefusedError) as refused:
        offers.give_time(game_id=game.pk, player=ben.player)
    assert refused.value.code == "time-enough"
    against_bot = _game(ana.player, bots[0])
    with pytest.raises(RefusedError) as refused:
        offers.give_time(game_id=against_bot.pk, player=ana.player)
    assert refused.value.code == "time-bot"


# --- abort --------------------------------------------------------------------------------------------------------


def test_a_game_aborted_before_ones_own_first_ply_counts_for_nothing(game: Game, ben: User) -> None:
    _move(game)
    play.abort(game_id=game.pk, player=ben.player)
    game.refresh_from_db()
    assert (game.result, game.ending, game.ending_detail) == ("void", "aborted", "second")
    assert not LedgerEntry.objects.exists()


def test_who_has_moved_can_only_resign(game: Game, ana: User) -> None:
    _move(game)
    with pytest.raises(RefusedError) as refused:
        play.abort(game_id=game.pk, player=ana.player)
    assert refused.value.code == "abort-late"


@pytest.fixture
def of_event(ana: User, ben: User) -> Game:
    """A game of Ana and Ben in an event."""
    event = event_of(ana, admits="people", rounds_total=1, is_automatic=True)
    enter(event, ana.player, ben.player)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    return Game.objects.filter(pairing__event=event).with_players().get()


def test_in_an_event_nothing_is_aborted_given_or_played_again(of_event: Game) -> None:
    player = of_event.first
    for act, code in ((play.abort, "abort-event"), (offers.give_time, "time-event")):
        with pytest.raises(RefusedError) as refused:
            act(game_id=of_event.pk, player=player)
        assert refused.value.code == code
    play.resign(game_id=of_event.pk, player=player)
    with pytest.raises(RefusedError) as refused:
        offers.offer_rematch(game_id=of_event.pk, player=player)
    assert refused.value.code == "rematch-event"


# --- rematch ------------------------------------------------------------------------------------------------------


@pytest.fixture
def finished(ana: User, ben: User) -> Game:
    """A game at Morelli that Ana has resigned against Ben."""
    game = _game(ana.player, ben.player, MORELLI)
    return play.resign(game_id=game.pk, player=ana.player)


def test_a_rematch_exchanges_the_sides_and_keeps_the_rest(
    finished: Game, ana: User, ben: User
) -> None:
    assert offers.offer_rematch(game_id=finished.pk, player=ana.player) is None
    rematch = offers.offer_rematch(game_id=finished.pk, player=ben.player, is_answer=True)
    assert rematch is not None
    assert (rematch.first, rematch.second) == (ben.player, ana.player)
    for name in ("ruleset", "setup", "clock_initial_ms", "clock_increment_ms", "is_rated"):
        assert getattr(rematch, name) == getattr(finished, name), name
    news_items = NewsItem.objects.filter(topic__name=f"game:{finished.pk}", kind="rematch").get()
    assert news_items.payload == {"game": rematch.pk}


def test_the_rematch_of_a_rematch_has_a_set_up_of_its_own(
    finished: Game, ana: User, ben: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("secrets.randbits", lambda _: 12)
    game = finished
    for _ in range(2):
        offers.offer_rematch(game_id=game.pk, player=ana.player)
        rematch = offers.offer_rematch(game_id=game.pk, player=ben.player)
        assert rematch is not None
        game = play.resign(game_id=rematch.pk, player=ana.player)
    assert game.setup == game_creation.draw_setup(MORELLI, 12)
    assert game.setup != finished.setup


def test_a_game_has_one_rematch(finished: Game, ana: User, ben: User) -> None:
    for user in (ana, ben):
        offers.offer_rematch(game_id=finished.pk, player=user.player)
    for user in (ana, ben):
        with pytest.raises(StaleError) as refused:
            offers.offer_rematch(game_id=finished.pk, player=user.player)
        assert refused.value.code == "rematch-begun"
    assert Game.objects.count() == 2


def test_a_declined_rematch_is_not_offered_twice(finished: Game, ana: User, ben: User) -> None:
    offers.offer_rematch(game_id=finished.pk, player=ana.player)
    offers.decline(game_id=finished.pk, player=ben.player)
    with pytest.raises(RefusedError) as refused:
        offers.offer_rematch(game_id=finished.pk, player=ana.player)
    assert refused.value.code == "offer-again"
    with pytest.raises(StaleError) as stale:
        offers.offer_rematch(game_id=finished.pk, player=ben.player, is_answer=True)
    assert stale.value.code == "offer-gone"
    assert Game.objects.count() == 1


def test_a_rematch_leaves_the_finished_game_as_it_is(finished: Game, ana: User, ben: User) -> None:
    before = Game.objects.filter(pk=finished.pk).values().get()
    for user in (ana, ben):
        offers.offer_rematch(game_id=finished.pk, player=user.player)
    assert Game.objects.filter(pk=finished.pk).values().get() == before


def test_there_is_no_rematch_of_a_game_that_goes_on(game: Game, ana: User) -> None:
    with pytest.raises(RefusedError) as refused:
        offers.offer_rematch(game_id=game.pk, player=ana.player)
    assert refused.value.code == "not-over"


def test_a_bot_plays_again_at_once_while_it_plays_at_all(ana: User, bots: list[Player]) -> None:
    challenge = challenges.challenge(
        challenger=ana.player, opponent=bots[0], ruleset=MORELLI, clock=CLOCK, side="first"
    )
    assert challenge.game is not None
    play.resign(game_id=challenge.game.pk, player=ana.player)
    again = offers.offer_rematch(game_id=challenge.game.pk, player=ana.player)
    assert again is not None
    assert again.first == bots[0]
    play.resign(game_id=again.pk, player=ana.player)
    bots[0].bot.__class__.objects.update(is_active=False)
    with pytest.raises(RefusedError) as refused:
        offers.offer_rematch(game_id=again.pk, player=ana.player)
    assert refused.value.code == "bot-inactive"
