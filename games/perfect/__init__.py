"""The Perfect Game?: lay tiles as in Go, then race and capture as in Halma, on ten by ten squares."""

from games.perfect.board import Colour
from games.perfect.rules import OPTIONS, Perfect, PerfectPosition

__all__ = ["OPTIONS", "Colour", "Perfect", "PerfectPosition"]
