"""Starting positions: random, given and placed rings, and the modes of the original edition.

A *ring* is text: the colours of the outermost band, `B` or `W`, clockwise from A1.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from games.core import BadSetupError, quote
from games.morelli.editions import Edition
from games.presentation import Tally

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.morelli.board import MorelliBoard

SETUPS = {
    Edition.REVISED: ("random", "placement", "ring"),
    Edition.ORIGINAL: ("facing", "adjacent", "free", "ring", "ballot"),
}
MODES = ("facing", "adjacent", "free")


@dataclass(frozen=True, slots=True)
class Start:
    """A way to start.

    `ring` is None if the players place the pieces. `text` is the text that `setup_text` stores.
    """

    ring: str | None
    text: str


def start_for(
    board: MorelliBoard, edition: Edition, setup: str, arguments: Mapping[str, object]
) -> Start:
    """Return the start that `setup` and the arguments of `initial` describe.

    Args:
        board: the board to set up.
        edition: the edition of the rules.
        setup: the rule set's option of that name.
        arguments: `seed` (an int) always. `ring` (text) in the revised edition and if set-ups are
            rings. `votes` ("facing/free") or `mode` if there is a ballot.

    Raises:
        BadSetupError: naming the argument that does not fit.
    """
    rest = dict(arguments)
    seed = _seed(rest.pop("seed", None))
    if setup == "ballot":
        return _ballot_start(board, rest, seed)
    if "ring" in rest and (edition is Edition.REVISED or setup == "ring"):
        ring = _ring(board, edition, rest.pop("ring"))
        _refuse_rest(setup, rest)
        return _ring_start(board, edition, ring)
    _refuse_rest(setup, rest)
    if setup == "random" or (setup == "ring" and seed is not None):
        return _ring_start(board, edition, random_ring(board, edition, random.Random(seed or 0)))
    if setup == "ring":
        raise BadSetupError("the set-up 'ring' needs ring=BW... or seed=INT")
    return _mode_start(board, setup, text="")


def random_ring(board: MorelliBoard, edition: Edition, rng: random.Random) -> str:
    """Return a random ring.

    Each antipodal one is equally likely (2.2, D-M16), or each balanced one (original).
    """
    half = len(board.ring) // 2
    if edition is Edition.REVISED:
        bits = rng.getrandbits(half)
        return with_antipodes("".join("BW"[bits >> k & 1] for k in range(half)))
    letters = ["B", "W"] * half
    rng.shuffle(letters)
    return "".join(letters)


def with_antipodes(half: str) -> str:
    """Return the full ring from its first half: opposite every piece is the other colour (2.2)."""
    return half + half.translate(str.maketrans("BW", "WB"))


def mode_by_ballot(votes: tuple[str, str]) -> str:
    """Return the mode of two secret votes: equal votes win, different ones give the third (2.5, D-M20)."""
    first, second = votes
    if first == second:
        return first
    return next(mode for mode in MODES if mode not in votes)


def tally(setup: str) -> Tally:
    """Return the outcome of the ballot that `setup` keeps, `votes=ONE/TWO` or `mode=ONE`.

    Raises BadSetupError.
    """
    name, _, value = setup.partition("=")
    if name == "votes":
        first, second = _votes(value)
        return Tally(mode=mode_by_ballot((first, second)), first=first, second=second)
    if name == "mode":
        return Tally(mode=_mode(value))
    raise BadSetupError(f"{quote(setup)} is no set-up by ballot such as 'votes=facing/free'")


def mode_ring(board: MorelliBoard, mode: str) -> str | None:
    """Return the ring of a mode of the original edition (2.3), or None for `free` and `placement`."""
    side = board.size - 1
    if mode == "facing":
        # Black A1 to L1 and B13 to M13, White A2 to A13 and M1 to M12: each side's run displaced by
        # one.
        return "B" + "W" * side + "B" * side + "W" * side + "B" * (side - 1)
    if mode == "adjacent":
        # Black the A file and rank 1 to L1. White the rest of the top rank and the M file.
        return "B" * (side + 1) + "W" * (2 * side) + "B" * (side - 1)
    return None


def _seed(value: object) -> int | None:
    if (
        isinstance(value, str)
        and value.isascii()
        and value.removeprefix("-").isdigit()
        and len(value) <= 40
    ):
        return int(value)
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise BadSetupError(f"seed={_excerpt(value)} is not a whole number")


def _ring(board: MorelliBoard, edition: Edition, value: object) -> str:
    length = len(board.ring)
    if not isinstance(value, str) or set(value) - {"B", "W"}:
        raise BadSetupError(f"ring={_excerpt(value)} is not a text of the letters B and W")
    if edition is Edition.ORIGINAL:
        if len(value) != length or value.count("B") != length // 2:
            raise BadSetupError(f"ring={quote(value)} needs {length // 2} B and as many W")
        return value
    if len(value) not in (length, length // 2):
        raise BadSetupError(
            f"ring={quote(value)} has {len(value)} letters, not {length} or {length // 2}"
        )
    ring = with_antipodes(value[: length // 2])
    if not ring.startswith(value):
        # 2.2: every piece must have a piece of the adverse colour diametrically opposite.
        raise BadSetupError(
            f"ring={quote(value)} has pieces of one colour opposite each other (2.2)"
        )
    return ring


def _ring_start(board: MorelliBoard, edition: Edition, ring: str) -> Start:
    letters = ring[: len(board.ring) // 2] if edition is Edition.REVISED else ring
    return Start(ring, f"ring={letters}")


def _mode_start(board: MorelliBoard, mode: str, *, text: str) -> Start:
    return Start(mode_ring(board, mode), text)


def _ballot_start(board: MorelliBoard, rest: dict[str, object], seed: int | None) -> Start:
    if "votes" in rest:
        votes = _votes(rest.pop("votes"))
        _refuse_rest("ballot", rest)
        return _mode_start(board, mode_by_ballot(votes), text=f"votes={'/'.join(votes)}")
    if "mode" in rest:
        mode = _mode(rest.pop("mode"))
    elif seed is not None:
        rng = random.Random(seed)
        mode = mode_by_ballot((rng.choice(MODES), rng.choice(MODES)))
    else:
        raise BadSetupError("the set-up 'ballot' needs votes=MODE/MODE, mode=MODE or seed=INT")
    _refuse_rest("ballot", rest)
    return _mode_start(board, mode, text=f"mode={mode}")


def _votes(value: object) -> tuple[str, str]:
    votes = value.split("/", 2) if isinstance(value, str) else []
    if len(votes) != 2:
        raise BadSetupError(f"votes={_excerpt(value)} are not two modes such as 'facing/free'")
    return _mode(votes[0]), _mode(votes[1])


def _mode(value: object) -> str:
    if not isinstance(value, str) or value not in MODES:
        raise BadSetupError(f"{_excerpt(value)} is no start mode: one of {', '.join(MODES)}")
    return value


def _refuse_rest(setup: str, rest: Mapping[str, object]) -> None:
    for name, value in rest.items():
        raise BadSetupError(f"the set-up {setup!r} takes no {quote(name)} ({_excerpt(value)})")


def _excerpt(value: object) -> str:
    """Return an argument for an error message, or its type if it is no text, for it may be of any size."""
    return quote(value) if isinstance(value, str) else f"<{type(value).__name__}>"
