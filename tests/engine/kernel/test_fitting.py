"""Weights of an evaluation from results: terms, regression, games of the search with itself."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from scipy.special import expit

import games
from engine.kernel import __main__ as command
from engine.kernel.fitting import (
    Evaluations,
    SelfPlayGame,
    TooFewGamesError,
    best_scale,
    best_weights,
    evaluations_by,
    fit,
    losses,
    self_play,
)
from engine.kernel.host import Kernel, KernelWordError, NoPositionError
from engine.kernel.matches import weight_words
from games.core import Outcome, Side
from tests.engine.kernel.rulesets import KEYS, some_position

SMALL = "morlox(size=4,swap=off)"


def made_up(true, *, size=4_000):
    """Return a linear evaluation by random terms, and the scores that are to be expected by true weights."""
    terms = np.random.default_rng(1).normal(size=(size, len(true)))

    def evaluate(weights):
        return Evaluations(terms @ np.array(weights, float), terms)

    return evaluate, expit(evaluate(true).values / 1000)


@pytest.fixture(scope="module")
def some_games():
    return tuple(self_play(SMALL, Kernel(), games=12, nodes=10, seed=2))


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.part(0.3)
def test_value_is_the_sum_of_the_weights_times_their_terms(kernel, key):
    for seed in range(4):
        valuation = kernel.load(some_position(key, seed)).valuation()
        total = sum(map(np.multiply, valuation.weights, valuation.terms))
        assert valuation.value == pytest.approx(total, abs=2.1)  # two divisions that round


@pytest.mark.parametrize("key", ["morelli(size=9)", "morlox(size=9)"])
def test_value_is_in_thousandths_of_the_logarithm_of_the_odds(kernel, key):
    for seed in range(8):
        value = kernel.load(some_position(key, seed)).valuation().value
        chance = min(max(1000 * expit(value / 1000), 10), 990)
        assert kernel.evaluation() == pytest.approx(chance, abs=1)


def test_valuation_is_by_the_weights_of_its_words_or_those_in_play(kernel):
    kernel.load(some_position("morlox(size=9)", 3))
    in_play = kernel.valuation()
    chance = kernel.evaluation()
    kernel.search(50, w0=1, w1=1, w2=1)
    assert kernel.valuation() == in_play
    assert kernel.evaluation() == chance != 500
    other = kernel.valuation(**weight_words([0, 1234, 0]))
    assert other.weights == (0, 1234, 0)
    assert other.value == 1234
    assert other.terms == in_play.terms


def test_throne_has_no_terms_where_it_is_worth_nothing(kernel):
    """Its worth is cut at 0: with a way so expensive that it takes all, neither weight counts."""
    holders = 0
    key = games.load("morelli(size=9)").key
    played = self_play(key, Kernel(), games=2, nodes=20)
    for text in [text for game in played for text in game.positions]:
        if text.split()[2] == "-":
            continue
        kernel.load_text(key, text)
        throne, way, _ = kernel.valuation(**weight_words([10_000, 1, 0])).terms
        assert abs(throne) == 1
        if way:
            holders += 1
            assert way == pytest.approx(-throne * abs(way))
            cut = kernel.valuation(**weight_words([1, 10_000, 0]))
            assert (cut.value, cut.terms[:2]) == (0, (0, 0))
    assert holders > 3


def test_valuation_refuses_a_word_out_of_range_and_no_position(kernel):
    with pytest.raises(NoPositionError):
        Kernel().valuation()
    kernel.load(some_position(SMALL, 0))
    with pytest.raises(KernelWordError):
        kernel.valuation(w0=10_002)


def test_known_weights_come_back_from_the_scores_to_be_expected():
    true = (3000, 40, 700)
    evaluate, scores = made_up(true)
    assert best_weights(evaluate, scores, (100, 9000, 0)) == true


def test_known_weights_come_back_from_results():
    true = (1500, 400, 900)
    evaluate, chances = made_up(true)
    results = (np.random.default_rng(2).random(chances.size) < chances).astype(float)
    assert best_weights(evaluate, results, (100, 100, 100)) == pytest.approx(true, abs=150)


@pytest.mark.parametrize(
    ("key", "true"),
    [("morelli(size=9)", (3000, 7000, 4000)), ("morlox(size=9)", (5000, 900, 60)),
     # In so few plies no man arrives, and w4 stays as it is.
     ("perfect(limit=60)", (40, 90, 300, 100, 1090, 80, 60, 30))],
    ids=["morelli, often cut", "morlox", "perfect"],
)  # fmt: skip
@pytest.mark.part(0.4)
@pytest.mark.long
def test_known_weights_come_back_from_positions_of_the_kernel(kernel, key, true):
    evaluate = evaluations_by(key, kernel, self_play(key, Kernel(), games=5, nodes=20))
    scores = expit(evaluate(true).values / 1000)
    start = kernel.valuation().weights
    assert start != true
    weights = best_weights(evaluate, scores, start)
    assert weights == pytest.approx(true, rel=0.02, abs=3)


def test_weight_that_would_be_below_zero_is_zero_and_the_others_are_best_beside_it():
    evaluate, scores = made_up((-2000, 3000))
    smaller, larger = best_weights(evaluate, scores, (500, 500))
    assert smaller == 0
    loss = [losses(evaluate((0, larger + more)).values, scores).mean() for more in (-1, 0, 1)]
    assert min(loss) == loss[1]


def test_weight_that_would_be_too_large_is_the_largest():
    evaluate, scores = made_up((30_000, 500))
    assert best_weights(evaluate, scores, (5000, 500))[0] == 10_000


def test_weight_of_which_no_position_says_anything_stays():
    evaluate, scores = made_up((2000, 0))

    def blind(weights):
        evaluations = evaluate((weights[0], 0))
        return dataclasses.replace(evaluations, terms=evaluations.terms * [1, 0])

    assert best_weights(blind, scores, (100, 77)) == (2000, 77)


def test_scale_is_the_factor_that_suits_results_best():
    evaluate, scores = made_up((3000, 600))
    assert best_scale(evaluate, scores, (1000, 200)) == (3000, 600)
    assert best_scale(evaluate, scores, (6000, 1200)) == (3000, 600)


def test_same_seed_gives_the_same_games(some_games):
    again, others = (
        tuple(self_play(SMALL, Kernel(), games=12, nodes=10, seed=seed)) for seed in (2, 3)
    )
    assert again == some_games
    assert others != some_games


@pytest.mark.long
def test_a_twentieth_of_the_moves_is_random():
    class Counter(Kernel):
        searches = 0

        def begin_search(self, **words):
            self.searches += 1
            super().begin_search(**words)

    kernel = Counter()
    moves = sum(len(game.positions) for game in self_play(SMALL, kernel, games=60, nodes=1, seed=1))
    assert 0.93 < kernel.searches / moves < 0.97


def test_scores_are_of_the_side_to_move(kernel, some_games):
    for game in some_games:
        firsts = set()
        for text, score in zip(game.positions, game.scores, strict=True):
            is_first = kernel.load_text(SMALL, text).side_to_move is Side.FIRST
            firsts.add(score if is_first else 1 - score)
        (first,) = firsts
        last = games.load(SMALL).parse(game.positions[-1])
        outcomes = {last.play(move).outcome() for move in last.legal_moves()}
        assert {0: Outcome.SECOND, 0.5: Outcome.DRAW, 1: Outcome.FIRST}[first] in outcomes


@pytest.mark.long
def test_every_fourth_game_judges_and_is_not_fitted_to(kernel, some_games):
    others = [
        dataclasses.replace(game, scores=tuple(1 - score for score in game.scores))
        if number % 4 == 0
        else game
        for number, game in enumerate(some_games)
    ]
    one, other = (fit(SMALL, kernel, played) for played in (some_games, others))
    assert (one.games, one.judged_games) == (12, 3)
    for before, after in zip(one.predictions, other.predictions, strict=True):
        assert before.weights == after.weights
        assert before.log_loss != after.log_loss
        assert before.brier != after.brier


@pytest.mark.long
def test_losses_are_those_of_the_judging_positions(kernel, some_games):
    result = fit(SMALL, kernel, some_games)
    scores = np.array([score for game in some_games[::4] for score in game.scores])
    assert result.judged_positions == scores.size
    rows = result.predictions
    for row in rows:
        values = evaluations_by(SMALL, kernel, some_games[::4])(row.weights).values
        chances = expit(values / 1000)
        loss = -np.log(np.where(scores == 1, chances, 1 - chances)).mean()
        assert row.log_loss == pytest.approx(loss)
        assert row.brier == pytest.approx(((chances - scores) ** 2).mean())
    assert result.gain == pytest.approx(rows[0].log_loss - rows[-1].log_loss)


@pytest.mark.long
def test_more_positions_of_the_same_games_make_nothing_surer(kernel, some_games):
    twice = [SelfPlayGame(game.positions * 2, game.scores * 2) for game in some_games]
    one, other = (fit(SMALL, kernel, played) for played in (some_games, twice))
    assert other.gain_error == pytest.approx(one.gain_error)
    assert one.gain_error > 0


def test_too_few_games_leave_none_to_judge(kernel, some_games, capsys):
    with pytest.raises(TooFewGamesError):
        fit(SMALL, kernel, some_games[:7])
    assert command.main(["fit", SMALL, "--games", "3", "--nodes", "1"]) == 2
    assert "3 games" in capsys.readouterr().err


@pytest.mark.long
def test_the_command_prints_weights_in_play_and_a_fit(kernel, capsys):
    words = ["fit", SMALL, "--games", "8", "--nodes", "5"]
    assert command.main([*words, "--seed", "4"]) == 0
    text = capsys.readouterr().out
    in_play = kernel.load(some_position(SMALL, 0)).valuation().weights
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert rows[0] == "| weights | w0 | w1 | w2 | loss | Brier |"
    assert rows[2].startswith("| in play | " + " | ".join(map(str, in_play)))
    assert [row.split(" | ")[0] for row in rows[3:]] == ["| in play, to scale", "| fit"]
    assert {row.count("|") for row in rows} == {7}
    assert command.main([*words, "--seed", "4"]) == 0
    assert capsys.readouterr().out == text
