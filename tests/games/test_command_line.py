"""`python -m games`: its output and its refusals."""

from __future__ import annotations

import pytest

import games
from games.__main__ import main
from games.record import parse_record, replay


def test_perft_prints_just_the_number(capsys):
    assert main(["perft", "morelli(size=7)", "--ring", "BBBBBBBBBBBB", "--depth", "2"]) == 0
    assert capsys.readouterr().out == "8350\n"


def test_legal_lists_moves_one_a_line(capsys):
    main(["legal", "morelli(size=5)", "--setup", "ring=BBBBBBBB"])
    assert (
        capsys.readouterr().out.splitlines()
        == games.load("morelli(size=5)").initial(ring="BBBBBBBB").legal_moves()
    )


def test_show_draws_the_board_and_tells_the_position(capsys):
    main(["show", "morelli(size=5)", "--ring", "BBBBBBBB", "--play", "A1-B2"])
    out = capsys.readouterr().out
    assert " 2  B  B  .  .  W" in out
    assert out.splitlines()[-1] == "bbbbw/b3w/b3w/bb2w/1wwww w - play 1 - ring=BBBBBBBB"


def test_random_prints_a_record_that_replays(capsys):
    main(["random", "morelli(size=7)", "--seed", "4"])
    record = parse_record(capsys.readouterr().out)
    assert replay(record)[-1].outcome() == record.outcome


@pytest.mark.parametrize(
    "arguments",
    [
        ["legal", "nim"],
        ["legal", "morelli(size=8)"],
        ["legal", "morelli", "--ring", "BW"],
        ["show", "morelli", "--setup", "x"],
        ["random", "morelli", "--play", "A1-A2"],
    ],
)
def test_wrong_input_is_one_line_and_exit_code_2(arguments, capsys):
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("games: ")
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [[], ["fly"], ["perft", "morelli"], ["perft", "morelli", "--depth", "-1"]]
)
def test_wrong_usage_is_exit_code_2(arguments):
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
