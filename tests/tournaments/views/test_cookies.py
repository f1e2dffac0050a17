"""Cookies: visitors who only read get no cookie."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse


@pytest.mark.parametrize("path", ["/", "/games/", "/events/", "/leaderboard/"])
def test_pages_set_no_cookie_for_visitors_who_only_read(
    client: Client, db: None, path: str
) -> None:
    assert not client.get(path).cookies


def test_visitors_without_a_cookie_can_choose_a_language(db: None) -> None:
    client = Client(enforce_csrf_checks=True)
    answer = client.post(reverse("set_language"), {"language": "ja", "next": "/events/"})
    assert (answer.status_code, answer["Location"]) == (302, "/events/")
    assert answer.cookies["rayuela_language"].value == "ja"
