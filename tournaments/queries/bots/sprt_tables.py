"""Queries of SPRT tests: their lists, their stages, and their states by the pairs that count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from django.db.models import Case, Q, QuerySet, When

from engine.stats.elo import EloDifference
from engine.stats.outcomes import Outcomes, elo_difference, likelihood_of_superiority
from engine.stats.sprt import Scale, Sprt, log_likelihood_ratio
from tournaments.models import SprtPair, SprtTest
from tournaments.queries.bots import bot_pairs
from tournaments.queries.clocks.game_clocks import Clock


class Bounds(Protocol):
    """The bounds of an SPRT test, of a plan or a row: in hundredths of a point, and in thousandths."""

    @property
    def elo0_centielo(self) -> int:
        """The difference of the hypothesis that the test rejects when it passes."""

    @property
    def elo1_centielo(self) -> int:
        """The difference of the hypothesis that the test accepts when it passes."""

    @property
    def alpha_thousandths(self) -> int:
        """The probability of passing if the difference is `elo0`."""

    @property
    def beta_thousandths(self) -> int:
        """The probability of failing if the difference is `elo1`."""

    @property
    def model(self) -> str:
        """The scale of the differences."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The state of an SPRT test.

    Attributes:
        counts: pairs by the candidate's score in them, from two losses to two wins.
        llr: the log-likelihood ratio, or None before the first pair.
        lower, upper: the bounds it has to reach.
        elo: the candidate's difference with its interval, or None before the first pair.
        superiority: the probability that the candidate is stronger, or None before the first pair.
    """

    counts: tuple[int, ...]
    llr: float | None
    lower: float
    upper: float
    elo: EloDifference | None
    superiority: float | None

    @property
    def pairs(self) -> int:
        """Return the number of pairs that have counted."""
        return sum(self.counts)

    @property
    def games(self) -> int:
        """Return the number of games of these pairs."""
        return 2 * self.pairs

    @property
    def halves(self) -> int:
        """The candidate's half points."""
        return sum(halves * count for halves, count in enumerate(self.counts))

    @property
    def superiority_thousandths(self) -> int:
        """The probability that the candidate is stronger, in thousandths.

        500 before anything is known.
        """
        return 500 if self.superiority is None else round(1000 * self.superiority)


def listing(*, state: str = "", bot_id: int | None = None, family: str = "") -> QuerySet[SprtTest]:
    """Return all SPRT tests with bots and authors, or those of a state, a game, or a bot on either side."""
    rows = SprtTest.objects.select_related(
        "candidate__player", "base__player", "owner__player", "suite"
    ).defer("suite__setups")
    if state:
        rows = rows.filter(state=state)
    if bot_id is not None:
        rows = rows.filter(Q(candidate=bot_id) | Q(base=bot_id))
    if family:
        rows = rows.filter(ruleset__startswith=f"{family}(")
    return rows


def running_first(rows: QuerySet[SprtTest]) -> QuerySet[SprtTest]:
    """Return the rows with the running SPRT tests at their head, each part the latest first."""
    is_over = Case(When(state=SprtTest.State.RUNNING, then=0), default=1)
    return rows.order_by(is_over, "-pk")


def second_clock(sprt_test: SprtTest) -> Clock | None:
    """Return the clock of the stage that follows this one, or None without such a stage."""
    if sprt_test.second_initial_ms is None:
        return None
    return Clock(sprt_test.second_initial_ms, sprt_test.second_increment_ms or 0)


def second_stage_id(sprt_test: SprtTest) -> int | None:
    """Return the number of the second stage if it has begun."""
    later = SprtTest.objects.filter(first_stage=sprt_test.pk)
    return later.values_list("pk", flat=True).first()


def stages(sprt_test: SprtTest) -> list[SprtTest]:
    """Return the stages of a test of two clocks that have begun, in order. A test of one clock has none."""
    if sprt_test.second_initial_ms is None and sprt_test.first_stage_id is None:
        return []
    first_id = sprt_test.first_stage_id or sprt_test.pk
    rows = SprtTest.objects.filter(Q(pk=first_id) | Q(first_stage=first_id))
    return list(rows.order_by("pk"))


def standing(sprt_test: SprtTest) -> Standing:
    """Return the state of the SPRT test by the pairs that count."""
    return _standing(sprt_test, outcomes_of(sprt_test))


def standings(
    sprt_tests: Sequence[SprtTest] | QuerySet[SprtTest],
) -> list[tuple[SprtTest, Standing]]:
    """Return several SPRT tests, each with its state. One query counts their pairs."""
    ids = [sprt_test.pk for sprt_test in sprt_tests]
    counts = bot_pairs.counts(SprtPair.objects.filter(sprt_test__in=ids), "sprt_test")
    return [
        (sprt_test, _standing(sprt_test, Outcomes(tuple(counts.get(sprt_test.pk, [0] * 5)))))
        for sprt_test in sprt_tests
    ]


def under_way(sprt_test: SprtTest) -> int:
    """Return the number of pairs of the SPRT test that wait or are being played."""
    return bot_pairs.under_way(sprt_test.pairs.all()).count()


def repetitions(sprt_test: SprtTest) -> int:
    """Return the number of pairs that repeat earlier ones of the test move by move and do not count."""
    return sprt_test.pairs.filter(is_repetition=True).count()


def _standing(sprt_test: SprtTest, outcomes: Outcomes) -> Standing:
    test = exact_test(sprt_test)
    is_begun = sum(outcomes.counts) > 0
    return Standing(
        counts=outcomes.counts,
        llr=log_likelihood_ratio(test, outcomes) if is_begun else None,
        lower=test.lower,
        upper=test.upper,
        elo=elo_difference(outcomes) if is_begun else None,
        superiority=likelihood_of_superiority(outcomes) if is_begun else None,
    )


def trace(sprt_test: SprtTest) -> list[float]:
    """The log-likelihood ratio after each pair that counted, in their order."""
    rows = sprt_test.pairs.filter(place__isnull=False).order_by("place")
    return [(llr or 0) / 1_000_000 for llr in rows.values_list("llr_millionths", flat=True)]


def exact_test(plan: Bounds) -> Sprt:
    """Return the test of these bounds. Raises ValueError if they are not in order."""
    scales = {SprtTest.Model.LOGISTIC: Scale.LOGISTIC, SprtTest.Model.NORMALIZED: Scale.NORMALIZED}
    return Sprt(
        elo0=plan.elo0_centielo / 100,
        elo1=plan.elo1_centielo / 100,
        alpha=plan.alpha_thousandths / 1000,
        beta=plan.beta_thousandths / 1000,
        scale=scales.get(SprtTest.Model(plan.model), Scale.LOGISTIC),
    )


def outcomes_of(sprt_test: SprtTest) -> Outcomes:
    """Return the outcomes of the pairs that count."""
    counts = bot_pairs.counts(sprt_test.pairs.all(), "sprt_test")
    return Outcomes(tuple(counts.get(sprt_test.pk, [0] * 5)))
