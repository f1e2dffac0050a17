"""Explanations of a round.

They are read from the evidence stored with it, or found by pairing again under a hypothesis.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property, lru_cache

from tournaments.models import Round
from tournaments.pairing import (
    BadProblemError,
    NoPairingError,
    PairingError,
    PairingProblem,
    Solution,
    explained_system,
    matching,
    system,
)
from tournaments.pairing.dutch.rules.criterion import ByeScoreCriterion, CountedCriterion, Unit
from tournaments.pairing.dutch.rules.player import DutchPlayer
from tournaments.pairing.explained import AnsweringSystem, Explainer
from tournaments.pairing.matching import TooManyEdgesError
from tournaments.pairing.refusals import Reason, Refusal, Step4
from tournaments.pairing.solution import BracketEvidence, CriterionValue, FloatReason
from tournaments.queries.results import pairing_input
from tournaments.services.results import computations
from tournaments.trf import TrfError

__all__ = [
    "BracketEvidence",
    "CriterionValue",
    "FloatReason",
    "PlainReasons",
    "PlayerFacts",
    "Reason",
    "Refusal",
    "RoundReasons",
    "Step4",
    "TooManyEdgesError",
    "Unit",
    "articles",
    "plain_reasons",
    "round_reasons",
    "units",
]

# The number of opponents that are explained without a question.
_EXPECTED = 3
# The limit of one question: in a score group of 1,700 a matching of a million edges had not ended
# after eight minutes.
_MOST_EDGES = 20_000
# A visitor waits this long for another's question about the round.
_PATIENCE_S = 0.25

log = logging.getLogger(__name__)


@cache
def articles(system: str) -> Mapping[str, str]:
    """Return the article of each criterion of the system, by its code."""
    explained = explained_system(system)
    assert explained is not None, "only rounds of such systems have criteria"
    return {criterion.code: criterion.article for criterion in explained.criteria}


@cache
def units(system: str) -> Mapping[str, Unit]:
    """Return the unit of each criterion of the system that has a value, by its code."""
    explained = explained_system(system)
    assert explained is not None, "only rounds of such systems have criteria"
    return {
        criterion.code: criterion.unit
        for criterion in explained.criteria
        if isinstance(criterion, CountedCriterion | ByeScoreCriterion)
    }


@dataclass(frozen=True, slots=True)
class PlayerFacts:
    """A player at the time of the pairing.

    Attributes:
        tpn: the pairing number.
        halves: the pairing score.
        peers: the number of other players with that score.
        colours: `first` or `second` for every game played, oldest first.
        due: the side that was due, or empty.
        strength: its strength: `none`, `mild`, `strong` or `absolute` (C.04.3 1.7).
        is_absolute_by_row: whether that is for the last two games, and not for the difference.
        difference: games with the first side minus games with the second.
    """

    tpn: int
    halves: int
    peers: int
    colours: tuple[str, ...]
    due: str
    strength: str
    is_absolute_by_row: bool
    difference: int


class RoundReasons:
    """The reasons of one round that a Swiss system paired.

    Expensive values are computed on access.
    """

    def __init__(self, solution: Solution, explainer: Explainer) -> None:
        self._solution = solution
        self._explainer = explainer
        self._field = explainer.field
        self._players: dict[int, DutchPlayer] = {e.tpn: e for e in self._field.players}
        self._explained: dict[int, BracketEvidence] = {}
        self._refusals: dict[tuple[int, int | None], Refusal | None] = {}
        self._lock = threading.Lock()

    @cached_property
    def playing(self) -> frozenset[int]:
        """TPNs of those who were to be paired."""
        return frozenset(self._players)

    @property
    def system(self) -> str:
        """The name of the system whose rules paired the round: the Burstein system has Dutch rounds."""
        return self._explainer.system

    @property
    def bye(self) -> int | None:
        """The TPN on the pairing-allocated bye, or None."""
        return self._solution.bye

    def facts(self, tpn: int) -> PlayerFacts:
        """Return the facts of the pairing about a player who was to be paired."""
        player = self._players[tpn]
        due = self._explainer.due(player.contestant)
        colours = tuple(str(colour) for colour in player.colours)
        return PlayerFacts(
            tpn=tpn,
            halves=player.score_halves,
            peers=len(self._group(player)) - 1,
            colours=colours,
            due=str(due.side or ""),
            strength=due.strength.name.lower(),
            is_absolute_by_row=abs(due.difference) <= 1,
            difference=due.difference,
        )

    def way(self, tpn: int) -> list[int]:
        """The numbers of the brackets the player was in, from the own score group to the one that settled it."""
        brackets = enumerate(self._solution.brackets)
        return [n for n, bracket in brackets if tpn in (*bracket.mdps, *bracket.residents)]

    def bracket(self, number: int) -> BracketEvidence:
        """A bracket with bounds, proofs and the reasons of its floaters."""
        if number not in self._explained:
            with self._alone():
                if number not in self._explained:
                    self._explained[number] = self._explanation(number)
        return self._explained[number]

    def _explanation(self, number: int) -> BracketEvidence:
        """Return the explanation of the bracket.

        If its bounds would take minutes, it is the stored one of the round.
        """
        try:
            with matching.limited(_MOST_EDGES):
                return self._explainer.bracket(number)
        except TooManyEdgesError:
            return self._solution.brackets[number]

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """One question of a round at a time, however many look at its boards. Raises ComputingError."""
        if not self._lock.acquire(timeout=_PATIENCE_S):
            raise computations.ComputingError("why")
        try:
            yield
        finally:
            self._lock.release()

    def why_not(self, tpn: int, opponent: int | None) -> Refusal | None:
        """Return the reason for which two did not meet, or one did not have the bye.

        None when the question makes no sense. Raises TooManyEdgesError when the answer would take minutes.
        """
        question = tpn, opponent
        if question not in self._refusals:
            with self._alone():
                if question not in self._refusals:
                    self._refusals[question] = self._refusal(tpn, opponent)
        return self._refusals[question]

    def _refusal(self, tpn: int, opponent: int | None) -> Refusal | None:
        try:
            with matching.limited(_MOST_EDGES):
                return self._explainer.why_not(tpn, opponent)
        except BadProblemError:
            return None

    def side_objection(self, first: int, second: int) -> str:
        """Return the article that gives two players the opposite sides.

        It is empty if the article gives these sides, and for players who were not to be paired.
        """
        if first not in self._players or second not in self._players:
            return ""
        allocation = self._explainer.sides(first, second)
        return "" if allocation.first == first else allocation.rule

    def usual_opponents(self, tpn: int) -> list[int]:
        """Return the opponents that a player would expect: half a score group away, then the nearest in the ranking, without the actual one."""
        player = self._players[tpn]
        group = self._group(player)
        half = len(group) // 2
        index = player.place - group.start
        players = self._field.players
        half_away = []
        if half:
            half_away.append(group[index + half if index + half < len(group) else index - half])
        nearest = sorted(range(len(players)), key=lambda place: abs(place - player.place))
        actual = self._opponent(tpn)
        others = (players[place].tpn for place in dict.fromkeys([*half_away, *nearest[1:]]))
        return [other for other in others if other != actual][:_EXPECTED]

    def _group(self, player: DutchPlayer) -> range:
        return next(g for g in self._field.groups if player.place in g)

    def _opponent(self, tpn: int) -> int | None:
        for board in self._solution.boards:
            if tpn in (board.first, board.second):
                return board.second if tpn == board.first else board.first
        return None


@dataclass(frozen=True, slots=True)
class PlainReasons:
    """The answers about one round by a system without a regulation, whose evidence has no brackets."""

    system: str
    _answering: AnsweringSystem
    _problem: PairingProblem
    _solution: Solution

    @property
    def bye(self) -> int | None:
        """The TPN on the pairing-allocated bye, or None."""
        return self._solution.bye

    def why_not(self, tpn: int, opponent: int | None) -> Refusal | None:
        """Return the reason for which two did not meet, or one did not have the bye.

        None when the question makes no sense. Raises TooManyEdgesError when the answer would take minutes.
        """
        try:
            with matching.limited(_MOST_EDGES):
                return self._answering.why_not(self._problem, self._solution, tpn, opponent)
        except (BadProblemError, NoPairingError):
            return None


def plain_reasons(round_: Round) -> PlainReasons | None:
    """Return the answers about a round by a system without a regulation; None for other systems."""
    if not round_.evidence.get("boards"):
        return None
    name = round_.event.format
    try:
        answering = system(name)
        if not isinstance(answering, AnsweringSystem):
            return None
        solution = Solution.from_json(round_.evidence)
        return PlainReasons(name, answering, pairing_input.read_back(round_), solution)
    except (PairingError, TrfError) as error:
        log.warning("unexplained round=%d error=%s", round_.pk, error)
        return None


def round_reasons(round_: Round) -> RoundReasons | None:
    """Return the reasons of a round that a Swiss system paired.

    The process caches those of large events.

    None for other systems and for evidence of an older kind.
    """
    if not round_.evidence.get("brackets"):
        return None
    if not computations.is_large(round_.event):
        return _read(round_)
    # The input of a round never changes. Only a draft is paired again.
    return _reasons_of(round_.pk, round_.drafted_at)


@lru_cache(maxsize=4)
def _reasons_of(round_id: int, _drafted_at: datetime) -> RoundReasons | None:
    return _read(Round.objects.get(pk=round_id))


forget = _reasons_of.cache_clear


def _read(round_: Round) -> RoundReasons | None:
    try:
        system = explained_system(round_.event.format)
        if system is None:
            return None
        solution = Solution.from_json(round_.evidence)
        explainer = system.explainer(pairing_input.read_back(round_), solution)
    except (PairingError, TrfError) as error:
        log.warning("unexplained round=%d error=%s", round_.pk, error)
        return None
    return RoundReasons(solution, explainer)
