"""Repetitions: a repeated game of two bots is evidence once."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from django.db import transaction

import games as rules
from tests.tournaments import authors
from tournaments.models import Game, GauntletPair, LedgerEntry, Match, Player, SprtPair, User
from tournaments.queries.bots import gauntlet_tables, sprt_tables
from tournaments.queries.clocks import game_clocks
from tournaments.queries.ratings import bradley_terry_table
from tournaments.services import gauntlets, sprt_tests
from tournaments.services.bots import suites
from tournaments.services.games import game_creation, game_end, play
from tournaments.services.matches import matches

_CLOCK = game_creation.Clock(5_000, 100)
RULESET = "morlox(size=5)"


def _finish(game: Game, *, move: int = 0, ending: str = Game.Ending.RESIGNATION) -> None:
    """The game with one ply, the legal move of this number, which the first side wins."""
    position = rules.load(game.ruleset).parse(game.position)
    step = play.step_of(game, sorted(position.legal_moves())[move])
    with transaction.atomic():
        play.add_ply(game, step, side="first", turn=game_clocks.Turn(1), wall_ms=1, cpu_ms=1)
        play.conclude_ply(game, step)
        game_end.finish_game(game, result="first", ending=ending)


def _play(pair: SprtPair | GauntletPair, *, move: int = 0) -> None:
    for game in pair.match.games.order_by("number"):
        _finish(game, move=move)
    Match.objects.filter(pk=pair.match_id).update(state=Match.State.DONE)


def _rated(bots: Sequence[Player]) -> Game:
    match = matches.schedule(ruleset=RULESET, setup="", players=(bots[0], bots[1]), clock=_CLOCK)
    return match.games.get()


def test_a_pair_that_repeats_does_not_count_in_an_sprt_test(
    ana: User, bots: Sequence[Player]
) -> None:
    plan = sprt_tests.Plan(bots[0].bot, bots[1].bot, RULESET, _CLOCK, max_pairs=10)
    test = sprt_tests.start(ana, plan)
    first, second, third, *_ = test.pairs.order_by("number")
    for pair, move in ((first, 0), (second, 0), (third, 1)):
        _play(pair, move=move)
    sprt_tests.advance(test.pk)
    assert sprt_tables.standing(test).pairs == 2
    assert sprt_tables.repetitions(test) == 1


@pytest.mark.long
def test_an_sprt_test_of_one_game_ends_without_a_verdict(ana: User, bots: Sequence[Player]) -> None:
    test = sprt_tests.start(ana, sprt_tests.Plan(bots[0].bot, bots[1].bot, RULESET, _CLOCK))
    for _ in range(10):
        for pair in test.pairs.filter(match__state="queued"):
            _play(pair)
        sprt_tests.advance(test.pk)
    test.refresh_from_db()
    assert (test.state, sprt_tables.standing(test).pairs) == ("open", 1)


@pytest.mark.long
def test_a_gauntlet_ends_though_its_pairs_repeat(ana: User, bots: Sequence[Player]) -> None:
    nilo = authors.version(ana, "Nilo")
    gauntlet = gauntlets.start(
        ana, gauntlets.Plan(nilo.bot, [bots[0].bot], RULESET, _CLOCK, pairs_each=5)
    )
    for pair in gauntlet.opponents.get().pairs.all():
        _play(pair)
    gauntlets.advance(gauntlet.pk)
    table = gauntlet_tables.table(gauntlet)
    assert (table.total.pairs, table.repetitions) == (1, 4)
    gauntlet.refresh_from_db()
    assert gauntlet.state == "done"


def test_a_repetition_is_not_rated(bots: Sequence[Player]) -> None:
    games = [_rated(bots) for _ in range(3)]
    for game, move in zip(games, (0, 0, 1), strict=True):
        _finish(game, move=move)
    assert [game.is_rated for game in games] == [True, False, True]
    assert LedgerEntry.objects.filter(player=bots[0].pk).count() == 2
    assert games[0].pool is not None
    assert bradley_terry_table.repetitions_in_pool(games[0].pool) == 1
    strengths = bradley_terry_table.strengths(games[0].pool)
    assert strengths is not None
    assert strengths.games == 2


def test_a_failure_counts_each_time(bots: Sequence[Player]) -> None:
    games = [_rated(bots) for _ in range(2)]
    for game in games:
        _finish(game, ending=Game.Ending.CRASH)
    assert [game.is_rated for game in games] == [True, True]


def test_the_same_game_with_the_sides_exchanged_is_another_one(bots: Sequence[Player]) -> None:
    games = [_rated(bots), _rated(bots[::-1])]
    for game in games:
        _finish(game)
    assert [game.is_rated for game in games] == [True, True]


@pytest.mark.parametrize(("ruleset", "is_house"), [(RULESET, True), ("morelli(size=5)", False)])
def test_where_the_rules_have_one_start_pairs_begin_from_openings(
    ana: User, ruleset: str, is_house: bool
) -> None:
    suite = suites.chosen(ana, suites.DRAWN, ruleset)
    assert (suite is not None) == is_house
