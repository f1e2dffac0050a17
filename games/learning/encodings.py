"""Encodings of the games."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from games.core import UnknownRulesetError
from games.learning.morelli import MorelliEncoding
from games.learning.morlox import MorloxEncoding
from games.learning.perfect import PerfectEncoding
from games.registry import load

if TYPE_CHECKING:
    from games.learning.encoding import Encoding

ENCODINGS: dict[str, type[Encoding]] = {
    "morelli": MorelliEncoding,
    "morlox": MorloxEncoding,
    "perfect": PerfectEncoding,
}


@functools.lru_cache(maxsize=32)
def encoding_of(key: str) -> Encoding:
    """Return the encoding of the rule set called `key`.

    Raises:
        UnknownRulesetError, UnknownOptionError: see `games.load`.
    """
    ruleset = load(key)
    kind = ENCODINGS.get(ruleset.family)
    if kind is None:
        raise UnknownRulesetError(f"{ruleset.key} has no encoding: {', '.join(ENCODINGS)} have")
    return kind(ruleset)
