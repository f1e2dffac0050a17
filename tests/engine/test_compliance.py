from __future__ import annotations

import pytest

from engine.compliance import LineFinding, Severity, findings, line_count
from engine.transcript import parse_transcript


def findings_of(text: str) -> list[LineFinding]:
    lines = [f"0 0.000 {line}" for line in text.strip().splitlines()]
    return findings(parse_transcript("\n".join(["bot b", *lines, ""])))


GAME = """
> ugi
< id name b
< option name Threads type spin
< ugiok
> isready
< readyok
> position startpos
> go movetime 1
< info depth 1 score cp 3
< bestmove a1
> isready
< readyok
> position startpos moves a1 b2
> go movetime 1
< bestmove c3
> gameover 1-0 reason rules
"""


def test_conversation_by_the_book_has_no_findings():
    assert findings_of(GAME) == []


@pytest.mark.parametrize(
    ("line", "weight", "text"),
    [
        ("hello", Severity.REMARK, "no word of the protocol: hello"),
        ("\\x1b[0m", Severity.REMARK, "no word of the protocol: \\x1b[0m"),
        ("id name again", Severity.REMARK, "said outside the greeting: id name again"),
        ("readyok", Severity.REMARK, "said without `isready`: readyok"),
        ("info depth 1", Severity.REMARK, "said without being asked: info depth 1"),
        ("bestmove a1", Severity.REMARK, "answered without `go`: bestmove a1"),
        ("info depth x", Severity.VIOLATION, "depth needs a whole number, not 'x'"),
        ("bestmove", Severity.VIOLATION, "bestmove without a move"),
    ],
)
def test_line_after_the_game_is_found(line, weight, text):
    assert findings_of(f"{GAME}< {line}") == [LineFinding(weight, 9, 1, text)]


def test_draw_offer_is_remarked():
    (finding,) = findings_of(GAME.replace("c3", "c3 drawoffer"))
    assert str(finding) == (
        "ply 1, line 8: a draw cannot be offered, it is not read: bestmove c3 drawoffer"
    )


def test_empty_line_and_standard_error_are_nothing():
    assert findings_of(f"{GAME}< \n! oh\n# note") == []


def test_lines_of_the_bot_are_counted():
    lines = "bot b\n0 0.000 > ugi\n0 0.000 < a\n0 0.000 ! b\n0 0.000 < c\n"
    assert line_count(parse_transcript(lines)) == 2
