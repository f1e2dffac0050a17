"""Suites: every start is one of the rules, in the spelling of records.

Errors are refused by their line.
"""

from __future__ import annotations

import random

import pytest

import games
from engine import cli, suites
from engine.__main__ import main
from engine.clock import PerMove
from engine.local import open_local_source
from games import parse_record

SMALL = games.load("morlox(size=4)")
DRAWN = games.load("morelli(size=5)")


def _after(*moves: str) -> games.Position:
    position = SMALL.initial()
    for move in moves:
        position = position.play(move)
    return position


def test_set_ups_and_positions_are_read_as_games_keep_them() -> None:
    start = DRAWN.initial(seed=3)
    after = start.play(start.legal_moves()[0])
    text = f"# mine\n\n{DRAWN.setup_text(start)}\n  {after.text()}\r\n"
    assert suites.read(text, DRAWN) == (games.setup_of(start), games.setup_of(after))
    for setup in suites.read(text, DRAWN):
        games.starting_position(DRAWN, setup)


def test_the_only_start_of_some_rules_is_a_line_like_any_other() -> None:
    start = SMALL.initial()
    (setup,) = suites.read(start.text(), SMALL)
    assert suites.read(setup, SMALL) == (setup,)
    assert games.starting_position(SMALL, setup) == start


def test_what_a_suite_is_written_as_is_read_as_the_same() -> None:
    setups = suites.openings(DRAWN, plies=2, count=5, rng=random.Random(1))
    assert suites.read("\n".join(setups), DRAWN) == setups


_START = _after("a1").text()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"{_START}\nrubbish\n", 2),
        (f"# twice\n{_START}\n\n{_START}", 4),
        (f"position={_START}\n{_START}", 2),
        ("\n# nothing\n", 0),
        ("x" * (suites.MAX_BYTES + 1), 0),
        (DRAWN.initial(seed=1).text(), 1),
    ],
    ids=["no position", "twice", "twice in two spellings", "empty", "too long", "another game"],
)
def test_what_is_no_suite_is_refused_by_its_line(text: str, line: int) -> None:
    with pytest.raises(suites.SuiteError) as refusal:
        suites.read(text, SMALL)
    assert refusal.value.line == line


def test_a_game_that_is_over_is_no_start() -> None:
    position, rng = SMALL.initial(), random.Random(1)
    while position.outcome() is None:
        position = position.play(rng.choice(position.legal_moves()))
    with pytest.raises(suites.SuiteError, match="over"):
        suites.read(position.text(), SMALL)


def test_starts_beyond_the_most_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    setups = suites.openings(SMALL, plies=2, count=4, rng=random.Random(1))
    monkeypatch.setattr(suites, "MAX_SETUPS", 3)
    assert len(suites.read("\n".join(setups[:3]), SMALL)) == 3
    with pytest.raises(suites.SuiteError) as refusal:
        suites.read("\n".join(setups), SMALL)
    assert refusal.value.line == 4


@pytest.mark.parametrize("family", [each.name for each in games.available()])
def test_openings_stand_so_many_plies_after_a_start(family: str) -> None:
    ruleset = games.load(family)
    setups = suites.openings(ruleset, plies=3, count=20, rng=random.Random(1))
    assert len(set(setups)) == 20
    sides = {games.starting_position(ruleset, setup).side_to_move for setup in setups}
    assert sides == {games.Side.SECOND}
    assert setups == suites.openings(ruleset, plies=3, count=20, rng=random.Random(1))
    assert setups != suites.openings(ruleset, plies=3, count=20, rng=random.Random(2))


def test_rules_with_few_openings_give_those_they_have() -> None:
    tiny = games.load("morlox(size=3)")
    assert len(suites.openings(tiny, plies=1, count=50, rng=random.Random(1))) == 9


@pytest.mark.parametrize(("plies", "count"), [(0, 5), (21, 5), (2, 0), (2, 1_001)])
def test_openings_out_of_range_are_refused(plies: int, count: int) -> None:
    with pytest.raises(suites.SuiteError):
        suites.openings(SMALL, plies=plies, count=count, rng=random.Random(1))


def test_rules_whose_games_are_over_by_then_have_no_openings() -> None:
    with pytest.raises(suites.SuiteError, match="goes on"):
        suites.openings(games.load("morlox(size=3)"), plies=20, count=1, rng=random.Random(1))


def test_pairs_take_the_starts_of_a_suite_in_an_order_by_seed_and_then_again() -> None:
    setups = suites.openings(SMALL, plies=2, count=4, rng=random.Random(1))

    def pairs(seed: int) -> list[str]:
        contest = cli.Contest(SMALL.key, ("random", "greedy"), 16, PerMove(10), seed, setups=setups)
        with open_local_source(is_sandboxed=False) as source:
            return [pair.setup for pair in cli.pairs(contest, source)]

    drawn = pairs(1)
    assert set(drawn[:4]) == set(setups)
    assert drawn[4:] == drawn[:4]
    assert drawn == pairs(1)
    assert any(pairs(seed) != drawn for seed in range(2, 6))


@pytest.mark.engine
def test_a_match_begins_from_the_suite_that_the_command_wrote(capsys, tmp_path) -> None:
    written = ["openings", "--game", SMALL.key, "--plies", "3", "--count", "2", "--seed", "4"]
    assert main(written) == 0
    suite = tmp_path / "suite.txt"
    suite.write_text(f"# mine\n{capsys.readouterr().out}")
    records = tmp_path / "records.txt"
    arguments = ["--game", SMALL.key, "--games", "4", "--suite", str(suite)]
    assert main(["match", *arguments, "--records", str(records), "random", "greedy"]) == 0
    texts = records.read_text().split("\n\n[Game")
    headers = [text.removeprefix("[Game") for text in texts]
    used = [parse_record(f"[Game{text.rstrip()}\n").setup for text in headers]
    assert set(used) == set(suites.read(suite.read_text(), SMALL))
    assert used[0] == used[1]
    assert used[2] == used[3]


def test_a_match_with_a_broken_suite_says_its_line(capsys, tmp_path) -> None:
    suite = tmp_path / "suite.txt"
    suite.write_text("# nothing good\nrubbish\n")
    assert main(["match", "--game", SMALL.key, "--suite", str(suite), "random", "greedy"]) == 2
    assert "line 2" in capsys.readouterr().err
    suite.write_bytes(b"\xff\xfe")  # no UTF-8
    assert main(["match", "--game", SMALL.key, "--suite", str(suite), "random", "greedy"]) == 2
