"""Games of people: moves, clocks, endings, and every refusal beside the success it differs from."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction

import games
from tests.tournaments import pages
from tests.tournaments.frozen_clock import freeze
from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import Game, LedgerEntry, NewsItem, Player, Ply, Rating, User
from tournaments.queries.clocks import game_clocks
from tournaments.queries.records import game_records
from tournaments.services.games import game_creation, game_end, offers, play
from tournaments.services.ratings import rating

pytestmark = pytest.mark.engines

MORELLI_5 = "morelli(size=5)"
CLOCK = game_creation.Clock(60_000, 2_000)


@pytest.fixture
def game(ana: User, ben: User) -> Game:
    """Return a game of Ana and Ben at Morelli 5x5. Ana begins."""
    return pages.new_game(ana.player, ben.player, clock=CLOCK)


def _legal(game: Game) -> list[str]:
    return games.load(game.ruleset).parse(game.position).legal_moves()


def _play_out(game: Game) -> None:
    while game.result is None:
        play.play_move(
            game_id=game.pk,
            player=game.player_on(game.side_to_move),
            ply=game.ply,
            move=_legal(game)[0],
        )
        game.refresh_from_db()


def test_a_move_is_recorded_and_passes_the_turn(game: Game, ana: User) -> None:
    move = _legal(game)[0]
    play.play_move(game_id=game.pk, player=ana.player, ply=0, move=move)
    game.refresh_from_db()
    assert (game.ply, game.side_to_move) == (1, "second")
    assert list(game.plies.values_list("number", "side", "move")) == [(1, "first", move)]


def _add(plies: play.Plies, game: Game) -> str:
    step = play.step_of(game, _legal(game)[0])
    plies.add(step, side=game.side_to_move, turn=game_clocks.Turn(1_000))
    return step.move


def test_plies_that_are_written_together_are_those_that_were_added(
    game: Game, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    monkeypatch.setattr(play, "_MOST_ROWS", 3)
    with transaction.atomic():
        plies = play.Plies(game)
        moves = [_add(plies, game) for _ in range(5)]
        with django_assert_num_queries(3):  # the game, three plies, two plies
            plies.write()
    stored = Game.objects.get(pk=game.pk)
    assert (stored.ply, stored.position) == (5, game.position)
    assert (stored.first_ms, stored.second_ms) == (63_000, 62_000)
    assert [*stored.plies.values_list("number", "move")] == [*enumerate(moves, start=1)]


def test_plies_are_not_written_to_a_game_that_has_moved_on(game: Game) -> None:
    late = Game.objects.get(pk=game.pk)
    plies = play.Plies(late)
    _add(plies, late)
    _add(plies, late)
    play.play_move(game_id=game.pk, player=game.first, ply=0, move=_legal(game)[0])
    with pytest.raises(StaleError), transaction.atomic():
        plies.write()
    assert game.plies.count() == 1


def test_a_convenient_spelling_is_stored_as_the_exact_one(game: Game, ana: User) -> None:
    exact = next((m for m in _legal(game) if " " in m), _legal(game)[0])
    play.play_move(game_id=game.pk, player=ana.player, ply=0, move=exact.split()[0])
    assert game.plies.get().move == exact


def test_a_played_out_game_has_its_result_ratings_and_news(game: Game, ana: User) -> None:
    _play_out(game)
    assert game.ending == Game.Ending.RULES
    assert game.result == games.load(MORELLI_5).parse(game.position).outcome()
    assert game.deadline_at is None
    entries = LedgerEntry.objects.filter(game=game)
    assert {entry.side for entry in entries} == {"first", "second"}
    assert sum(entry.delta_centielo for entry in entries) == 0
    kinds = list(
        NewsItem.objects.filter(topic__name=f"game:{game.pk}").values_list("kind", flat=True)
    )
    assert kinds == ["ply"] * game.ply + ["end"]


def test_news_of_a_topic_are_numbered_without_gaps(game: Game) -> None:
    _play_out(game)
    numbers = NewsItem.objects.filter(topic__name=f"game:{game.pk}").values_list("seq", flat=True)
    assert list(numbers) == list(range(1, game.ply + 2))


def test_an_illegal_move_names_its_paragraph_and_changes_nothing(game: Game, ana: User) -> None:
    with pytest.raises(RefusedError) as refused:
        play.play_move(game_id=game.pk, player=ana.player, ply=0, move="A1-A2")
    assert refused.value.code == "illegal-move"
    assert refused.value.rule.startswith("morelli-2015/")
    game.refresh_from_db()
    assert (game.ply, Ply.objects.count()) == (0, 0)


@pytest.mark.parametrize(
    "garbage", ["", "x" * 10_000, "A1-B2\x00", "\ud800", "🙂", "agree " * 50, "@A1", "e5"]
)
def test_garbage_is_refused_by_name(game: Game, ana: User, garbage: str) -> None:
    with pytest.raises(RefusedError):
        play.play_move(game_id=game.pk, player=ana.player, ply=0, move=garbage)


def test_the_other_may_not_move_out_of_turn(game: Game, ben: User) -> None:
    with pytest.raises(StaleError) as refused:
        play.play_move(game_id=game.pk, player=ben.player, ply=0, move=_legal(game)[0])
    assert refused.value.code == "not-your-turn"


def test_a_stranger_may_do_nothing(game: Game, bots: list[Player]) -> None:
    with pytest.raises(NotAllowedError):
        play.play_move(game_id=game.pk, player=bots[0], ply=0, move=_legal(game)[0])
    with pytest.raises(NotAllowedError):
        play.resign(game_id=game.pk, player=bots[0])


def test_a_stale_ply_is_refused(game: Game, ana: User) -> None:
    with pytest.raises(StaleError) as refused:
        play.play_move(game_id=game.pk, player=ana.player, ply=3, move=_legal(game)[0])
    assert refused.value.code == "moved-on"


def test_the_same_request_twice_is_one_move(game: Game, ana: User) -> None:
    for _ in range(2):
        play.play_move(
            game_id=game.pk, player=ana.player, ply=0, move=_legal(game)[0], client_key="k1"
        )
    assert Ply.objects.count() == 1


def test_a_key_with_another_move_is_refused(game: Game, ana: User, ben: User) -> None:
    first, other = _legal(game)[:2]
    play.play_move(game_id=game.pk, player=ana.player, ply=0, move=first, client_key="k1")
    for player, ply, move in [
        (ana.player, 0, other),
        (ana.player, 0, "garbage"),
        (ana.player, 2, first),
        (ben.player, 0, first),
    ]:
        with pytest.raises(RefusedError) as refused:
            play.play_move(game_id=game.pk, player=player, ply=ply, move=move, client_key="k1")
        assert refused.value.code == "key-used"
    assert Ply.objects.count() == 1


def test_a_repeated_move_may_be_spelt_otherwise(ana: User, ben: User) -> None:
    """`A1-B2` and `A1-B2xC2` are one move if the move captures C2."""
    game = pages.new_game(ana.player, ben.player, "morelli(size=7)")
    rng = random.Random(3)
    while True:
        position = games.load(game.ruleset).parse(game.position)
        move = rng.choice(list(position.legal_moves()))
        short = move.partition("x")[0]
        mover = game.player_on(game.side_to_move)
        for spelling in (move, short) if _is_spelling(position, short, move) else (move,):
            play.play_move(
                game_id=game.pk,
                player=mover,
                ply=game.ply,
                move=spelling,
                client_key=f"k{game.ply}",
            )
        game.refresh_from_db()
        if short != move:
            break


def _is_spelling(position: games.Position, short: str, move: str) -> bool:
    try:
        return position.canonical(short) == move
    except games.IllegalMoveError:
        return False


def test_time_is_charged_and_the_increment_added(
    game: Game, ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    freeze(monkeypatch)
    Game.objects.update(turn_started_at=database_time.now() - timedelta(seconds=10))
    play.play_move(game_id=game.pk, player=ana.player, ply=0, move=_legal(game)[0])
    ply = game.plies.get()
    assert ply.spent_ms == 10_000
    assert ply.remaining_ms == 60_000 - 10_000 + 2_000


def test_a_move_after_the_deadline_loses_on_time(game: Game, ana: User) -> None:
    Game.objects.update(deadline_at=database_time.now() - timedelta(milliseconds=1))
    with pytest.raises(StaleError) as refused:
        play.play_move(game_id=game.pk, player=ana.player, ply=0, move=_legal(game)[0])
    assert refused.value.code == "time-up"
    game.refresh_from_db()
    assert (game.result, game.ending, game.ply) == ("second", "time", 0)


def test_a_flag_falls_once_and_only_after_the_deadline(game: Game) -> None:
    assert game.deadline_at is not None
    assert not game_end.flag(game.pk, game.deadline_at - timedelta(milliseconds=1))
    assert game_end.flag(game.pk, game.deadline_at)
    assert not game_end.flag(game.pk, game.deadline_at)
    game.refresh_from_db()
    assert (game.result, game.ending) == ("second", "time")


def test_resigning_loses_whatever_the_board_shows(game: Game, ben: User) -> None:
    play.resign(game_id=game.pk, player=ben.player)
    game.refresh_from_db()
    assert (game.result, game.ending) == ("first", "resignation")
    with pytest.raises(StaleError):
        play.resign(game_id=game.pk, player=ben.player)


def test_agreement_needs_both_and_the_throne_decides(game: Game, ana: User, ben: User) -> None:
    offers.offer_end(game_id=game.pk, player=ana.player)
    offers.offer_end(game_id=game.pk, player=ana.player)
    game.refresh_from_db()
    assert (game.result, game.agreement_offered_by) == (None, "first")
    offers.offer_end(game_id=game.pk, player=ben.player)
    game.refresh_from_db()
    assert (game.result, game.ending) == ("draw", "agreement")  # nobody is on the Throne
    assert game.plies.get().move == "agree"


def test_nobody_agrees_alone(game: Game, ana: User) -> None:
    """The rules know `agree` as a ply, but it takes both: typed as a move it would end the game for the leader."""
    with pytest.raises(RefusedError) as refused:
        play.play_move(game_id=game.pk, player=ana.player, ply=0, move="agree")
    assert refused.value.code == "agree-alone"
    game.refresh_from_db()
    assert (game.result, game.ply) == (None, 0)


def test_an_offer_is_not_accepted_after_the_flag(game: Game, ana: User, ben: User) -> None:
    offers.offer_end(game_id=game.pk, player=ben.player)
    Game.objects.update(deadline_at=database_time.now() - timedelta(milliseconds=1))
    offers.offer_end(game_id=game.pk, player=ana.player)
    game.refresh_from_db()
    assert (game.result, game.ending, game.ply) == ("second", "time", 0)


def test_a_move_or_a_refusal_ends_an_offer(game: Game, ana: User, ben: User) -> None:
    offers.offer_end(game_id=game.pk, player=ben.player)
    play.play_move(game_id=game.pk, player=ana.player, ply=0, move=_legal(game)[0])
    game.refresh_from_db()
    assert game.agreement_offered_by is None
    offers.offer_end(game_id=game.pk, player=ana.player)
    offers.decline(game_id=game.pk, player=ben.player)
    game.refresh_from_db()
    assert game.agreement_offered_by is None


def test_a_game_without_agreement_says_so(ana: User, ben: User) -> None:
    game = pages.new_game(ana.player, ben.player, "morlox(size=5)", clock=CLOCK, is_rated=False)
    with pytest.raises(RefusedError) as refused:
        offers.offer_end(game_id=game.pk, player=ana.player)
    assert refused.value.code == "no-agreement"


def test_an_unrated_game_leaves_ratings_alone(ana: User, ben: User) -> None:
    game = pages.new_game(ana.player, ben.player, clock=CLOCK, is_rated=False, seed=1)
    play.resign(game_id=game.pk, player=ana.player)
    assert not Rating.objects.exists()


def test_the_swap_gives_the_person_the_other_colour_and_keeps_the_seats(
    ana: User, ben: User
) -> None:
    game = pages.new_game(ana.player, ben.player, "morlox(size=5)", clock=CLOCK, is_rated=False)
    play.play_move(game_id=game.pk, player=ana.player, ply=0, move="c3")
    play.play_move(game_id=game.pk, player=ben.player, ply=1, move="swap")
    game.refresh_from_db()
    assert game.side_to_move == "first"
    position = games.load(game.ruleset).parse(game.position)
    assert position.colour_of(games.Side.FIRST) == "white"


def test_increments_add_up_to_what_a_clock_can_hold(game: Game, ana: User) -> None:
    """A week and half a day a ply: quick plies would exceed PostgreSQL's integer."""
    Game.objects.update(
        first_ms=game_creation.MAX_CLOCK_MS,
        clock_increment_ms=43_200_000,
        deadline_at=database_time.now() + timedelta(days=20),
    )
    play.play_move(game_id=game.pk, player=ana.player, ply=0, move=_legal(game)[0])
    game.refresh_from_db()
    assert game.first_ms == game_creation.MAX_CLOCK_MS < 2**31


