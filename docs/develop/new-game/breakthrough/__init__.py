"""Breakthrough (Dan Troyka, 2000): a race to the far rank, on 5 x 5 to 8 x 8."""

from games.breakthrough.rules import OPTIONS, Breakthrough, BreakthroughPosition

from_options = Breakthrough.from_options

__all__ = ["OPTIONS", "Breakthrough", "BreakthroughPosition", "from_options"]
