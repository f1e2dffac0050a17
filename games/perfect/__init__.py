"""The Perfect Game?: lay tiles as in Go, then race and capture as in Halma, on 10 x 10."""

from games.perfect.board import Colour
from games.perfect.position import PerfectPosition
from games.perfect.rules import OPTIONS, Perfect

from_options = Perfect.from_options

__all__ = ["OPTIONS", "Colour", "Perfect", "PerfectPosition", "from_options"]
