"""The goal of a game beside its board, and a drawer with its rules in a few sentences and pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from django.urls import reverse
from django.utils.translation import gettext as _

import games


@dataclass(frozen=True, slots=True)
class FigureLink:
    """A figure of the rules in words, and the address of its board."""

    caption: str
    url: str


@dataclass(frozen=True, slots=True)
class RulesDrawer:
    """The rules of a game in short, in the reader's language."""

    family: str
    goal: str
    sentences: Sequence[str]
    figures: Sequence[FigureLink]


def of_family(family: str) -> RulesDrawer | None:
    """Return the drawer, or None for a game without a goal in words."""
    presentation = games.family_of(family).presentation
    if not presentation.goal:
        return None
    captions = _captions(family)
    return RulesDrawer(
        family=family,
        goal=_(presentation.goal),
        sentences=[_(sentence) for sentence in presentation.nutshell],
        figures=[
            FigureLink(_(captions[name]), reverse("figure", args=[family, name]))
            for name in presentation.key_figures
        ],
    )


@cache
def _captions(family: str) -> Mapping[str, str]:
    """Return the captions of the game's figures, whose boards take longer than the rest of the drawer."""
    return {each.name: each.caption for each in games.family_of(family).presentation.figures()}
