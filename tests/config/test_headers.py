"""Headers of every answer, by which browsers keep the site apart from others."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from tests.config.test_settings import run

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("address", "resource_policy"),
    [
        ("/", "same-origin"),
        ("/no-such-page/", "same-origin"),
        ("/sign-in/", "same-origin"),
        ("/static/rayuela/site.js", "same-origin"),
        ("/favicon.ico", "same-origin"),
        ("/static/rayuela/base/logo.svg", "cross-origin"),
        ("/api/v1/events", "cross-origin"),
        ("/.well-known/oauth-authorization-server", "cross-origin"),
    ],
)
def test_every_answer_says_which_sites_may_use_it(
    client: Client, address: str, resource_policy: str
) -> None:
    answer = client.get(address)
    answer.close()
    assert answer["Cross-Origin-Resource-Policy"] == resource_policy
    assert answer["Cross-Origin-Opener-Policy"] == "same-origin"
    assert answer["Cross-Origin-Embedder-Policy"] == "require-corp"
    assert "camera=()" in answer["Permissions-Policy"]
    assert "geolocation=()" in answer["Permissions-Policy"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("choice", "header"),
    [
        (None, "max-age=31536000"),
        ("subdomains", "max-age=31536000; includeSubDomains"),
        ("preload", "max-age=31536000; includeSubDomains; preload"),
    ],
)
def test_the_operator_chooses_the_hosts_that_need_https(
    choice: str | None, header: str, tmp_path: Path
) -> None:
    code = (
        "import django; django.setup(); from django.test import Client;"
        'print(Client().get("/robots.txt", secure=True, headers={"host": "localhost"}).headers'
        '["Strict-Transport-Security"])'
    )
    variables = {"SITE_URL": "https://localhost", **({"HSTS": choice} if choice else {})}
    assert run(tmp_path, "-c", code, **variables).strip() == header
