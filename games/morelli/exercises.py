"""The course of Morelli: a board for each rule, in the order in which the game is learned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.core import Outcome, Side
from games.morelli.figures import position_of
from games.presentation import Exercise, message, right_moves

if TYPE_CHECKING:
    from collections.abc import Sequence


def exercises() -> Sequence[Exercise]:
    """Return the exercises of Morelli."""
    return (*_of_moving(), *_of_capturing(), *_of_frames(), _end())


def _of_moving() -> Sequence[Exercise]:
    inwards = position_of(black="A3 G5", white="C7 G2", size=7)
    across = position_of(black="A4", white="C7 G2", size=7)
    return (
        Exercise(
            name="inwards",
            title=message("Moving inwards"),
            task=message(
                "Move a black piece to the ring next to the Throne, the cell in the middle."
            ),
            position=inwards,
            lines=right_moves(
                inwards, lambda move, _: move[-2:] in {"C3", "C5", "D5", "D3", "E3", "E5"}
            ),
            hint=message(
                "That is legal: each move must end on a band nearer the Throne. This task asks for the innermost band."
            ),
            done=message(
                "A piece moves like a chess queen, but it must stop nearer the Throne than it began."
            ),
            paragraph="morelli-2015/4.2.1",
        ),
        Exercise(
            name="across",
            title=message("Across the middle"),
            task=message("Move your piece past the Throne to the far side of the board."),
            position=across,
            lines=right_moves(across, lambda move, _: move[-2] in "EFG"),
            hint=message(
                "That is legal. Now use the Throne: a piece may pass over it while no King sits there."
            ),
            done=message(
                "The vacant Throne may be crossed, but no piece ever stops there. Only the band counts, not the side of the board."
            ),
            paragraph="morelli-2015/4.2.3",
        ),
    )


def _of_capturing() -> Sequence[Exercise]:
    capture = position_of(black="A7 F7 D1 I4", white="E7 I6 A3")
    captures = position_of(black="A5 C7 E7 C3 I2", white="C6 D6 C4 I8 D1")
    between = position_of(black="A4 G3", white="C5 C3 G6", size=7)
    ripple = position_of(black="A5 A7 E7 D5", white="D7 D6 I5")
    return (
        Exercise(
            name="capture",
            title=message("Capturing"),
            task=message("Capture the white piece on E7: enclose it between two of yours."),
            position=capture,
            lines=right_moves(capture, lambda move, _: "xE7" in move),
            hint=message(
                "That is legal, but it captures nothing. Stop next to E7, on the side opposite to your piece on F7."
            ),
            done=message("The captured piece stays in its place and turns over. It is yours now."),
            paragraph="morelli-2015/5.1",
        ),
        Exercise(
            name="captures",
            title=message("Many captures"),
            task=message("Capture three pieces with one move."),
            position=captures,
            lines=right_moves(captures, lambda move, _: "xC4C6D6" in move),
            hint=message(
                "That is legal. Look for the cell from which white pieces lie between the mover and other black pieces, in three directions."
            ),
            done=message(
                "One move captures in every direction. All captures that a move brings about are carried out."
            ),
            paragraph="morelli-2015/5.5",
        ),
        Exercise(
            name="between",
            title=message("Safe between enemies"),
            task=message("Step in between the two white pieces on C5 and C3."),
            position=between,
            lines=right_moves(between, lambda move, _: move.endswith("-C4")),
            hint=message("That is legal. The cell between C5 and C3 is C4."),
            done=message(
                "Nothing happens to your piece: only the piece that has just moved captures. You may step in between two enemies without harm."
            ),
            paragraph="morelli-2015/5.3.2",
        ),
        Exercise(
            name="ripple",
            title=message("The ripple rule"),
            task=message("Capture the white piece on D6."),
            position=ripple,
            lines=right_moves(ripple, lambda move, _: "xD6" in move),
            hint=message(
                "That is legal, but D6 is still white. A piece that has just turned over does not capture: only the piece that moves does. Stop next to D6."
            ),
            done=message(
                "The piece that moved captured D6, with your piece on E7. The capture of D7 would not have taken D6 along."
            ),
            paragraph="morelli-2015/5.6",
        ),
    )


def _of_frames() -> Sequence[Exercise]:
    frame = position_of(black="A6 F7 G4 D3 B9 I3", white="A4 D8 I7 F2 H6")
    by_capture = position_of(black="D1 D4 C6 F7 G4", white="D3 I7 A8")
    throne = position_of(black="C1 C7 G7 G3 I6", white="D5 E4 A2 I4", king=Side.SECOND)
    return (
        Exercise(
            name="frame",
            title=message("A frame"),
            task=message(
                "Complete a frame: four black pieces at the corners of a square around the Throne. The square may be tilted."
            ),
            position=frame,
            lines=right_moves(frame, lambda move, _: move.endswith("*")),
            hint=message(
                "That is legal, but it makes no frame. Three corners are there: F7, G4 and D3. Find the fourth."
            ),
            done=message(
                "Your King takes the Throne. The four pieces are on one band, equally far apart."
            ),
            paragraph="morelli-2015/6.1",
        ),
        Exercise(
            name="frame-by-capture",
            title=message("A frame by a capture"),
            task=message("A white piece is on the fourth corner. Complete the frame."),
            position=by_capture,
            lines=right_moves(by_capture, lambda move, _: move.endswith("*")),
            hint=message(
                "That is legal, but it makes no frame. Capture the white piece on D3, and it becomes the corner."
            ),
            done=message("A captured piece can be a corner too."),
            paragraph="morelli-2015/6.2",
        ),
        Exercise(
            name="throne",
            title=message("The Throne changes hands"),
            task=message("White's King sits on the Throne. Send him off by a frame of your own."),
            position=throne,
            lines=right_moves(throne, lambda move, _: move.endswith("*")),
            hint=message(
                "That is legal, but White's King stays. Three corners of a square are yours: C7, G7 and G3. Find the fourth."
            ),
            done=message(
                "Your King sits there now. He stays until White completes a frame: to break up your frame has no effect."
            ),
            paragraph="morelli-2015/7.1",
        ),
    )


def _end() -> Exercise:
    position = position_of(black="C3 C5 E5 G1", white="C4 D3 D5 E4", size=7)
    return Exercise(
        name="end",
        title=message("The end"),
        task=message(
            "White has no move left, so the game ends after your move. The player who has the Throne then wins. Win the game."
        ),
        position=position,
        lines=right_moves(position, lambda _, after: after.outcome() is Outcome.FIRST),
        hint=message(
            "The game is over, but the Throne is vacant: a draw. Take the Throne with your last move."
        ),
        done=message(
            "The game is over when the player to move has no move. Your King is on the Throne: you win."
        ),
        paragraph="morelli-2015/8.1",
    )
