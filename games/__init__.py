"""Rules of the games Rayuela knows: positions, legal moves, outcomes and notation.

Standard library only. Everything public is importable from here::

    import games

    ruleset = games.load("morelli(edition=revised,size=9)")
    position = ruleset.initial(seed=7)
    position = position.play(position.legal_moves()[0])
    position.outcome()  # None | "first" | "second" | "draw"
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
from games.registry import available, load

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
    "load",
    "parse_json",
    "parse_record",
]
