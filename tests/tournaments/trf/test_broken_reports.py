"""Report files that are wrong, cut off or hostile: refused with their place, and immediately."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.pairing import corpus
from tests.tournaments.trf.lines import FOUR, abnormal, line, next_problem
from tournaments import trf


def test_points_that_disagree_with_the_results_are_refused() -> None:
    with pytest.raises(trf.UnpairableReportError, match=r"player 1 has 1\.0 points"):
        next_problem(FOUR.replace(line(1, "3 w 1", "1.0"), line(1, "3 w 1", "2.0")))


def _broken(column: int, text: str) -> str:
    """FOUR with the text written over player 1's line from that column on."""
    lines = FOUR.split("\n")
    lines[3] = lines[3].ljust(column)[: column - 1] + text + lines[3][column - 1 + len(text) :]
    return "\n".join(lines)


def _result(player: int, mine: str, theirs: str) -> str:
    """FOUR with these results of the first game of player 1, against player 3."""
    text = FOUR.replace(line(player, "3 w 1", "1.0"), line(player, f"3 w {mine}", "1.0"))
    return text.replace(line(3, "1 b 0", "0.0"), line(3, f"1 b {theirs}", "0.0"))


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
        pytest.param(_broken(99, "Y"), 4, 99, id="no such result"),
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
        pytest.param(FOUR + "XXS WW=1.5", 8, 5, id="points by colour"),
        pytest.param(FOUR + "BBW", 8, 5, id="no points"),
        pytest.param(FOUR + "240 X   2    1", 8, 5, id="no such bye"),
        pytest.param(FOUR + "240 Z        1", 8, 7, id="no round"),
        pytest.param(FOUR + "XXZ one", 8, 5, id="the absent has no number"),
        pytest.param(FOUR + "250           2   2    1    2", 8, 10, id="no virtual points"),
        pytest.param(FOUR + "XXA    1  " + " 1.0 " * 1200, 8, 10, id="absurd virtual points"),
        pytest.param(FOUR + "BBW 9999999", 8, 5, id="absurd points"),
        pytest.param(FOUR + abnormal("Q", "1.0", "1", 1), 8, 5, id="no abnormal result"),
        pytest.param(FOUR + abnormal("W", "", "1", 1), 8, 14, id="no abnormal points"),
        pytest.param(FOUR + abnormal("W", "1.3", "1", 1), 8, 14, id="abnormal tenths"),
        pytest.param(FOUR + abnormal("W", "1.0", "1", 1, match="2.0"), 8, 8, id="match points"),
        pytest.param(FOUR + abnormal("", "-1.0", "", 1), 8, 20, id="a penalty at no time"),
        pytest.param(FOUR + "310   x", 8, 5, id="no number of a team"),
        pytest.param(FOUR + "310   0", 8, 5, id="a team 0"),
        pytest.param(FOUR + f"310   1{'':66}   1    1", 8, 74, id="a member twice"),
        pytest.param(FOUR + f"310   1{'':66}   9", 0, 0, id="an unknown member"),
        pytest.param(FOUR + "320  1.0", 8, 5, id="a bye without game points"),
        pytest.param(FOUR + "320  1.0  2.0\n320  1.0  2.0", 9, 1, id="two records of byes"),
        pytest.param(FOUR + "330 ++   1   1   2", 8, 5, id="no forfeit"),
        pytest.param(FOUR + "330 +-   1   1", 8, 16, id="a forfeit of one team"),
        pytest.param(FOUR + "330 +-   1   1   2", 0, 0, id="a forfeit of unknown teams"),
        pytest.param(FOUR + "352 WX", 8, 5, id="no colours of boards"),
        pytest.param(FOUR + "362 TX 1.0", 8, 5, id="no result of a match"),
        pytest.param(FOUR + "362 TW", 8, 5, id="no points of a match"),
        pytest.param(FOUR + "300   1   1   2    9", 0, 0, id="an unknown player in a line-up"),
        pytest.param(FOUR + "240 H   3     12   13", 8, 15, id="absent two columns off"),
        pytest.param(FOUR + "240 H   3    12   13"[:15] + "2", 8, 15, id="absent one column off"),
        pytest.param(FOUR + "240 HX  3    1", 8, 6, id="a letter between two fields"),
        pytest.param(FOUR + "260   2   3     1    4", 8, 17, id="forbidden one column off"),
        pytest.param(
            FOUR + "250       0.5   1   1    1    22", 8, 32, id="virtual points with a rest"
        ),
        pytest.param(FOUR + "162   W 3.0    D 1.0", 8, 7, id="the symbol one column off"),
        pytest.param(FOUR + "162  W 3.0     D 1.0", 8, 16, id="the second symbol one column off"),
        pytest.param(FOUR + "162", 8, 6, id="no point system"),
        pytest.param(FOUR + "XXS", 8, 5, id="no point settings"),
        pytest.param(_result(1, "1", "1"), 4, 99, id="both have won"),
        pytest.param(_result(1, "1", "="), 4, 99, id="a win against a draw"),
        pytest.param(_result(1, "+", "+"), 4, 99, id="both have won by forfeit"),
        pytest.param(FOUR + "XXZ 7", 0, 0, id="an unknown player is absent"),
        pytest.param(FOUR + "XXQ 7", 8, 1, id="an unknown extension"),
        pytest.param(FOUR + "777 7", 8, 1, id="an unknown record"),
        pytest.param(FOUR + "142 9" + "9" * 5000, 8, 5, id="absurd number"),
        pytest.param(line(1, "") + "  0000 - Z" * 1200, 1, 92, id="absurd number of rounds"),
        pytest.param(line(1, "2 w 1") + "\n" + line(2, ""), 1, 92, id="met one-sided"),
        pytest.param(line(1, "0 w 1"), 1, 92, id="a game against nobody"),
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
    players = "\n".join(line(i, "0000 - H") for i in range(1, 3001))
    return f"142 9\n152 W\n{players}\n{report}"


