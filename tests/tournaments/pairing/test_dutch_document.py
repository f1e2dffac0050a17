"""`docs/explanation/dutch.md` is true: its bracket has these numbers, and its functions exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tournaments import trf
from tournaments.pairing.dutch.rules.bracket import BracketPairing, top_bracket
from tournaments.pairing.dutch.rules.field import field_of
from tournaments.pairing.dutch.rules.values import criteria_values
from tournaments.pairing.dutch.rules.weights import BracketWeights
from tournaments.pairing.dutch.search.completion import bye_candidates

ROOT = Path(__file__).resolve().parents[3]
TEXT = (ROOT / "docs/explanation/dutch.md").read_text()
CASE = Path(__file__).parent / "cases" / "c14_resident_downfloater.trf"
ROWS = re.findall(
    r"^\| (\d)-(\d) \| (\d) \| (\d+) \| (\d) \| (\d) point \| (\d) \| (\d) \|$", TEXT, re.M
)
FUNCTIONS = re.findall(r"`([\w/]+\.py): (\w+)`", TEXT)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}-{row[1]}")
def test_the_worked_bracket_has_the_numbers_of_the_document(row: tuple[str, ...]) -> None:
    one, other, floater, worth, *values = map(int, row)
    field = field_of(trf.pairing_problem(trf.read(CASE.read_text())))
    places = {player.tpn: player.place for player in field.players}
    bracket = top_bracket(field, bye_candidates(field))
    pair = places[one], places[other]
    assert BracketWeights(bracket, bracket.below[0]).pair(*pair) == worth
    pairing = BracketPairing(bracket, [pair])
    assert pairing.floaters == (places[floater],)
    reached = {value.criterion: value.value for value in criteria_values(pairing)}
    c6, c7, c12, c14 = values
    # C7 in half points.
    assert [reached[c] for c in ("C6", "C7", "C12", "C14")] == [(c6,), (2 * c7,), (c12,), (c14,)]


def test_the_document_has_all_three_pairs_and_many_functions() -> None:
    assert len(ROWS) == 3
    assert len(FUNCTIONS) > 10


@pytest.mark.parametrize(("file", "name"), FUNCTIONS)
def test_the_functions_of_the_document_exist(file: str, name: str) -> None:
    folder = ROOT if file.startswith("tournaments/") else ROOT / "tournaments" / "pairing" / "dutch"
    assert re.search(rf"(def |class |^){name}\b", (folder / file).read_text(), re.M)
