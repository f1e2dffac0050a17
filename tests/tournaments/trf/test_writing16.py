"""TRF16: another dialect for an equal problem, and files whose faults are all named."""

from __future__ import annotations

import pytest

from tests.tournaments.pairing import corpus
from tests.tournaments.trf.lines import FOUR
from tournaments import trf
from tournaments.pairing import PointSystem
from tournaments.trf import Code

_ABSENCES = (
    trf.Absence(Code.HALF_BYE, 2, (2,)),
    trf.Absence(Code.ZERO_BYE, 2, (3,)),
    trf.Absence(Code.HALF_BYE, 3, (1,)),
)


def _codes(text: str) -> set[str]:
    return {line[:3] for line in text.splitlines()}


@pytest.mark.parametrize("case", corpus.cases()[::5], ids=lambda c: c.name)
def test_both_dialects_say_the_same_problem(case: corpus.Case) -> None:
    report = trf.read(case.trf)
    older = trf.write16(report)
    assert trf.pairing_problem(trf.read(older)) == trf.pairing_problem(report)
    assert _codes(older).isdisjoint({"142", "152", "162", "192", "240", "250", "260"})


def test_byes_of_the_next_round_stand_in_its_column_and_later_ones_nowhere() -> None:
    report = trf.read(FOUR)._replace(absences=_ABSENCES)
    again = trf.read(trf.write16(report))
    assert [player.results[1:] for player in again.players] == [
        (),
        (trf.Result(Code.HALF_BYE),),
        (trf.Result(Code.ZERO_BYE),),
        (),
    ]


def test_points_are_written_where_they_are_not_the_usual_ones() -> None:
    report = trf.read(FOUR)
    assert not any(code.startswith("BB") for code in _codes(trf.write16(report)))
    points = PointSystem(
        win=6, draw=2, loss=0, pairing_bye=6, full_bye=6, forfeit_win=6, half_bye=2
    )
    text = trf.write16(report._replace(points=points))
    assert {"BBW  3.0", "BBD  1.0", "BBU  3.0"} <= set(text.splitlines())


def test_virtual_points_are_those_of_each_player_up_to_the_last() -> None:
    virtual = (trf.VirtualPoints(2, 1, 2, 1, 2), trf.VirtualPoints(1, 3, 3, 1, 1))
    text = trf.write16(trf.read(FOUR)._replace(virtual=virtual))
    lines = [line.split() for line in text.splitlines() if line.startswith("XXA")]
    assert lines == [["XXA", "1", "1.0", "1.0", "0.5"], ["XXA", "2", "1.0", "1.0"]]


@pytest.mark.parametrize(
    ("rounds", "is_written"), [((1, None), True), ((2, 2), True), ((1, 1), False), ((3, 5), False)]
)
def test_forbidden_pairs_are_those_of_the_next_round(
    rounds: tuple[int, int | None], is_written: bool
) -> None:
    report = trf.read(FOUR)._replace(forbidden=(trf.Forbidden(*rounds, (1, 4)),))
    lines = trf.write16(report).splitlines()
    assert ("XXP 1 4" in lines) == is_written
    # The record has no rounds, so a comment names them.
    first, last = rounds
    is_always = first == 1 and last in (None, report.rounds_total)
    assert (f"### forbidden in rounds {first} to {last or 3}: 1 4" in lines) != is_always


@pytest.mark.parametrize(("rounds_total", "is_written"), [(1, True), (2, False)])
def test_a_finished_file_has_the_pairs_that_were_forbidden_in_every_round(
    rounds_total: int, *, is_written: bool
) -> None:
    forbidden = (trf.Forbidden(1, 1, (1, 4)),)
    report = trf.read(FOUR)._replace(rounds_total=rounds_total, forbidden=forbidden)
    assert ("XXP 1 4" in trf.write16(report).splitlines()) == is_written


def test_every_fault_of_a_file_is_named_with_its_line() -> None:
    lines = FOUR.splitlines()
    lines[1] = lines[1][:4] + "   x" + lines[1][8:]
    lines.append("XXR many")
    problems = trf.faults("\n".join(lines))
    assert len(problems) >= 2
    assert any(str(len(lines)) in str(error) for error in problems)
    assert trf.faults(FOUR) == []


def test_a_file_with_too_many_faults_or_too_large_is_given_up() -> None:
    many = "\n".join(["001    x"] * 300)
    assert len(trf.faults(many)) == 100
    assert len(trf.faults("012 " + "x" * 20_000_000)) == 1


def test_one_player_is_read_whatever_the_others_say() -> None:
    line = next(line for line in FOUR.splitlines() if line.startswith("001"))
    player = trf.player_of_line(1, line)
    assert player is not None
    assert player.id == 1
    assert trf.player_of_line(1, "001    x") is None
