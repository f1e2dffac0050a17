"""Morlox (Luis Bolaños Mures, 2021): a drawless connection game of sight and control."""

from games.morlox.board import Colour
from games.morlox.position import MorloxPosition
from games.morlox.rules import OPTIONS, Morlox

from_options = Morlox.from_options

__all__ = ["OPTIONS", "Colour", "Morlox", "MorloxPosition", "from_options"]
