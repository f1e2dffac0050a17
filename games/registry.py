"""Rule sets by name: `morelli(edition=revised,size=13)` <-> Ruleset.

Unknown parameters are refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from games import morelli, morlox, perfect
from games.core import MAX_TEXT, Option, UnknownOptionError, UnknownRulesetError, quote

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from games.core import Ruleset


@dataclass(frozen=True, slots=True)
class Family:
    """A game with its options, not yet fixed.

    Attributes:
        name: the word before the parenthesis in a key.
        options: what may stand in the parenthesis, in canonical order.
        from_options: the rule set of the options given, the family's defaults for the rest.
    """

    name: str
    options: tuple[Option, ...]
    from_options: Callable[[Mapping[str, str]], Ruleset]


# A new game is one line here.
FAMILIES = (
    Family("morelli", morelli.OPTIONS, morelli.Morelli.from_options),
    Family("morlox", morlox.OPTIONS, morlox.Morlox.from_options),
    Family("perfect", perfect.OPTIONS, perfect.Perfect.from_options),
)

_BY_NAME = {family.name: family for family in FAMILIES}
_KEY = re.compile(r"([a-z]+)(?:\(((?:[^()=,]+=[^()=,]+(?:,[^()=,]+=[^()=,]+)*)?)\))?")


def load(key: str) -> Ruleset:
    """The rule set called `key`: a family, and in parentheses any of its options in any order.

    Raises:
        UnknownRulesetError: an unknown family, or a text of another form.
        UnknownOptionError: an option the family does not have, a value it does not take, an option
            twice.
    """
    match = _KEY.fullmatch(key) if len(key) <= MAX_TEXT else None
    if match is None:
        raise UnknownRulesetError(f"{quote(key)} is not of the form family(option=value,...)")
    family = _BY_NAME.get(match[1])
    if family is None:
        names = ", ".join(_BY_NAME)
        raise UnknownRulesetError(f"{quote(key)} names no family of games; known: {names}")
    return family.from_options(_options_of(family, key, match[2] or ""))


def available() -> tuple[Family, ...]:
    """The families of games with their options, in order of display."""
    return FAMILIES


def _options_of(family: Family, key: str, text: str) -> dict[str, str]:
    options = {option.name: option for option in family.options}
    values: dict[str, str] = {}
    for pair in text.split(",") if text else ():
        name, _, value = pair.partition("=")
        if name not in options:
            raise UnknownOptionError(f"{quote(key)}: {family.name} has no option {quote(name)}")
        if name in values:
            raise UnknownOptionError(f"{quote(key)}: {quote(name)} is given twice")
        if not options[name].accepts(value):
            raise UnknownOptionError(f"{quote(key)}: {quote(name)} does not take {quote(value)}")
        values[name] = value
    return values
