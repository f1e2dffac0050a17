"""The figures of Morelli's rules page. They show one thing each and need not come from a game."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from games.core import Side
from games.morelli.board import board
from games.morelli.display import frame_name
from games.morelli.frames import frame_at
from games.morelli.rules import Morelli
from games.presentation import Figure, message

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from games.morelli.position import MorelliPosition


def position_of(
    *,
    black: str = "",
    white: str = "",
    king: Side | None = None,
    size: int = 9,
    turn: Side = Side.FIRST,
    edition: str = "revised",
) -> MorelliPosition:
    """Pieces on the named cells, `king` on the Throne, `turn` to move."""
    ruleset = Morelli.from_options({"edition": edition, "size": str(size), "setup": "ring"})
    cell_of = board(size).cell_of
    return replace(
        ruleset.initial(seed=0),
        black=sum(1 << cell_of[name] for name in black.split()),
        white=sum(1 << cell_of[name] for name in white.split()),
        throne=king,
        side_to_move=turn,
    )


def _reach(cell: str, *, size: int = 9, along: str = "", king: Side | None = None) -> Sequence[str]:
    """Return the cells that the lone piece on `cell` may reach, on the rank `along` only when given."""
    position = position_of(black=cell, size=size, king=king)
    reached = [position.ruleset.move_path(move)[1] for move in position.legal_moves()]
    return [name for name in reached if name.endswith(along)]


def _original(setup: str) -> Morelli:
    return Morelli.from_options({"edition": "original", "size": "9", "setup": setup})


def _freely_placed(black: str, white: str) -> MorelliPosition:
    """Return the stones placed in this order in the Free start: one, then two each in turn, then one."""
    of_black, of_white = iter(black.split()), iter(white.split())
    position = _original("free").initial()
    while position.phase == "placement":
        stones = of_black if position.side_to_move is Side.FIRST else of_white
        position = position.play(f"@{next(stones)}")
    return position


def _frame_numbers(size: int) -> Mapping[str, str]:
    """Return the number of the frame on each cell where frames can be made (10.2)."""
    table = board(size)
    return {
        cell: name.rpartition(" ")[2]
        for cell in table.names
        if frame_at(size, cell) and (name := frame_name(cell, size=size))
    }


def figures() -> Sequence[Figure]:
    """Return the figures of Morelli."""
    return (*_of_moving(), *_of_capturing(), *_of_frames(), *_of_endings())


def _of_moving() -> Sequence[Figure]:
    """Return the figures of the board, the set-ups and the moves."""
    return (
        Figure(
            name="board",
            caption=message(
                "Thirteen by thirteen at the start. Each piece faces one of the other colour across the centre."
            ),
            position=Morelli.from_options({"size": "13"}).initial(seed=11),
        ),
        Figure(
            name="facing",
            caption=message("Facing, original edition"),
            position=_original("facing").initial(),
        ),
        Figure(
            name="adjacent",
            caption=message("Adjacent, original edition"),
            position=_original("adjacent").initial(),
        ),
        Figure(
            name="free",
            caption=message(
                "Free, original edition, as it may come out. White's stone on A2 was closed in and is not captured. Black's four in the corners give him no tower."
            ),
            position=_freely_placed(
                "A1 A3 A6 A9 C9 D9 G9 I9 I7 I4 I1 H1 F1 E1 C1 B1",
                "A2 A4 A5 A7 A8 B9 E9 F9 H9 I8 I6 I5 I3 I2 G1 D1",
            ),
        ),
        Figure(
            name="movement",
            caption=message(
                "The white piece on A5 has 21 moves. Along its rank it may go as far as L5, for L is still nearer the Throne than A, but not to I13, M5 or E1, which are on the Red band like A5 itself."
            ),
            position=position_of(white="A5", size=13, turn=Side.SECOND),
            selected="A5",
            targets=_reach("A5", size=13),
        ),
        Figure(
            name="open_throne",
            caption=message("While the Throne is vacant, A5 reaches the far side …"),
            position=position_of(black="A5"),
            selected="A5",
            targets=_reach("A5", along="5"),
        ),
        Figure(
            name="taken_throne",
            caption=message("… and no longer when a King sits there, whosever he is."),
            position=position_of(black="A5", king=Side.SECOND),
            selected="A5",
            targets=_reach("A5", along="5", king=Side.SECOND),
        ),
    )


def _of_capturing() -> Sequence[Figure]:
    """Return the figures of captures."""
    return (
        Figure(
            name="capture",
            caption=message("A7-D7 xE7: the white piece is between D7 and F7."),
            position=position_of(black="A7 F7 D1 I4", white="E7 I6 A3"),
            move="A7-D7 xE7",
        ),
        Figure(
            name="captures",
            caption=message("One move can capture in every direction: before …"),
            position=position_of(black="A5 C7 E7 C3 I2", white="C6 D6 C4 I8 D1"),
            move="A5-C5 xC4C6D6",
        ),
        Figure(
            name="captured",
            caption=message(
                "… and after A5-C5 xC4C6D6. The rings mark the pieces that have turned over."
            ),
            position=position_of(black="A5 C7 E7 C3 I2", white="C6 D6 C4 I8 D1"),
            move="A5-C5 xC4C6D6",
            is_after=True,
        ),
        # The rule sheet's own examples, of which only the words have come down to us (5.1, 5.3.2 and 6.2).
        Figure(
            name="swoop",
            caption=message(
                "Black's piece on D1 can take the one on B4 from B3, or the one on E3 from D2. On I6 it takes six at one stroke. White's piece on E3, if it is its turn, may step in between D10 and F10 without harm."
            ),
            position=position_of(
                black="D1 B5 F4 D10 F10 G8 I8 K8 K6 K4 I4",
                white="B4 E3 H7 I7 J7 J6 J5 I5",
                size=13,
            ),
            move="D1-I6 xH7I5I7J5J6J7",
            examples=("D1-B3 xB4", "D1-D2 xE3"),
        ),
        Figure(
            name="ripple",
            caption=message(
                "A7-C7 has captured D7. The white piece on D6 is now between D7 and D5, but D7 did not move there: D6 is safe."
            ),
            position=position_of(black="A7 E7 D5", white="D7 D6 I5"),
            move="A7-C7 xD7",
            is_after=True,
        ),
    )


def _of_frames() -> Sequence[Figure]:
    """Frames, and the King they crown."""
    framed = position_of(black="A6 F7 G4 D3 B9 I3", white="A4 D8 I7 F2 H6")
    return (
        Figure(
            name="frame",
            caption=message(
                "A6-C6* has completed a frame on the Blue band, and Black's King takes the Throne."
            ),
            position=framed,
            move="A6-C6*",
            is_after=True,
            frame=("C6", "F7", "G4", "D3"),
        ),
        Figure(
            name="frame_by_capture",
            caption=message("D1-D2 xD3*: the missing corner is supplied by a capture."),
            position=position_of(black="D1 D4 C6 F7 G4", white="D3 I7 A8"),
            move="D1-D2 xD3*",
        ),
        Figure(
            name="two_frames",
            caption=message(
                "E3-D4* puts a piece on the fourth Green corner. E3-E4 xF4* completes another Green frame, less easy to see: its corner is the captured piece on F4."
            ),
            position=position_of(black="E3 D10 J10 J4 D8 H10 J6 G4", white="F4 A8 M3", size=13),
            move="E3-D4*",
            examples=("E3-E4 xF4*",),
        ),
        Figure(
            name="three_corners",
            caption=message(
                "B7-F7 xG6G8* makes an Indigo frame at one stroke: one corner moves in, two turn over, the fourth was there."
            ),
            position=position_of(
                white="B7 H7 H9 H5", black="G8 G6 A3 M9", size=13, turn=Side.SECOND
            ),
            move="B7-F7 xG6G8*",
        ),
        Figure(
            name="frame_numbers",
            caption=message(
                "The numbers of the frames. The four corners marked here are Orange 5, and F12 is one of them."
            ),
            position=Morelli.from_options({"size": "13"}).initial(seed=11),
            frame=frame_at(13, "F12")[0].cells,
            signs=_frame_numbers(13),
        ),
    )


def _of_endings() -> Sequence[Figure]:
    """Return the figures of endings. The studies are after Figs 18 and 19 of the original edition.

    Only the words of these figures have come down to us: the squares of the moves, and their
    results.
    """
    return (
        Figure(
            name="end",
            caption=message(
                "Black, to move, is stuck: every black piece is on the innermost band. The game is over. Black has the Throne and wins. That White's piece on G4 could still move is of no use to White."
            ),
            position=position_of(black="C3 C5 E3", white="E4 D3 C4 G4", king=Side.FIRST, size=7),
        ),
        Figure(
            name="study_lost",
            caption=message(
                "White's tower is in the Centre. Black, to move, may end the game immediately with K10-J9, or play two more moves with K10-G10 and G10-F9. White wins either way."
            ),
            position=_study(Side.SECOND),
            lines=(
                ("K10-J9", "L11-F11"),
                ("K10-G10", "L11-F11", "G10-F9", "F11-E10 xF9"),
            ),
        ),
        Figure(
            name="study_won",
            caption=message(
                "The same stones with Black's tower in the Centre. K10-J9 wins: White needs two moves, F11 and F9, and has only one. K10-G10 loses: after L11-F11 and G10-F9 White captures F9 from E10 and takes the Centre with the last move of the game."
            ),
            position=_study(Side.FIRST),
            lines=(
                ("K10-J9", "L11-F11"),
                ("K10-G10", "L11-F11", "G10-F9", "F11-E10 xF9*"),
            ),
        ),
    )


def _study(tower: Side) -> MorelliPosition:
    """Return a position with all stones stuck but Black's on K10 and White's on L11.

    `tower` is in the Centre.
    """
    return position_of(
        black="D10 D5 D7 E3 E5 E8 E9 F3 F4 F5 F7 F8 G3 G5 G6 G9 H6 H8 H9 I5 I7 I9 J8 K10",
        white="C7 D4 D6 D8 D9 E4 E6 E7 F6 G4 G8 H3 H4 H5 H7 I3 I4 I6 I8 J4 J5 J6 J7 L11",
        king=tower,
        size=13,
        edition="original",
    )
