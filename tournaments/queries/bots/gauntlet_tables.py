"""Queries of gauntlets: their lists, and their tables by the pairs that count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, Prefetch, Q, QuerySet

from engine.stats.elo import EloDifference
from engine.stats.outcomes import Outcomes, score_interval_difference
from tournaments.models import Game, Gauntlet, GauntletOpponent, GauntletPair
from tournaments.queries.bots import bot_pairs


@dataclass(frozen=True, slots=True)
class Score:
    """The candidate's score, against one opponent or against all.

    Attributes:
        counts: pairs by the candidate's score in them, from two losses to two wins.
        elo: the candidate's difference with its 95 % interval, or None before the first pair.
    """

    counts: tuple[int, ...]
    elo: EloDifference | None

    @classmethod
    def of(cls, counts: Sequence[int]) -> Score:
        """The score of these counts."""
        outcomes = Outcomes(tuple(counts))
        return cls(outcomes.counts, score_interval_difference(outcomes) if any(counts) else None)

    @property
    def pairs(self) -> int:
        """Return the number of pairs that have counted."""
        return sum(self.counts)

    @property
    def halves(self) -> int:
        """The candidate's half points."""
        return sum(halves * count for halves, count in enumerate(self.counts))

    @property
    def share_thousandths(self) -> int:
        """Return the candidate's share of all points, in thousandths.

        It is 500 before the first pair.
        """
        return round(1000 * self.halves / (4 * self.pairs)) if self.pairs else 500


@dataclass(frozen=True, slots=True)
class Row:
    """One opponent, and the candidate's score against it.

    Attributes:
        under_way: the number of pairs that wait or are played.
        repetitions: the number of pairs that repeat earlier ones move by move, and do not count.
    """

    opponent: GauntletOpponent
    score: Score
    under_way: int
    repetitions: int


@dataclass(frozen=True, slots=True)
class Table:
    """The table of a gauntlet: a row for each opponent, and a total."""

    rows: Sequence[Row]
    total: Score

    @property
    def under_way(self) -> int:
        """Return the number of pairs that wait or are being played."""
        return sum(row.under_way for row in self.rows)

    @property
    def repetitions(self) -> int:
        """The number of pairs that repeat earlier ones."""
        return sum(row.repetitions for row in self.rows)


def listing(
    *,
    state: str = "",
    kind: str = "",
    family: str = "",
    bot_id: int | None = None,
    regressions_of: int | None = None,
) -> QuerySet[Gauntlet]:
    """Return all gauntlets with their versions and authors.

    They can be limited to a state, to a kind (`gauntlet` or `tuning`), to a game, to a bot on either
    side, or to the regressions of a line.
    """
    rows = Gauntlet.objects.select_related("candidate__player", "owner__player")
    if kind:
        rows = rows.filter(iterations__isnull=kind != "tuning")
    if family:
        rows = rows.filter(ruleset__startswith=f"{family}(")
    if state:
        rows = rows.filter(state=state)
    if bot_id is not None:
        rows = rows.filter(Q(candidate=bot_id) | Q(opponents__bot=bot_id)).distinct()
    if regressions_of is not None:
        rows = rows.filter(candidate__line=regressions_of, is_regression=True)
    return rows


def table(gauntlet: Gauntlet) -> Table:
    """Return the table of the gauntlet by the pairs that count."""
    return tables([gauntlet])[gauntlet.pk]


def tables(gauntlets: Sequence[Gauntlet]) -> Mapping[int, Table]:
    """Return the tables of several gauntlets, by their ids. Two queries count the pairs."""
    ids = [gauntlet.pk for gauntlet in gauntlets]
    pairs = GauntletPair.objects.filter(opponent__gauntlet__in=ids).order_by()
    counts = bot_pairs.counts(pairs, "opponent")
    others = pairs.values_list("opponent").annotate(
        waiting=Count("pk", filter=bot_pairs.UNDER_WAY),
        repeated=Count("pk", filter=Q(is_repetition=True)),
    )
    uncounted = {opponent: (under_way, repeated) for opponent, under_way, repeated in others}
    rows: dict[int, list[Row]] = {pk: [] for pk in ids}
    opponents = GauntletOpponent.objects.filter(gauntlet__in=ids).select_related("bot__player")
    for opponent in opponents.order_by("pk"):
        score = Score.of(counts.get(opponent.pk, [0] * 5))
        under_way, repeated = uncounted.get(opponent.pk, (0, 0))
        rows[opponent.gauntlet_id].append(
            Row(opponent, score, under_way=under_way, repetitions=repeated)
        )
    return {pk: Table(each, _total(each)) for pk, each in rows.items()}


def _total(rows: Sequence[Row]) -> Score:
    return Score.of([sum(row.score.counts[halves] for row in rows) for halves in range(5)])


def pairs_of(gauntlet: Gauntlet) -> QuerySet[GauntletPair]:
    """The pairs that count, the latest first, with their games."""
    pairs = GauntletPair.objects.filter(opponent__gauntlet=gauntlet, score_halves__isnull=False)
    pairs = pairs.select_related("opponent__bot__player")
    both_games = Prefetch("match__games", Game.objects.order_by("number"))
    return pairs.prefetch_related(both_games).order_by("-pk")
