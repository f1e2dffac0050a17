"""Pages of other sites may call the API, without cookies."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.tournaments import pages
from tournaments.models import User

ORIGIN = "https://viewer.example"
_ALLOW = "Access-Control-Allow-Origin"


def test_a_browser_asks_first_and_may_send_what_the_api_reads() -> None:
    answer = Client().options(
        "/api/v1/me",
        headers={
            "Origin": ORIGIN,
            "Access-Control-Request-Method": "PATCH",
            "Access-Control-Request-Headers": "authorization, idempotency-key",
        },
    )
    assert answer[_ALLOW] == "*"
    assert "PATCH" in answer["Access-Control-Allow-Methods"]
    assert {"authorization", "idempotency-key"} <= set(
        answer["Access-Control-Allow-Headers"].split(", ")
    )
    assert "Access-Control-Allow-Credentials" not in answer


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/api/v1/events", "/api/v1/me", "/api/v1/no-such-thing"])
def test_answers_and_problems_may_be_read(path: str) -> None:
    answer = Client().get(path, headers={"Origin": ORIGIN})
    assert answer[_ALLOW] == "*"
    assert "ratelimit" in answer["Access-Control-Expose-Headers"]


@pytest.mark.django_db
def test_pages_may_not_be_read_and_a_session_counts_for_nothing(ana: User) -> None:
    client = pages.member(ana)
    assert _ALLOW not in client.get("/", headers={"Origin": ORIGIN})
    assert client.get("/api/v1/me", headers={"Origin": ORIGIN}).status_code == 401
