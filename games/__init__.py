"""Rules of the games Rayuela knows: positions, legal moves, outcomes and notation.

Standard library only. Everything public is importable from here:

>>> import games
>>> ruleset = games.load("morelli(edition=revised,size=9)")
>>> position = ruleset.initial(ring="BW" * 8)
>>> position.side_to_move, len(position.legal_moves())
(<Side.FIRST: 'first'>, 192)
>>> position = position.play("A1-B2")
>>> position.side_to_move.value, position.outcome()
('second', None)
>>> position.play("A2-A3")
Traceback (most recent call last):
games.core.IllegalMoveError: 'A2-A3': A3 is not closer to the Throne than A2 [morelli-2015/4.2.1]
"""

from games.core import (
    AGREE,
    BadPositionError,
    BadRecordError,
    BadSetupError,
    IllegalMoveError,
    Option,
    Outcome,
    Position,
    RulesError,
    Ruleset,
    Side,
    UnknownOptionError,
    UnknownRulesetError,
)
from games.json_record import parse_json
from games.record import Record, parse_record
from games.registry import available, family_of, load
from games.starts import setup_of, starting_position

__all__ = [
    "AGREE",
    "BadPositionError",
    "BadRecordError",
    "BadSetupError",
    "IllegalMoveError",
    "Option",
    "Outcome",
    "Position",
    "Record",
    "RulesError",
    "Ruleset",
    "Side",
    "UnknownOptionError",
    "UnknownRulesetError",
    "available",
    "family_of",
    "load",
    "parse_json",
    "parse_record",
    "setup_of",
    "starting_position",
]
