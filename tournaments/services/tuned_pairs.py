"""Pairs of a tuning: the next one, and the results of those that have counted. The gauntlet is locked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q

from engine.stats.spsa import Parameter
from tournaments.models import (
    Game,
    Gauntlet,
    GauntletPair,
    Match,
    TunedPair,
    TunedParameter,
    TuningIteration,
)
from tournaments.queries.bots import tunings

_VOID = Q(pair__match__state=Match.State.FAILED) | Q(pair__match__games__result=Game.Result.VOID)


@dataclass(frozen=True, slots=True)
class Draw:
    """The next pair of a tuning: its iteration, and the values of the version in it."""

    iteration: TuningIteration
    is_raised: bool
    options: Mapping[str, str]


def create(gauntlet: Gauntlet, parameters: Sequence[Parameter]) -> None:
    """Store the parameters of a new tuning."""
    TunedParameter.objects.bulk_create(
        TunedParameter(
            gauntlet=gauntlet,
            name=parameter.name,
            start=parameter.start,
            low=parameter.low,
            high=parameter.high,
            is_whole=parameter.is_whole,
            c_end=parameter.c_end,
            r_end=parameter.r_end,
        )
        for parameter in parameters
    )


def missing_pairs(gauntlet: Gauntlet) -> int:
    """Return the number of pairs of the tuning that were not scheduled, or are void."""
    pairs = TunedPair.objects.filter(iteration__gauntlet=gauntlet)
    return gauntlet.pairs_each - pairs.exclude(_VOID).count()


def next_draw(gauntlet: Gauntlet) -> Draw:
    """Return the next pair of a tuning that has missing pairs: of the earliest iteration without it.

    The gauntlet is locked.
    """
    estimates = tunings.course(gauntlet)
    for step in gauntlet.steps.filter(place__isnull=True):
        drawn = set(step.pairs.exclude(_VOID).values_list("is_raised", flat=True))
        for is_raised in (True, False):
            if is_raised not in drawn:
                return _draw(estimates, step, is_raised=is_raised)
    step = TuningIteration.objects.create(
        gauntlet=gauntlet,
        number=gauntlet.steps.count() + 1,
        results_before=estimates.results,
    )
    return _draw(estimates, step, is_raised=True)


def attach(draw: Draw, pair: GauntletPair) -> None:
    """Store the values of a pair that was scheduled."""
    TunedPair.objects.create(
        pair=pair, iteration=draw.iteration, is_raised=draw.is_raised, options=draw.options
    )


def count_iterations(gauntlet: Gauntlet) -> None:
    """Store the result of each iteration of which both pairs have counted. The gauntlet is locked."""
    place = gauntlet.steps.filter(place__isnull=False).count()
    for step in gauntlet.steps.filter(place__isnull=True):
        counted = step.pairs.filter(pair__score_halves__isnull=False)
        halves = dict(counted.values_list("is_raised", "pair__score_halves"))
        raised, lowered = halves.get(True), halves.get(False)
        if raised is not None and lowered is not None:
            place += 1
            step.place, step.difference_halves = place, raised - lowered
            step.save(update_fields=["place", "difference_halves"])


def _draw(estimates: tunings.Course, step: TuningIteration, *, is_raised: bool) -> Draw:
    centre = estimates.estimates[step.results_before]
    return Draw(step, is_raised, estimates.run.texts(centre, step.number, is_raised=is_raised))
