"""Rounds of campaigns on which bbpPairings 6.0.0 differed, in `campaign/`: a literal count gives our pairing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tournaments.pairing.dutch_oracle import (
    Oracle,
    OracleBracket,
    Pairs,
    generation,
    oracle_boards,
)
from tournaments import trf
from tournaments.pairing import Dutch, PairingProblem

FOLDER = Path(__file__).parent / "campaign"


def _note(file: Path, name: str) -> list[tuple[int, ...]]:
    """Return the boards of the `###` line of that name, a bye as one number."""
    start = f"### {name}: "
    line = next(row for row in file.read_text().splitlines() if row.startswith(start))
    boards = line.removeprefix(start).replace("-bye", "").split()
    return [tuple(map(int, board.split("-"))) for board in boards]


def _pairs(oracle: Oracle, bracket: OracleBracket, boards: list[tuple[int, ...]]) -> Pairs:
    place = {player.tpn: place for place, player in enumerate(oracle.players)}
    placed = [sorted(place[tpn] for tpn in board) for board in boards]
    return tuple(sorted((a, b) for a, b in placed if {a, b} <= {*bracket.members}))


def _problem(file: Path) -> PairingProblem:
    return trf.pairing_problem(trf.read(file.read_text()))


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.trf")), ids=lambda file: file.stem)
def test_the_round_is_paired_as_it_says(file: Path) -> None:
    solution = Dutch().pair(_problem(file))
    boards: list[tuple[int, ...]] = [(board.first, board.second) for board in solution.boards]
    boards += [(solution.bye,)] if solution.bye else []
    assert boards == _note(file, "pairing")


def test_the_enumeration_pairs_a_round_on_which_another_engine_crashes() -> None:
    file = FOLDER / "seven_left.trf"
    assert oracle_boards(_problem(file)) == set(map(frozenset, _note(file, "pairing")))


@pytest.mark.long
def test_both_pairings_of_the_bracket_are_equally_good_but_ours_is_generated_first() -> None:
    """4.3.4: of two exchanges that differ only in the players who enter S1, the highest of them decides."""
    file = FOLDER / "a4_3_4_exchange_entering.trf"
    oracle = Oracle(_problem(file))
    top, second, *below = oracle.groups()
    ours, theirs = (_note(file, name) for name in ("pairing", "bbpPairings"))
    bracket = OracleBracket(top, second, tuple(below))
    one, two = (_pairs(oracle, bracket, boards) for boards in (ours, theirs))
    no_bye: frozenset[int] = frozenset()
    assert oracle.values(bracket, no_bye, one) == oracle.values(bracket, no_bye, two)
    assert generation(bracket, one) < generation(bracket, two)
