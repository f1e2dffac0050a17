"""Regressions: by night a line's new active version plays unrated pairs against its first version."""

from __future__ import annotations

import logging
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet, Subquery

import games
from tournaments.errors import NotAllowedError, RefusedError
from tournaments.models import Bot, BotLine, Gauntlet, Regression
from tournaments.models.gauntlets import MAX_GAUNTLET_PAIRS
from tournaments.services import audit, gauntlets
from tournaments.services.bots import suites
from tournaments.services.games import game_creation

log = logging.getLogger(__name__)

# The hour at which a night ends that begins at midnight.
_NIGHT_ENDS = 6
USUAL_PAIRS = 50


def switch_on(
    *, line: BotLine, ruleset: str, clock: game_creation.Clock, pairs: int = USUAL_PAIRS
) -> Regression:
    """Play each new active version of the line by these terms, and return the terms.

    A version is played again if the rules or the clock change.

    Raises RefusedError: `ruleset-bad`, `gauntlet-pairs`, or `suite-openings` if the rules have one
    start and no openings.
    """
    try:
        rules = games.load(ruleset)
    except games.RulesError as error:
        raise RefusedError("ruleset-bad", str(error)) from error
    if not 1 <= pairs <= MAX_GAUNTLET_PAIRS:
        raise RefusedError("gauntlet-pairs", str(pairs))
    suites.chosen(line.owner, suites.DRAWN, rules.key)
    terms = {
        "ruleset": rules.key,
        "clock_initial_ms": clock.initial_ms,
        "clock_increment_ms": clock.increment_ms,
        "pairs": pairs,
    }
    with transaction.atomic():
        row, _is_new = Regression.objects.update_or_create(line=line, defaults=terms)
        audit.note("bot-regression", actor=line.owner, line=line.pk, changes=terms)
    return row


def switch_off(line: BotLine) -> None:
    """Start no further regression of the line. A gauntlet that runs continues."""
    with transaction.atomic():
        if Regression.objects.filter(line=line).delete()[0]:
            audit.note("bot-regression", actor=line.owner, line=line.pk, changes={})


def of_line(line_id: int) -> Regression | None:
    """Return the terms of the line's regressions, or None if they are off."""
    return Regression.objects.filter(line=line_id).first()


def start_due(now: datetime) -> None:
    """Start by night, for each line at most once, the regression of an active version that had none.

    A regression that is refused, as when its author's gauntlets are running, is tried again.
    """
    if now.hour >= _NIGHT_ENDS:
        return
    for regression in _due(now).select_related("line__owner"):
        try:
            _start(regression)
        except (RefusedError, NotAllowedError) as refusal:
            log.info("regression.waits line=%s %s", regression.pk, refusal)


def _due(now: datetime) -> QuerySet[Regression]:
    """Return the regressions of lines whose active version has not been played by their terms."""
    versions = Bot.objects.filter(line=OuterRef("pk"), program__isnull=False)
    bases = versions.filter(state__in=gauntlets.PLAYABLE).order_by("version")
    played = Gauntlet.objects.filter(is_regression=True)
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    tonight = played.filter(candidate__line=OuterRef("pk"), created_at__gte=midnight)
    by_terms = played.filter(
        candidate=OuterRef("active_id"),
        ruleset=OuterRef("ruleset"),
        clock_initial_ms=OuterRef("clock_initial_ms"),
        clock_increment_ms=OuterRef("clock_increment_ms"),
    )
    rows = Regression.objects.alias(
        active_id=Subquery(versions.filter(is_active=True).values("pk")[:1]),
        base_id=Subquery(bases.values("pk")[:1]),
    )
    rows = rows.filter(active_id__isnull=False).exclude(active_id=F("base_id"))
    return rows.exclude(Exists(tonight)).exclude(Exists(by_terms)).order_by("pk")


def _start(regression: Regression) -> None:
    versions = regression.line.versions.select_related("player").order_by("version")
    owner = regression.line.owner
    base = versions.filter(state__in=gauntlets.PLAYABLE)[0]
    plan = gauntlets.Plan(
        candidate=versions.get(is_active=True),
        opponents=[base],
        ruleset=regression.ruleset,
        clock=game_creation.Clock(regression.clock_initial_ms, regression.clock_increment_ms),
        pairs_each=regression.pairs,
        suite=suites.chosen(owner, suites.DRAWN, regression.ruleset),
        is_regression=True,
    )
    gauntlets.start(owner, plan)
