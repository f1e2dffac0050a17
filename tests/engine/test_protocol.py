from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import protocol
from engine.errors import ProtocolError
from engine.protocol import (
    BestMove,
    Dialect,
    GameOver,
    Go,
    Hello,
    HelloOk,
    Identity,
    Info,
    IsReady,
    NewGame,
    OptionOffered,
    Quit,
    ReadyOk,
    SetOption,
    SetPosition,
    Stop,
    Unknown,
)

COMMANDS = [
    ("ugi", Hello()),
    ("uci", Hello(Dialect.UCI)),
    (
        "setoption name Game value morelli(edition=revised,size=9,setup=ring)",
        SetOption("Game", "morelli(edition=revised,size=9,setup=ring)"),
    ),
    ("setoption name Book file value a b", SetOption("Book file", "a b")),
    ("isready", IsReady()),
    ("uginewgame", NewGame()),
    ("ucinewgame", NewGame(Dialect.UCI)),
    ("position startpos", SetPosition()),
    ("position startpos moves d4 d4x", SetPosition(None, ("d4", "d4x"))),
    (
        "position fen BW/WB_b moves D12-G9_xF8H8 A1-B2*",
        SetPosition("BW/WB b", ("D12-G9 xF8H8", "A1-B2*")),
    ),
    ("go", Go()),
    ("go movetime 1000", Go(movetime_ms=1000)),
    (
        "go p1time 60000 p2time 58211 p1inc 500 p2inc 500",
        Go(p1time_ms=60000, p2time_ms=58211, p1inc_ms=500, p2inc_ms=500),
    ),
    ("go nodes 100", Go(nodes=100)),
    ("go fuel 100000000", Go(fuel=100_000_000)),
    ("stop", Stop()),
    ("gameover 1/2-1/2 reason rules", GameOver("1/2-1/2", "rules")),
    ("quit", Quit()),
]

REPLIES = [
    ("id name Foo 1.2", Identity("name", "Foo 1.2")),
    ("id author A", Identity("author", "A")),
    (
        "option name Threads type spin default 1",
        OptionOffered("name Threads type spin default 1"),
    ),
    ("ugiok", HelloOk()),
    ("uciok", HelloOk(Dialect.UCI)),
    ("readyok", ReadyOk()),
    ("bestmove d4", BestMove("d4")),
    ("bestmove D12-G9_xF8H8", BestMove("D12-G9 xF8H8")),
    ("bestmove resign", BestMove(None)),
    ("bestmove d4 drawoffer", BestMove("d4", is_draw_offer=True)),
    ("info", Info()),
    (
        "info depth 7 score cp -13 nodes 88120 time 20 pv D12-G9_xF8H8 d4 string free text",
        Info(
            depth=7,
            score_cp=-13,
            nodes=88120,
            time_ms=20,
            pv=("D12-G9 xF8H8", "d4"),
            text="free text",
        ),
    ),
    ("hello there", Unknown("hello there")),
    ("", Unknown("")),
]


@pytest.mark.parametrize(("line", "command"), COMMANDS, ids=[line for line, _ in COMMANDS])
def test_command_is_read_and_written(line, command):
    assert protocol.parse_command(line) == command
    assert protocol.format_command(command) == line


@pytest.mark.parametrize(("line", "reply"), REPLIES, ids=[line for line, _ in REPLIES])
def test_reply_is_read_and_written(line, reply):
    assert protocol.parse_reply(line) == reply
    assert protocol.format_reply(reply) == line


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        ("bestmove D12-G9 xF8H8", BestMove("D12-G9 xF8H8")),
        ("  bestmove   d4  ", BestMove("d4")),
        ("bestmove d4 ponder d5", BestMove("d4")),
        ("bestmove D12-G9 xF8H8 drawoffer", BestMove("D12-G9 xF8H8", is_draw_offer=True)),
        ("info pv d4 d5 depth 3", Info(depth=3, pv=("d4", "d5"))),
        ("info score mate 3 nps 10 depth 2", Info(depth=2)),
    ],
)
def test_reply_is_read_liberally(line, reply):
    assert protocol.parse_reply(line) == reply


