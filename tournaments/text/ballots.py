"""The sealed vote on the set-up of a game, once both votes are open."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

import games
from tournaments.models import Game


@dataclass(frozen=True, slots=True)
class BallotResult:
    """The votes and the resulting start, in a sentence.

    `rule` is the paragraph that decides it, such as `morelli-original/2.5`.
    """

    sentence: str
    rule: str

    @property
    def paragraph(self) -> str:
        """The paragraph as its rule sheet numbers it."""
        return self.rule.partition("/")[2]


def result(game: Game) -> BallotResult | None:
    """Return the outcome of the vote on the set-up of `game`, or None if it is not played by ballot."""
    rules = games.load(game.ruleset)
    ballot = games.family_of(rules.family).presentation.ballot_by(rules.options)
    if ballot is None:
        return None
    tally = ballot.tally(game.setup)
    if not tally.first:
        sentence = ballot.unvoted
    elif tally.first == tally.second:
        sentence = ballot.agreed
    else:
        sentence = ballot.differed
    parts = {
        "first": game.first.name,
        "second": game.second.name,
        "first_vote": _(ballot.votes[tally.first]) if tally.first else "",
        "second_vote": _(ballot.votes[tally.second]) if tally.second else "",
        "mode": _(ballot.votes[tally.mode]),
    }
    return BallotResult(_(sentence) % parts, ballot.paragraph)
