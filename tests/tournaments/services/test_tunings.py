"""Tunings: values follow from the seed and the results, and reach the program by the protocol."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction

from engine.programs import fuel_game
from engine.transcript import parse_transcript
from tests.engine.tuned_module import tuned_module
from tests.tournaments import authors, pages, volunteers
from tests.tournaments.sprt_pairs import play_pair
from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError
from tournaments.models import (
    Bot,
    Game,
    Gauntlet,
    GauntletPair,
    Match,
    Player,
    Transcript,
    TunedPair,
    User,
    WorkerRun,
)
from tournaments.queries.bots import bot_pairs, gauntlet_tables, tunings
from tournaments.queries.clocks import game_clocks
from tournaments.queries.matches import fuel_records, tuned_options
from tournaments.services import gauntlets, tick
from tournaments.services.accounts import players
from tournaments.services.bots import programs
from tournaments.services.games import game_creation, game_end, play
from tournaments.services.matches import matches
from tournaments.services.volunteers import leasing

CLOCK = game_creation.Clock(5_000, 100)
OPTIONS = [
    "name Depth type spin default 3 min 1 max 9",
    "name Mobility type string default 0.5 min 0.0 max 2.0",
    "name Book type check default true",
    "name Game type string",
]
TEXT = "Depth, int, 3, 1, 9, 1\nMobility, float, 0.5, 0, 2, 0.1, 0.05"
# The better of two moves by the evaluation with the probability of its option, else the worse one.
TUNED_BOT = b"""
import random
from rayuela_sdk import Option, run

SKILL, NOISE = Option("Skill", 5, 0, 10), Option("Noise", 0.5, 0.0, 1.0)

def choose(position, clock):
    moves = random.sample(position.legal_moves(), min(2, len(position.legal_moves())))
    def worth(move):
        after = position.play(move)
        return after.evaluation() * (1 if after.side_to_move == position.side_to_move else -1)
    best = max if random.random() < SKILL.value / 10 else min
    return best(moves, key=worth)

