"""The sealed vote on the set-up, in games that have one."""

from __future__ import annotations

import random

import games
from games.presentation import Ballot
from tournaments.errors import RefusedError


def ruleset_by_ballot(ruleset: str, vote: str) -> str:
    """The key of these rules with the set-up left to a ballot.

    Raises RefusedError `vote-bad`.
    """
    rules = games.load(ruleset)
    ballot = _ballot_for(rules, vote)
    options = ",".join(f"{k}={v}" for k, v in {**rules.options, **ballot.options}.items())
    return games.load(f"{rules.family}({options})").key


def setup_by_votes(ruleset: str, first: str, second: str) -> str:
    """The set-up that the votes of the first side and of the second settle, as the rules say.

    The set-up keeps both. Raises RefusedError `vote-bad`.
    """
    rules = games.load(ruleset)
    _ballot_for(rules, first, second)
    return rules.setup_text(rules.initial(votes=f"{first}/{second}"))


def setup_without_votes(ruleset: str, setup: str) -> str:
    """Return the start like `setup` for a game without votes; `setup` itself without a ballot."""
    rules = games.load(ruleset)
    ballot = games.family_of(rules.family).presentation.ballot_by(rules.options)
    if ballot is None:
        return setup
    return rules.setup_text(rules.initial(mode=ballot.tally(setup).mode))


def random_vote(ruleset: str, seed: int) -> str:
    """Return the vote of a bot: each vote is equally likely."""
    ballot = _ballot_for(games.load(ruleset))
    return random.Random(seed).choice(list(ballot.votes))


def _ballot_for(rules: games.Ruleset, *votes: str) -> Ballot:
    """Return the vote on the set-up of these rules.

    Raises RefusedError `vote-bad` without a vote, or without one between `votes`.
    """
    ballot = games.family_of(rules.family).presentation.ballot_of(rules.options)
    if ballot is None or not ballot.votes.keys() >= set(votes):
        raise RefusedError("vote-bad", f"{[vote[:20] for vote in votes]} in {rules.key}")
    return ballot
