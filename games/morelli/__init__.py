"""Morelli by Richard Moxham, in the revised edition of 2015 and the original one, on odd boards of 5 to 31."""

from games.morelli.display import BAND_NAMES, band_name, frame_name
from games.morelli.editions import Edition
from games.morelli.rules import OPTIONS, Morelli, MorelliPosition
from games.morelli.setup import SETUPS

__all__ = [
    "BAND_NAMES",
    "OPTIONS",
    "SETUPS",
    "Edition",
    "Morelli",
    "MorelliPosition",
    "band_name",
    "frame_name",
]