@pytest.mark.parametrize("seconds", [0, -5, 10**9])
def test_a_clock_needs_sensible_times(seconds: int) -> None:
    with pytest.raises(RefusedError):
        game_creation.Clock(seconds * 1000)


# --- refusals of the database
# -------------------------------------------------------------------------------------


def test_a_finished_game_never_changes(game: Game, ana: User) -> None:
    play.resign(game_id=game.pk, player=ana.player)
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.filter(pk=game.pk).update(result="first")
    with pytest.raises(StaleError):
        game_end.finish_game(game, result="first", ending="rules")


@pytest.mark.parametrize("model", [Ply, LedgerEntry, NewsItem])
def test_history_is_only_added_to(game: Game, model: type[Ply | LedgerEntry | NewsItem]) -> None:
    _play_out(game)
    rows = model._default_manager.all()
    with pytest.raises(IntegrityError), transaction.atomic():
        rows.update(**{"number" if model is Ply else "seq": 999})
    with pytest.raises(IntegrityError), transaction.atomic():
        rows._raw_delete(rows.db)


def test_one_move_a_ply(game: Game) -> None:
    values = {
        "side": "first",
        "move": "x",
        "spent_ms": 0,
        "remaining_ms": 0,
        "made_at": database_time.now(),
    }
    Ply.objects.create(game=game, number=1, **values)
    with pytest.raises(IntegrityError), transaction.atomic():
        Ply.objects.create(game=game, number=1, **values)


def test_nobody_plays_against_himself(ana: User) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        game_creation.create_game(
            ruleset=MORELLI_5,
            setup="",
            first=ana.player,
            second=ana.player,
            clock=CLOCK,
            is_rated=True,
        )


def test_a_result_needs_its_ending(game: Game) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.filter(pk=game.pk).update(result="first")


def test_a_ledger_that_does_not_add_up_is_refused(game: Game) -> None:
    _play_out(game)
    entry = LedgerEntry.objects.first()
    assert entry is not None
    entry.pk, entry.seq, entry.side, entry.after_centielo = None, 99, "x", entry.after_centielo + 1
    with pytest.raises(IntegrityError), transaction.atomic():
        entry.save(force_insert=True)


def test_a_game_is_rated_once(game: Game) -> None:
    _play_out(game)

    with pytest.raises(IntegrityError), transaction.atomic():
        rating.rate(game)


def test_the_record_of_a_game_replays_to_the_same_end(game: Game) -> None:
    _play_out(game)
    again = games.parse_record(game_records.record_of(game).text())
    assert again.outcome == game.result
    assert list(again.moves) == list(game.plies.values_list("move", flat=True))
