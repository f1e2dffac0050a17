"""An independent check of a pairing: written from the basic rules (C.04.1), without code of the systems."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tournaments.pairing.problem import RoundKind

if TYPE_CHECKING:
    from tournaments.pairing.problem import PairingProblem
    from tournaments.pairing.solution import Solution

_BAR_BYE = frozenset({RoundKind.PAIRING_BYE, RoundKind.FORFEIT_WIN})
_AGAINST_NOBODY = (RoundKind.FORFEIT_WIN, RoundKind.FORFEIT_LOSS)


def violations(
    problem: PairingProblem, solution: Solution, *, full_bye_bars_bye: bool = True
) -> list[str]:
    """Return the errors of `solution`, one English sentence each, or an empty list if it is legal.

    `full_bye_bars_bye` is that of the system's `SystemEntry`.
    """
    texts: list[str] = []
    contestants = {c.tpn: c for c in problem.contestants}
    seats = Counter(tpn for b in solution.boards for tpn in (b.first, b.second))
    if solution.bye is not None:
        seats[solution.bye] += 1
    seats.update(idle.tpn for idle in solution.idle)
    texts += [f"TPN {tpn} has {n} seats" for tpn, n in sorted(seats.items()) if n != 1]
    texts += [f"TPN {tpn} has no seat" for tpn in sorted(contestants.keys() - seats.keys())]
    texts += [
        f"TPN {tpn} does not play this round" for tpn in sorted(seats.keys() - contestants.keys())
    ]
    if texts:
        return texts
    texts += _idle_faults(problem, solution)
    for board in solution.boards:
        records = contestants[board.first].records
        meetings = sum(r.kind.is_meeting and r.opponent == board.second for r in records)
        if 0 < problem.most_meetings <= meetings:
            texts.append(f"TPN {board.first} and {board.second} have met (C.04.1 2)")
        if frozenset((board.first, board.second)) in problem.forbidden:
            texts.append(f"TPN {board.first} and {board.second} must not meet")
    has_limits = problem.most_meetings > 0  # clubs may play more rounds than there are opponents
    if has_limits and solution.bye is not None:
        barred = _BAR_BYE | {RoundKind.FULL_BYE} if full_bye_bars_bye else _BAR_BYE
        if any(record.kind in barred for record in contestants[solution.bye].records):
            texts.append(f"TPN {solution.bye} may not have a bye (C.04.1 4)")
    if (solution.bye is not None) != ((len(contestants) - len(solution.idle)) % 2 == 1):
        texts.append("a bye is given exactly when the field is odd (C.04.1 3)")
    return texts


def _idle_faults(problem: PairingProblem, solution: Solution) -> list[str]:
    """Reasons for not playing that cannot be: the one named as absent plays, or the pool waits for rounds."""
    texts: list[str] = []
    absent = {c.tpn for c in problem.absent}
    for idle in solution.idle:
        if (idle.opponent is not None) != (idle.kind in _AGAINST_NOBODY):
            texts.append(f"TPN {idle.tpn} is idle as {idle.kind} against {idle.opponent}")
        elif idle.opponent is not None and idle.opponent not in absent:
            texts.append(f"TPN {idle.tpn} wins without playing against {idle.opponent}, who plays")
        if (idle.kind is RoundKind.WAITS) != problem.is_continuous:
            texts.append(
                f"TPN {idle.tpn} is idle as {idle.kind}; only a pool waits, and only waits"
            )
    return texts
