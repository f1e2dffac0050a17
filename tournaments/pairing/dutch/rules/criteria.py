"""C1 to C21 in the order of the handbook (C.04.3 2), each declared once.

Everything else follows from the declaration: the digits of a pair's worth (`weights`), the values
that are evidence (`values`), the dependencies of the classes of the linear program (`kinds`), and
the articles and units that the pages show.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tournaments.pairing.colours import Strength, allocate
from tournaments.pairing.dutch.rules.criterion import (
    Attribute,
    ByeCriterion,
    ByeScoreCriterion,
    Criterion,
    PairCriterion,
    QualityCriterion,
    Scope,
    Unit,
)
from tournaments.pairing.floats import Float
from tournaments.pairing.problem import RoundKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.pairing.dutch.rules.criterion import BracketFacts
    from tournaments.pairing.dutch.rules.player import DutchPlayer


def _met(players: Sequence[DutchPlayer]) -> list[int]:
    """Return the players who have met (C1). One of two records is enough."""
    places = {p.tpn: p.place for p in players}
    masks = [0] * len(players)
    for player in players:
        for tpn in player.contestant.met:
            if tpn in places:
                masks[player.place] |= 1 << places[tpn]
                masks[places[tpn]] |= 1 << player.place
    return masks


def _bound_to_one_side(players: Sequence[DutchPlayer]) -> list[int]:
    """C3: players with equal absolute preferences, but for topscorers."""
    return bound_to_one_side([p for p in players if not p.is_topscorer], len(players))


def bound_to_one_side(players: Sequence[DutchPlayer], places: int) -> list[int]:
    """Return, for each of this number of places, the players with an equal absolute preference, as bits."""
    masks = [0] * places
    for side in (RoundKind.FIRST, RoundKind.SECOND):
        same = [p.place for p in players if _is_bound_to(p, side)]
        together = sum(1 << place for place in same)
        for place in same:
            masks[place] = together
    return masks


def _is_bound_to(player: DutchPlayer, side: RoundKind) -> bool:
    return player.preference.strength is Strength.ABSOLUTE and player.preference.side is side


def _one(_bracket: BracketFacts, _player: DutchPlayer, _opponent: DutchPlayer | None) -> int:
    return 1


def _score(_bracket: BracketFacts, player: DutchPlayer, _opponent: DutchPlayer | None) -> int:
    return player.score_halves


def _unplayed(_bracket: BracketFacts, player: DutchPlayer, _opponent: DutchPlayer | None) -> int:
    return player.unplayed


def _refused(bracket: BracketFacts, one: DutchPlayer, two: DutchPlayer | None) -> DutchPlayer:
    """Return the player who does not get the side that both are due (5.2.2-5.2.4)."""
    assert two is not None, "a clash is a pair"
    first = allocate(bracket.problem, one.contestant, two.contestant).first
    is_first_due = one.preference.side is RoundKind.FIRST
    return two if (first == one.tpn) is is_first_due else one


def _wide(bracket: BracketFacts, one: DutchPlayer, two: DutchPlayer | None) -> int | None:
    """C10: the colour difference of the one who is refused becomes more than two."""
    return 1 if abs(_refused(bracket, one, two).preference.difference) > 1 else None


def _thrice(bracket: BracketFacts, one: DutchPlayer, two: DutchPlayer | None) -> int | None:
    """C11: the one who is refused had the other side in both of its last two games."""
    refused = _refused(bracket, one, two)
    last = refused.colours[-2:]
    return 1 if len(last) == 2 and refused.preference.side not in last else None


def _both_strong(_bracket: BracketFacts, one: DutchPlayer, two: DutchPlayer | None) -> int | None:
    """C13: neither of the two preferences is a mild one."""
    assert two is not None, "a clash is a pair"
    weaker = min(one.preference.strength, two.preference.strength)
    return 1 if weaker >= Strength.STRONG else None


def _floated_down(
    _bracket: BracketFacts, floater: DutchPlayer, _opponent: DutchPlayer | None, *, ago: int
) -> int | None:
    """C14, C16: one for a floater that went down that many rounds before the last."""
    return 1 if floater.floats[ago] is Float.DOWN else None


def _floated_up(
    _bracket: BracketFacts, _mdp: DutchPlayer, opponent: DutchPlayer | None, *, ago: int
) -> int | None:
    """C15, C17: one for an MDP's opponent that went up that many rounds before the last."""
    return 1 if opponent is not None and opponent.floats[ago] is Float.UP else None


