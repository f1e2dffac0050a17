"""Explaining a board of a first round, whose players are all in one score group, grows with the field and not with its square."""

from __future__ import annotations

import pytest

from tests import work
from tests.bench import pairing as fields
from tournaments.pairing.dutch import Dutch, rebuild_steps, why_not
from tournaments.pairing.refusals import Reason

# Twice the field may cost twice the calls, and a little for sorting and searching.
_MOST = 2.6


def _calls(players: int, *, tpn: int, opponent: int) -> int:
    problem = fields.middle(players, seed=1, rounds=0)
    solution = Dutch().pair(problem)
    steps = rebuild_steps(problem, solution)
    refusals = []

    def ask() -> None:
        refusals.append(why_not(problem, solution, tpn, opponent, steps=steps))

    calls = work.calls(ask)
    assert refusals[0] is not None
    assert refusals[0].reason is Reason.ORDER
    return calls


@pytest.mark.parametrize(
    ("tpn", "opponent"), [(1, 2), (77, 78), (1, 60)], ids=["leaders", "middle", "apart"]
)
def test_a_question_about_the_first_round_is_no_more_than_linear_work(tpn, opponent):
    small, large = (_calls(players, tpn=tpn, opponent=opponent) for players in (200, 400))
    assert large < _MOST * small
