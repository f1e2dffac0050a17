"""Report files: every dialect read, none ignored, errors that say where."""

from __future__ import annotations

import contextlib
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.pairing import corpus
from tournaments import trf
from tournaments.pairing import PairingProblem, PointSystem, RoundKind
from tournaments.pairing.baku import baku_halves
from tournaments.trf import Code


def _line(number: int, rounds: str, points: str = "0.0") -> str:
    """A `001` line: rounds as `opponent colour result` separated by commas."""
    head = f"001 {number:>4}      {f'Player {number}':33} {3000 - number:4} {'':26} {points:>4} {number:>4}"
    cells = [r.split() for r in rounds.split(",") if r.strip()]
    return head + "".join(f"  {o:>4} {c} {r}" for o, c, r in cells)


FOUR = "\n".join(
    [
        "012 Four",
        "142 3",
        "152 W",
        _line(1, "3 w 1", "1.0"),
        _line(2, "4 b =", "0.5"),
        _line(3, "1 b 0", "0.0"),
        _line(4, "2 w =", "0.5"),
        "",
    ]
)


def _next(text: str) -> PairingProblem:
    return trf.pairing_problem(trf.read(text))


def test_a_game_is_read_with_opponent_colour_and_points() -> None:
    problem = _next(FOUR)
    assert (problem.round_number, problem.rounds_total, problem.odd_tpn_is_first) == (2, 3, True)
    record = problem.contestants[0].records[0]
    assert (record.kind, record.opponent, record.score_halves) == (RoundKind.FIRST, 3, 2)


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_every_line_end_is_read(end: str) -> None:
    assert trf.read(FOUR.replace("\n", end)) == trf.read(FOUR)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_both_encodings_are_read(encoding: str) -> None:
    text = FOUR.replace("Player 1", "Müller 1")
    assert trf.read(trf.decoded(text.encode(encoding))).players[0].name == "Müller 1"


@pytest.mark.parametrize("case", corpus.cases()[::5], ids=lambda c: c.name)
def test_what_is_written_is_read_again_as_the_same_problem(case: corpus.Case) -> None:
    report = trf.read(case.trf)
    text = trf.write(report)
    assert trf.write(trf.read(text)) == text
    problem = trf.pairing_problem(report)
    assert trf.pairing_problem(trf.read(text)) == problem
    assert problem.round_number == case.round_number
    assert PairingProblem.from_json(problem.to_json()) == problem


@pytest.mark.parametrize("record", ["XXZ 4", "XXZ 4 4", "240 Z   2    4", "240 H   2    4"])
def test_an_absent_player_is_not_paired_in_any_dialect(record: str) -> None:
    problem = _next(FOUR + record + "\n")
    assert [c.tpn for c in problem.contestants] == [1, 2, 3]
    assert [c.tpn for c in problem.absent] == [4]


@pytest.mark.parametrize(("result", "points"), [("0000 - H", "0.5"), ("0000 - Z", "0.0")])
def test_a_bye_in_the_column_of_the_next_round_is_an_absence(result: str, points: str) -> None:
    for points_text in ("0.5", str(0.5 + float(points))):  # both habits about the points column
        text = FOUR.replace(_line(4, "2 w =", "0.5"), _line(4, f"2 w =,{result}", points_text))
        problem = _next(text)
        assert [c.tpn for c in problem.absent] == [4]
        assert problem.absent[0].score_halves == 1


@pytest.mark.parametrize(
    "records",
    [
        "162  W 3.0    D 1.0    L 0.0    P 2.0",
        "BBW  3.0\nBBD  1.0\nBBL  0.0\nBBU  2.0",
        "XXS W=3.0 D=1.0 PAB=2",
        "XXS W=2\nXXS W=3 D=1\nXXS PAB=2.0",
    ],
)
def test_point_systems_are_the_same_in_every_dialect(records: str) -> None:
    text = f"142 3\n152 W\n{records}\n" + _line(1, "") + "\n" + _line(2, "") + "\n"
    assert trf.read(text).points == PointSystem(
        win=6, draw=2, half_bye=2, forfeit_win=6, full_bye=6, pairing_bye=4
    )


