from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

import games
from engine import clock, players, protocol, referee
from engine.clock import Fuel, PerMove
from engine.errors import LaunchError
from engine.match import Ending, MatchSpec
from engine.process import Launch
from engine.programs import run_in_place, unpack
from engine.programs.fuel_errors import BadFuelGameError, UndecidedError
from engine.programs.fuel_game import (
    FuelGame,
    Instances,
    ReplayVerdict,
    parse_fuel_game,
    play,
    replay,
)
from tests.engine.tuned_module import tuned_module

pytestmark = pytest.mark.engine

ROOT = Path(__file__).resolve().parents[3]
SAMPLE = (ROOT / "engine/sdk/samples/wasm/morlox.wasm").read_bytes()
MORLOX = "morlox(size=5,swap=on)"
FUEL = 5_000_000


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return tmp_path_factory.mktemp("store")


@pytest.fixture(scope="module")
def sample(store):
    return unpack(SAMPLE, "morlox.wasm", store)


@pytest.fixture(scope="module")
def game(sample):
    return play(sample, sample, ruleset=MORLOX, setup="", fuel=FUEL, seed="7")


def replay_again(game: FuelGame, sample, **changes):
    return replay(dataclasses.replace(game, **changes), {sample.digest: sample})


@pytest.mark.long
def test_game_goes_to_its_end_and_is_the_same_again(game, sample):
    assert game.record.ending == "rules"
    games.record.replay(game.record)
    assert replay_again(game, sample).verdict is ReplayVerdict.CONFIRMED


def test_text_reads_back(game):
    assert parse_fuel_game(game.text()) == game


@pytest.mark.long
def test_exchanged_move_is_found(game, sample):
    moves = list(game.record.moves)
    position = games.load(MORLOX).start("")
    for move in moves[:6]:
        position = position.play(move)
    moves[6] = next(move for move in position.legal_moves() if move != moves[6])
    tampered = dataclasses.replace(game.record, moves=tuple(moves))
    finding = replay_again(game, sample, record=tampered)
    assert (finding.verdict, finding.ply) == (ReplayVerdict.DIFFERENT, 7)


@pytest.mark.long
@pytest.mark.parametrize(
    "change",
    [
        {"moves": ()},
        {"outcome": games.Outcome.DRAW},
        {"ending": "time"},
    ],
    ids=["no-moves", "result", "ending"],
)
def test_other_changes_of_the_record_are_found(game, sample, change):
    finding = replay_again(game, sample, record=dataclasses.replace(game.record, **change))
    assert finding.verdict is ReplayVerdict.DIFFERENT


@pytest.mark.long
def test_cut_record_is_found_at_the_first_missing_ply(game, sample):
    cut = dataclasses.replace(game.record, moves=game.record.moves[:-2])
    finding = replay_again(game, sample, record=cut)
    assert (finding.verdict, finding.ply) == (ReplayVerdict.DIFFERENT, len(cut.moves) + 1)


@pytest.mark.long
def test_another_budget_is_another_game(game, sample):
    assert replay_again(game, sample, fuel=20 * FUEL).verdict is ReplayVerdict.DIFFERENT


def test_other_way_of_counting_proves_nothing(game, sample):
    finding = replay_again(game, sample, meter="rayuela 1, wasmtime 49.0.0")
    assert finding.verdict is ReplayVerdict.UNDECIDED
    assert "49.0.0" in finding.detail


def test_without_the_program_nothing_is_proved(game, sample):
    assert replay(game, {}).verdict is ReplayVerdict.UNDECIDED


def test_machine_that_fails_proves_nothing(game, sample):
    def broken(_):
        return Launch(("/nonexistent",))

    finding = replay(game, {sample.digest: sample}, launcher=broken)
    assert finding.verdict is ReplayVerdict.UNDECIDED


@pytest.mark.long
def test_slow_machine_proves_nothing(sample, store, monkeypatch):
    monkeypatch.setattr(clock, "SAFETY_MS", 1)
    with pytest.raises(UndecidedError):
        play(sample, sample, ruleset=MORLOX, setup="", fuel=10**12, seed="7")


@pytest.mark.long
def test_player_out_of_fuel_loses_on_time(sample):
    bots = (sample.spec("dry"), players.spec("random", seed=1))
    match = MatchSpec(MORLOX, "", bots, Fuel(1000), games=1)
    (report,) = referee.play_match(match, launcher=run_in_place).games
    assert (report.ending, report.loser, report.plies) == (Ending.TIME, "first", ())
    assert report.detail == protocol.OUT_OF_FUEL


