"""Regressions: by night a line's new active version plays unrated pairs against its first version."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

import games
from tournaments.errors import NotAllowedError, RefusedError
from tournaments.models import Bot, BotLine, Gauntlet, Regression
from tournaments.models.gauntlets import MAX_GAUNTLET_PAIRS
from tournaments.queries.matches import fuel_terms
from tournaments.queries.matches.fuel_terms import Terms
from tournaments.services import audit, gauntlets
from tournaments.services.bots import suites

log = logging.getLogger(__name__)

# The hour at which a night ends that begins at midnight.
_NIGHT_ENDS = 6
# The part of the night over which the starts are spread. Multiples of the stride modulo that length,
# by the golden section, lie far apart.
_SPREAD = timedelta(hours=5)
_STRIDE_S = 11_123
USUAL_PAIRS = 50


def switch_on(
    *,
    line: BotLine,
    ruleset: str,
    terms: Terms,
    volunteer_priority: int | None = None,
    pairs: int = USUAL_PAIRS,
) -> Regression:
    """Play each new active version of the line by these terms, and return the terms.

    A version is played again if the rules, the clock or the fuel change.

    Raises RefusedError: `ruleset-bad`, `gauntlet-pairs`, `suite-openings` if the rules have one
    start and no openings, or as `fuel_terms.require` for the first and the active version.
    """
    try:
        rules = games.load(ruleset)
    except games.RulesError as error:
        raise RefusedError("ruleset-bad", str(error)) from error
    if not 1 <= pairs <= MAX_GAUNTLET_PAIRS:
        raise RefusedError("gauntlet-pairs", str(pairs))
    suites.chosen(line.owner, suites.DRAWN, rules.key)
    versions = line.versions.select_related("player", "line__consent").order_by("version")
    first = versions.filter(state__in=gauntlets.PLAYABLE)[:1]
    played = {*first, *versions.filter(is_active=True)}
    fuel_terms.require(terms.fuel, volunteer_priority, played)
    columns = {
        "ruleset": rules.key,
        "clock_initial_ms": terms.clock.initial_ms,
        "clock_increment_ms": terms.clock.increment_ms,
        "fuel": terms.fuel,
        "volunteer_priority": volunteer_priority,
        "pairs": pairs,
    }
    with transaction.atomic():
        row, _is_new = Regression.objects.update_or_create(line=line, defaults=columns)
        audit.note("bot-regression", actor=line.owner, line=line.pk, changes=columns)
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
    midnight = _midnight(now)
    for regression in _due(midnight).select_related("line__owner"):
        if midnight + _delay(regression.pk) > now:
            continue
        try:
            _start(regression)
        except (RefusedError, NotAllowedError) as refusal:
            log.info("regression.waits line=%s %s", regression.pk, refusal)


def _midnight(now: datetime) -> datetime:
    return now.replace(hour=0, minute=0, second=0, microsecond=0)


def _delay(line_id: int) -> timedelta:
    """Return the time after midnight from which the regression of a line may start."""
    return timedelta(seconds=line_id * _STRIDE_S % _SPREAD.total_seconds())


def _due(midnight: datetime) -> QuerySet[Regression]:
    """Return the regressions of lines whose active version has not been played by their terms."""
    versions = Bot.objects.filter(line=OuterRef("pk"), program__isnull=False)
    bases = versions.filter(state__in=gauntlets.PLAYABLE).order_by("version")
    played = Gauntlet.objects.filter(is_regression=True)
    tonight = played.filter(candidate__line=OuterRef("pk"), created_at__gte=midnight)
    # No fuel is equal to no fuel, which SQL does not say of NULL.
    by_terms = played.alias(units=Coalesce("fuel", 0)).filter(
        units=Coalesce(OuterRef("fuel"), 0),
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
    owner, terms = regression.line.owner, Terms.of(regression)
    base = versions.filter(state__in=gauntlets.PLAYABLE)[0]
    plan = gauntlets.Plan(
        candidate=versions.get(is_active=True),
        opponents=[base],
        ruleset=regression.ruleset,
        clock=terms.clock,
        fuel=terms.fuel,
        volunteer_priority=regression.volunteer_priority,
        pairs_each=regression.pairs,
        suite=suites.chosen(owner, suites.DRAWN, regression.ruleset),
        is_regression=True,
    )
    gauntlets.start(owner, plan)
