"""The course of Morlox: a board for each rule, in the order in which the game is learned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.core import Outcome
from games.morlox.figures import position_of
from games.presentation import Exercise, message, right_moves

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.core import Position


def exercises() -> Sequence[Exercise]:
    """Return the exercises of Morlox."""
    return (_goal(), *_of_control(), *_of_turns(), _swap())


def _goal() -> Exercise:
    position = position_of(".b.w. .bw.. ...w. .bw.. .bw..")
    return Exercise(
        name="goal",
        title=message("The goal"),
        task=message(
            "Black connects the top edge with the bottom edge, by stones next to each other. Complete the chain."
        ),
        position=position,
        lines=[("b3", "d1")],
        hint=message("That is legal, but the chain has a hole yet: b3."),
        done=message(
            "White could not break the chain in one turn. It still exists when your next turn begins, so you have won."
        ),
        paragraph="morlox/win",
    )


def _of_control() -> Sequence[Exercise]:
    three = position_of("....... ...b... ....... ......b ..w.... ....... ....w..")
    diagonal = position_of("....... ...b..w ....... .....b. ....... .w...b. .......")
    edge = position_of("....... b...... ....w.. ....... ....... ....w.. .......")
    return (
        Exercise(
            name="three",
            title=message("Control: three directions"),
            task=message(
                "Black sees d4 from above and from the right. Place a stone so that Black controls d4 by three straight directions."
            ),
            position=three,
            lines=right_moves(three, lambda _, after: _is_controlled(after, "d4")),
            hint=message(
                "That is legal, but d4 is not controlled. It must see a third black stone, on the left or below, however far."
            ),
            done=message(
                "A square that sees your stones in three of the four straight directions is controlled by you. White may not place there."
            ),
            paragraph="morlox/control",
        ),
        Exercise(
            name="diagonal",
            title=message("Control: two and two"),
            task=message(
                "d4 sees black stones above, on the right, and down-right. One diagonal is missing: control d4."
            ),
            position=diagonal,
            lines=[("b6",), ("c5",), ("a7",)],
            hint=message(
                "That is legal, but it is not the missing diagonal: up-left, on c5, b6 or a7."
            ),
            done=message(
                "Two neighbouring straight directions count with the two diagonals that each touch just one of them."
            ),
            paragraph="morlox/control",
        ),
        Exercise(
            name="edge",
            title=message("Control: at the edge"),
            task=message("a4 is on the edge and sees a black stone above. Control a4."),
            position=edge,
            lines=right_moves(edge, lambda _, after: _is_controlled(after, "a4")),
            hint=message(
                "That is legal, but a4 is not controlled. A second straight direction is enough there: on the right or below."
            ),
            done=message("On the edge of the board two straight directions are enough."),
            paragraph="morlox/control",
        ),
    )


def _of_turns() -> Sequence[Exercise]:
    flip = position_of("....... ...b... ....... .b.w..b ....... ...w... .......")
    barred = position_of("b...... ...b..b ..b.... www.... b..wb.. ...wwww b......")
    broken = position_of("...b... b...... ....b.. wwwwwww ..b.... b...b.. .......")
    return (
        Exercise(
            name="flip",
            title=message("Flipping"),
            task=message("Black controls d4. Flip the white stone there."),
            position=flip,
            lines=[("d4x",)],
            hint=message(
                "That is legal. Click the white stone on d4: it becomes yours, since you control its square."
            ),
            done=message("Flipped stones change their colour. No stone ever leaves the board."),
            paragraph="morlox/play",
        ),
        Exercise(
            name="bar",
            title=message("A closed door"),
            task=message(
                "White needs only d4 to connect left and right. Keep White out by controlling the square."
            ),
            position=barred,
            lines=right_moves(
                barred, lambda move, after: move != "d4" and "d4" not in after.legal_moves()
            ),
            hint=message(
                "That is legal, but White may still place on d4. Control the square: then White may not."
            ),
            done=message("No player may place on a square that the opponent controls."),
            paragraph="morlox/play",
        ),
        Exercise(
            name="break",
            title=message("Breaking a chain"),
            task=message("White has a chain from left to right. Break it now, or White wins."),
            position=broken,
            lines=right_moves(broken, lambda _, after: after.outcome() is not Outcome.SECOND),
            hint=message(
                "That is legal, but the chain still exists, and White has won. Flip a stone out of it on a square that you control."
            ),
            done=message("A chain must outlast one turn of the opponent. This one did not."),
            paragraph="morlox/win",
        ),
    )


def _swap() -> Exercise:
    position = position_of("..... ..... ..b.. ..... .....", "w")
    return Exercise(
        name="swap",
        title=message("Swapping"),
        task=message(
            "Black has begun in the middle, which is strong. You are White, and it is your first turn: take over the stone."
        ),
        position=position,
        lines=[("swap",)],
        hint=message("That is legal, but the strong stone stays Black's. Swap colours instead."),
        done=message(
            "The stone is yours now, and the other player continues as White. A first stone that is too strong is therefore of no use to the player who places it."
        ),
        paragraph="morlox/D-X9",
    )


def _is_controlled(position: Position, square: str) -> bool:
    """Return whether Black controls the square."""
    return any(
        trait.code == "controlled" and trait.colour == "black" and square in trait.cells
        for trait in position.traits()
    )
