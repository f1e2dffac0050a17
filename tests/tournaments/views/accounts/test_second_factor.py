"""The second factor: turned on, asked for, replaced by recovery codes, turned off, and the admin behind it."""

from __future__ import annotations

import html
import re
import time
from datetime import timedelta

import pytest
from django.contrib.auth import SESSION_KEY
from django.test import Client
from django.urls import reverse
from django_otp.oath import TOTP
from django_otp.plugins.otp_totp.models import TOTPDevice
from pytest import MonkeyPatch  # noqa: PT013 - its type

from tests.tournaments import pages
from tournaments import database_time
from tournaments.models import User
from tournaments.services.account_data import deletion
from tournaments.services.accounts import second_factor

pytestmark = pytest.mark.django_db
PASSWORD = "rayuela-1963"


@pytest.fixture
def clock(monkeypatch: MonkeyPatch) -> list[float]:
    """The time of `time.time`, moved by the test: each code counts once in its half minute."""
    now = [1_800_000_000.0]
    monkeypatch.setattr(time, "time", lambda: now[0])
    return now


def _code(user: User, clock: list[float]) -> str:
    """The code that the app shows in the next half minute."""
    clock[0] += 30
    device = TOTPDevice.objects.get(user=user)
    totp = TOTP(device.bin_key)
    totp.time = clock[0]
    return f"{totp.token():06d}"


def _turn_on(user: User, clock: list[float]) -> tuple[Client, list[str]]:
    client = pages.member(user)
    page = client.get(reverse("second-factor")).content.decode()
    assert second_factor.key_of(TOTPDevice.objects.get(user=user)) in page
    answer = client.post(
        reverse("second-factor-on"), {"password": PASSWORD, "code": _code(user, clock)}
    )
    assert answer.status_code == 200
    codes = re.findall(r"<li><code>(\w+)</code>", html.unescape(answer.content.decode()))
    assert len(set(codes)) == second_factor.RECOVERY_CODES
    return client, codes


def _sign_in(name: str = "Ana") -> Client:
    client = Client()
    client.post(reverse("sign-in"), {"username": name, "password": PASSWORD, "next": "/players/"})
    return client


def _is_in(client: Client) -> bool:
    return SESSION_KEY in client.session


def test_it_is_asked_for_after_the_password_and_each_code_counts_once(
    ana: User, clock: list[float]
) -> None:
    elsewhere = pages.member(ana)
    client, _ = _turn_on(ana, clock)
    assert _is_in(client)
    assert elsewhere.get(reverse("account")).status_code == 302  # it was signed out
    newcomer = _sign_in()
    assert not _is_in(newcomer)
    code = _code(ana, clock)
    answer = newcomer.post(reverse("sign-in-code"), {"code": f"{code[:3]} {code[3:]}"})
    assert answer["Location"] == "/players/"
    assert _is_in(newcomer)
    other = _sign_in()
    other.post(reverse("sign-in-code"), {"code": code})
    assert not _is_in(other)


@pytest.mark.long
def test_a_wrong_code_is_refused_and_guesses_are_counted(ana: User, clock: list[float]) -> None:
    _turn_on(ana, clock)
    client = _sign_in()
    for _ in range(10):
        answer = client.post(reverse("sign-in-code"), {"code": "000000"})
        assert answer.status_code == 200
        assert 'class="errors' in answer.content.decode()
    answer = client.post(reverse("sign-in-code"), {"code": "000000"})
    assert answer.status_code == 429
    client.post(reverse("sign-in-code"), {"code": _code(ana, clock)})
    assert not _is_in(client)


def test_the_password_counts_for_ten_minutes(
    ana: User, clock: list[float], monkeypatch: MonkeyPatch
) -> None:
    """By the database's clock: the two steps may come to hosts with different clocks."""
    _turn_on(ana, clock)
    client = _sign_in()
    late = database_time.now() + timedelta(seconds=601)
    monkeypatch.setattr(database_time, "now", lambda: late)
    answer = client.post(reverse("sign-in-code"), {"code": _code(ana, clock)})
    assert answer["Location"] == reverse("sign-in")
    assert Client().get(reverse("sign-in-code"))["Location"] == reverse("sign-in")


def test_a_recovery_code_signs_in_once(ana: User, clock: list[float]) -> None:
    _, codes = _turn_on(ana, clock)
    for is_taken in (True, False):
        clock[0] += 60
        client = _sign_in()
        client.post(reverse("sign-in-code"), {"code": codes[0].upper()})
        assert _is_in(client) == is_taken


def test_new_recovery_codes_void_the_former(ana: User, clock: list[float]) -> None:
    client, codes = _turn_on(ana, clock)
    answer = client.post(
        reverse("second-factor-renew"), {"password": PASSWORD, "code": _code(ana, clock)}
    )
    assert answer.status_code == 200
    assert codes[0] not in answer.content.decode()
    newcomer = _sign_in()
    newcomer.post(reverse("sign-in-code"), {"code": codes[0]})
    assert not _is_in(newcomer)


def test_it_is_turned_off_by_password_and_code(ana: User, clock: list[float]) -> None:
    client, _ = _turn_on(ana, clock)
    for password, code in (("wrong", _code(ana, clock)), (PASSWORD, "000000")):
        answer = client.post(reverse("second-factor-off"), {"password": password, "code": code})
        assert answer.status_code == 422
        assert second_factor.is_on(ana)
    # After a wrong code the next is not accepted immediately.
    TOTPDevice.objects.update(throttling_failure_timestamp=None)
    client.post(reverse("second-factor-off"), {"password": PASSWORD, "code": _code(ana, clock)})
    assert not second_factor.is_on(ana)
    assert _is_in(_sign_in())


@pytest.mark.parametrize("fields", [{}, {"password": PASSWORD}, {"code": "000000"}])
def test_it_is_not_turned_on_without_both(ana: User, fields: dict[str, str]) -> None:
    client = pages.member(ana)
    client.get(reverse("second-factor"))
    assert client.post(reverse("second-factor-on"), fields).status_code == 422
    assert not second_factor.is_on(ana)


def test_the_admin_is_for_staff_with_a_code(staff: User, clock: list[float]) -> None:
    index = reverse("admin:index")
    assert Client().get(index, follow=True).redirect_chain[-1][0].startswith(reverse("sign-in"))
    assert pages.member(staff).get(index, follow=True).redirect_chain[-1][0] == reverse(
        "second-factor"
    )
    client, _ = _turn_on(staff, clock)
    assert client.get(index).status_code == 200


def test_a_deleted_account_leaves_no_key(ana: User, clock: list[float]) -> None:
    _turn_on(ana, clock)
    deletion.delete_account(user=ana, password=PASSWORD)
    assert not TOTPDevice.objects.exists()
