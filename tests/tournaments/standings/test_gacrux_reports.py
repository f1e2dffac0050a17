"""Tie-breaks on which Gacrux differs, with the files of the reports (docs/benchmarks/reports.md)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench import tie_breaks
from tests.bench.tie_breaks import Difference

FOLDER = Path(__file__).resolve().parents[2] / "data" / "gacrux-reports"


def _differences(file: str, *names: str) -> list[Difference]:
    path = FOLDER / file
    answer = tie_breaks.table_of_gacrux(path, names)
    assert answer is not None
    return list(tie_breaks.differences(tie_breaks.our_places(path, names), names, answer))


@pytest.mark.parametrize("name", ["BH", "SB", "AOB"])
def test_values_of_gacrux_depend_on_the_order_of_tie_breaks_and_ours_do_not(name: str) -> None:
    file = "fore-before-buchholz.trf"
    assert _differences(file, name, "FB") == []
    others = [each for each in _differences(file, "FB", name) if each.name == name]
    assert others, "Gacrux has been repaired: the report can go"
    places = tie_breaks.our_places(FOLDER / file, ["FB", name])
    alone = {place.id: place for place in tie_breaks.our_places(FOLDER / file, [name])}
    assert all(place.values[name] == alone[place.id].values[name] for place in places)


def test_fore_buchholz_changes_the_values_of_teams_too() -> None:
    file = "fore-before-buchholz-of-teams.trf"
    assert _differences(file, "BH:MP/M1", "FB:MP") == []
    assert _differences(file, "FB:MP", "BH:MP/M1"), "Gacrux has been repaired: the report can go"


def test_averages_that_are_equal_to_hundredths_share_a_place() -> None:
    """Decision 11: AOB is rounded to hundredths and compared so."""
    assert _differences("average-to-hundredths.trf", "AOB") == [Difference("place", 27, 19, 20)]
