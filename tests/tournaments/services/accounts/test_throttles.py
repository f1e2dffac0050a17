"""Limits on tries: a guesser is stopped, and a forgetful user is not stopped by others."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.db import connection, transaction

from tests.tournaments.conftest import CLOCK
from tests.tournaments.frozen_clock import freeze
from tournaments import database_time, limits
from tournaments.errors import RefusedError, TooManyError
from tournaments.limits import By, Limit
from tournaments.models import Challenge, Throttle, User
from tournaments.services.accounts import throttles
from tournaments.services.lobby import challenges


def _is_allowed(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except TooManyError:
        return False
    return True


def _tries(name: str, address: str, count: int) -> list[bool]:
    return [_is_allowed(lambda: throttles.sign_in(name, address)) for _ in range(count)]


def test_tries_at_one_name_from_one_place_are_counted(db: None) -> None:
    assert _tries("ana", "192.0.2.1", 11) == [True] * 10 + [False]
    assert _tries("ben", "192.0.2.1", 1) == [True]
    assert _tries("ana", "192.0.2.2", 1) == [True]


@pytest.mark.long
def test_a_list_of_names_from_one_place_is_stopped(db: None) -> None:
    tries = [tried for n in range(101) for tried in _tries(f"name {n}", "192.0.2.1", 1)]
    assert tries == [True] * 100 + [False]
    assert _tries("ana", "192.0.2.2", 1) == [True]


@pytest.mark.long
def test_one_name_from_many_places_is_stopped(db: None) -> None:
    tries = [tried for n in range(101) for tried in _tries("ana", f"192.0.2.{n}", 1)]
    assert tries == [True] * 100 + [False]
    assert _tries("ben", "192.0.2.101", 1) == [True]


@pytest.mark.long
def test_without_an_address_visitors_are_not_one(db: None) -> None:
    assert all(_tries(f"name {n}", "", 1)[0] for n in range(101))


def test_a_count_begins_anew_after_a_quarter_of_an_hour(db: None) -> None:
    _tries("ana", "192.0.2.1", 10)
    Throttle.objects.update(until=database_time.now() - timedelta(seconds=1))
    assert _tries("ana", "192.0.2.1", 11) == [True] * 10 + [False]


def test_what_was_forgiven_is_not_counted(db: None) -> None:
    for _ in range(20):
        throttles.sign_in("ana", "192.0.2.1").forgive()
    assert set(Throttle.objects.values_list("tries", flat=True)) == {0}


def test_rows_name_nobody_and_go_when_they_hold_no_longer(db: None) -> None:
    _tries("ana", "192.0.2.1", 1)
    keys = list(Throttle.objects.values_list("key", flat=True))
    assert len(keys) == 3
    assert not any("ana" in key.partition(":")[2] or "192" in key[:20] for key in keys)
    throttles.forget_expired(database_time.now())
    assert Throttle.objects.count() == 3
    throttles.forget_expired(database_time.now() + timedelta(minutes=16))
    assert not Throttle.objects.exists()


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("", ""),
        ("testclient", ""),
    ],
)
def test_an_address_counts_as_the_network_of_one_visitor(address: str, network: str) -> None:
    assert throttles.network_of(address) == network


def test_who_is_stopped_hears_when_to_come_back(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    freeze(monkeypatch)
    _tries("ana", "192.0.2.1", 10)
    Throttle.objects.update(until=database_time.now() + timedelta(seconds=90))
    with pytest.raises(TooManyError) as stop:
        throttles.sign_in("ana", "192.0.2.1")
    assert stop.value.limit == limits.SIGN_INS_OF_ONE
    assert stop.value.retry_after_s == 90


@pytest.mark.parametrize(("factor", "allowed"), [(0.5, 30), (1, 60), (2, 120), (0, 130)])
def test_a_site_allows_more_or_less(
    db: None, settings: LazySettings, factor: float, allowed: int
) -> None:
    settings.LIMITS_FACTOR = factor
    visitor = throttles.Visitor(address="192.0.2.1")
    tries = [_is_allowed(lambda: throttles.count(visitor, limits.SIGN_UPS)) for _ in range(130)]
    assert tries == [True] * allowed + [False] * (130 - allowed)


def test_no_site_lifts_what_guards_passwords(db: None, settings: LazySettings) -> None:
    settings.LIMITS_FACTOR = 0
    assert _tries("ana", "192.0.2.1", 11) == [True] * 10 + [False]


def test_what_a_transaction_takes_back_is_not_counted(db: None) -> None:
    def attempt() -> None:
        with transaction.atomic():
            throttles.password(1)
            transaction.set_rollback(True)

    for _ in range(20):
        attempt()
    assert not Throttle.objects.exists()


def _race(runners: int, attempt: Callable[[int], object]) -> int:
    """Return the number of accepted calls among this number of simultaneous ones."""
    barrier = threading.Barrier(runners)

    def run(number: int) -> bool:
        try:
            barrier.wait()
            return _is_allowed(lambda: attempt(number))
        finally:
            connection.close()

    with ThreadPoolExecutor(runners) as pool:
        return sum(pool.map(run, range(runners)))


@pytest.mark.long
@pytest.mark.engines
@pytest.mark.parametrize("before", [0, 6])
@pytest.mark.django_db(transaction=True)
def test_tries_at_one_moment_do_not_pass_by_one_count(before: int) -> None:
    limit = Limit("race", By.NAME, before + 3, timedelta(minutes=15), is_guard=True)
    visitor = throttles.Visitor(name="ana")
    for _ in range(before):
        throttles.count(visitor, limit)
    runners = 64 if connection.vendor == "postgresql" else 8
    assert _race(runners, lambda _number: throttles.count(visitor, limit)) == 3


@pytest.mark.long
@pytest.mark.engines
def test_challenges_at_one_moment_do_not_pass_by_one_count(erasable: object, ana: User) -> None:
    """The limit of open challenges is counted under the lock that admits one more."""

    def challenge(_number: int) -> None:
        try:
            challenges.challenge(
                challenger=ana.player, opponent=None, ruleset="morelli(size=5)", clock=CLOCK
            )
        except RefusedError as refusal:
            assert refusal.code == "too-many-challenges"  # noqa: PT017 - of each thread

    for _ in range(15):
        challenge(0)
    _race(64 if connection.vendor == "postgresql" else 8, challenge)
    assert Challenge.objects.open().count() == 20
