"""Report files: every dialect is read, no field is ignored, errors name their place."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.tournaments.pairing import corpus
from tests.tournaments.trf.lines import FOUR, abnormal, line, next_problem
from tournaments import trf
from tournaments.pairing import PairingProblem, PointSystem, RoundKind
from tournaments.pairing.baku import baku_halves
from tournaments.trf import Code


def test_a_game_is_read_with_opponent_colour_and_points() -> None:
    problem = next_problem(FOUR)
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
    problem = next_problem(FOUR + record + "\n")
    assert [c.tpn for c in problem.contestants] == [1, 2, 3]
    assert [c.tpn for c in problem.absent] == [4]


@pytest.mark.parametrize(("result", "points"), [("0000 - H", "0.5"), ("0000 - Z", "0.0")])
def test_a_bye_in_the_column_of_the_next_round_is_an_absence(result: str, points: str) -> None:
    for points_text in ("0.5", str(0.5 + float(points))):  # both habits about the points column
        text = FOUR.replace(line(4, "2 w =", "0.5"), line(4, f"2 w =,{result}", points_text))
        problem = next_problem(text)
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
    text = f"142 3\n152 W\n{records}\n" + line(1, "") + "\n" + line(2, "") + "\n"
    assert trf.read(text).points == PointSystem(
        win=6, draw=2, half_bye=2, forfeit_win=6, full_bye=6, pairing_bye=4
    )


def test_points_by_colour_are_read_where_both_colours_have_the_same() -> None:
    """The sample of JaVaFo's manual, whose values are all the usual ones."""
    usual = "XXS WW=1.0 BW=1.0 WD=0.5 BD=0.5 WL=0.0 BL=0.0 ZPB=0.0 HPB=0.5 FPB=1.0 PAB=1.0 FW=1.0 FL=0.0"
    assert trf.read(usual).points == PointSystem()
    points = trf.read("XXS WW=3.0 WD=1.0\nXXS BW=3.0 BD=1.0 FW=3.0 FPB=3.0").points
    assert points == PointSystem(win=6, draw=2, pairing_bye=6, forfeit_win=6, full_bye=6)


@pytest.mark.parametrize(
    ("record", "words"), [("WW=1.5", "WW=1.5 and BW=1.0"), ("BD=1.0 WD=0.5", "WD=0.5 and BD=1.0")]
)
def test_points_that_differ_by_the_colour_are_refused_by_name(record: str, words: str) -> None:
    with pytest.raises(trf.BadReportError, match=f"line 8, column 5: {words}"):
        trf.read(FOUR + f"XXS {record}\n")


@pytest.mark.parametrize("symbol", ["A", "Z"])
def test_both_symbols_of_absence_are_read(symbol: str) -> None:  # D3
    points = trf.read(f"162  W 1.0    D 0.5    {symbol} 0.5").points
    assert (points.zero_bye, points.forfeit_loss) == (1, 1)


@pytest.mark.parametrize("name", ["FIDE_DUTCH", "FIDE_DUTCH_2025", "FIDE_DUTCH_2026"])
def test_every_name_of_the_system_in_force_is_accepted(name: str) -> None:  # D4
    assert len(next_problem(FOUR + f"192 {name}\n").contestants) == 4


def test_virtual_points_in_both_dialects_count_once() -> None:
    both = FOUR + "250       1.0   1   2    1    2\nXXA    1  1.0  1.0\nXXA    2  1.0  1.0\n"
    assert [c.virtual_halves[:1] for c in next_problem(both).contestants] == [
        (2,),
        (2,),
        (0,),
        (0,),
    ]


@pytest.mark.parametrize("name", ["FIDE_DUTCH_2017", "FIDE_DUBOV", "BERGER_ROUNDROBIN"])
def test_other_systems_are_refused(name: str) -> None:
    with pytest.raises(trf.UnpairableReportError, match=name):
        next_problem(FOUR + f"192 {name}\n")


def test_forbidden_pairs_hold_in_their_rounds_only() -> None:
    text = FOUR + "260   2   2    1    2    4\n260   3   3    1    4\n"
    expected = {frozenset(p) for p in ((1, 2), (1, 4), (2, 4))}
    assert next_problem(text).forbidden == expected
    assert next_problem(FOUR + "XXP 1 2 4\n").forbidden == expected