@pytest.mark.parametrize(
    ("line", "command"),
    [
        (
            "go wtime 1 btime 2 winc 3 binc 4",
            Go(p1time_ms=1, p2time_ms=2, p1inc_ms=3, p2inc_ms=4),
        ),
        ("go ponder movetime 5 infinite", Go(movetime_ms=5)),
        ("position startpos moves", SetPosition()),
        ("xyzzy 1 2", None),
        ("", None),
    ],
)
def test_command_is_read_liberally(line, command):
    assert protocol.parse_command(line) == command


@pytest.mark.parametrize(
    "line",
    [
        "setoption Game",
        "setoption name Game",
        "position",
        "position fen",
        "position fen moves d4",
        "position startpos d4",
        "go movetime",
        "go movetime soon",
        "gameover",
    ],
)
def test_command_without_sense_is_refused(line):
    with pytest.raises(ProtocolError):
        protocol.parse_command(line)


@pytest.mark.parametrize("line", ["bestmove", "bestmove drawoffer", "id", "id x y", "info depth"])
def test_reply_without_sense_is_refused(line):
    with pytest.raises(ProtocolError):
        protocol.parse_reply(line)


@pytest.mark.parametrize(
    "raw",
    [b"\xff", b"a\0b", b"\x1b[31mred", b"a\rb", b"x" * 4097],
    ids=["not UTF-8", "NUL", "escape", "return inside", "too long"],
)
def test_line_that_is_no_text_is_refused(raw):
    with pytest.raises(ProtocolError):
        protocol.decode_line(raw)


def test_line_may_end_like_on_windows_and_hold_tabs_and_umlauts():
    assert protocol.decode_line("info\tstring schön\r".encode()) == "info\tstring schön"


def test_move_with_an_underscore_is_refused():
    with pytest.raises(ProtocolError):
        protocol.to_word("a_b")


words = st.text(
    st.characters(min_codepoint=33, max_codepoint=126, exclude_characters="_"), min_size=1
)
moves = (
    st.lists(words, min_size=1, max_size=2)
    .map(" ".join)
    .filter(lambda move: not {"resign", "ponder", "drawoffer", "moves"} & set(move.split()))
)
numbers = st.none() | st.integers(0, 10**9)
commands = st.one_of(
    st.builds(SetPosition, st.none() | moves, st.lists(moves).map(tuple)),
    st.builds(Go, numbers, numbers, numbers, numbers, numbers, numbers, numbers),
    st.builds(GameOver, words, words),
)


@given(commands)
def test_what_is_written_reads_back(command):
    assert protocol.parse_command(protocol.format_command(command)) == command


@given(st.builds(BestMove, st.none() | moves, st.booleans()))
def test_answer_reads_back(best):
    assert protocol.parse_reply(protocol.format_reply(best)) == best


@given(st.text())
def test_no_text_breaks_the_parser(text):
    for parse in (protocol.parse_reply, protocol.parse_command):
        with contextlib.suppress(ProtocolError):
            parse(text)


@given(st.binary(max_size=300))
def test_no_bytes_break_the_decoder(raw):
    try:
        text = protocol.decode_line(raw)
    except ProtocolError:
        return
    assert text == raw.decode().rstrip("\r")


@pytest.mark.parametrize(
    ("description", "option"),
    [
        (
            "name Depth type spin default 3 min 1 max 9",
            protocol.DeclaredOption("Depth", "spin", "3", "1", "9"),
        ),
        ("name Clear Hash type button", protocol.DeclaredOption("Clear Hash", "button")),
        (
            "name Style type combo default Calm var Calm var Bold",
            protocol.DeclaredOption("Style", "combo", "Calm"),
        ),
        ("type spin default 3", None),
        ("", None),
    ],
)
def test_a_declared_option_is_read(description, option):
    assert protocol.option_in(description) == option
