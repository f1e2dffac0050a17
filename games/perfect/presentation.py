"""The Perfect Game? for people: its words, its pictures, the boards to begin with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.perfect.exercises import exercises
from games.perfect.figures import figures
from games.presentation import (
    PASSES,
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

_MOVES_TO = message("%(name)s moves from %(start)s to %(end)s.")


def _forces_a_jump(_before: Position, _move: str, after: Position) -> bool:
    """Return whether the other side must capture (D-P15)."""
    replies = after.legal_moves()
    return bool(replies) and all("x" in reply for reply in replies)


PRESENTATION = Presentation(
    name="The Perfect Game?",
    summary=message(
        "First lay the board, tile by tile, as in Go. Then race across it, as in Halma: your tiles shelter your men. By John Savard."
    ),
    goal=message("Bring all ten of your men to the other side's ten start squares first."),
    nutshell=(
        message(
            "Take turns to lay your forty tiles on the eighty neutral squares. Groups that are surrounded are turned over and belong to neither player."
        ),
        message(
            "Then move your ten men across to the other side's corner: one step straight, or jumps over men diagonally."
        ),
        message(
            "A man on his own colours cannot be captured. On neutral squares he must be, if he can. On your colours he may be."
        ),
        message("The first player to have all ten men on the other side's ten start squares wins."),
    ),
    key_figures=("after_flip", "step", "capture"),
    demonstration="series",
    topic=message("Safety"),
    colours={"red": message("Red"), "blue": message("Blue")},
    poster=Poster("perfect()", 96),
    figures=figures,
    exercises=exercises,
    themes=(
        Theme(message("a forced jump"), fits=_forces_a_jump),
        Theme(message("several captures"), r"[^x]*x[^x]*x.*"),
        Theme(message("a capture"), r"[^x]*x.*"),
        Theme(message("a series of jumps"), r"[^-]+-[^-]+-.+"),
        Theme(message("a tile"), r"\+.*"),
        Theme(message("a jump"), r"([a-z])(\d+)-(?!\1)[a-z](?!\2$)\d+"),
        Theme(message("an entry"), r"@.*"),
        Theme(message("a quiet move"), r"[a-z]\d+-[a-z]\d+"),
    ),
    check_board="perfect(limit=60)",
    lobby_board="perfect()",
    first_side_centielo=0,  # nothing is known of it yet
    draw_thousandths=20,  # nor of this: equal territories and equal men draw, which is rare
    options={("first", "blue"): message("Blue lays first")},
    grounds={
        "purple": message("purple square"),
        "yellow": message("yellow square"),
        "start-red": message("red start square"),
        "start-orange": message("orange start square"),
        "start-blue": message("blue start square"),
        "start-green": message("green start square"),
        "tile-red": message("red tile"),
        "tile-orange": message("orange tile"),
        "tile-blue": message("blue tile"),
        "tile-green": message("green tile"),
        "flipped-purple": message("flipped tile on purple"),
        "flipped-yellow": message("flipped tile on yellow"),
    },
    pieces={"red-man": message("red man"), "blue-man": message("blue man")},
    traits={
        ("lasting", "red"): message("Red's tiles that cannot be flipped: %(cells)s."),
        ("lasting", "blue"): message("Blue's tiles that cannot be flipped: %(cells)s."),
        ("last-opening", "red"): message("Red flips tiles by laying one on: %(cells)s."),
        ("last-opening", "blue"): message("Blue flips tiles by laying one on: %(cells)s."),
        ("in-danger", "red"): message("Red is in danger on %(cells)s."),
        ("in-danger", "blue"): message("Blue is in danger on %(cells)s."),
        ("sheltered", "red"): message("Red's men on ground of their own: %(cells)s."),
        ("sheltered", "blue"): message("Blue's men on ground of their own: %(cells)s."),
        ("must-jump", "red"): message("Red must capture and can, from %(from)s to %(to)s."),
        ("must-jump", "blue"): message("Blue must capture and can, from %(from)s to %(to)s."),
    },
    notices={
        "tiles-left": NoticeWords(
            plural("%(count)d %(kind)s tile left", "%(count)d %(kind)s tiles left"),
            kinds={
                "red": message("red"),
                "orange": message("orange"),
                "blue": message("blue"),
                "green": message("green"),
            },
            picture="tile-%s",
        ),
        "men-in-hand": NoticeWords(
            message("%(colour)s has %(count)d captured men to re-enter."),
            picture="%s-man",
            skips_zero=True,
        ),
        "all-arrived": NoticeWords(
            message("%(colour)s has brought all ten men home."), is_reason=True
        ),
        "out-of-turns": NoticeWords(
            message(
                "The turns have run out: more men arrived win, or fewer men not yet out if that is equal."
            ),
            is_reason=True,
        ),
        "waiting": NoticeWords(
            plural(
                "%(colour)s: %(count)d man not yet out.",
                "%(colour)s: %(count)d men not yet out.",
            ),
            is_reason=True,
        ),
        "arrived": NoticeWords(
            message("%(colour)s: %(count)d of 10 men have arrived."), is_reason=True
        ),
        "turns-left": NoticeWords(message("At most %(count)d turns are left.")),
        "must-pass": NoticeWords(message("%(colour)s has no move and must pass.")),
        "must-re-enter": NoticeWords(message("%(colour)s must re-enter a captured man.")),
        "must-leave-home": NoticeWords(
            message("%(colour)s must free a start square for the captured man.")
        ),
        "must-capture": NoticeWords(message("%(colour)s must capture.")),
    },
    moves=(
        PASSES,
        MoveWords(
            r"\+.*",
            message("%(name)s lays a tile on %(end)s."),
            message("%(name)s lays a tile on %(end)s: %(effect)s."),
            message("flips %(cells)s"),
            is_seen=True,
        ),
        MoveWords("@.*", message("%(name)s places on %(end)s.")),
        MoveWords(
            ".*x.*",
            _MOVES_TO,
            message("%(name)s moves from %(start)s to %(end)s: %(effect)s."),
            message("captures %(cells)s"),
        ),
        MoveWords(".*", _MOVES_TO),
    ),
    clicks={"tiles": Click("+{}", "+{}")},
    prompts={"tiles": message("Choose a square for a tile.")},
)
