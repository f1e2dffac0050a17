"""Additions to a refusal's sentence for pages and programs: a status, and the address of the rule."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse

from tournaments.errors import NotAllowedError, RefusedError, StaleError, TournamentError
from tournaments.models import Bot
from tournaments.text import refusals


def rule_url(rule: str) -> str:
    """Return the address of the paragraph that `rule` cites, such as `morelli-2015/4.2.1`, or an empty text."""
    book, _slash, paragraph = rule.partition("/")
    if not paragraph:
        return ""
    family = book.partition("-")[0]
    return f"{reverse('rules', args=[family])}#{book}-{paragraph}"


def status(refusal: TournamentError) -> int:
    """Return the HTTP status that tells a program how to react to the refusal."""
    match refusal:
        case NotAllowedError():
            return 403
        case StaleError():
            return 409
        case _:
            return 422


@dataclass(frozen=True, slots=True)
class Verdict:
    """The reason why a version is refused, suspended or annulled, in the reader's language, or empty."""

    sentence: str
    particulars: str


def verdict_on(bot: Bot) -> Verdict:
    """Return the text for the author: of an upload in the reader's language, of a game in the engine's words."""
    if not bot.state_code:
        return Verdict("", "")
    sentence = refusals.sentence_of(bot.state_code)
    if bot.state_code in {"check-failed", "check-position"}:
        return Verdict(sentence, "")
    refusal = RefusedError(bot.state_code, bot.state_reason, **bot.state_parts)
    return Verdict(sentence, refusals.particulars(refusal) or bot.state_reason)
