"""The games side by side: each with its board, a sentence about it, and the ways to begin."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

import games
from games import svg
from tournaments.text import rulesets
from tournaments.views.games import boards
from tournaments.views.rules import course


@dataclass(frozen=True, slots=True)
class FamilyCard:
    """A game in a list: its description, a board that shows it, and the board to begin with."""

    family: str
    name: str
    summary: str
    lobby_board: str
    board: SafeString
    has_course: bool


def of_all(look: svg.Look) -> list[FamilyCard]:
    """Return the card of each game, in the order of the registry."""
    return [
        FamilyCard(
            family.name,
            family.presentation.name,
            _(family.presentation.summary),
            games.load(family.presentation.lobby_board).key,
            _board(family.name, look, get_language()),
            bool(course.of_family(family.name)),
        )
        for family in games.available()
    ]


@lru_cache(maxsize=64)
def _board(family: str, look: svg.Look, _language: str | None) -> SafeString:
    """Return the poster of the game. Its title is in the language."""
    return boards.draw(rulesets.poster(family), look=look)
