"""The FIDE (Dutch) System from 2017 to 31 January 2026 (C.04.3 as of the congresses of 2016 and 2017), for reports of that time.

It differs from the edition in force in these points. An unplayed round is a downfloat with any
score (A.4). A full-point bye does not bar the bye (C.2). The completion of the round (C4, C5) is
tested only when it fails, and then all players below are one bracket (A.9). Scores inside a bracket
are compared as differences (A.8).
"""

from __future__ import annotations

from copy import copy
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

from tournaments.pairing.dutch.rules.bracket import Bracket, BracketPairing
from tournaments.pairing.dutch.rules.criteria import BY_CODE
from tournaments.pairing.dutch.rules.criterion import (
    Attribute,
    ByeCriterion,
    QualityCriterion,
    Scope,
    Unit,
)
from tournaments.pairing.dutch.rules.field import DutchField
from tournaments.pairing.dutch.rules.values import criteria_values
from tournaments.pairing.dutch.search.completion import bye_candidates
from tournaments.pairing.dutch.search.exact import complete_pairs, near_pairs
from tournaments.pairing.floats import Float
from tournaments.pairing.individual import (
    IndividualSwiss,
    PairedBracket,
    PairedRound,
    can_be_paired,
)
from tournaments.pairing.problem import RoundKind
from tournaments.pairing.solution import CriterionValue

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tournaments.pairing.dutch.rules.criterion import BracketFacts
    from tournaments.pairing.dutch.rules.player import DutchPlayer
    from tournaments.pairing.problem import Contestant, PairingProblem

_POINT_HALVES = 2


def _may_have_bye(contestant: Contestant) -> bool:
    """C.2 names the bye and the forfeit win alone."""
    barred = (RoundKind.PAIRING_BYE, RoundKind.FORFEIT_WIN)
    return not any(record.kind in barred for record in contestant.records)


def _difference(
    bracket: BracketFacts, higher: DutchPlayer, lower: DutchPlayer | None
) -> int | None:
    """A.8: how far apart two are; a floater is a point further down than the lowest of the bracket."""
    least = bracket.lowest_score - _POINT_HALVES if lower is None else lower.score_halves
    return higher.score_halves - least or None


def _floated(
    bracket: BracketFacts,
    higher: DutchPlayer,
    lower: DutchPlayer | None,
    *,
    float_: Float,
    ago: int,
    is_counted: bool,
) -> int | None:
    """C.12 to C.19: players who get the float of that many rounds before the last again; one, or the difference."""
    difference = _difference(bracket, higher, lower)
    player = higher if float_ is Float.DOWN else lower
    if difference is None or player is None or player.floats[ago] is not float_:
        return None
    return 1 if is_counted else difference


_KINDS = (
    (Float.DOWN, 0, Attribute.DOWN_LAST, "a downfloat as in the last round"),
    (Float.UP, 0, Attribute.UP_LAST, "an upfloat as in the last round"),
    (Float.DOWN, 1, Attribute.DOWN_BEFORE, "a downfloat as two rounds before"),
    (Float.UP, 1, Attribute.UP_BEFORE, "an upfloat as two rounds before"),
)
CRITERIA = (
    *(BY_CODE[code].cited(article=f"C.{code[1:]}") for code in ("C1", "C3", "C4")),
    ByeCriterion("C2", "C.2", "No bye after a bye or a forfeit win.", _may_have_bye),
    BY_CODE["C6"].cited(code="C5", article="C.5"),
    QualityCriterion(
        code="C6",
        article="C.6",
        quote="Minimise the score differences of pairs and floaters, the largest first.",
        unit=Unit.POINTS,
        scope=Scope.EVERYBODY,
        amount=_difference,
        depends_on=frozenset({Attribute.SCORE}),
    ),
    # The next bracket, topscorers and colours: those of today under other numbers.
    *(
        BY_CODE[today].cited(code=code, article=f"C.{code[1:]}")
        for code, today in (
            ("C7", "C8"),
            ("C8", "C10"),
            ("C9", "C11"),
            ("C10", "C12"),
            ("C11", "C13"),
        )
    ),
    *(
        QualityCriterion(
            code=f"C{n}",
            article=f"C.{n}",
            quote=f"Minimise the {counted} with {again}.",
            unit=unit,
            scope=Scope.EVERYBODY,
            amount=partial(_floated, float_=kind, ago=ago, is_counted=unit is Unit.PLAYERS),
            depends_on=frozenset({Attribute.SCORE, own}),
        )
        for n, ((counted, unit), (kind, ago, own, again)) in enumerate(
            product(
                (
                    ("players", Unit.PLAYERS),
                    ("score differences of players", Unit.POINTS),
                ),
                _KINDS,
            ),
            start=12,
        )
    ),
)