@pytest.mark.parametrize(
    ("players", "size"), [(8, 4), (9, 6), (10, 6), (11, 6), (12, 6), (13, 8), (14, 8), (16, 8)]
)
def test_group_a_is_twice_the_quarter_rounded_up(players: int, size: int) -> None:  # D2
    """C.04.7 1.2. bbpPairings rounds the half up and is wrong for n mod 4 of 1 or 2."""
    system = "142 9\n152 W\n192 FIDE_DUTCH_2026_BAKU\n"
    problem = next_problem(system + "\n".join(line(i, "") for i in range(1, players + 1)))
    assert sum(c.virtual_halves == (2,) for c in problem.contestants) == size


def test_a_system_with_house_rules_is_accelerated_by_its_name() -> None:
    plain, settled = (
        trf.pairing_problem(trf.read(f"{FOUR}192 FIDE_LIM_BAKU{words}\n"), systems=["FIDE_LIM"])
        for words in ("", " maxi_elo=100")
    )
    assert any(contestant.virtual_halves for contestant in plain.contestants)
    assert settled == plain._replace(options=settled.options)


@pytest.mark.parametrize(
    ("rounds", "virtual"), [(9, "222110000"), (8, "22110000"), (7, "2211000"), (5, "22100")]
)
def test_acceleration_fades_in_the_middle(rounds: int, virtual: str) -> None:
    halves = [
        baku_halves(rank=1, players=20, round_number=r + 1, rounds_total=rounds)
        for r in range(rounds)
    ]
    assert halves == [int(v) for v in virtual]


@pytest.mark.parametrize(
    ("record", "late", "doubts"),
    [
        ("192 FIDE_DUTCH_2026_BAKU\n", True, [trf.Doubt.BAKU_BY_NAME]),
        ("192 FIDE_DUTCH_2026_BAKU\n", False, []),
        ("192 FIDE_LIM_BAKU maxi_elo=100\n", True, [trf.Doubt.BAKU_BY_NAME]),
        (
            "192 FIDE_DUTCH_2026_BAKU\n250       1.0   1   1    1    2\n",
            True,
            [],
        ),
        ("192 FIDE_DUTCH_2026\n", True, []),
    ],
    ids=["by name", "no late entry", "with settings", "by 250", "not accelerated"],
)
def test_acceleration_by_name_is_doubtful_when_somebody_may_have_come_late(
    record: str, late: bool, doubts: list[trf.Doubt]
) -> None:
    """C.04.7 1.3: the last player of group A is the one of the start, whom the file does not name."""
    text = FOUR + record + (line(5, "") + "\n" if late else "")
    assert trf.doubts(trf.read(text)) == doubts


def test_a_round_of_byes_for_everybody_was_played() -> None:
    """bbpPairings and Ainalrami pair the round after it."""
    lines = FOUR.splitlines()
    abandoned = "\n".join([*lines[:3], *(f"{each}  0000 - Z" for each in lines[3:])])
    report = trf.read(abandoned)
    assert (trf.rounds_played(report), trf.doubts(report)) == (2, [trf.Doubt.ROUND_OF_BYES])
    problem = trf.pairing_problem(report)
    assert (problem.round_number, len(problem.contestants)) == (3, 4)
    some = "\n".join([*lines[:4], *(f"{each}  0000 - Z" for each in lines[4:])])
    assert (trf.rounds_played(trf.read(some)), trf.doubts(trf.read(some))) == (1, [])


def test_acceleration_needs_the_usual_points() -> None:
    with pytest.raises(trf.UnpairableReportError, match="two draws"):
        next_problem(FOUR + "162  W 3.0    D 1.0\n192 FIDE_DUTCH_BAKU\n")


@pytest.mark.parametrize("record", [f"310   1{'':66}   1", "362 TW 3.0", "352 WB"])
def test_records_of_teams_are_refused_when_pairing_individuals(record: str) -> None:
    report = trf.read(f"{FOUR}{record}\n")
    with pytest.raises(trf.UnpairableReportError, match=f"line 8: record {record[:3]}"):
        trf.pairing_problem(report)


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
    text = re.sub(r"(?m)^(001.{77}).{4}", r"\1    ", FOUR) + abnormal(*record)
    report = trf.read(text)
    assert [c.score_halves for c in trf.pairing_problem(report).contestants] == halves
    assert list(trf.points_halves(report).values()) == halves
    assert trf.read(trf.write(report)) == report


