"""Records as JSON and on the command line: round trips and named flaws."""

from __future__ import annotations

import io
import json
import random
from dataclasses import replace

import pytest

import games
from games.__main__ import main
from games.json_record import MAX_JSON, SCHEMA, parse_json
from games.record import Record

DOCUMENT = {
    "schema": SCHEMA,
    "ruleset": "morelli(edition=revised,size=5,setup=random)",
    "setup": "ring=BBBBBBBB",
    "result": None,
    "ending": None,
    "plies": [{"number": 1, "move": "A1-B2"}, {"number": 2, "move": "E1-D2"}],
}
RULESETS = ["morelli(size=7)", "morelli(edition=original,size=5)", "morlox(size=5)", "perfect()"]


def random_record(key: str) -> Record:
    rng, moves = random.Random(5), []
    position = games.load(key).initial(seed=5)
    setup = position.ruleset.setup_text(position)
    while position.outcome() is None:
        moves.append(position.random_move(rng))
        position = position.play(moves[-1])
    return Record(position.ruleset.key, setup, tuple(moves), position.outcome(), "rules")


def as_json(record: Record) -> str:
    plies = [{"number": k, "move": move} for k, move in enumerate(record.moves, start=1)]
    return json.dumps(
        {
            "schema": SCHEMA,
            "ruleset": record.ruleset,
            "setup": record.setup,
            "result": record.outcome,
            "ending": record.ending,
            "plies": plies,
        }
    )


@pytest.mark.parametrize("key", RULESETS)
def test_record_of_json_is_the_record_of_text(key):
    record = random_record(key)
    assert parse_json(as_json(record)) == record == games.parse_record(record.text())


@pytest.mark.parametrize("key", RULESETS)
def test_replay_prints_the_text_of_either_form(key, tmp_path, capsys):
    record = random_record(key)
    for name, text in (("game.txt", record.text()), ("game.json", as_json(record))):
        path = tmp_path / name
        path.write_text(text)
        assert main(["replay", str(path)]) == 0
        assert capsys.readouterr().out == record.text()


def test_replay_draws_the_position_after_a_ply(monkeypatch, capsys):
    class Input:
        buffer = io.BytesIO(json.dumps(DOCUMENT).encode())

    monkeypatch.setattr("sys.stdin", Input)
    assert main(["replay", "-", "--show", "1"]) == 0
    assert (
        capsys.readouterr().out.splitlines()[-1]
        == "bbbbw/b3w/b3w/bb2w/1wwww w - play 1 - ring=BBBBBBBB"
    )


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "is not of the form"),
        ("[Game", "is not of the form"),
        ("{", "line 1, column 2"),
        ('{"schema": "rayuela-record/1"}', "ruleset"),
        (json.dumps(DOCUMENT).replace("E1-D2", "E1-E5"), "move 2"),
    ],
)
def test_replay_refuses_what_is_no_record_in_one_line(text, named, tmp_path, capsys):
    path = tmp_path / "game"
    path.write_text(text)
    assert main(["replay", str(path)]) == 2
    message = capsys.readouterr().err
    assert named in message
    assert message.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [["no-such-file"], ["pyproject.toml"], ["README.md", "--show", "1"]],
    ids=["missing", "other", "other-shown"],
)
def test_replay_refuses_files_that_are_no_records(arguments, capsys):
    assert main(["replay", *arguments]) == 2
    assert capsys.readouterr().err.startswith("games: ")


def test_replay_refuses_a_ply_the_record_does_not_have(tmp_path, capsys):
    path = tmp_path / "game.json"
    path.write_text(json.dumps(DOCUMENT))
    assert main(["replay", str(path), "--show", "3"]) == 2
    assert "2 plies" in capsys.readouterr().err


@pytest.mark.parametrize("ply", ["-1", "x", "²", "9" * 40])
def test_replay_refuses_what_is_no_ply(ply, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["replay", "-", f"--show={ply}"])
    assert stopped.value.code == 2
    assert "not the number of a ply" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"schema": "rayuela-record/2"}, "schema"),
        ({"ruleset": 5}, "ruleset"),
        ({"setup": None}, "setup"),
        ({"result": "1-0"}, "result"),
        ({"result": []}, "result"),
        ({"ending": "boredom"}, "ending"),
        ({"plies": {}}, "plies"),
        ({"plies": ["A1-B2"]}, "plies"),
        ({"plies": [{"number": 2, "move": "A1-B2"}]}, "plies"),
        ({"plies": [{"number": 1, "move": 7}]}, "move"),
        ({"plies": [{}] * 10_001}, "plies"),
    ],
    ids=range(11),
)
def test_json_of_another_form_is_refused_by_the_name_of_the_member(changed, named):
    with pytest.raises(games.BadRecordError, match=f"^{named}: "):
        parse_json(json.dumps({**DOCUMENT, **changed}))


@pytest.mark.parametrize(
    "text", ["[]", "5", "[" * 100_000, "9" * 5_000, " " * (MAX_JSON + 1), '{"a": NaN'], ids=range(6)
)
def test_what_is_no_json_of_ours_is_refused_in_few_words(text):
    with pytest.raises(games.BadRecordError) as caught:
        parse_json(text)
    assert len(str(caught.value)) < 300


def test_flaw_in_json_is_named_by_line_and_column():
    with pytest.raises(games.BadRecordError) as caught:
        parse_json('{"schema":\n  oops}')
    assert (caught.value.line, caught.value.column) == (2, 3)


def test_flaw_in_text_is_named_by_line():
    record = replace(parse_json(json.dumps(DOCUMENT)), moves=("A1-B2", "E1-E5"))
    with pytest.raises(games.BadRecordError) as caught:
        list(record.positions())
    assert record.text().splitlines()[caught.value.line - 1] == "2. E1-E5"
