"""Names in the sentences: of players, "you" for the visitor, and of the game's sides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournaments.templatetags.rayuela import colour_name
from tournaments.text.points import halves


@dataclass(frozen=True, slots=True)
class Speech:
    """Names of an event's players and sides for one visitor.

    Attributes:
        names: of the players, by TPN.
        me: the TPN of the visitor, or None.
        colours: the colours with which the first and the second side begin.
    """

    names: Mapping[int, str]
    me: int | None
    colours: tuple[str, str]

    def player(self, tpn: int) -> str:
        """Return the player as the subject of a sentence.

        Each sentence is in a tense that fits names and "you".
        """
        return _("You") if tpn == self.me else self.name(tpn)

    def name(self, tpn: int) -> str:
        """The player anywhere else in a sentence."""
        return _("%(name)s") % {"name": self.names.get(tpn, f"#{tpn}")}

    def side(self, side: str) -> str:
        """The side `first` or `second` as the game calls it."""
        return colour_name(self.colours[side != "first"])


def points(number: int) -> str:
    """A score in half points as people write it."""
    return halves(number)


def scores(numbers: Iterable[int]) -> str:
    """Return several scores in words, or 0 without scores."""
    return ", ".join(halves(number) for number in numbers) or "0"
