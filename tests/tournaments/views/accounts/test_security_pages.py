"""Security events of visits, and browsers that an account knows."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.conf import settings
from django.core import signing
from django.test import Client
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice
from prometheus_client import REGISTRY

from tests.tournaments import pages
from tournaments.models import Throttle, User
from tournaments.services import security
from tournaments.services.accounts import passwords, tokens
from tournaments.services.notifications import inbox

pytestmark = pytest.mark.django_db
PASSWORD = "rayuela-1963"
COUNTED = ("rayuela_security_events_total", {"kind": "sign-in-failed"})
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0"


def _browser(address: str = "192.0.2.1") -> Client:
    return Client(REMOTE_ADDR=address, headers={"User-Agent": FIREFOX})


def _try(client: Client, password: str, name: str = "Ana") -> int:
    """Try to sign in, and return the status: 302 is success."""
    fields = {"username": name, "password": password}
    return client.post(reverse("sign-in"), fields).status_code


def _known(name: str = "Ana", address: str = "192.0.2.1") -> Client:
    """Return a signed-out browser that has signed in before."""
    client = _browser(address)
    assert _try(client, PASSWORD, name) == 302
    client.post(reverse("sign-out"))
    return client


def _exhaust(name: str = "Ana") -> None:
    """Use up the shared count of the account from ten addresses."""
    for n in range(10):
        stranger = _browser(f"198.51.100.{n}")
        assert [_try(stranger, "wrong", name) for _ in range(10)] == [200] * 10
    assert _try(_browser("198.51.100.99"), PASSWORD, name) == 429


def _kinds(user: User) -> Sequence[str]:
    return list(user.security_events.order_by("pk").values_list("kind", flat=True))


@pytest.fixture
def cheap_passwords(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def known(cheap_passwords: None, ana: User) -> Client:
    """Return a browser that has signed in to Ana's account."""
    return _known()


def test_strangers_do_not_lock_the_owner_out_in_a_known_browser(known: Client) -> None:
    _exhaust()
    assert _try(known, PASSWORD) == 302


def test_ten_wrong_passwords_from_a_known_browser_stop_it_alone(known: Client) -> None:
    assert [_try(known, "wrong") for _ in range(11)] == [200] * 10 + [429]
    assert _try(known, PASSWORD) == 429
    assert _try(_browser(), PASSWORD) == 302


@pytest.mark.long
def test_a_copied_cookie_shares_the_count_of_its_browser(known: Client) -> None:
    thief = _browser("198.51.100.1")
    thief.cookies[settings.DEVICE_COOKIE_NAME] = known.cookies[settings.DEVICE_COOKIE_NAME].value
    assert [_try(thief, "wrong") for _ in range(11)] == [200] * 10 + [429]
    assert _try(known, PASSWORD) == 429


def test_a_second_sign_in_does_not_give_a_browser_another_count(known: Client) -> None:
    assert _try(known, PASSWORD) == 302
    known.post(reverse("sign-out"))
    assert [_try(known, "wrong") for _ in range(11)] == [200] * 10 + [429]
    assert Throttle.objects.filter(key__startswith="sign-in-by-device").count() == 1


@pytest.mark.parametrize("case", ["foreign", "forged", "garbage", "changed", "ended"])
def test_a_cookie_of_no_use_gives_no_second_budget(known: Client, ben: User, case: str) -> None:
    cookie = known.cookies[settings.DEVICE_COOKIE_NAME].value
    if case == "foreign":
        cookie = _known("Ben").cookies[settings.DEVICE_COOKIE_NAME].value
    elif case == "forged":
        cookie = signing.dumps("x" * 16, salt="tournaments.devices", key="guess")
    elif case == "garbage":
        cookie = "~~\\x00:" + "é" * 50 + "~" * 900
    else:
        owner = _browser()
        _try(owner, PASSWORD)
        path, fields = {
            "changed": (
                "password-change",
                {"old_password": PASSWORD}
                | dict.fromkeys(("new_password1", "new_password2"), "another-word-91"),
            ),
            "ended": ("sessions-end", {"password": PASSWORD}),
        }[case]
        assert owner.post(reverse(path), fields).status_code == 302
    thief = _browser("198.51.100.1")
    thief.cookies[settings.DEVICE_COOKIE_NAME] = cookie
    assert [_try(thief, "wrong") for _ in range(11)] == [200] * 10 + [429]
    assert not Throttle.objects.filter(key__startswith="sign-in-by-device", tries__gt=0).exists()


def test_the_browser_that_changes_the_password_stays_known(known: Client, ana: User) -> None:
    _try(known, PASSWORD)
    known.post(reverse("sessions-end"), {"password": PASSWORD})
    known.post(reverse("sign-out"))
    _try(known, PASSWORD)
    assert _kinds(ana) == ["sign-in-new", "sign-in", "sessions-end", "sign-in"]


def test_one_browser_is_known_to_two_accounts(known: Client, ben: User) -> None:
    for name in ("Ben", "Ana", "Ben"):
        assert _try(known, PASSWORD, name) == 302
        known.post(reverse("sign-out"))
    assert _kinds(ben) == ["sign-in-new", "sign-in"]


def test_the_cookie_is_for_the_server_alone(known: Client) -> None:
    cookie = known.cookies[settings.DEVICE_COOKIE_NAME]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert (cookie["path"], cookie["domain"]) == ("/", "")
    assert cookie["max-age"] == 365 * 24 * 3600