class Dutch2017(IndividualSwiss):
    """The FIDE (Dutch) System, edition of 2017."""

    name = "dutch-2017"
    version = "dutch-2017.1"
    handbook = "C.04.3"
    criteria = CRITERIA
    colour_articles = {f"5.2.{n}": f"E.{n}" for n in range(1, 6)}

    def field(self, problem: PairingProblem) -> DutchField:
        """The field, with every unplayed round as a downfloat (A.4)."""
        field = super().field(problem)
        players = map(_with_floats, field.players)
        return DutchField(problem, players, field.legal, field.groups, field.criteria)

    def paired(self, field: DutchField, bye: int | None = None) -> PairedRound:
        """Bracket after bracket from the top (A.9); the bye is what the last one leaves over."""
        if bye is not None:
            without = ~(1 << bye)
            legal = [mask & without if p != bye else 0 for p, mask in enumerate(field.legal)]
            field = field.with_legal(legal)
        candidates = bye_candidates(field)
        pairings = list(_brackets(field, candidates)) if field.groups else []
        last = pairings[-1].floaters if pairings else ()
        brackets = (
            PairedBracket(
                residents=tuple(pairing.bracket.residents),
                guests=pairing.bracket.mdps,
                pairs=tuple(sorted(pairing.pairs)),
                floaters=pairing.floaters,
                criteria=_values(pairing, following),
                order=(
                    CriterionValue(
                        "", "D", tuple(p for pair in sorted(pairing.pairs) for p in pair)
                    ),
                ),
            )
            for pairing, following in zip(pairings, (*pairings[1:], None), strict=True)
        )
        return PairedRound(last[0] if last else None, (), tuple(brackets))


def _values(
    pairing: BracketPairing, following: BracketPairing | None
) -> tuple[CriterionValue, ...]:
    """C5 to C19; C7 is what the next score group left over."""
    values = criteria_values(pairing)
    if following is None or pairing.bracket.below[:1] != (following.bracket.residents,):
        return values
    players = pairing.bracket.field.players
    scores = sorted((players[p].score_halves for p in following.floaters), reverse=True)
    return (*values[:2], CriterionValue("C7", "C.7", (len(scores), *scores)), *values[2:])


def _with_floats(player: DutchPlayer) -> DutchPlayer:
    past = player.contestant.records[:-3:-1]
    last, before = (
        Float.DOWN if number < len(past) and not past[number].kind.is_played else own
        for number, own in enumerate(player.floats)
    )
    changed = copy(player)
    changed.floats = (last, before)
    return changed


def _brackets(field: DutchField, bye: frozenset[int]) -> Iterator[BracketPairing]:
    """Every bracket, paired; as soon as the rest cannot be completed all below is one bracket (A.9)."""
    floaters: tuple[int, ...] = ()
    for n, group in enumerate(field.groups):
        below = field.groups[n + 1 :]
        bracket = Bracket(field, floaters, group, below[:1], frozenset())
        if not below:
            break
        pairing = BracketPairing(bracket, near_pairs(bracket))
        if not _can_be_completed(field, [*pairing.floaters, *(p for g in below for p in g)], bye):
            penultimate = Bracket(field, floaters, group, (range(0), *below), bye)
            pairing = BracketPairing(penultimate, complete_pairs(penultimate))
            yield pairing
            floaters, group = pairing.floaters, range(below[0].start, below[-1].stop)
            break
        yield pairing
        floaters = pairing.floaters
    last = Bracket(field, floaters, group, (), bye)
    yield BracketPairing(last, complete_pairs(last))


def _can_be_completed(field: DutchField, places: list[int], bye: frozenset[int]) -> bool:
    """Return whether all these can be paired, but for one of an odd number who may have the bye."""
    if not len(places) % 2:
        return can_be_paired(field.legal, places)
    free = len(field.legal)
    legal = [mask | (p in bye) << free for p, mask in enumerate(field.legal)]
    return can_be_paired([*legal, sum(1 << p for p in bye)], [*places, free])
