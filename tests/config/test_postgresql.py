"""Connections to PostgreSQL are tried before a request without a question, and one that has ended is replaced."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.backends.postgresql import base

from tournaments.models import Player

pytestmark = pytest.mark.skipif(connection.vendor != "postgresql", reason="needs PostgreSQL")


@pytest.mark.django_db
def test_a_living_connection_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked_again: list[object] = []
    monkeypatch.setattr(base.DatabaseWrapper, "is_usable", asked_again.append)
    Player.objects.exists()
    assert connection.is_usable()
    assert not asked_again


@pytest.mark.django_db
def test_a_connection_that_the_server_has_ended_is_replaced() -> None:
    other = connection.copy()
    try:
        other.ensure_connection()
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(%s, 10000)", [other.connection.info.backend_pid]
            )
        assert not other.is_usable()
        # What Django does when a request comes.
        vars(other).update(health_check_enabled=True, health_check_done=False)
        with other.cursor() as cursor:
            cursor.execute("SELECT 1")
            assert cursor.fetchone() == (1,)
    finally:
        other.close()