@pytest.mark.long
def test_loss_by_fuel_is_confirmed_too(sample):
    dry = play(sample, sample, ruleset=MORLOX, setup="", fuel=1000, seed="7")
    assert (dry.record.ending, dry.record.outcome) == ("time", "second")
    assert replay_again(dry, sample).verdict is ReplayVerdict.CONFIRMED


def test_python_programs_play_no_games_under_fuel(sample, store):
    python = unpack(b"print()\n", "main.py", store)
    with pytest.raises(LaunchError):
        play(sample, python, ruleset=MORLOX, setup="", fuel=FUEL, seed="7")


@pytest.mark.long
def test_options_decide_the_game_and_are_part_of_its_record(store):
    tuned = unpack(tuned_module(), "tuned.wasm", store)
    game = play(
        tuned,
        tuned,
        ruleset=MORLOX,
        setup="",
        fuel=100_000_000,
        seed="7",
        options=({"Depth": "4"}, {"Depth": "9"}),
    )
    assert parse_fuel_game(game.text()) == game
    verified = replay(game, {tuned.digest: tuned})
    assert (verified.verdict, game.record.ending) == (ReplayVerdict.CONFIRMED, "rules")
    exchanged = dataclasses.replace(game, options=game.options[::-1])
    assert replay(exchanged, {tuned.digest: tuned}).verdict is ReplayVerdict.DIFFERENT


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.part(0.3)
def test_sample_plays_only_legal_moves_and_beats_random(sample, seed):
    size = (5, 6, 7)[seed % 3]
    bots = (sample.spec("sample", fuel=20_000_000), players.spec("random", seed=seed))
    match = MatchSpec(f"morlox(size={size},swap=on)", "", bots, PerMove(60_000))
    report = referee.play_match(match, launcher=run_in_place)
    assert [(game.ending, game.detail) for game in report.games] == [(Ending.RULES, "")] * 2
    assert [game.outcome for game in report.games] == ["first", "second"]


@pytest.mark.long
def test_sample_resigns_other_games(sample):
    bots = (sample.spec("sample", fuel=FUEL), players.spec("random", seed=1))
    ruleset = games.load("morelli(size=5)")
    setup = ruleset.setup_text(ruleset.initial(seed=1))
    match = MatchSpec(ruleset.key, setup, bots, PerMove(60_000), games=1)
    (report,) = referee.play_match(match, launcher=run_in_place).games
    assert (report.ending, report.loser) == (Ending.RESIGNATION, "first")


def test_options_are_headers_in_the_order_of_their_names(game):
    options = ({"Two": "2", "A value": "-1.5"}, {"Two": "2"})
    tuned = dataclasses.replace(game, options=options)
    assert tuned.text().split("\n")[6:9] == [
        '[FirstOption "A value value -1.5"]',
        '[FirstOption "Two value 2"]',
        '[SecondOption "Two value 2"]',
    ]
    assert parse_fuel_game(tuned.text()) == tuned


@pytest.mark.parametrize(
    ("headers", "words"),
    [
        ('[FirstOption "Depth"]', "no option"),
        ('[FirstOption " value 3"]', "no option"),
        ('[FirstOption "D value 3"]\n[FirstOption "D value 4"]', "twice"),
    ],
    ids=["no-value", "no-name", "twice"],
)
def test_options_that_are_none_are_refused(game, headers, words):
    record = game.record.text()
    text = game.text().replace(record, f"{headers}\n{record}")
    with pytest.raises(BadFuelGameError, match=words):
        parse_fuel_game(text)


def test_instances_of_a_ply_have_no_options(game):
    tuned = dataclasses.replace(game, options=({"Depth": "3"}, {}), instances=Instances.PLY)
    with pytest.raises(BadFuelGameError, match="live for a ply"):
        parse_fuel_game(tuned.text())


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "",
        lambda text: text.partition("\n")[2],
        lambda text: text.replace("[First ", "[first "),
        lambda text: text.replace('[Fuel "5', '[Fuel "-5'),
        lambda text: text.replace('[Fuel "5', '[Fuel "' + "9" * 30),
        lambda text: text.replace('[First "', '[First "x'),
    ],
    ids=["empty", "no-first", "lower-case", "negative", "too-much", "no-digest"],
)
def test_text_that_is_no_game_under_fuel_is_refused(game, change):
    with pytest.raises(BadFuelGameError):
        parse_fuel_game(change(game.text()))
