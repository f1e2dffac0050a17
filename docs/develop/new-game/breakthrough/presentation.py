"""Breakthrough for people: its words, its pictures, the boards to begin with."""

from __future__ import annotations

from games.breakthrough.figures import figures

from games.presentation import (
    MoveWords,
    NoticeWords,
    Poster,
    Presentation,
    message,
    plural,
)

_MOVES_TO = message("%(name)s moves from %(start)s to %(end)s.")

PRESENTATION = Presentation(
    name="Breakthrough",
    summary=message("Bring one piece to the far side of the board. By Dan Troyka."),
    topic=message("Danger"),
    colours={"white": message("White"), "black": message("Black")},
    poster=Poster("breakthrough(size=6)", 20),
    figures=figures,
    check_board="breakthrough(size=5)",
    lobby_board="breakthrough(size=6)",
    first_side_centielo=0,  # not measured yet
    pieces={"white": message("white piece"), "black": message("black piece")},
    traits={
        ("in-danger", "white"): message("White is in danger on %(cells)s."),
        ("in-danger", "black"): message("Black is in danger on %(cells)s."),
    },
    notices={
        "pieces": NoticeWords(
            plural("%(colour)s has %(count)d piece left.", "%(colour)s has %(count)d pieces left.")
        ),
    },
    moves=(
        MoveWords(
            ".*x.*",
            _MOVES_TO,
            message("%(name)s moves from %(start)s to %(end)s: %(effect)s."),
            message("captures %(cells)s"),
        ),
        MoveWords(".*-.*", _MOVES_TO),
    ),
)
