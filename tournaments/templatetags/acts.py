"""The warnings of acts, as their declarations have them."""

from __future__ import annotations

from django import template

from tournaments.services.arbiter import forbidden_pairs
from tournaments.services.arbiter.entry_acts import ENTRY_ACTS
from tournaments.services.arbiter.steps import STEPS
from tournaments.services.events.acts import Declaration
from tournaments.services.events.teams import TEAM_ACTS

register = template.Library()

_ACTS: dict[str, Declaration] = {
    **STEPS.by_code,
    **ENTRY_ACTS.by_code,
    **TEAM_ACTS.by_code,
    forbidden_pairs.forbid.code: forbidden_pairs.forbid,
    forbidden_pairs.allow.code: forbidden_pairs.allow,
}


@register.simple_tag
def warning(*codes: str) -> str:
    """Return the warnings of the acts with these codes, each sentence once."""
    warnings = [act.warning for act in (_ACTS[code] for code in codes)]
    return " ".join(dict.fromkeys(str(each.sentence) for each in warnings if each is not None))
