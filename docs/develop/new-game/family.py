"""Breakthrough: the symmetries of its board, and what the captions of its figures claim."""

from __future__ import annotations

from typing import TYPE_CHECKING

import games
from games.core import Side
from tests.games.claims import ends, pieces, rule_against
from tests.games.symmetries import Symmetry, flipped

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.presentation import Figure


def symmetries(_seed: int) -> list[Symmetry]:
    """The mirror through the middle of the files."""
    start = games.load("breakthrough(size=6)").initial()
    return [Symmetry("mirrored", start, start, flipped(6, is_mirrored=True, is_upside_down=False))]


def start(figure: Figure) -> None:
    """Two ranks of each side."""
    standing = pieces(figure.position)
    assert {cell for cell, piece in standing.items() if piece == "white"} == {
        f"{file}{rank}" for file in "abcde" for rank in (1, 2)
    }
    assert len(standing) == 20


def steps(figure: Figure) -> None:
    """To b3, c3 or d3."""
    assert ends(figure.position, "c2") == {"b3", "c3", "d3"} == set(figure.targets)


def capture(figure: Figure) -> None:
    """c3xd4 takes a piece; the one on c4 blocks c3 and is safe from it."""
    after = pieces(figure.position.play(figure.move))
    assert (after["d4"], len(after)) == ("white", len(pieces(figure.position)) - 1)
    assert rule_against(figure.position, "c3xc4") == "breakthrough/capture"


def blocked(figure: Figure) -> None:
    """Face to face: neither can go on, nor take the other, whoever is to move."""
    other = figure.position.ruleset.parse(figure.position.text().replace(" 0", " 1"))
    assert other.side_to_move is Side.SECOND
    for position, way in ((figure.position, ("c3", "c4")), (other, ("c4", "c3"))):
        for mark in "-x":
            assert rule_against(position, mark.join(way)) == "breakthrough/capture"


def end(figure: Figure) -> None:
    """White has broken through."""
    assert figure.position.outcome() is None
    assert figure.position.play(figure.move).outcome() is games.Outcome.FIRST


CLAIMS: dict[str, Callable[[Figure], None]] = {
    "start": start,
    "steps": steps,
    "capture": capture,
    "blocked": blocked,
    "end": end,
}