@pytest.mark.long
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("240 H   2    1\n" * 50_000, id="many byes"),
        pytest.param(abnormal("W", "1.0", "1", 1) * 50_000, id="much abnormal"),
        pytest.param("250       0.5   1   9    1    1\n" * 50_000, id="many virtual points"),
        pytest.param("250       0.5   1   9    1 3000\n" * 50_000, id="many wide virtual points"),
        pytest.param("260   1   9    1    2\n" * 50_000, id="many forbidden pairs"),
    ],
)
def test_a_well_formed_hostile_file_becomes_a_problem_or_is_refused(text: str) -> None:
    """Work that grew with players times records would take minutes here."""
    with contextlib.suppress(trf.UnpairableReportError):
        next_problem(_hostile(text))


@pytest.mark.long
@settings(max_examples=200)
@given(data=st.data())
def test_a_file_cut_off_anywhere_is_read_or_refused_with_its_place(data: st.DataObject) -> None:
    case = data.draw(st.sampled_from(corpus.cases()[::40]))
    _read_or_refused(case.trf[: data.draw(st.integers(0, len(case.trf)))])


def test_a_small_file_cut_off_at_every_character_is_read_or_refused_with_its_place() -> None:
    text = FOUR + "162  W 1.0    D 0.5\n240 H   2    1\n250       0.5   1   1    1    2\n"
    text += "260   1   2    1    2\n" + abnormal("W", "1.5", "1", 1) + "XXS FL=0.5\nXXA    1  1.0\n"
    for end in range(len(text)):
        _read_or_refused(text[:end])


@settings(max_examples=300)
@given(data=st.data())
@pytest.mark.long
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
    players = "\n".join(line(i, "") for i in range(1, 2101))
    everybody = " ".join(str(i) for i in range(1, 2101))
    with pytest.raises(trf.UnpairableReportError, match="forbidden"):
        next_problem(f"142 3\n152 W\nXXP {everybody}\n{players}\n")


@pytest.mark.long
@settings(max_examples=200)
@given(st.text(max_size=400))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(trf.BadReportError):
        trf.write(trf.read("001    1" + text))
