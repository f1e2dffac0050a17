"""Morlox for people: its words, its pictures, the boards to begin with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.morlox.exercises import exercises
from games.morlox.figures import figures
from games.morlox.position import MorloxPosition
from games.presentation import (
    PASSES,
    SWAPS,
    Click,
    MoveWords,
    NoticeWords,
    Poster,
    Presentation,
    Theme,
    message,
    plural,
)

if TYPE_CHECKING:
    from games.core import Position


def _makes_a_chain(_before: Position, _move: str, after: Position) -> bool:
    """Return whether the mover's chain joins its edges, and the other side must break it."""
    return any(notice.code == "standing-chain" for notice in after.notices())


def _chains_next(_before: Position, _move: str, after: Position) -> bool:
    """Return whether the mover can join its edges in the next turn, whatever the reply."""
    assert isinstance(after, MorloxPosition)
    if after.outcome() is not None:
        return False
    # The first reply after which there is no such move ends the search, in most positions the first.
    return all(_played(after, reply).can_chain() for reply in after.legal_moves())


def _played(position: MorloxPosition, move: str) -> MorloxPosition:
    after = position.play(move)
    assert isinstance(after, MorloxPosition)
    return after


PRESENTATION = Presentation(
    name="Morlox",
    summary=message(
        "Connect your two edges with stones that cannot be taken, only turned, once enough of yours look at them. Never a draw. By Luis Bolaños Mures."
    ),
    goal=message(
        "Connect your two edges with a chain that still exists when your next turn begins. Black has top and bottom."
    ),
    nutshell=(
        message("Black connects the top edge with the bottom edge, White the left with the right."),
        message(
            "Place a stone anywhere the other side does not control, or turn an enemy stone on a square that you control."
        ),
        message(
            "You control a square when enough stones of yours look at it, from the right directions."
        ),
        message("If your chain still exists when your next turn begins, you have won."),
    ),
    key_figures=("three", "before_flip", "chain"),
    demonstration="after_flip",
    topic=message("Control"),
    colours={"black": message("Black"), "white": message("White")},
    poster=Poster("morlox(size=9)", 34),
    figures=figures,
    exercises=exercises,
    themes=(
        Theme(message("a chain"), fits=_makes_a_chain),
        Theme(message("a chain in two"), fits=_chains_next),
        Theme(message("a flip"), r"[a-z]+\d+x"),
        Theme(message("a placement"), r"[a-z]+\d+"),
    ),
    check_board="morlox(size=5)",
    lobby_board="morlox(size=11)",
    # Measured with our own players against themselves: the side that begins as Black won 246 of 400
    # games of `greedy` and 81 of 120 of a search of 60 nodes (82 and 127 Elo, +-35 and 65).
    first_side_centielo=80_00,
    options={("swap", "off"): message("without the swap")},
    pieces={"black": message("black stone"), "white": message("white stone")},
    traits={
        ("controlled", "black"): message("Black controls %(cells)s."),
        ("controlled", "white"): message("White controls %(cells)s."),
        ("winning-chain", "black"): message("Black's winning chain: %(cells)s."),
        ("winning-chain", "white"): message("White's winning chain: %(cells)s."),
        ("seen", "black"): message("%(from)s sees a black stone on %(to)s."),
        ("seen", "white"): message("%(from)s sees a white stone on %(to)s."),
    },
    notices={
        "may-swap": NoticeWords(
            message(
                "%(colour)s may swap instead of moving: take over the other colour. The stone stays."
            )
        ),
        "swapped": NoticeWords(message("The colours have been swapped.")),
        "must-pass": NoticeWords(message("%(colour)s has no move and must pass.")),
        "winning-chain": NoticeWords(
            plural(
                "%(colour)s has connected its two edges with %(count)d stone.",
                "%(colour)s has connected its two edges with %(count)d stones.",
            ),
            is_reason=True,
        ),
        "standing-chain": NoticeWords(
            message("%(colour)s has a chain: it wins unless it is broken now.")
        ),
    },
    moves=(
        SWAPS,
        PASSES,
        MoveWords(".*x", message("%(name)s flips the stone on %(end)s.")),
        MoveWords(".*", message("%(name)s places on %(end)s.")),
    ),
    clicks={"play": Click("{}", "{}x")},
)
