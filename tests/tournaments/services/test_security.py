"""Security events: their lines, their rows, and their e-mails."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from tests.processes import ROOT
from tournaments import database_time
from tournaments.errors import RefusedError, TooManyError
from tournaments.models import User
from tournaments.services import retention, security
from tournaments.services.accounts import addresses, passwords
from tournaments.services.notifications import inbox

PASSWORD = "rayuela-1963"
Lines = Callable[[], list[str]]


@pytest.fixture
def visit() -> Any:
    """A request from a network, with a user agent that tries to forge a line."""
    agent = "Forger\nWARNING rayuela.security security.sign-in user=1"
    token = security.visit.set(security.Visit("203.0.113.77", agent))
    yield
    security.visit.reset(token)


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.77", "203.0.113.0/24"),
        ("::ffff:203.0.113.77", "203.0.113.0/24"),
        ("2001:db8:1:2::3", "2001:db8:1::/48"),
        ("fe80::1%eth0", "fe80::/48"),
        ("", ""),
        ("203.0.113.7\nx", ""),
    ],
)
def test_an_address_is_shortened_to_a_network_of_many(address: str, network: str) -> None:
    assert security.shortened(address) == network


def test_the_page_of_operators_lists_each_kind_with_its_level_and_mail() -> None:
    page = (ROOT / "docs/operate/monitoring.md").read_text().partition("### Security events")[2]
    rows = re.findall(r"^\| `([a-z-]+)` \|.*\| (\w+) \| (\w+) \|$", page, re.MULTILINE)
    assert {row[0]: row[1:] for row in rows} == {
        kind.code: (
            "WARNING" if kind.is_failure else "INFO",
            "yes" if kind.is_mailed else "no",
        )
        for kind in security.KINDS.values()
    }


def test_a_line_names_numbers_and_no_text_of_a_visitor(
    ana: User,
    visit: None,
    caplog: pytest.LogCaptureFixture,
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    caplog.set_level(logging.INFO, "rayuela.security")
    with django_capture_on_commit_callbacks(execute=True):
        security.note(security.TOKEN_CREATE, ana, detail="a\nb")
        security.note(security.SIGN_IN_FAILED, None)
        security.note(security.ROLE_GIVE, ana, actor=ana, detail="staff")
    assert [(each.levelname, each.getMessage()) for each in caplog.records] == [
        ("INFO", f"security.token-create user={ana.pk} network=203.0.113.0/24"),
        ("WARNING", "security.sign-in-failed user=- network=203.0.113.0/24"),
        ("INFO", f"security.role-give user={ana.pk} network=203.0.113.0/24 by={ana.pk}"),
    ]


def test_equal_failures_of_an_hour_are_one_row(ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        with pytest.raises(RefusedError):
            passwords.require(ana, "wrong")
    assert list(ana.security_events.values_list("kind", "times")) == [("password-wrong", 3)]
    later = database_time.now() + timedelta(minutes=61)
    monkeypatch.setattr(database_time, "now", lambda: later)
    with pytest.raises(RefusedError):
        passwords.require(ana, "wrong")
    assert ana.security_events.count() == 2


def test_the_last_permitted_try_is_an_event_and_refused_tries_are_none(ana: User) -> None:
    for _ in range(13):
        with pytest.raises((RefusedError, TooManyError)):
            passwords.require(ana, "wrong")
    assert list(ana.security_events.values_list("kind", "times")) == [
        ("tries-over", 1),
        ("password-wrong", 10),
    ]


def test_only_a_confirmed_address_gets_e_mails(ana: User, visit: None) -> None:
    token = inbox.ask_address(ana, "ana@example.org", language="ja")
    security.note(security.FACTOR_ON, ana)
    assert not ana.emails.exists()
    inbox.confirm_address(token)
    security.note(security.SIGN_IN, ana)
    assert not ana.emails.exists()
    security.note(security.FACTOR_ON, ana)
    letter = ana.emails.get()
    assert letter.address == "ana@example.org"
    assert "203.0.113.0/24" in letter.body
    assert "二要素認証が有効になりました。" in letter.body
    assert "Forger" not in letter.body


def test_a_change_of_the_address_is_written_to_the_former_one(ana: User) -> None:
    inbox.confirm_address(inbox.ask_address(ana, "ana@example.org", language="en"))
    addresses.ask(ana, "ana@example.org", language="en")  # the same one
    assert not ana.security_events.exists()
    inbox.confirm_address(inbox.ask_address(ana, "ana@example.org", language="en"))
    addresses.ask(ana, "thief@example.org", language="en")
    assert ana.emails.get(subject__startswith="Security").address == "ana@example.org"
    addresses.forget(ana)  # the address that was not confirmed
    assert ana.security_events.count() == 1


def test_events_are_removed_after_their_days(ana: User) -> None:
    security.note(security.SIGN_IN, ana)
    security.note(security.SIGN_IN_NEW, ana)
    old = database_time.now() - timedelta(days=181)
    ana.security_events.filter(kind="sign-in").update(happened_at=old)
    assert retention.prune(database_time.now())["security"] == 1
    assert ana.security_events.get().kind == "sign-in-new"
