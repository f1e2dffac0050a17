"""Rounds of campaigns on which another engine differed: ours is the pairing of the article by a literal count.

The files are in `campaign/`, named by the article. They are too large for the oracle's enumeration. It judges the two
pairings of the bracket in which the engines differ.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tournaments.pairing.dutch_oracle import Oracle, OracleBracket, Pairs, generation
from tournaments import trf
from tournaments.pairing import Dutch, PairingProblem

FILES = sorted((Path(__file__).parent / "campaign").glob("*.trf"))


def _note(file: Path, name: str) -> list[tuple[int, ...]]:
    """Return the boards of the `###` line of that name."""
    start = f"### {name}: "
    line = next(row for row in file.read_text().splitlines() if row.startswith(start))
    return [tuple(map(int, board.split("-"))) for board in line.removeprefix(start).split()]


def _pairs(oracle: Oracle, bracket: OracleBracket, boards: list[tuple[int, ...]]) -> Pairs:
    place = {player.tpn: place for place, player in enumerate(oracle.players)}
    placed = [sorted(place[tpn] for tpn in board) for board in boards]
    return tuple(sorted((a, b) for a, b in placed if {a, b} <= {*bracket.members}))


def _problem(file: Path) -> PairingProblem:
    return trf.pairing_problem(trf.read(file.read_text()))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_round_is_paired_as_it_says(file: Path) -> None:
    boards = [(board.first, board.second) for board in Dutch().pair(_problem(file)).boards]
    assert boards == _note(file, "pairing")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_both_pairings_of_the_bracket_are_equally_good_but_ours_is_generated_first(
    file: Path,
) -> None:
    oracle = Oracle(_problem(file))
    top, second, *below = oracle.groups()
    ours, theirs = (_note(file, name) for name in ("pairing", "bbpPairings"))
    bracket = OracleBracket(top, second, tuple(below))
    one, two = (_pairs(oracle, bracket, boards) for boards in (ours, theirs))
    no_bye: frozenset[int] = frozenset()
    assert oracle.values(bracket, no_bye, one) == oracle.values(bracket, no_bye, two)
    assert generation(bracket, one) < generation(bracket, two)
