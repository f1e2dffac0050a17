"""The interface of systems that tell of every board why it is so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from tournaments.pairing.solution import PairingSystem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.pairing.colours import Allocation, Preference
    from tournaments.pairing.dutch.rules.criterion import Criterion
    from tournaments.pairing.dutch.rules.field import DutchField
    from tournaments.pairing.problem import Contestant, PairingProblem
    from tournaments.pairing.refusals import Refusal
    from tournaments.pairing.solution import BracketEvidence, Solution


class Explainer(Protocol):
    """Explanations of one round that a Swiss system has paired."""

    @property
    def system(self) -> str:
        """Return the name of the system whose rules paired the round."""
        ...

    @property
    def field(self) -> DutchField:
        """Return all players to be paired, ranked."""
        ...

    def bracket(self, number: int) -> BracketEvidence:
        """Return a bracket, counted from 0 in the order of pairing, with all its evidence."""
        ...

    def why_not(self, tpn: int, opponent: int | None) -> Refusal:
        """Return the reason for which two did not meet, or one did not have the bye.

        Raises BadProblemError for a question without sense.
        """
        ...

    def due(self, contestant: Contestant) -> Preference:
        """Return the side that was due to a player."""
        ...

    def sides(self, one: int, other: int) -> Allocation:
        """Return the sides that the rules give two TPNs, with the article."""
        ...


@runtime_checkable
class ExplainedSystem(PairingSystem, Protocol):
    """A system that tells of every board why it is so, and why not otherwise."""

    @property
    def criteria(self) -> Sequence[Criterion]:
        """Return the comparisons of the rules, in their order."""
        ...

    def explainer(self, problem: PairingProblem, solution: Solution) -> Explainer:
        """Return the explanations of the round.

        Raises:
            BadProblemError: when the solution is not one of this problem by the system.
        """
        ...


@runtime_checkable
class AnsweringSystem(PairingSystem, Protocol):
    """A system without a regulation that tells why two did not meet."""

    def why_not(
        self, problem: PairingProblem, solution: Solution, tpn: int, opponent: int | None
    ) -> Refusal:
        """Return the reason for which two did not meet, or one did not have the bye.

        Raises BadProblemError for a question without sense.
        """
        ...