@pytest.mark.parametrize("symbol", ["A", "Z"])
def test_both_symbols_of_absence_are_read(symbol: str) -> None:  # D3
    points = trf.read(f"162  W 1.0    D 0.5    {symbol} 0.5").points
    assert (points.zero_bye, points.forfeit_loss) == (1, 1)


@pytest.mark.parametrize("name", ["FIDE_DUTCH", "FIDE_DUTCH_2025", "FIDE_DUTCH_2026"])
def test_every_name_of_the_system_in_force_is_accepted(name: str) -> None:  # D4
    assert len(_next(FOUR + f"192 {name}\n").contestants) == 4


@pytest.mark.parametrize("name", ["FIDE_DUTCH_2017", "FIDE_DUBOV", "BERGER_ROUNDROBIN"])
def test_other_systems_are_refused(name: str) -> None:
    with pytest.raises(trf.UnpairableReportError, match=name):
        _next(FOUR + f"192 {name}\n")


def test_forbidden_pairs_hold_in_their_rounds_only() -> None:
    text = FOUR + "260   2   2    1    2    4\n260   3   3    1    4\n"
    expected = {frozenset(p) for p in ((1, 2), (1, 4), (2, 4))}
    assert _next(text).forbidden == expected
    assert _next(FOUR + "XXP 1 2 4\n").forbidden == expected


@pytest.mark.parametrize(
    ("players", "size"), [(8, 4), (9, 6), (10, 6), (11, 6), (12, 6), (13, 8), (14, 8), (16, 8)]
)
def test_group_a_is_twice_the_quarter_rounded_up(players: int, size: int) -> None:  # D2
    """C.04.7 1.2; bbpPairings rounds the half up and is wrong where n mod 4 is 1 or 2."""
    system = "142 9\n152 W\n192 FIDE_DUTCH_2026_BAKU\n"
    problem = _next(system + "\n".join(_line(i, "") for i in range(1, players + 1)))
    assert sum(c.virtual_halves == (2,) for c in problem.contestants) == size


@pytest.mark.parametrize(
    ("rounds", "virtual"), [(9, "222110000"), (8, "22110000"), (7, "2211000"), (5, "22100")]
)
def test_acceleration_fades_in_the_middle(rounds: int, virtual: str) -> None:
    halves = [
        baku_halves(rank=1, players=20, round_number=r + 1, rounds_total=rounds)
        for r in range(rounds)
    ]
    assert halves == [int(v) for v in virtual]


def test_acceleration_needs_the_usual_points() -> None:
    with pytest.raises(trf.UnpairableReportError, match="two draws"):
        _next(FOUR + "162  W 3.0    D 1.0\n192 FIDE_DUTCH_BAKU\n")


@pytest.mark.parametrize("code", ["310", "362", "801"])
def test_records_we_cannot_follow_are_refused_when_pairing(code: str) -> None:
    report = trf.read(FOUR + f"{code} whatever\n")
    with pytest.raises(trf.UnpairableReportError, match=f"line 8: record {code}"):
        trf.pairing_problem(report)


def _abnormal(code: str, points: str, round_number: str, *ids: int, match: str = "") -> str:
    """A `299` record: the points end in column 17, the round in 22."""
    words = "".join(f" {i:>4}" for i in ids)
    return f"299 {code:1}{match:>6}{points:>6}{round_number:>5}{words}\n"


@pytest.mark.parametrize(
    ("record", "halves"),
    [
        (("W", "1.5", "001", 1, 2), [3, 1, 0, 1]),
        (("W", "1.5", "000", 1), [3, 1, 0, 1]),
        (("D", "0.0", "", 2, 4), [2, 0, 0, 0]),
        (("d", "1.0", "001", 4), [2, 1, 0, 2]),
        (("L", "0.5", "2", 3), [2, 1, 0, 1]),
        (("L", "0.5", "1", 3), [2, 1, 1, 1]),
        (("", "-1.0", "001", 1), [0, 1, 0, 1]),
        (("", "0.5", "1", 3, 4), [2, 1, 1, 2]),
    ],
)
def test_abnormal_points_count_for_those_players(record: Any, halves: list[int]) -> None:
    text = re.sub(r"(?m)^(001.{77}).{4}", r"\1    ", FOUR) + _abnormal(*record)
    report = trf.read(text)
    assert [c.score_halves for c in trf.pairing_problem(report).contestants] == halves
    assert list(trf.points_halves(report).values()) == halves
    assert trf.read(trf.write(report)) == report


