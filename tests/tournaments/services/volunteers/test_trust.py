"""Laws of the share of checks."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tournaments.queries.matches import trust

_COUNTS = st.integers(0, 10**9)


@given(_COUNTS, _COUNTS)
def test_more_verified_results_never_mean_more_checks(one: int, other: int) -> None:
    fewer, more = sorted((one, other))
    assert trust.share(fewer) >= trust.share(more)
    assert trust.trust(fewer) <= trust.trust(more)


@given(_COUNTS)
def test_a_part_is_always_checked(verified: int) -> None:
    assert trust.PARTS // 20 <= trust.share(verified) <= trust.PARTS
    assert 0 <= trust.trust(verified) <= 95


@given(st.integers(0, trust.PROBATION - 1))
def test_every_result_of_a_new_worker_is_checked(verified: int) -> None:
    assert trust.share(verified) == trust.PARTS
    assert trust.trust(verified) == 0


def test_the_shares_are_those_of_the_document() -> None:
    assert [trust.share(verified) for verified in (19, 39, 100, 399, 10_000)] == [
        10_000,
        5_000,
        1_980,
        500,
        500,
    ]