run(choose, options=[SKILL, NOISE])
"""

_LENT = {"ruleset": volunteers.RULES, "fuel": 100_000_000, "volunteer_priority": 2}
_DEPTH = tunings.parameters_in("Depth, int, 3, 1, 9, 2")


@pytest.fixture
def nilo(ana: User) -> Player:
    player = authors.version(ana, "Nilo")
    Bot.objects.filter(pk=player.pk).update(options=OPTIONS)
    player.bot.refresh_from_db()
    return player


@pytest.fixture
def house(db: None) -> Player:
    return players.add_bot(name="House", engine="random")


def _plan(nilo: Player, opponent: Player, **changes: Any) -> gauntlets.Plan:
    fields = {
        "candidate": nilo.bot,
        "opponents": [opponent.bot],
        "ruleset": "morlox(size=5)",
        "clock": CLOCK,
        "iterations": 6,
        "parameters": tunings.parameters_in(TEXT),
    }
    return gauntlets.Plan(**{**fields, **changes})


def _tuned_module(owner: User, name: str) -> Player:
    """Return a version of a module with an option, which volunteers get."""
    player = authors.version(owner, name, tuned_module(), "wasm", volunteers.LENT)
    Bot.objects.filter(pk=player.pk).update(options=OPTIONS[:1])
    player.bot.refresh_from_db()
    return player


def _refused(act: Callable[[], object]) -> str:
    with pytest.raises((RefusedError, NotAllowedError)) as refused:
        act()
    return refused.value.code


def _waiting(tuning: Gauntlet) -> list[GauntletPair]:
    pairs = GauntletPair.objects.filter(opponent__gauntlet=tuning, match__state="queued")
    return list(pairs.order_by("pk").select_related("tuned__iteration"))


def _play_all(tuning: Gauntlet, nilo: Player, halves: Callable[[TunedPair], int]) -> None:
    while pairs := _waiting(tuning):
        for pair in pairs:
            total = halves(pair.tuned)
            play_pair(pair, nilo, (min(2, total), max(0, total - 2)))
        tick.tick(database_time.now())
    tuning.refresh_from_db()


def _assert_values_follow_from_the_rows(tuning: Gauntlet) -> None:
    """Compute the course again from the rows, and compare the values of every pair with it."""
    course = tunings.course(tuning)
    pairs = TunedPair.objects.filter(iteration__gauntlet=tuning).select_related("iteration", "pair")
    assert pairs
    for pair in pairs:
        step = pair.iteration
        centre = course.estimates[step.results_before]
        assert pair.options == course.run.texts(centre, step.number, is_raised=pair.is_raised)
    for step in tuning.steps.filter(place__isnull=False):
        halves = {
            each.is_raised: each.pair.score_halves
            for each in step.pairs.all()
            if each.pair.score_halves is not None
        }
        assert step.difference_halves == halves[True] - halves[False]


@pytest.mark.long
def test_each_iteration_has_two_pairs_from_one_start_and_moves_the_estimate(
    ana: User, nilo: Player, house: Player
) -> None:
    tuning = gauntlets.start(ana, _plan(nilo, house))
    assert len(_waiting(tuning)) == bot_pairs.PAIRS_AT_ONCE
    _play_all(tuning, nilo, lambda pair: 4 if int(pair.options["Depth"]) > 3 else 0)
    assert tuning.state == Gauntlet.State.DONE
    assert list(tuning.steps.values_list("number", flat=True)) == [1, 2, 3, 4, 5, 6]
    for step in tuning.steps.all():
        pairs = list(step.pairs.select_related("pair__match").order_by("-is_raised"))
        assert [pair.is_raised for pair in pairs] == [True, False]
        games = [game for pair in pairs for game in pair.pair.match.games.all()]
        assert len({game.setup for game in games}) == 1
        assert not any(game.is_rated for game in games)
    [depth, mobility] = tunings.parameter_courses(tuning)
    assert depth.estimates[-1] > depth.estimates[0] == 3
    assert len(depth.estimates) == len(mobility.estimates) == 7
    _assert_values_follow_from_the_rows(tuning)
    assert gauntlet_tables.table(tuning).total.pairs == 12


@pytest.mark.long
def test_later_iterations_begin_from_the_estimate_of_the_results_so_far(
    ana: User, nilo: Player, house: Player
) -> None:
    tuning = gauntlets.start(ana, _plan(nilo, house))
    for pair in _waiting(tuning)[:2]:
        play_pair(pair, nilo, ((2, 2) if pair.tuned.is_raised else (0, 0)))
    gauntlets.advance_due()
    first, *_middle, last = tuning.steps.order_by("number")
    assert (first.place, first.difference_halves, first.results_before) == (1, 4, 0)
    assert last.results_before == 1
    _assert_values_follow_from_the_rows(tuning)


@pytest.mark.long
def test_results_count_in_the_order_in_which_they_come(
    ana: User, nilo: Player, house: Player
) -> None:
    tuning = gauntlets.start(ana, _plan(nilo, house))
    waiting = _waiting(tuning)
    for number in (2, 1):
        for pair in waiting:
            if pair.tuned.iteration.number == number:
                play_pair(pair, nilo, ((2, number) if pair.tuned.is_raised else (0, 0)))
        gauntlets.advance_due()
    assert dict(tuning.steps.filter(number__lte=2).values_list("number", "place")) == {1: 2, 2: 1}
    _assert_values_follow_from_the_rows(tuning)


@pytest.mark.long
def test_a_void_pair_is_played_again_with_its_values(
    ana: User, nilo: Player, house: Player
) -> None:
    tuning = gauntlets.start(ana, _plan(nilo, house, iterations=2))
    void, _lowered, *of_second = _waiting(tuning)
    for pair in of_second:
        play_pair(pair, nilo, ((2, 2) if pair.tuned.is_raised else (0, 0)))
    play_pair(void, nilo, None)
    gauntlets.advance_due()
    again = _waiting(tuning)[-1]
    assert again.pk != void.pk
    assert again.tuned.options == void.tuned.options, "not those of the estimate since"
    assert again.match.games.all()[0].setup == void.match.games.all()[0].setup
    _play_all(tuning, nilo, lambda pair: 4 if pair.is_raised else 1)
    assert tuning.state == Gauntlet.State.DONE
    assert [step.difference_halves for step in tuning.steps.all()] == [3, 4]


def test_a_pair_that_ends_while_pairs_are_scheduled_is_neither_drawn_again_nor_lost(
    ana: User, nilo: Player, house: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    tuning = gauntlets.start(ana, _plan(nilo, house, iterations=1))
    for pair in _waiting(tuning):
        play_pair(pair, nilo, (2, 2))
    with monkeypatch.context() as patch:
        patch.setattr(gauntlets, "_count_pairs", lambda _gauntlet: 0)
        gauntlets.advance(tuning.pk)
    tuning.refresh_from_db()
    assert (tuning.state, _waiting(tuning)) == (Gauntlet.State.RUNNING, [])
    gauntlets.advance_due()
    tuning.refresh_from_db()
    assert tuning.state == Gauntlet.State.DONE
    assert [step.difference_halves for step in tuning.steps.all()] == [0]


def test_an_equal_game_with_other_values_counts(ana: User, nilo: Player, house: Player) -> None:
    tuning = gauntlets.start(ana, _plan(nilo, house, iterations=1))
    for pair in _waiting(tuning):
        for game in pair.match.games.order_by("number"):
            step = play.step_of(game, "a1")
            with transaction.atomic():
                play.add_ply(
                    game, step, side="first", turn=game_clocks.Turn(1), wall_ms=1, cpu_ms=1
                )
                play.conclude_ply(game, step)
                game_end.finish_game(game, result="first", ending=Game.Ending.RESIGNATION)
        Match.objects.filter(pk=pair.match_id).update(state=Match.State.DONE)
    gauntlets.advance_due()
    tuning.refresh_from_db()
    assert tuning.state == Gauntlet.State.DONE
    assert [step.difference_halves for step in tuning.steps.all()] == [0]
    assert [course.last_change for course in tunings.parameter_courses(tuning)] == [0, 0]


def test_a_tuning_runs_beside_gauntlets_and_alone_of_its_kind(
    ana: User, nilo: Player, house: Player
) -> None:
    for _ in range(gauntlets.RUNNING_AN_AUTHOR):
        gauntlets.start(ana, _plan(nilo, house, parameters=(), pairs_each=1))
    gauntlets.start(ana, _plan(nilo, house))
    assert _refused(lambda: gauntlets.start(ana, _plan(nilo, house))) == "tunings-many"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Depth, int, 3, 1", "tuning-line"),
        ("Depth, whole, 3, 1, 9", "tuning-line"),
        ("Depth, int, three, 1, 9", "tuning-line"),
        ("Depth, int, 3, 1, 9, 1, 0.1, 5", "tuning-line"),
        ("Depth, int, 3, 1, 9, 0.1", "tuning-parameter"),
        ("Depth, int, nan, 1, 9", "tuning-parameter"),
        ("Depth, int, 12, 1, 9", "tuning-parameter"),
        ("Width, int, 3, 1, 9", "tuning-option"),
        ("Depth, int, 3, 0, 9", "tuning-option"),
        ("Depth, float, 3, 1, 9", "tuning-option"),
        ("Book, int, 0, 0, 1", "tuning-option"),
        ("Game, int, 0, 0, 1", "tuning-option"),
        ("Depth, int, 3, 1, 9\nDepth, int, 3, 1, 9", "tuning-parameters"),
    ],
)
def test_parameters_that_cannot_be_tuned_are_refused_by_name(
    ana: User, nilo: Player, house: Player, text: str, code: str
) -> None:
    def start() -> Gauntlet:
        return gauntlets.start(ana, _plan(nilo, house, parameters=tunings.parameters_in(text)))

    assert _refused(start) == code
    assert not Gauntlet.objects.filter(candidate=nilo.bot).exists()


def test_other_terms_than_those_of_tunings_are_refused(
    ana: User, ben: User, nilo: Player, house: Player
) -> None:
    other = players.add_bot(name="Other", engine="random")

    def start(**changes: Any) -> str:
        return _refused(lambda: gauntlets.start(ana, _plan(nilo, house, **changes)))

    assert start(iterations=0) == start(iterations=5_001) == "tuning-iterations"
    assert start(opponents=[house.bot, other.bot]) == "tuning-opponent"
    assert start(fuel=10_000_000) == "lab-modules"
    assert start(volunteer_priority=2) == "volunteers-fuel"
    assert start(opponents=[nilo.bot]) == "gauntlet-bots"
    assert start(candidate=authors.version(ben, "Senna").bot) == "not-your-bot"


def test_declared_numbers_are_suggested(nilo: Player) -> None:
    text = tunings.suggested(nilo.bot)
    assert text == "Depth, int, 3, 1, 9\nMobility, float, 0.5, 0.0, 2.0"
    assert [each.c_end for each in tunings.parameters_in(text)] == [0.5, 0.1]


def test_volunteers_play_only_with_the_consent_of_both_authors(ana: User, ben: User) -> None:
    nilo, lent = _tuned_module(ana, "Nilo"), volunteers.module(ben, "Lent")
    secret = authors.module(ben, "Secret")

    def start(opponent: Player, **changes: Any) -> str:
        plan = _plan(nilo, opponent, **{**_LENT, "parameters": _DEPTH, **changes})
        return _refused(lambda: gauntlets.start(ana, plan))

    assert start(secret) == "volunteers-consent"
    assert start(lent, fuel=3) == "fuel-bad"


@pytest.mark.long
@pytest.mark.engine
def test_a_volunteer_plays_a_tuning_under_fuel_and_a_replay_verifies_it(
    ana: User, ben: User
) -> None:
    nilo, sample = _tuned_module(ana, "Nilo"), volunteers.module(ben, "Sample")
    plan = _plan(nilo, sample, parameters=_DEPTH, iterations=1, **_LENT)
    tuning = gauntlets.start(ana, plan)
    laptop = volunteers.worker(ben)
    runs = [volunteers.leased(laptop) for _pair in (1, 2)]
    for run in runs:
        tuned = TunedPair.objects.get(pair__match=run.match_id).options
        assert [task.options for task in leasing.tasks_of(run)] == [(tuned, {}), ({}, tuned)]
        assert volunteers.report(run, volunteers.honest(run)).state == WorkerRun.State.CHECKING
        assert matches.play_match(run.match_id)
    tick.tick(database_time.now())
    assert {run.state for run in laptop.runs.all()} == {WorkerRun.State.VERIFIED}
    tuning.refresh_from_db()
    assert tuning.state == Gauntlet.State.DONE
    _assert_values_follow_from_the_rows(tuning)
    [record, _other] = (fuel_records.record_of(game) for game in runs[0].match.games.all())
    finding = fuel_game.replay(
        record, {each: programs.local(each) for each in (record.first, record.second)}
    )
    assert finding.verdict is fuel_game.ReplayVerdict.CONFIRMED


def test_a_game_without_a_match_has_no_tuned_options(
    ana: User, ben: User, django_assert_num_queries: Callable[..., Any]
) -> None:
    game = pages.new_game(ana.player, ben.player)
    assert game.match_id is None
    with django_assert_num_queries(0):
        assert tuned_options.options_of(game) == ({}, {})


@pytest.mark.long
def test_a_transcript_with_other_values_of_options_is_wrong(ana: User, ben: User) -> None:
    nilo, sample = _tuned_module(ana, "Nilo"), volunteers.module(ben, "Sample")
    gauntlets.start(ana, _plan(nilo, sample, parameters=_DEPTH, **_LENT))
    run = volunteers.leased(volunteers.worker(ben))
    first, second = leasing.tasks_of(run)
    other = dataclasses.replace(first, options=({"Depth": "8"}, {}))
    games = [volunteers.random_game(task, random.Random(1)).text() for task in (other, second)]
    report = volunteers.report(run, games)
    assert report.state == WorkerRun.State.WRONG
    assert "options" in report.detail


@pytest.mark.long
@pytest.mark.engine
def test_a_real_program_is_tuned_and_receives_the_values_of_the_rows(
    ana: User, house: Player
) -> None:
    nilo = authors.version(ana, "Nilo", TUNED_BOT)
    Bot.objects.filter(pk=nilo.pk).update(
        options=[
            "name Skill type spin default 5 min 0 max 10",
            "name Noise type string default 0.5 min 0.0 max 1.0",
        ]
    )
    nilo.bot.refresh_from_db()
    text = "Skill, int, 5, 0, 10, 4\nNoise, float, 0.5, 0, 1"
    plan = _plan(nilo, house, parameters=tunings.parameters_in(text), iterations=2)
    tuning = gauntlets.start(ana, plan)
    for pair in _waiting(tuning):
        assert matches.play_match(pair.match_id)
    tick.tick(database_time.now())
    tuning.refresh_from_db()
    assert tuning.state == Gauntlet.State.DONE
    _assert_values_follow_from_the_rows(tuning)
    transcripts = Transcript.objects.filter(game__match__gauntlet_pair__opponent__gauntlet=tuning)
    assert len(transcripts) == 8
    for transcript in transcripts.select_related("game__match__gauntlet_pair__tuned"):
        lines = [entry.text for entry in parse_transcript(transcript.text).entries]
        pairs = [line.split()[2::2] for line in lines if line.startswith("setoption name ")]
        received = {name: value for name, value in pairs if name in {"Skill", "Noise"}}
        match = transcript.game.match
        assert match is not None
        assert received == match.gauntlet_pair.tuned.options
        assert lines.index(f"setoption name Skill value {received['Skill']}") < lines.index(
            "uginewgame"
        )
