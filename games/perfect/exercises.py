"""The course of The Perfect Game?: a board for each rule, in the order in which the game is learned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.core import Outcome
from games.perfect.figures import after, men_on
from games.presentation import Exercise, message, right_moves

if TYPE_CHECKING:
    from collections.abc import Sequence


def exercises() -> Sequence[Exercise]:
    """Return the exercises of The Perfect Game?."""
    return (*_of_tiles(), *_of_moving(), *_of_capturing(), *_of_the_end())


def _of_tiles() -> Sequence[Exercise]:
    start = after("+b9 +f6")
    closed = after("+e5 +d5 +b9 +f5 +c8 +e4 +h2")
    rescue = after("+e5 +d5 +b9 +f5 +c8 +e4")
    return (
        Exercise(
            name="tiles",
            title=message("Laying tiles"),
            task=message(
                "The players build the ground first. Lay a tile directly beside Blue's tile on f6."
            ),
            position=start,
            lines=right_moves(start, lambda move, _: move[1:] in {"e6", "g6", "f5", "f7"}),
            hint=message("That is legal. This task asks for e6, g6, f5 or f7."),
            done=message(
                "Eighty tiles are laid before the first man moves. Start squares take none."
            ),
            paragraph="perfect/tiles",
        ),
        Exercise(
            name="rescue",
            title=message("A way out"),
            task=message("Your tile on e5 is enclosed on three sides. Keep a way out for it."),
            position=rescue,
            lines=[("+e6",)],
            hint=message(
                "That is legal, but Blue then closes the last way out, e6, and your tile is turned over."
            ),
            done=message(
                "Tiles of one player that touch along their sides form a group. A free square beside it is a way out."
            ),
            paragraph="perfect/tiles",
        ),
        Exercise(
            name="surround",
            title=message("Surrounding a group"),
            task=message("Red's tile on e5 has one way out left. Take it."),
            position=closed,
            lines=[("+e6",)],
            hint=message("That is legal, but Red's tile still has its way out, e6."),
            done=message(
                "A group without a way out is turned over. It stays as neutral ground and belongs to neither player."
            ),
            paragraph="perfect/tiles",
        ),
    )


def _of_moving() -> Sequence[Exercise]:
    step = men_on("d4 a1 b1 c1 d1 a2 b2 c2 a3 b3", "h8")
    jumps = men_on("b2 c3 a1 b1 c1 d1 a2 a3 a4 e5", "h8 i9 j8")
    return (
        Exercise(
            name="step",
            title=message("A step"),
            task=message(
                "All tiles are laid, and the men move. Move the man on d4 one square upwards."
            ),
            position=step,
            lines=[("d4-d5",)],
            hint=message("That is legal. This task asks for a step from d4 to d5."),
            done=message("A step leads one square up, down, left or right, and never captures."),
            paragraph="perfect/D-P10",
        ),
        Exercise(
            name="jumps",
            title=message("A series of jumps"),
            task=message("Move the man on b2 to f6 in one turn, by two jumps over your own men."),
            position=jumps,
            lines=[("b2-d4-f6",)],
            hint=message("That is legal. Click b2, then d4, then f6."),
            done=message(
                "A jump leads diagonally over one man, of either side, to the square right behind him. Further jumps may follow."
            ),
            paragraph="perfect/D-P11",
        ),
    )


def _of_capturing() -> Sequence[Exercise]:
    must = men_on("d4 a1 b1 c1 d1 a2 b2 c2 a3 a4", "e5 h8 i9 g10")
    may = men_on("b4 a1 b1 c1 d1 a2 b2 c2 a3 a4", "c5 h8 i9 g10")
    safe = men_on("d6 a1 b1 c1 d1 a2 b2 c2 a3 a4", "e7 h8 i9 g10")
    return (
        Exercise(
            name="obligation",
            title=message("An obligation"),
            task=message(
                "Blue's man on e5 is on neutral ground: you must capture him. Try another move first, if you like."
            ),
            position=must,
            lines=[("d4xf6",)],
            hint=message("Jump over the man on e5."),
            done=message("A man on neutral ground must be captured by a jump, if one can do it."),
            paragraph="perfect/D-P15",
        ),
        Exercise(
            name="own-ground",
            title=message("On your colours"),
            task=message("Blue's man on c5 is on a tile of yours. Capture him."),
            position=may,
            lines=right_moves(may, lambda move, _: "x" in move),
            hint=message(
                "That is legal: on your colours you may capture, and need not. This task asks you to."
            ),
            done=message("A man on the other side's colours may be captured."),
            paragraph="perfect/D-P14",
        ),
        Exercise(
            name="protected",
            title=message("Protected"),
            task=message("Blue's man on e7 is on a tile of Blue's. Jump over him from d6."),
            position=safe,
            lines=[("d6-f8",)],
            hint=message("That is legal. This task asks for the jump from d6 to f8."),
            done=message(
                "He stays: a man on his own colours cannot be captured. You may jump over him all the same."
            ),
            paragraph="perfect/D-P14",
        ),
    )


def _of_the_end() -> Sequence[Exercise]:
    captured = men_on("d4 a1 b1 c1 d1 a2 b2 c2 a3 a4", "e5 h8 i9 g10 j10 i10 h10 j9 h9 j8").play(
        "d4xf6"
    )
    arrival = men_on("f10 h10 i10 j10 h9 i9 j9 i8 j8 j7", "b1 b3 c2 d5")
    return (
        Exercise(
            name="re-entry",
            title=message("Coming back"),
            task=message(
                "You are Blue. A man of yours was captured. Put him on an empty start square of yours, in Blue's corner."
            ),
            position=captured,
            lines=right_moves(captured, lambda move, _: move.startswith("@")),
            hint=message("The captured man comes first."),
            done=message("A captured man costs a turn and his whole way, and is never lost."),
            paragraph="perfect/D-P18",
        ),
        Exercise(
            name="arrival",
            title=message("Arrival"),
            task=message("Nine of your men have arrived in the other corner. Win the game."),
            position=arrival,
            lines=right_moves(arrival, lambda _, after_it: after_it.outcome() is Outcome.FIRST),
            hint=message("That is legal, but a man is still on the way. Bring him to g10."),
            done=message("All ten men are on the other side's start squares: you win."),
            paragraph="perfect/D-P21",
        ),
    )