def _fall(
    bracket: BracketFacts, mdp: DutchPlayer, opponent: DutchPlayer | None, *, ago: int
) -> int | None:
    """C18, C20: how far an MDP falls that went down that many rounds before the last.

    One that floats again falls further than the bracket's score: it counts half a point more.
    """
    if mdp.floats[ago] is not Float.DOWN:
        return None
    return mdp.score_halves - bracket.resident_score + (opponent is None)


def _reach(
    _bracket: BracketFacts, mdp: DutchPlayer, opponent: DutchPlayer | None, *, ago: int
) -> int | None:
    """C19, C21: how far up an MDP's opponent reaches that went up that many rounds before the last."""
    if opponent is None or opponent.floats[ago] is not Float.UP:
        return None
    return mdp.score_halves - opponent.score_halves


CRITERIA: tuple[Criterion, ...] = (
    PairCriterion(
        code="C1",
        article="2.1.1",
        quote="Two players do not play each other more than once.",
        barred=_met,
    ),
    ByeCriterion(
        code="C2",
        article="2.1.2",
        quote="No bye for a player who had one, or who won without playing.",
        allows=lambda contestant: contestant.may_have_bye,
    ),
    PairCriterion(
        code="C3",
        article="2.1.3",
        quote="Two players with the same absolute preference do not meet unless one is a topscorer.",
        barred=_bound_to_one_side,
    ),
    Criterion(
        code="C4",
        article="2.2.1",
        quote="The players who are left can all be paired legally.",
    ),
    ByeScoreCriterion(
        code="C5",
        article="2.3.1",
        quote="Minimise the score of the player on the bye.",
        amount=lambda player: player.score_halves,
    ),
    QualityCriterion(
        code="C6",
        article="2.4.1",
        quote="Minimise the number of downfloaters.",
        unit=Unit.PLAYERS,
        scope=Scope.FLOATERS,
        amount=_one,
    ),
    QualityCriterion(
        code="C7",
        article="2.4.2",
        quote="Minimise the scores of the downfloaters, the highest first.",
        unit=Unit.POINTS,
        scope=Scope.FLOATERS,
        amount=_score,
        depends_on=frozenset({Attribute.SCORE}),
    ),
    QualityCriterion(
        code="C8",
        article="2.4.3",
        quote="Choose the downfloaters so that the next bracket can do best in C6 and C7.",
        unit=Unit.PLAYERS_AND_POINTS,
        scope=Scope.NEXT_BRACKET,
        amount=_score,
        depends_on=frozenset({Attribute.SCORE}),
    ),
    QualityCriterion(
        code="C9",
        article="2.4.4",
        quote="Minimise the unplayed rounds of the player on the bye.",
        unit=Unit.ROUNDS,
        scope=Scope.BYE,
        amount=_unplayed,
        depends_on=frozenset({Attribute.UNPLAYED}),
    ),
    QualityCriterion(
        code="C10",
        article="2.4.5",
        quote="Minimise the topscorers, or their opponents, whose colour difference becomes more than two.",
        unit=Unit.PLAYERS,
        scope=Scope.ABSOLUTE_CLASHES,
        amount=_wide,
        depends_on=frozenset({Attribute.SIDE, Attribute.STRENGTH, Attribute.IDENTITY}),
    ),
    QualityCriterion(
        code="C11",
        article="2.4.6",
        quote="Minimise the topscorers, or their opponents, with one side three times running.",
        unit=Unit.PLAYERS,
        scope=Scope.ABSOLUTE_CLASHES,
        amount=_thrice,
        depends_on=frozenset({Attribute.SIDE, Attribute.STRENGTH, Attribute.IDENTITY}),
    ),
    QualityCriterion(
        code="C12",
        article="2.4.7",
        quote="Minimise the players who do not get their colour preference.",
        unit=Unit.PAIRS,
        scope=Scope.CLASHES,
        amount=_one,
        depends_on=frozenset({Attribute.SIDE}),
    ),
    QualityCriterion(
        code="C13",
        article="2.4.8",
        quote="Minimise the players who do not get their strong colour preference.",
        unit=Unit.PAIRS,
        scope=Scope.CLASHES,
        amount=_both_strong,
        depends_on=frozenset({Attribute.SIDE, Attribute.STRENGTH}),
    ),
    QualityCriterion(
        code="C14",
        article="2.4.9",
        quote="Minimise the resident downfloaters who had a downfloat in the last round.",
        unit=Unit.PLAYERS,
        scope=Scope.RESIDENT_FLOATERS,
        amount=partial(_floated_down, ago=0),
        depends_on=frozenset({Attribute.DOWN_LAST}),
    ),
    QualityCriterion(
        code="C15",
        article="2.4.10",
        quote="Minimise the opponents of MDPs who had an upfloat in the last round.",
        unit=Unit.PLAYERS,
        scope=Scope.MDP_PAIRS,
        amount=partial(_floated_up, ago=0),
        depends_on_opponent=frozenset({Attribute.UP_LAST}),
    ),
    QualityCriterion(
        code="C16",
        article="2.4.11",
        quote="Minimise the resident downfloaters who had a downfloat two rounds before.",
        unit=Unit.PLAYERS,
        scope=Scope.RESIDENT_FLOATERS,
        amount=partial(_floated_down, ago=1),
        depends_on=frozenset({Attribute.DOWN_BEFORE}),
    ),
    QualityCriterion(
        code="C17",
        article="2.4.12",
        quote="Minimise the opponents of MDPs who had an upfloat two rounds before.",
        unit=Unit.PLAYERS,
        scope=Scope.MDP_PAIRS,
        amount=partial(_floated_up, ago=1),
        depends_on_opponent=frozenset({Attribute.UP_BEFORE}),
    ),
    QualityCriterion(
        code="C18",
        article="2.4.13",
        quote="Minimise the score differences of MDPs who had a downfloat in the last round.",
        unit=Unit.POINTS,
        scope=Scope.MDPS,
        amount=partial(_fall, ago=0),
        depends_on=frozenset({Attribute.SCORE, Attribute.DOWN_LAST}),
    ),
    QualityCriterion(
        code="C19",
        article="2.4.14",
        quote="Minimise the score differences of MDPs' opponents who had an upfloat in the last round.",
        unit=Unit.POINTS,
        scope=Scope.MDP_PAIRS,
        amount=partial(_reach, ago=0),
        depends_on=frozenset({Attribute.SCORE}),
        depends_on_opponent=frozenset({Attribute.UP_LAST}),
    ),
    QualityCriterion(
        code="C20",
        article="2.4.15",
        quote="Minimise the score differences of MDPs who had a downfloat two rounds before.",
        unit=Unit.POINTS,
        scope=Scope.MDPS,
        amount=partial(_fall, ago=1),
        depends_on=frozenset({Attribute.SCORE, Attribute.DOWN_BEFORE}),
    ),
    QualityCriterion(
        code="C21",
        article="2.4.16",
        quote="Minimise the score differences of MDPs' opponents who had an upfloat two rounds before.",
        unit=Unit.POINTS,
        scope=Scope.MDP_PAIRS,
        amount=partial(_reach, ago=1),
        depends_on=frozenset({Attribute.SCORE}),
        depends_on_opponent=frozenset({Attribute.UP_BEFORE}),
    ),
)

BY_CODE = {criterion.code: criterion for criterion in CRITERIA}


def without(code: str) -> tuple[Criterion, ...]:
    """Return the criteria but for one. A test pairs with them to see that this one decides."""
    return tuple(c for c in CRITERIA if c.code != code)
