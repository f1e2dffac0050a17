"""Signing up and in: the words, the focus after a refusal, and the next page."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from tournaments.models import User

PASSWORD = "rayuela-1963"


def _focused(page: str) -> list[str]:
    """The names of the fields that take the focus."""
    inputs = re.findall(r"<input\b[^>]*\bautofocus\b[^>]*>", page)
    return re.findall(r'\bname="(\w+)"', " ".join(inputs))


@pytest.mark.parametrize("page", ["sign-in", "sign-up"])
def test_who_one_is_is_called_the_name(client: Client, db: None, page: str) -> None:
    labels = re.findall(r"<label[^>]*>([^<]+)</label>", client.get(reverse(page)).content.decode())
    assert labels == ["Name", "Password"]


@pytest.mark.parametrize("page", ["sign-in", "sign-up"])
def test_the_focus_is_on_the_name_first(client: Client, db: None, page: str) -> None:
    (name,) = _focused(client.get(reverse(page)).content.decode())
    assert name in {"name", "username"}


def test_after_a_wrong_password_the_name_stays_and_the_focus_is_on_the_password(
    client: Client, ana: User
) -> None:
    answer = client.post(reverse("sign-in"), {"username": "Ana", "password": "wrong-1234"})
    page = answer.content.decode()
    assert _focused(page) == ["password"]
    assert 'value="Ana"' in page
    assert "The name or the password is wrong." in page


def test_an_account_with_a_password_of_an_earlier_rule_signs_in(client: Client, ana: User) -> None:
    ana.set_password("short-73")
    ana.save()
    answer = client.post(reverse("sign-in"), {"username": "Ana", "password": "short-73"})
    assert answer.status_code == 302


def test_after_a_weak_password_the_name_stays_and_the_focus_is_on_the_password(
    client: Client, db: None
) -> None:
    page = client.post(reverse("sign-up"), {"name": "Cleo", "password": "12345678"})
    assert _focused(page.content.decode()) == ["password"]
    assert 'value="Cleo"' in page.content.decode()


def test_after_a_taken_name_the_focus_is_on_the_name(client: Client, ana: User) -> None:
    page = client.post(reverse("sign-up"), {"name": "Ana", "password": PASSWORD})
    assert _focused(page.content.decode()) == ["name"]


def test_sign_up_from_the_lobby_ends_on_the_lobby(client: Client, db: None) -> None:
    lobby = client.get(reverse("lobby")).content.decode().partition("<main")[2]
    link = re.search(r'class="button small" href="([^"]+)">Sign up<', lobby)
    assert link
    form = client.get(link[1]).content.decode()
    target = re.search(r'name="next" value="([^"]*)"', form)
    assert target
    answer = client.post(
        reverse("sign-up"), {"name": "Cleo", "password": PASSWORD, "next": target[1]}
    )
    assert answer["Location"] == reverse("lobby")


@pytest.mark.parametrize(
    "target", ["https://evil.example/", "//evil.example/", "/\\evil.example/", "javascript:1"]
)
def test_sign_up_leads_nowhere_else(client: Client, db: None, target: str) -> None:
    answer = client.post(reverse("sign-up"), {"name": "Cleo", "password": PASSWORD, "next": target})
    assert answer["Location"] == "/"


def test_a_name_that_looks_like_another_is_refused_in_the_form(client: Client, ana: User) -> None:
    answer = client.post("/sign-up/", {"name": "\u00c1na", "password": "rayuela-1963"})
    assert answer.status_code == 200
    assert "looks like this one" in answer.content.decode()
