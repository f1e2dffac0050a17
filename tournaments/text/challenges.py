"""Challenges in words."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournaments.models import Challenge
from tournaments.text.clocks import clock_of
from tournaments.text.rulesets import ruleset_name


def challenge_text(challenge: Challenge, challenger: str) -> str:
    """Return the proposal of `challenger`, a name, to the other player: rules, clock and rating."""
    words = (
        _("%(name)s challenges you: %(rules)s, %(clock)s, rated")
        if challenge.is_rated
        else _("%(name)s challenges you: %(rules)s, %(clock)s, not rated")
    )
    rules = ruleset_name(challenge.ruleset)
    return words % {"name": challenger, "rules": rules, "clock": clock_of(challenge)}
