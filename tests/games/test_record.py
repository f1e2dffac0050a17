"""Games as text: exact round trips, and flaws named with the number of the move."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import games
from games.record import ENDINGS, Record, parse_record, replay

KEY = "morelli(edition=revised,size=5,setup=random)"
GAME = Record(KEY, "ring=BBBBBBBB", ("A1-B2", "E1-D2"), None, None)
TEXT = f"""\
[Game "{KEY}"]
[Setup "ring=BBBBBBBB"]
[Result "*"]
[Ending "*"]

1. A1-B2
2. E1-D2
"""


def test_record_is_readable_text():
    assert GAME.text() == TEXT
    assert parse_record(TEXT) == GAME


def test_headers_of_players_and_places_are_kept_and_decide_nothing():
    headers = (("First", 'An "a" b'), ("Date", "2026-11-22"))
    record = replace(GAME, headers=headers)
    again = parse_record(record.text())
    assert again == GAME
    assert again.headers == (("First", "An  a  b"), ("Date", "2026-11-22"))
    assert again.line_of(1) == 8
    with pytest.raises(games.BadRecordError, match="move 2") as caught:
        parse_record(record.text().replace("2. ", "3. "))
    assert caught.value.line == 9
    with pytest.raises(games.BadRecordError, match="line 6"):
        parse_record(record.text().replace("[Date", "[date"))
    assert len(parse_record(replace(GAME, headers=headers * 15).text()).headers) == 30
    with pytest.raises(games.BadRecordError, match="more than"):
        parse_record(replace(GAME, headers=(*headers * 15, headers[0])).text())


def test_replay_gives_every_position():
    positions = replay(GAME)
    assert [position.ply for position in positions] == [0, 1, 2]
    assert positions[0] == games.load(KEY).initial(ring="BBBBBBBB")


def test_record_without_moves_reads_back():
    record = Record(KEY, "ring=BBBBBBBB", (), games.Outcome.SECOND, "time")
    assert parse_record(record.text()) == record
    assert len(replay(record)) == 1


@given(
    moves=st.lists(st.from_regex(r"[!-~]{1,12}( [!-.0-~]{1,12})?", fullmatch=True), max_size=30),
    outcome=st.sampled_from([*games.Outcome, None]),
    ending=st.sampled_from([*ENDINGS[1:], None]),
)
def test_any_record_reads_back(moves, outcome, ending):
    record = Record("nim", "", tuple(moves), outcome, ending)
    assert parse_record(record.text()) == record


def test_d_m25_terminal_mark_is_for_display_only():
    ruleset = games.load("morelli(size=5)")
    position, moves = ruleset.initial(ring="BBBBBBBB"), []
    while position.outcome() is None:
        moves.append(position.legal_moves()[0])
        position = position.play(moves[-1])
    record = Record(KEY, "ring=BBBBBBBB", tuple(moves), position.outcome(), "rules")
    text = record.text(with_terminal_mark=True)
    assert text == record.text()[:-1] + "//\n"
    assert parse_record(text) == record
    assert "//" not in GAME.text(with_terminal_mark=True)


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("A1-B2", "A1-A2", "move 1"),
        ("E1-D2", "E1-D2//", "move 2"),
        ("E1-D2", "A2-B3", "move 2"),
        ("BBBBBBBB", "BBBB", "start"),
        ("morelli", "chess", "start"),
        ("edition=revised,", "", "canonical"),
    ],
)
def test_what_cannot_be_replayed_is_refused(old, new, named):
    with pytest.raises(games.BadRecordError, match=named):
        replay(parse_record(TEXT.replace(old, new)))


def test_result_that_the_rules_contradict_is_refused():
    record = parse_record(
        TEXT.replace('Result "*"', 'Result "1-0"').replace('Ending "*"', 'Ending "rules"')
    )
    with pytest.raises(games.BadRecordError, match="result"):
        replay(record)
    assert replay(Record(KEY, GAME.setup, GAME.moves, games.Outcome.FIRST, "resignation"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\0",
        "garbage",
        TEXT[:-1],
        TEXT + "\n",
        TEXT.replace("2. ", "3. "),
        TEXT.replace("2. ", "02. "),
        TEXT.replace("\n\n", "\n"),
        TEXT.replace("[Game", "[Games"),
        TEXT.replace('Result "*"', 'Result "2-0"'),
        TEXT.replace('Ending "*"', 'Ending "boredom"'),
        TEXT.replace("\n", "\r\n"),
        TEXT + "3. " + "x" * 2_000_000 + "\n",
        TEXT + "".join(f"{k}. A1-B2\n" for k in range(3, 20_000)),
    ],
    ids=range(14),
)
def test_text_of_another_form_is_refused(text):
    with pytest.raises(games.BadRecordError) as caught:
        parse_record(text)
    assert len(str(caught.value)) < 300


def test_record_of_too_many_moves_is_not_replayed():
    with pytest.raises(games.BadRecordError, match="more than"):
        replay(Record(KEY, GAME.setup, ("A1-B2",) * 10_001))