@pytest.mark.parametrize("missing", ["142 3", "152 W"])
def test_what_pairing_needs_is_asked_for(missing: str) -> None:
    text = FOUR.replace(missing + "\n", "").replace("1 b 0", "1 - -").replace("3 w 1", "3 - +")
    text = text.replace("2 w =", "2 - -").replace("4 b =", "4 - -").replace(" 0.5", " 0.0")
    with pytest.raises(trf.UnpairableReportError, match=missing[:3]):
        _next(text)


def test_points_that_disagree_with_the_results_are_refused() -> None:
    with pytest.raises(trf.UnpairableReportError, match=r"player 1 has 1\.0 points"):
        _next(FOUR.replace(_line(1, "3 w 1", "1.0"), _line(1, "3 w 1", "2.0")))


def _broken(column: int, text: str) -> str:
    """FOUR with the text written over player 1's line from that column on."""
    lines = FOUR.split("\n")
    lines[3] = lines[3].ljust(column)[: column - 1] + text + lines[3][column - 1 + len(text) :]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        pytest.param(_broken(5, "   x"), 4, 5, id="the rank is no number"),
        pytest.param(_broken(5, "    "), 4, 5, id="no rank"),
        pytest.param(_broken(5, "   0"), 4, 5, id="rank zero"),
        pytest.param(_broken(5, "   2"), 5, 5, id="a rank twice"),
        pytest.param(_broken(81, " x.5"), 4, 81, id="points are no number"),
        pytest.param(_broken(81, " 1.3"), 4, 81, id="points in tenths"),
        pytest.param(_broken(92, "   9"), 4, 92, id="no such opponent"),
        pytest.param(_broken(92, "   4"), 4, 92, id="the opponent says otherwise"),
        pytest.param(_broken(97, "x"), 4, 97, id="no such colour"),
        pytest.param(_broken(97, "b"), 4, 97, id="the same colour twice"),
        pytest.param(_broken(99, "?"), 4, 99, id="no such result"),
        pytest.param(_broken(99, "H"), 4, 99, id="a bye with an opponent"),
        pytest.param(_broken(99, "+"), 4, 99, id="a forfeit that the other played"),
        pytest.param(_broken(20, "\0"), 4, 20, id="NUL"),
        pytest.param(FOUR + "142 4", 8, 5, id="two numbers of rounds"),
        pytest.param(FOUR + "142 x", 8, 5, id="rounds are no number"),
        pytest.param(FOUR + "142", 8, 5, id="no number of rounds"),
        pytest.param(FOUR + "152 R", 8, 5, id="no initial colour"),
        pytest.param(FOUR + "152 B", 8, 5, id="two initial colours"),
        pytest.param(FOUR + "XXC white1 rang", 8, 12, id="no such setting"),
        pytest.param(FOUR + "162  Q 1.0", 8, 6, id="no such symbol"),
        pytest.param(FOUR + "162  W", 8, 7, id="no points for the symbol"),
        pytest.param(FOUR + "XXS WW=1.0", 8, 5, id="points by colour"),
        pytest.param(FOUR + "BBW", 8, 5, id="no points"),
        pytest.param(FOUR + "240 X   2    1", 8, 5, id="no such bye"),
        pytest.param(FOUR + "240 Z        1", 8, 7, id="no round"),
        pytest.param(FOUR + "XXZ one", 8, 5, id="the absent has no number"),
        pytest.param(FOUR + "250           2   2    1    2", 8, 10, id="no virtual points"),
        pytest.param(FOUR + "XXA    1  " + " 1.0 " * 1200, 8, 10, id="absurd virtual points"),
        pytest.param(FOUR + "BBW 9999999", 8, 5, id="absurd points"),
        pytest.param(FOUR + _abnormal("Q", "1.0", "1", 1), 8, 5, id="no abnormal result"),
        pytest.param(FOUR + _abnormal("W", "", "1", 1), 8, 14, id="no abnormal points"),
        pytest.param(FOUR + _abnormal("W", "1.3", "1", 1), 8, 14, id="abnormal tenths"),
        pytest.param(FOUR + _abnormal("W", "1.0", "1", 1, match="2.0"), 8, 8, id="match points"),
        pytest.param(FOUR + _abnormal("", "-1.0", "", 1), 8, 20, id="a penalty at no time"),
        pytest.param(FOUR + "XXZ 7", 0, 0, id="an unknown player is absent"),
        pytest.param(FOUR + "XXQ 7", 8, 1, id="an unknown extension"),
        pytest.param(FOUR + "777 7", 8, 1, id="an unknown record"),
        pytest.param(FOUR + "142 9" + "9" * 5000, 8, 5, id="absurd number"),
        pytest.param(_line(1, "") + "  0000 - Z" * 1200, 1, 92, id="absurd number of rounds"),
        pytest.param(_line(1, "2 w 1") + "\n" + _line(2, ""), 1, 92, id="met one-sided"),
        pytest.param(_line(1, "0 w 1"), 1, 92, id="a game against nobody"),
    ],
)
def test_errors_name_line_and_column(text: str, line: int, column: int) -> None:
    with pytest.raises(trf.BadReportError) as caught:
        trf.read(text)
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("\0" * 10_000_000, id="NULs"),
        pytest.param("001 " * 2_500_000, id="one line"),
        pytest.param("001\n" * 2_500_000, id="many lines"),
        pytest.param("### x\n" * 1_000_000, id="many comments"),
        pytest.param("XXP " + "1 " * 3_000_000, id="many words"),
        pytest.param("260   1   9 " + "   1 " * 1_500_000, id="many ids"),
        pytest.param("162  " + "W 1.0    " * 880_000 + "Q", id="many symbols"),
    ],
)
def test_a_hostile_file_is_refused(text: str) -> None:
    """Work that grew with the square of the length would take hours here."""
    with pytest.raises(trf.BadReportError):
        trf.read(text)


