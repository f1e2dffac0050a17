"""A new signing key: sessions continue while the former key is among the fallbacks."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tournaments.models import User

pytestmark = [pytest.mark.django_db, pytest.mark.engines]


def test_sessions_that_are_used_outlive_the_former_key(ana: User, settings: Any) -> None:
    used, unused = Client(), Client()
    for client in (used, unused):
        client.force_login(ana)
        assert client.get("/account/").status_code == 200
    former = settings.SECRET_KEY
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another-key-" * 5, [former]
    assert used.get("/account/").status_code == 200
    settings.SECRET_KEY_FALLBACKS = []
    assert used.get("/account/").status_code == 200
    assert unused.get("/account/").status_code == 302
