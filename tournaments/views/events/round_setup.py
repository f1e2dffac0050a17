"""The position that a round of an event over the board begins with, for those who set up the boards."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.safestring import SafeString

import games
from tournaments.models import Event, Round
from tournaments.views.games import boards


@dataclass(frozen=True, slots=True)
class RoundSetup:
    """The draw from a record, with its board."""

    text: str
    board: SafeString


def round_setup(event: Event, round_: Round, *, id_prefix: str = "setup") -> RoundSetup | None:
    """Return the set-up of a round over the board, or None if each game begins from the start of the rules."""
    if not event.is_over_the_board or not round_.setup:
        return None
    start = games.load(event.ruleset).start(round_.setup)
    return RoundSetup(round_.setup, boards.draw(start, id_prefix=id_prefix))