def _hostile(report: str) -> str:
    players = "\n".join(_line(i, "0000 - H") for i in range(1, 3001))
    return f"142 9\n152 W\n{players}\n{report}"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("240 H   2    1\n" * 50_000, id="many byes"),
        pytest.param("299 W          1.0  001    1\n" * 50_000, id="much abnormal"),
        pytest.param("250       0.5   1   9    1    1\n" * 50_000, id="many virtual points"),
        pytest.param("250       0.5   1   9    1 3000\n" * 50_000, id="many wide virtual points"),
        pytest.param("260   1   9    1    2\n" * 50_000, id="many forbidden pairs"),
    ],
)
def test_a_well_formed_hostile_file_becomes_a_problem_or_is_refused(text: str) -> None:
    """Work that grew with players times records would take minutes here."""
    with contextlib.suppress(trf.UnpairableReportError):
        _next(_hostile(text))


@settings(max_examples=200)
@given(data=st.data())
def test_a_file_cut_off_anywhere_is_read_or_refused_with_its_place(data: st.DataObject) -> None:
    case = data.draw(st.sampled_from(corpus.cases()[::40]))
    _read_or_refused(case.trf[: data.draw(st.integers(0, len(case.trf)))])


def test_a_small_file_cut_off_at_every_character_is_read_or_refused_with_its_place() -> None:
    text = FOUR + "162  W 1.0    D 0.5\n240 H   2    1\n250       0.5   1   1    1    2\n"
    text += (
        "260   1   2    1    2\n" + _abnormal("W", "1.5", "1", 1) + "XXS FL=0.5\nXXA    1  1.0\n"
    )
    for end in range(len(text)):
        _read_or_refused(text[:end])


@settings(max_examples=300)
@given(data=st.data())
def test_a_file_with_a_wrong_character_is_read_or_refused_with_its_place(
    data: st.DataObject,
) -> None:
    text = data.draw(st.sampled_from(corpus.cases()[::40])).trf
    at = data.draw(st.integers(0, len(text) - 1))
    letter = data.draw(st.one_of(st.characters(), st.sampled_from("0123456789 -+=wbHFUZ\n\0")))
    _read_or_refused(text[:at] + letter + text[at + 1 :])


