"""Environments for reinforcement learning: fixed action numbers, masks and observations as numpy arrays.

This package needs numpy. `aec`, `solo` and `open_spiel` each need the library of their interface.
"""

from games.learning.encoding import STOP, Encoding
from games.learning.encodings import encoding_of
from games.learning.stage import IllegalActionError, Stage, reward

__all__ = ["STOP", "Encoding", "IllegalActionError", "Stage", "encoding_of", "reward"]
