"""People, bots and events to test with, made by the services."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import Permission
from django.db import transaction
from pytest_django import DjangoDbBlocker

from tests import processes
from tests.tournaments import frozen_clock, push_service
from tests.tournaments.frozen_clock import FrozenClock
from tournaments.models import Event, Match, Player, User
from tournaments.queries.events import plans
from tournaments.services.accounts import players
from tournaments.services.events import entries, registration
from tournaments.services.games import game_creation
from tournaments.services.matches import matches
from tournaments.views import pictures

CLOCK = game_creation.Clock(600_000, 5_000)


@pytest.fixture(autouse=True)
def no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answer without waiting for a worker, which does not run."""
    monkeypatch.setattr(pictures, "WAITS_S", 0)


@pytest.fixture(scope="module")
def transaction_of_file(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """One transaction around all tests of a file, each of which has its own inside it."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def rows(rows_of_file: object, db: None) -> object:
    """Return the test's own copy of the file's rows: a row that is put back leaves the object changed."""
    return copy.deepcopy(rows_of_file)


@pytest.fixture(scope="module")
def site_of_file(django_db_setup: None) -> Iterator[str]:
    """The address of a site on the tests' database, which is started once for a file."""
    with processes.site() as url:
        yield url


@pytest.fixture
def site(transactional_db: None, site_of_file: str) -> Iterator[str]:
    """Yield the address of a site that sees the rows that the test commits."""
    yield site_of_file
    processes.await_idle()


@pytest.fixture
def with_limits(settings: LazySettings) -> None:
    """Set the limits of a site. Other tests have no limits."""
    settings.LIMITS_FACTOR = 1


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> FrozenClock:
    """Freeze the clock of the service at noon of 10 March 2026."""
    return frozen_clock.freeze(monkeypatch)


@pytest.fixture
def push_key(settings: LazySettings) -> None:
    """Give the site a key for Web Push, which a service has only by its operator."""
    settings.PUSH_KEY = push_service.text_of(b"s" * 32)


@pytest.fixture
def ana(db: None) -> User:
    return players.sign_up(name="Ana", password="rayuela-1963")


@pytest.fixture
def ben(db: None) -> User:
    return players.sign_up(name="Ben", password="rayuela-1963")


@pytest.fixture
def staff(db: None) -> User:
    """Return a member of the site's staff with all permissions."""
    user = players.sign_up(name="Arbiter", password="rayuela-1963")
    user.is_staff = True
    user.save()
    user.user_permissions.set(Permission.objects.filter(codename__in=["moderate", "read_programs"]))
    return User.objects.get(pk=user.pk)  # who has not asked for permissions yet


@pytest.fixture
def administrator(db: None) -> User:
    """A superuser of the site, who plays nowhere."""
    user = players.sign_up(name="Vera", password="rayuela-1963")
    user.is_superuser = True
    user.save()
    return user


@pytest.fixture
def bots(db: None) -> list[Player]:
    return [players.add_bot(name=f"Bot {n}", engine="random") for n in range(1, 7)]


@pytest.fixture
def people(db: None) -> list[Player]:
    """Four people with accounts."""
    names = ["Cleo", "Dora", "Emil", "Finn"]
    return [players.sign_up(name=name, password="rayuela-1963").player for name in names]


def event_of(organiser: User, **changes: object) -> Event:
    """Return a new event: Morelli 5x5 for bots and people, three rounds, no pause.

    Change settings by keyword.
    """
    plan: dict[str, Any] = {
        "name": "Test",
        "ruleset": "morelli(size=5)",
        "rounds_total": 3,
        "clock": CLOCK,
        "admits": Event.Admits.BOTH,
        "pause_s": 0,
        "seed": 7,
    }
    return registration.create_event(
        organiser=organiser, plan=plans.EventPlan(**{**plan, **changes})
    )


def enter(event: Event, *entrants: Player) -> None:
    """Enter players in an event: bots by its organiser, people by their own accounts."""
    for player in entrants:
        entries.enter(event_id=event.pk, player=player, actor=player.user or event.organiser)


def play_due(event: Event) -> None:
    """Play every due match of bots, as a worker would."""
    for match in Match.objects.filter(games__pairing__event=event, state=Match.State.QUEUED):
        assert matches.play_match(match.pk)