@pytest.mark.parametrize("missing", ["142 3", "152 W"])
def test_what_pairing_needs_is_asked_for(missing: str) -> None:
    text = FOUR.replace(missing + "\n", "").replace("1 b 0", "1 - -").replace("3 w 1", "3 - +")
    text = text.replace("2 w =", "2 - -").replace("4 b =", "4 - -").replace(" 0.5", " 0.0")
    with pytest.raises(trf.UnpairableReportError, match=missing[:3]):
        next_problem(text)


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
    text = FOUR.replace(line(4, "2 w =", "0.5"), line(4, "", "0.5"))
    text = text.replace(line(2, "4 b =", "0.5"), line(2, "0000 - U", "1.0")) + "240 H   1    4\n"
    assert next_problem(text).contestants[3].records[0].kind is RoundKind.HALF_BYE


@pytest.mark.parametrize(("colours", "odd"), [("wb", True), ("bw", False)])
def test_the_initial_colour_is_read_from_the_first_board_when_it_is_not_given(
    colours: str, odd: bool
) -> None:
    """C.04.3 5.2.5: player 2 is the first who was there."""
    lines = [
        line(1, "0000 - Z"),
        line(2, f"3 {colours[0]} 1", "1.0"),
        line(3, f"2 {colours[1]} 0"),
    ]
    problem = next_problem("\n".join(["142 3", "XXC rank", *lines]))
    assert problem.odd_tpn_is_first is odd


@pytest.mark.parametrize(("colours", "odd"), [("wb", False), ("bw", True)])
def test_the_initial_colour_is_read_from_the_first_round_with_colours(
    colours: str, odd: bool
) -> None:
    """C.04.3 5.2.5 in round 2: 3 has more points than 2, and is the second of those who have come."""
    lines = [
        line(1, ""),
        line(2, f"0000 - Z,3 {colours[1]} 0"),
        line(3, f"0000 - H,2 {colours[0]} 1", "1.5"),
    ]
    problem = next_problem("\n".join(["142 3", *lines]))
    assert problem.odd_tpn_is_first is odd


@pytest.mark.parametrize(
    "case", [c for c in corpus.cases() if c.round_number > 1][::5], ids=lambda c: c.name
)
def test_the_rounds_of_a_file_show_the_initial_colour_that_it_gives(case: corpus.Case) -> None:
    report = trf.read(case.trf)
    problem = trf.pairing_problem(report._replace(odd_is_white=None))
    assert problem.odd_tpn_is_first is report.odd_is_white


def test_blank_columns_of_a_round_that_was_paired_are_an_absence() -> None:
    text = FOUR.replace(line(3, "1 b 0", "0.0"), line(3, ""))
    text = text.replace(line(1, "3 w 1", "1.0"), line(1, "0000 - U", "1.0"))
    report = trf.read(text)
    assert [c.tpn for c in trf.pairing_problem(report, 1).absent] == [3]
    assert trf.read(trf.write(report)).players[2].results == ()


def test_a_blank_round_between_others_stays_blank() -> None:
    one, two = line(1, "2 w 1", "1.0"), line(2, "1 b 0")
    text = one[:91] + " " * 10 + one[91:] + "\n" + two[:91] + " " * 10 + two[91:] + "\n"
    report = trf.read(text)
    assert report.players[0].results[0] is None
    assert trf.read(trf.write(report)) == report


def test_virtual_points_are_the_same_in_both_dialects() -> None:
    old = FOUR + "XXA    1  1.0  0.5\nXXA    2       0.5\n"
    new = FOUR + "250       1.0   1   1    1    1\n250       0.5   2   2    1    2\n"
    assert next_problem(old).contestants == next_problem(new).contestants
    assert [c.pairing_halves(2) for c in next_problem(new).contestants] == [3, 2, 0, 1]


def test_the_codes_are_those_of_the_standard() -> None:
    assert "".join(Code) == "1=0WDL?+-HFUZ"
    report = trf.read(FOUR)
    assert report._replace(headers=()) != report


def test_a_table_of_teams_is_not_paired_as_a_swiss() -> None:
    report = trf.read("")._replace(system="BERGER_TEAM_ROUNDROBIN", rounds_total=3)
    with pytest.raises(trf.UnpairableReportError, match="by its table"):
        trf.match_problem(report)
