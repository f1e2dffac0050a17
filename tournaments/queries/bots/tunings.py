"""Tunings: gauntlets whose pairs tune numbers of a version by SPSA (`engine.stats.spsa`).

The estimate is stored nowhere. It follows from the parameters, the seed and the results in the
order of their places, so `course` computes it again from the rows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Prefetch, QuerySet
from django.utils.translation import gettext_noop as _

from engine import protocol
from engine.stats import spsa
from engine.stats.spsa import Parameter, Spsa
from tournaments.errors import RefusedError
from tournaments.models import (
    Bot,
    Game,
    Gauntlet,
    TunedPair,
    TuningIteration,
)
from tournaments.models.gauntlets import MAX_ITERATIONS, NAME_LENGTH

MAX_PARAMETERS = 50
USUAL_ITERATIONS = 1_000
_TYPES = {"int": True, "float": False}


@dataclass(frozen=True, slots=True)
class Course:
    """The course of a tuning: the estimates before the first result and after each, in order."""

    run: Spsa
    estimates: Sequence[tuple[float, ...]]

    @property
    def results(self) -> int:
        """Return the number of iterations whose results are known."""
        return len(self.estimates) - 1


@dataclass(frozen=True, slots=True)
class ParameterCourse:
    """The course of one parameter: its estimates, and the value that a program would get now."""

    parameter: Parameter
    estimates: Sequence[float]

    @property
    def estimate(self) -> float:
        """Return the current estimate, not rounded."""
        return self.estimates[-1]

    @property
    def text(self) -> str:
        """Return the current value as a program gets it."""
        return self.parameter.text(self.estimate)

    @property
    def last_change(self) -> float:
        """Return the change by the last result, 0 before the first."""
        return self.estimate - self.estimates[-2] if len(self.estimates) > 1 else 0.0


def parameters_in(text: str) -> list[Parameter]:
    """Return the parameters of a text with one on each line.

    A line is `name, int or float, start, least, largest`, with `c_end` and `r_end` if they are not
    the usual ones. Raises RefusedError `tuning-line`, or as `parameter`.
    """
    parameters = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        words = [word.strip() for word in line.split(",")]
        try:
            name, kind, start, low, high, *rest = words
            c_end, r_end = (float(word) if word else None for word in (*rest, "", "")[:2])
            is_whole, numbers = _TYPES[kind], (float(start), float(low), float(high))
            if len(rest) > 2:
                raise ValueError(line)  # noqa: TRY301 - one answer to every line that is wrong
        except (ValueError, KeyError) as error:
            raise RefusedError("tuning-line", _("Line %(line)s."), line=str(number)) from error
        parameters.append(parameter(name, *numbers, is_whole=is_whole, c_end=c_end, r_end=r_end))
    return parameters


def parameter(
    name: str,
    start: float,
    low: float,
    high: float,
    *,
    is_whole: bool,
    c_end: float | None = None,
    r_end: float | None = None,
) -> Parameter:
    """Return a parameter, with the usual `c_end` and `r_end` in place of None.

    Raises RefusedError `tuning-parameter` for numbers that cannot be tuned.
    """
    if c_end is None:
        c_end = spsa.usual_c_end(low, high, is_whole=is_whole)
    r_end = spsa.USUAL_R_END if r_end is None else r_end
    try:
        return Parameter(name, start, low, high, is_whole, c_end, r_end)
    except ValueError as error:
        raise RefusedError("tuning-parameter", _("Parameter %(name)s."), name=name) from error


def require(bot: Bot, parameters: Sequence[Parameter], iterations: int) -> None:
    """Raise RefusedError unless these numbers of the version can be tuned.

    By `tuning-iterations`, `tuning-parameters`, or `tuning-option` for a name that the program did
    not declare, or for other numbers than the declared option takes.
    """
    if not 1 <= iterations <= MAX_ITERATIONS:
        raise RefusedError("tuning-iterations", str(iterations))
    names = {parameter.name for parameter in parameters}
    if len(names) < len(parameters) or len(parameters) > MAX_PARAMETERS:
        raise RefusedError("tuning-parameters", f"{len(parameters)} parameters")
    declared = {option.name: option for option in _declared(bot)}
    for parameter in parameters:
        option = declared.get(parameter.name)
        if option is None or not _takes(option, parameter):
            raise RefusedError("tuning-option", _("Parameter %(name)s."), name=parameter.name)


def suggested(bot: Bot) -> str:
    """Return the text of the parameters that the version's program declared with their bounds."""
    lines = []
    for option in _declared(bot):
        kind = "int" if option.kind == "spin" else "float"
        if all(_number(text) is not None for text in (option.default, option.low, option.high)):
            lines.append(f"{option.name}, {kind}, {option.default}, {option.low}, {option.high}")
    return "\n".join(lines)


def course(gauntlet: Gauntlet) -> Course:
    """Return the course of a tuning, computed from its parameters, its seed and its results."""
    assert gauntlet.iterations is not None, "it is a tuning"
    parameters = [
        Parameter(row.name, row.start, row.low, row.high, row.is_whole, row.c_end, row.r_end)
        for row in gauntlet.parameters.order_by("pk")
    ]
    run = Spsa(parameters, gauntlet.iterations, gauntlet.seed)
    estimates = [run.start]
    results = gauntlet.steps.filter(place__isnull=False).order_by("place")
    for number, difference in results.values_list("number", "difference_halves"):
        assert difference is not None, "its place is known"
        estimates.append(run.step(estimates[-1], number, difference))
    return Course(run, estimates)


def parameter_courses(gauntlet: Gauntlet) -> list[ParameterCourse]:
    """Return the course of each parameter, in the order of its author."""
    whole = course(gauntlet)
    columns = zip(*whole.estimates, strict=True)
    pairs = zip(whole.run.parameters, columns, strict=True)
    return [ParameterCourse(parameter, estimates) for parameter, estimates in pairs]


def iterations_of(gauntlet: Gauntlet) -> QuerySet[TuningIteration]:
    """Return the iterations, the latest first, with their pairs and games."""
    both_games = Prefetch("pair__match__games", Game.objects.order_by("number"))
    pairs = TunedPair.objects.order_by("-is_raised", "pk").select_related("pair__match")
    rows = gauntlet.steps.prefetch_related(Prefetch("pairs", pairs.prefetch_related(both_games)))
    return rows.order_by("-number")


def _declared(bot: Bot) -> list[protocol.DeclaredOption]:
    """Return the options that the program declared in its check, without those of the protocol."""
    options = [protocol.option_in(description) for description in bot.options]
    return [
        option
        for option in options
        if option and option.name not in protocol.RESERVED and _is_name(option.name)
    ]


def _is_name(name: str) -> bool:
    """Return whether a name has its place in the headers of a record (`engine.programs.fuel_game`)."""
    return len(name) <= NAME_LENGTH and name.isascii() and name.isprintable() and '"' not in name


def _takes(option: protocol.DeclaredOption, parameter: Parameter) -> bool:
    """Return whether the option takes all values of the parameter, as far as the program says."""
    if option.kind not in {"spin", "string"} or (option.kind == "spin" and not parameter.is_whole):
        return False
    low, high = _number(option.low), _number(option.high)
    return (low is None or low <= parameter.low) and (high is None or parameter.high <= high)


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