def _read_or_refused(text: str) -> None:
    """Errors about a record name its line and a column in it, or the whole file when it contradicts itself."""
    error = _error(text)
    if error is not None:
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        assert 0 <= error.line <= len(lines)
        assert error.column >= 0


def _error(text: str) -> trf.BadReportError | None:
    try:
        report = trf.read(text)
    except trf.BadReportError as error:
        return error
    with contextlib.suppress(trf.UnpairableReportError):
        trf.pairing_problem(report)
    return None


def test_absurdly_many_forbidden_pairs_are_refused() -> None:
    players = "\n".join(_line(i, "") for i in range(1, 2101))
    everybody = " ".join(str(i) for i in range(1, 2101))
    with pytest.raises(trf.UnpairableReportError, match="forbidden"):
        _next(f"142 3\n152 W\nXXP {everybody}\n{players}\n")


@settings(max_examples=200)
@given(st.text(max_size=400))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(trf.BadReportError):
        trf.write(trf.read("001    1" + text))


def test_a_national_line_and_headers_are_kept() -> None:
    report = trf.read(FOUR + "ITA    1      Rossi\n")
    assert [h.code for h in report.headers] == ["012", "ITA"]
    assert trf.read(trf.write(report)).headers == report.headers


def test_a_past_round_can_be_asked_for() -> None:
    problem = trf.pairing_problem(trf.read(FOUR), 1)
    assert (problem.round_number, len(problem.contestants)) == (1, 4)
    with pytest.raises(trf.UnpairableReportError, match="no round 4"):
        trf.pairing_problem(trf.read(FOUR), 4)


def test_an_announced_half_point_bye_counts_in_rounds_left_blank() -> None:
    text = FOUR.replace(_line(4, "2 w =", "0.5"), _line(4, "", "0.5"))
    text = text.replace(_line(2, "4 b =", "0.5"), _line(2, "0000 - U", "1.0")) + "240 H   1    4\n"
    assert _next(text).contestants[3].records[0].kind is RoundKind.HALF_BYE


@pytest.mark.parametrize(("colours", "odd"), [("wb", True), ("bw", False)])
def test_the_initial_colour_is_read_from_the_first_board_when_it_is_not_given(
    colours: str, odd: bool
) -> None:
    """C.04.3 5.2.5: player 2 is the first who was there."""
    lines = [
        _line(1, "0000 - Z"),
        _line(2, f"3 {colours[0]} 1", "1.0"),
        _line(3, f"2 {colours[1]} 0"),
    ]
    problem = _next("\n".join(["142 3", "XXC rank", *lines]))
    assert problem.odd_tpn_is_first is odd


def test_blank_columns_of_a_round_that_was_paired_are_an_absence() -> None:
    text = FOUR.replace(_line(3, "1 b 0", "0.0"), _line(3, ""))
    text = text.replace(_line(1, "3 w 1", "1.0"), _line(1, "0000 - U", "1.0"))
    report = trf.read(text)
    assert [c.tpn for c in trf.pairing_problem(report, 1).absent] == [3]
    assert trf.read(trf.write(report)).players[2].results == ()


def test_a_blank_round_between_others_stays_blank() -> None:
    one, two = _line(1, "2 w 1", "1.0"), _line(2, "1 b 0")
    text = one[:91] + " " * 10 + one[91:] + "\n" + two[:91] + " " * 10 + two[91:] + "\n"
    report = trf.read(text)
    assert report.players[0].results[0] is None
    assert trf.read(trf.write(report)) == report


def test_virtual_points_are_the_same_in_both_dialects() -> None:
    old = FOUR + "XXA    1  1.0  0.5\nXXA    2       0.5\n"
    new = FOUR + "250       1.0   1   1    1    1\n250       0.5   2   2    1    2\n"
    assert _next(old).contestants == _next(new).contestants
    assert [c.pairing_halves(2) for c in _next(new).contestants] == [3, 2, 0, 1]


def test_the_codes_are_those_of_the_standard() -> None:
    assert "".join(Code) == "1=0WDL+-HFUZ"
    report = trf.read(FOUR)
    assert replace(report, headers=()) != report
