"""Morelli by Richard Moxham: the revised edition of 2015 and the original, on 5 to 31 ranks."""

from games.morelli.display import BAND_NAMES, band_name, frame_name
from games.morelli.editions import Edition
from games.morelli.position import MorelliPosition
from games.morelli.rules import OPTIONS, Morelli
from games.morelli.setup import SETUPS

from_options = Morelli.from_options

__all__ = [
    "BAND_NAMES",
    "OPTIONS",
    "SETUPS",
    "Edition",
    "Morelli",
    "MorelliPosition",
    "band_name",
    "frame_name",
    "from_options",
]
