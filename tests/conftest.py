"""Set-up shared by all tests."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.core.cache import caches
from django.utils import translation
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from pytest_django import DjangoDbBlocker

from tests import erasure, extent, numbering
from tournaments.services.arbiter import explanations
from tournaments.services.clocks import outages
from tournaments.services.operations import health

# Tests create more than any account may. Tests of the limits restore them. This is for processes
# that tests start.
os.environ.setdefault("LIMITS_FACTOR", "0")
# A law does not fail because the machine is busy with something else.
_lasting = hypothesis_settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
# Each commit draws other examples (`tests.run`), so a law without its own number is tried on many in a day.
hypothesis_settings.register_profile("rayuela", _lasting, max_examples=10)
hypothesis_settings.register_profile("rayuela-all", _lasting, max_examples=extent.WHOLE)
hypothesis_settings.load_profile("rayuela")

# Places of the files that `--costs` puts first.
_LONG = (
    "tests/faults/",
    "tests/how_to/",
    "tests/config/",
    "tests/engine/",
    "tests/tournaments/services/",
    "tests/tournaments/views/test_every_page.py",
    "tests/games/test_conformance.py",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--side-by-side",
        type=float,
        default=120.0,
        metavar="SECONDS",
        help="how long two releases serve one database in tests/faults/test_two_releases.py",
    )


def pytest_configure() -> None:
    # Messages of a test are sent before the next line.
    settings.SENDS_IN_BACKGROUND = False
    settings.LIMITS_FACTOR = 0
    # Each process has its own cache: tests in parallel have common files.
    settings.CACHES["kept"] = {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "kept",
    }
    # Actions of a test are on the front page immediately.
    settings.NEWS_LAG_S = 0
    # Hashing slowly is for real passwords.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    # Each client of a test makes a new middleware. To look a file up when it is asked for is free
    # then. To list all files took 30 ms, an eighth of a page test.
    settings.WHITENOISE_AUTOREFRESH = True
    # Until all tests are collected there is no garbage: a fifth of that time.
    gc.disable()


def pytest_collection_finish() -> None:
    # Nor are the tests themselves, ever: no collection needs to walk through them (5 % of a page test).
    gc.freeze()
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # They are in a random order, with two exceptions. The site that visitors see is started once.
    # Files that take long come first, or one process would be at them when all others are done.
    items.sort(
        key=lambda item: (
            item.get_closest_marker("browser") is not None,
            not item.nodeid.startswith(_LONG),
        )
    )


@pytest.fixture(scope="session")
def django_db_setup(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, pytestconfig: pytest.Config
) -> None:
    """The test database of pytest-django, whose tables do not all start at row 1."""
    with django_db_blocker.unblock():
        numbering.scatter(pytestconfig.getoption("randomly_seed", 0))


@pytest.fixture(autouse=True)
def own_language() -> Iterator[None]:
    """Drop the language of a test's last request, which stays in the thread until the next request."""
    yield
    translation.deactivate()


@pytest.fixture(autouse=True)
def no_cache() -> Iterator[None]:
    """Clear values computed from one test's rows before the next, which may have rows with equal numbers."""
    yield
    for each in caches.all():
        each.clear()
    explanations.forget()
    outages.forget()
    health._latest.readiness = None


@pytest.fixture
def erasable(transactional_db: None) -> object:
    """A database with real commits. Append-only tables may be emptied after the test, and only then."""
    yield
    erasure.erase_append_only()
