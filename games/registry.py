"""Rule sets by name: `morelli(edition=revised,size=13)` <-> Ruleset.

Unknown parameters are refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from games.core import MAX_TEXT, Option, UnknownOptionError, UnknownRulesetError, quote

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.core import Ruleset
    from games.presentation import Presentation


@dataclass(frozen=True, slots=True)
class Family:
    """A game with open options. Its package is loaded when it is first asked for.

    A bot's process, which plays one game and shows no board, starts in 0.11 s of CPU. It took 0.18
    when it loaded all of them.

    Attributes:
        name: the word before the parenthesis in a key, and the name of its package in `games`.
    """

    name: str

    @property
    def options(self) -> tuple[Option, ...]:
        """Return the options that the parenthesis may contain, in canonical order."""
        options: tuple[Option, ...] = import_module(f"games.{self.name}").OPTIONS
        return options

    def from_options(self, options: Mapping[str, str]) -> Ruleset:
        """Return the rule set of the options given, the family's defaults for the rest."""
        ruleset: Ruleset = import_module(f"games.{self.name}").from_options(options)
        return ruleset

    @property
    def presentation(self) -> Presentation:
        """Return the properties of the game that pages, checks and ratings know besides its rules."""
        module = import_module(f"games.{self.name}.presentation")
        presentation: Presentation = module.PRESENTATION
        return presentation


# A new game is one line here. The first is the one that the front page shows.
FAMILIES = (
    Family("morelli"),
    Family("morlox"),
    Family("perfect"),
)

_KEY = re.compile(r"([a-z]+)(?:\(((?:[^()=,]+=[^()=,]+(?:,[^()=,]+=[^()=,]+)*)?)\))?")


def load(key: str) -> Ruleset:
    """Return the rule set called `key`: a family, and in parentheses any of its options in any order.

    Raises:
        UnknownRulesetError: an unknown family, or a text of another form.
        UnknownOptionError: an option the family does not have, a value it does not take, an option
            twice.
    """
    match = _KEY.fullmatch(key) if len(key) <= MAX_TEXT else None
    if match is None:
        raise UnknownRulesetError(f"{quote(key)} is not of the form family(option=value,...)")
    family = family_of(key)
    return family.from_options(_options_of(family, key, match[2] or ""))


def family_of(key: str) -> Family:
    """Return the family of a rule set's key, or of that name. Its options are not read.

    Raises:
        UnknownRulesetError: there is no such family.
    """
    name = key.partition("(")[0]
    for family in FAMILIES:
        if family.name == name:
            return family
    names = ", ".join(family.name for family in FAMILIES)
    raise UnknownRulesetError(f"{quote(key)} names no family of games; known: {names}")


def available() -> tuple[Family, ...]:
    """Return the families of games with their options, in order of display."""
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
