"""The captions of the figures of the rules; a test asks the rules about each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.utils.functional import _StrPromise

CAPTIONS: Mapping[str, Mapping[str, _StrPromise]] = {
    "morelli": {
        "board": _(
            "Thirteen by thirteen at the start. Each piece faces one of the other colour across the centre."
        ),
        "facing": _("Facing, original edition"),
        "adjacent": _("Adjacent, original edition"),
        "movement": _(
            "The white piece on A5 has 21 moves. Along its rank it may go as far as L5, for L is still nearer the Throne than A; but not to I13, M5 or E1, which are on the Red band like A5 itself."
        ),
        "open_throne": _("While the Throne is vacant, A5 reaches the far side …"),
        "taken_throne": _("… and no longer when a King sits there, whosever he is."),
        "capture": _("A7-D7 xE7: the white piece stands between D7 and F7."),
        "captures": _("One move can capture in every direction: before …"),
        "captured": _("… and after A5-C5 xC4C6D6. The rings mark what has turned over."),
        "swoop": _(
            "Black's piece on D1 can take the one on B4 from B3, or the one on E3 from D2; on I6 it takes six at one stroke. White's piece on E3, if it is its turn, may step in between D10 and F10 without harm."
        ),
        "ripple": _(
            "A7-C7 has captured D7. The white piece on D6 now stands between D7 and D5, but D7 did not move there: D6 is safe."
        ),
        "frame": _(
            "A6-C6* has completed a frame on the Blue band, and Black's King takes the Throne."
        ),
        "frame_by_capture": _("D1-D2 xD3*: the missing corner is supplied by a capture."),
        "two_frames": _(
            "E3-D4* puts a piece on the fourth Green corner. E3-E4 xF4* completes another Green frame, less easy to see: its corner is the captured piece on F4."
        ),
        "three_corners": _(
            "B7-F7 xG6G8* makes an Indigo frame at one stroke: one corner moves in, two turn over, the fourth stood there."
        ),
        "end": _(
            "Black, to move, is stuck: every black piece is on the innermost band. The game is over and Black, who has the Throne, wins. That White's piece on G4 could still move is of no use to White."
        ),
    },
    "morlox": {
        "three": _(
            "First case: d4 sees black stones above, on the left and on the right, however far. Black controls it."
        ),
        "diagonal": _(
            "Second case: above and on the right, and on the diagonals up-left and down-right."
        ),
        "edge": _("Third case: a4 is on the edge, so two orthogonal directions are enough."),
        "before_flip": _("Black controls d4, so the white stone there can be flipped …"),
        "after_flip": _("… with d4x. Stones never leave the board."),
        "chain": _("Black is to move and has a chain from e7 to d1: Black has won."),
        "swap": _("White may play now, or take over Black and this stone."),
    },
    "perfect": {
        "start": _("The start: the men at home, no tile laid."),
        "before_flip": _("Red's tile on e5 has one way out left, e6 …"),
        "after_flip": _(
            "… and Blue takes it with +e6: the tile is turned over. The square stays occupied."
        ),
        "step": _(
            "The red man on d4 may step to four squares. Men move in all directions, into any area and out of it."
        ),
        "series": _(
            "b2-d4xf6-h8: over a man of his own, over one he captures on neutral e5, and over one who is safe on his own colours."
        ),
        "capture": _("e5 is neutral: d4xf6 captures, and has to be played."),
        "protected": _("e7 is a tile of Blue's: d6-f8 jumps over the man and leaves him in peace."),
        "goal": _("f10-g10, and the tenth man has arrived: Red wins."),
    },
}
