"""A round of matches by the top scoregroup: what Double-Swiss (C.04.5) and Swiss Team (C.04.6) have apart, and the answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournaments.pairing.problem import RoundKind
from tournaments.pairing.solution import (
    Board,
    BoardEvidence,
    BracketEvidence,
    CriterionValue,
    Solution,
)
from tournaments.pairing.top_scoregroup import Member, TopBracket, TopScoregroups, rank

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tournaments.pairing.problem import PairingProblem


@dataclass(frozen=True, slots=True)
class Criterion:
    """A criterion of 2.3 by its name and article; `amount` is what a bracket reached, to be as small as possible."""

    name: str
    article: str
    amount: Callable[[TopBracket], tuple[int, ...]]


def floaters(problem: PairingProblem) -> frozenset[int]:
    """The TPNs of those who met another score in the previous round (1.5).

    In accelerated rounds the scores have the virtual points of that round in them.
    """
    last = problem.round_number - 1
    if not last:
        return frozenset()
    everybody = {c.tpn: c for c in (*problem.contestants, *problem.absent)}
    halves = {tpn: each.pairing_halves(last) for tpn, each in everybody.items()}
    past = {tpn: each.records[-1] for tpn, each in everybody.items()}
    return frozenset(
        tpn
        for tpn, record in past.items()
        if record.kind.is_meeting and record.opponent and halves[record.opponent] != halves[tpn]
    )


@dataclass(frozen=True, slots=True)
class Rules:
    """What sets one of the two systems apart.

    Attributes:
        handbook: its chapter.
        side: of two members the higher ranked, its side, and the article that gave it.
        has_boards_by_smaller_tpn: whether of boards with equal scores the one with the smallest TPN comes first; else
            the TPN of the higher ranked decides (C.04.2 3.6).
    """

    handbook: str
    criteria: Sequence[Criterion]
    side: Callable[[PairingProblem, Member, Member], tuple[Member, RoundKind, str]]
    has_boards_by_smaller_tpn: bool = False


def solution(problem: PairingProblem, members: Sequence[Member], rules: Rules) -> Solution:
    """The round of these members."""
    round_ = TopScoregroups(problem, members)
    brackets = list(round_.brackets())
    pairs = [
        (bracket, min(pair, key=rank), max(pair, key=rank))
        for bracket in brackets
        for pair in bracket.pairs
    ]
    # In accelerated rounds by the pairing score (C.04.7 1.5).
    pairs.sort(
        key=lambda row: (
            -row[1].halves,
            -row[2].halves,
            min(row[1].tpn, row[2].tpn) if rules.has_boards_by_smaller_tpn else row[1].tpn,
        )
    )
    evidence = tuple(_board(problem, rules, *row) for row in pairs)
    return Solution(
        boards=tuple(Board(e.first, e.second) for e in evidence),
        bye=round_.bye.tpn if round_.bye else None,
        evidence=evidence,
        brackets=tuple(_evidence(bracket, rules.criteria) for bracket in brackets),
    )


def _board(
    problem: PairingProblem, rules: Rules, bracket: TopBracket, one: Member, two: Member
) -> BoardEvidence:
    higher, colour, article = rules.side(problem, one, two)
    lower = two if higher is one else one
    first, second = (higher, lower) if colour is RoundKind.FIRST else (lower, higher)
    top = bracket.residents[0].halves
    return BoardEvidence(
        first.tpn,
        second.tpn,
        first.contestant.score_halves,
        second.contestant.score_halves,
        f"{rules.handbook} {article}",
        "scoregroup" if two.halves == top else "upfloater",
        {"halves": top},
    )


def _evidence(bracket: TopBracket, criteria: Sequence[Criterion]) -> BracketEvidence:
    return BracketEvidence(
        halves=bracket.residents[0].halves,
        mdps=tuple(m.tpn for m in bracket.upfloaters),
        residents=tuple(m.tpn for m in bracket.residents),
        pairs=tuple((one.tpn, two.tpn) for one, two in bracket.pairs),
        floaters=(),
        criteria=tuple(CriterionValue(c.name, c.article, c.amount(bracket)) for c in criteria),
    )
