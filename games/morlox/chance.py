"""Random play of Morlox, for playouts: many thousand plies a second."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.morlox.board import Colour

if TYPE_CHECKING:
    import random

    from games.morlox.board import MorloxBoard, Sight


def random_winner(
    board: MorloxBoard,
    sight: Sight,
    turn: Colour,
    *,
    own: int,
    hostile: int,
    rng: random.Random,
) -> Colour:
    """Return the colour that wins when both play at random from here, and neither swaps.

    `turn` has the stones `own` and moves next. `sight` is that of all stones.

    A chain new at the start of a turn runs through the stone its owner played last. Therefore only
    chains through that stone are looked for. Before such a stone the search covers chains from the
    near edge.
    """
    random_float = rng.random
    bits, full, lane, count = board.bits, board.full, board.lane, len(board.bits)
    other = turn.other
    own_last, hostile_last = board.edges[turn].near, board.edges[other].near
    own_lane = 0 if turn is Colour.BLACK else lane
    control = board.control(sight)
    while not (own & own_last and board.has_chain(turn, own, own_last)):
        occupied, hostile_lane = own | hostile, lane - own_lane
        legal = (full & ~(occupied | control >> hostile_lane)) | (hostile & control >> own_lane)
        bit = 0
        if legal:
            square = int(random_float() * count)
            while not legal & bits[square]:
                square = int(random_float() * count)
            bit = bits[square]
            own, hostile = own | bit, hostile & ~bit
            sight = board.sight_after(sight, square, occupied | bit, turn)
            control = board.control(sight)
        own, hostile, own_last, hostile_last = hostile, own, hostile_last, bit
        turn, other, own_lane = other, turn, hostile_lane
    return turn
