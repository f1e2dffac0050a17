"""Limits on tries: who guesses is stopped, and who only forgot is not stopped by others."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from tournaments.models import Throttle
from tournaments.services.accounts import throttles


def _tries(name: str, address: str, count: int) -> list[bool]:
    return [throttles.sign_in(name, address).is_allowed for _ in range(count)]


def test_tries_at_one_name_from_one_place_are_counted(db: None) -> None:
    assert _tries("ana", "192.0.2.1", 11) == [True] * 10 + [False]
    assert _tries("ben", "192.0.2.1", 1) == [True]
    assert _tries("ana", "192.0.2.2", 1) == [True]


def test_a_list_of_names_from_one_place_is_stopped(db: None) -> None:
    tries = [throttles.sign_in(f"name {n}", "192.0.2.1").is_allowed for n in range(101)]
    assert tries == [True] * 100 + [False]
    assert _tries("ana", "192.0.2.2", 1) == [True]


def test_one_name_from_many_places_is_stopped(db: None) -> None:
    tries = [throttles.sign_in("ana", f"192.0.2.{n}").is_allowed for n in range(101)]
    assert tries == [True] * 100 + [False]
    assert _tries("ben", "192.0.2.101", 1) == [True]


def test_without_an_address_visitors_are_not_one(db: None) -> None:
    assert all(throttles.sign_in(f"name {n}", "").is_allowed for n in range(101))


def test_a_count_begins_anew_after_a_quarter_of_an_hour(db: None) -> None:
    _tries("ana", "192.0.2.1", 10)
    Throttle.objects.update(until=timezone.now())
    assert _tries("ana", "192.0.2.1", 11) == [True] * 10 + [False]


def test_what_was_forgiven_is_not_counted(db: None) -> None:
    for _ in range(20):
        attempt = throttles.sign_in("ana", "192.0.2.1")
        assert attempt.is_allowed
        attempt.forgive()
    assert set(Throttle.objects.values_list("tries", flat=True)) == {0}


def test_rows_name_nobody_and_go_when_they_hold_no_longer(db: None) -> None:
    _tries("ana", "192.0.2.1", 1)
    keys = list(Throttle.objects.values_list("key", flat=True))
    assert len(keys) == 3
    assert not any("ana" in key.partition(":")[2] or "192" in key[:20] for key in keys)
    throttles.forget_expired(timezone.now())
    assert Throttle.objects.count() == 3
    throttles.forget_expired(timezone.now() + timedelta(minutes=16))
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


@pytest.mark.engines
@pytest.mark.parametrize("before", [0, 6])
@pytest.mark.django_db(transaction=True)
def test_tries_at_one_moment_do_not_pass_by_one_count(before: int) -> None:
    runners = 8
    limit = throttles.Limit("race", before + 3, timedelta(minutes=15))
    for _ in range(before):
        assert throttles._begin([(limit, "ana")]).is_allowed
    barrier = threading.Barrier(runners)

    def run(_number: int) -> bool:
        try:
            barrier.wait()
            return throttles._begin([(limit, "ana")]).is_allowed
        finally:
            connection.close()

    with ThreadPoolExecutor(runners) as pool:
        assert sum(pool.map(run, range(runners))) == 3
