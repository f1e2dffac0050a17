"""The expected score of a game is stored before it, by the ledger's formula, and never afterwards."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from tests.tournaments import pages
from tests.tournaments.conftest import enter, event_of
from tournaments.models import Event, Game, Player, Pool, Rating, User
from tournaments.ratings import elo, glicko2
from tournaments.services.accounts import players
from tournaments.services.games import game_creation, play
from tournaments.services.matches import matches
from tournaments.services.ratings import pool_assignment, predictions
from tournaments.services.rounds import lifecycle

_RULESET = "morelli(size=5)"
ELO_1 = elo.EDITIONS[0]


def _rate(bot: Player, centielo: int, ruleset: str = _RULESET) -> None:
    pool = pages.pool_of(Pool.Kind.BOTS, ruleset)
    Rating.objects.create(pool=pool, player=bot, centielo=centielo, peak_centielo=centielo)


def test_a_rated_game_keeps_what_the_ratings_expect_of_its_first_side(
    bots: Sequence[Player],
) -> None:
    _rate(bots[0], 1700_00)
    _rate(bots[1], 2400_00, "morlox(size=5)")  # another pool says nothing about this one
    game = pages.new_game(bots[0], bots[1])
    game.refresh_from_db()
    assert game.predicted_millionths == ELO_1.expected_millionths(1700_00, 1500_00) == 759_747
    assert game.predicted_by == ELO_1.formula


def test_a_game_that_is_not_rated_is_not_predicted(ana: User, ben: User) -> None:
    game = pages.new_game(ana.player, ben.player, _RULESET, is_rated=False, seed=1)
    assert (game.predicted_millionths, game.predicted_by) == (None, None)


def test_both_games_of_a_pair_are_predicted_each_from_its_first_side(
    bots: Sequence[Player],
) -> None:
    _rate(bots[0], 1600_00)
    match = matches.schedule(
        ruleset=_RULESET,
        setup=game_creation.draw_setup(_RULESET, 1),
        players=(bots[0], bots[1]),
        clock=pages.CLOCK,
        games_count=2,
    )
    millionths = [game.predicted_millionths for game in match.games.order_by("number")]
    assert millionths == [
        ELO_1.expected_millionths(1600_00, 1500_00),
        ELO_1.expected_millionths(1500_00, 1600_00),
    ]


def test_the_games_of_a_round_of_pairs_are_predicted_from_their_own_first_sides(
    bots: Sequence[Player], ana: User
) -> None:
    for number, bot in enumerate(bots):
        _rate(bot, 1400_00 + 60_00 * number)
    event = event_of(ana, format="ladder", admits=Event.Admits.BOTS, duration_s=3600)
    enter(event, *bots)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    centielo = dict(Rating.objects.values_list("player_id", "centielo"))
    games = Game.objects.filter(pairing__event=event)
    assert games.filter(number=2).exists()
    for game in games:
        expected = ELO_1.expected_millionths(centielo[game.first_id], centielo[game.second_id])
        assert game.predicted_millionths == expected


def test_a_round_is_housed_and_predicted_by_a_few_queries(bots: Sequence[Player]) -> None:
    start = game_creation.start_position(_RULESET, game_creation.draw_setup(_RULESET, 1))
    pairs = [(one, two) for one in bots for two in bots if one != two]
    games = [
        game_creation.new_game(start, first=one, second=two, clock=pages.CLOCK, is_rated=True)
        for one, two in pairs
    ]
    pages.pool_of(Pool.Kind.BOTS)
    with CaptureQueriesContext(connection) as caught:
        pool_assignment.assign_pools(games)
        predictions.store_expected_scores(games)
    assert len(caught) == 3
    assert {game.predicted_millionths for game in games} == {500_000}


@pytest.mark.parametrize(
    "change",
    [
        {"predicted_millionths": 1},
        {"predicted_millionths": None, "predicted_by": None},
        {"predicted_by": "another"},
    ],
    ids=["value", "taken-back", "formula"],
)
def test_a_prediction_does_not_change(ana: User, ben: User, change: dict[str, object]) -> None:
    game = pages.new_game(ana.player, ben.player)
    with pytest.raises(DatabaseError, match="prediction"), transaction.atomic():
        Game.objects.filter(pk=game.pk).update(**change)
    pages.play_out(game)
    with pytest.raises(DatabaseError, match="prediction"), transaction.atomic():
        Game.objects.filter(pk=game.pk).update(**change)
    game.refresh_from_db()
    assert game.predicted_millionths == 500_000


@pytest.mark.parametrize(
    "values", [(1_000_001, ELO_1.formula), (None, ELO_1.formula), (500_000, None)], ids=str
)
def test_half_a_prediction_or_more_than_a_point_is_refused(
    ana: User, ben: User, values: tuple[int | None, str | None]
) -> None:
    start = game_creation.start_position(_RULESET, game_creation.draw_setup(_RULESET, 1))
    game = game_creation.new_game(
        start, first=ana.player, second=ben.player, clock=pages.CLOCK, is_rated=True
    )
    game.predicted_millionths, game.predicted_by = values
    with pytest.raises(DatabaseError), transaction.atomic():
        game.save()


def test_a_game_begins_with_the_ratings_of_its_day(ana: User, ben: User) -> None:
    """The second game uses the ratings after the first one. The first keeps the ratings before it."""
    first = pages.new_game(ana.player, ben.player)
    play.resign(game_id=first.pk, player=ben.player)
    second = pages.new_game(ana.player, ben.player)
    first.refresh_from_db()
    assert first.predicted_millionths == 500_000
    assert second.predicted_millionths is not None
    assert second.predicted_millionths > 500_000
    assert second.predicted_by == glicko2.FORMULA


def test_somebody_new_is_expected_to_play_like_the_beginning(ana: User) -> None:
    cleo = players.sign_up(name="Cleo", password="rayuela-1963")
    assert pages.new_game(ana.player, cleo.player).predicted_millionths == 500_000
