"""What pages and programs get with a refusal beside its sentence: a status, and where the rule stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import reverse

from tournaments.services.errors import NotAllowedError, StaleError

if TYPE_CHECKING:
    from tournaments.services.errors import TournamentError


def rule_url(rule: str) -> str:
    """The address of the paragraph that `rule` cites, such as `morelli-2015/4.2.1`; empty without one."""
    book, _slash, paragraph = rule.partition("/")
    if not paragraph:
        return ""
    family = book.partition("-")[0]
    return f"{reverse('rules', args=[family])}#{book}-{paragraph}"


def status(refusal: TournamentError) -> int:
    """The HTTP status that tells a program what it can do about the refusal."""
    match refusal:
        case NotAllowedError():
            return 403
        case StaleError():
            return 409
        case _:
            return 422