def test_a_new_browser_is_mailed_and_a_known_one_is_not(known: Client, ana: User) -> None:
    inbox.confirm_address(inbox.ask_address(ana, "ana@example.org", language="en"))
    _try(known, PASSWORD)
    assert not ana.emails.exists()
    _try(_browser("203.0.113.5"), PASSWORD)
    letter = ana.emails.get()
    assert "A new browser signed in." in letter.body
    assert "Firefox, Linux" in letter.body
    assert "203.0.113.0/24" in letter.body


def test_failed_sign_ins_are_logged_and_counted_without_the_typed_name(
    ana: User,
    caplog: pytest.LogCaptureFixture,
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    before = REGISTRY.get_sample_value(*COUNTED) or 0
    with django_capture_on_commit_callbacks(execute=True):
        _try(_browser(), "wrong")
        _try(_browser(), "wrong", "my-secret-typed-as-a-name")
    assert REGISTRY.get_sample_value(*COUNTED) == before + 2
    lines = [each.getMessage() for each in caplog.records if each.name == "rayuela.security"]
    assert lines == [
        f"security.sign-in-failed user={ana.pk} network=192.0.2.0/24",
        "security.sign-in-failed user=- network=192.0.2.0/24",
    ]


def test_normal_events_are_logged_at_every_log_level() -> None:
    assert logging.getLogger("rayuela.security").isEnabledFor(logging.INFO)


def test_a_recovery_code_and_a_wrong_code_are_events(ana: User) -> None:
    TOTPDevice.objects.create(user=ana, name="app", confirmed=True)
    StaticDevice.objects.create(user=ana, name="paper").token_set.create(token="abcd2345")
    client = _browser()
    _try(client, PASSWORD)
    client.post(reverse("sign-in-code"), {"code": "000000"})
    TOTPDevice.objects.update(throttling_failure_timestamp=None, throttling_failure_count=0)
    StaticDevice.objects.update(throttling_failure_timestamp=None, throttling_failure_count=0)
    client.post(reverse("sign-in-code"), {"code": "abcd2345"})
    assert _kinds(ana) == ["code-wrong", "recovery-code", "sign-in-new"]


@pytest.mark.long
def test_wrong_passwords_on_the_page_of_the_second_factor_are_counted(ana: User) -> None:
    client = pages.member(ana)
    client.get(reverse("second-factor"))
    fields = {"password": "wrong", "code": "000000"}
    answers = [client.post(reverse("second-factor-on"), fields).status_code for _ in range(11)]
    assert answers == [422] * 10 + [429]


def test_another_session_that_is_ended_is_an_event(ana: User) -> None:
    other, client = _browser(), _browser()
    _try(other, PASSWORD)
    _try(client, PASSWORD)
    page = client.get(reverse("account")).content.decode()
    (name,) = re.findall(r"/account/sessions/(\w+)/end/", page)
    client.post(reverse("session-end", args=[name]))
    assert _kinds(ana)[2:] == ["session-end"]


def test_a_password_set_by_its_owner_and_one_set_by_a_link_are_events(ana: User) -> None:
    fields = dict.fromkeys(("new_password1", "new_password2"), "another-word-91")
    pages.member(ana).post(reverse("password-change"), {"old_password": PASSWORD, **fields})
    ana.refresh_from_db()
    uid = urlsafe_base64_encode(force_bytes(ana.pk))
    path = reverse("password-reset-confirm", args=[uid, passwords.reset_tokens.make_token(ana)])
    reader = _browser()
    form = reader.get(path)["Location"]
    reader.post(form, dict.fromkeys(fields, "a-third-word-92"))
    assert _kinds(ana) == ["password-change", "password-reset"]


def test_rights_and_passwords_by_an_administrator_are_events(
    ana: User, admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("config.administration.Administration.has_permission", lambda *_: True)
    path = reverse("admin:tournaments_user_change", args=[ana.pk])
    times = {"date_joined_0": "2026-01-01", "date_joined_1": "12:00:00"}
    fields = {"username": ana.username, "is_active": "on", **times}
    admin_client.post(path, {**fields, "is_staff": "on"})
    admin_client.post(path, fields)
    both = dict.fromkeys(("password1", "password2"), "another-word-91")
    admin_client.post(
        reverse("admin:auth_user_password_change", args=[ana.pk]),
        {**both, "usable_password": "true"},
    )
    assert list(ana.security_events.order_by("pk").values_list("kind", "detail")) == [
        ("role-give", "staff"),
        ("role-take", "staff"),
        ("password-set", ""),
    ]
    # They are the administrator's.
    assert set(ana.security_events.values_list("network", "browser")) == {("", "")}


def test_the_page_lists_the_events_of_its_owner(ana: User, ben: User) -> None:
    client = _browser()
    _try(client, PASSWORD)
    new = tokens.create(user=ben, password=PASSWORD, name="of Ben", scopes=[], days=30)
    tokens.create(user=ana, password=PASSWORD, name="<of Ana>", scopes=[], days=30)
    page = client.get(reverse("account-security")).content.decode()
    assert "A new browser signed in." in page
    assert "Firefox, Linux" in page
    assert "192.0.2.0/24" in page
    assert "&lt;of Ana&gt;" in page
    assert new.token.name not in page


def test_a_row_of_a_kind_that_is_no_more_does_not_break_the_page(ana: User) -> None:
    ana.security_events.create(kind="earlier-kind", happened_at=ana.date_joined)
    assert "earlier-kind" in pages.member(ana).get(reverse("account-security")).content.decode()
    assert "earlier-kind" not in security.KINDS
