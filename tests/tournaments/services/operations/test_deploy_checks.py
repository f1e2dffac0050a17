"""`manage.py check --deploy`: forbidden settings of an installation on a network."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tournaments import checks, redis_bus

_PRODUCTION = {
    "ALLOWED_HOSTS": ["rayuela.example"],
    "SITE_URL": "https://rayuela.example",
    "TRUSTED_PROXIES": ["10.0.0.0/8"],
    "METRICS_TOKEN": "0123456789abcdef",
    "REDIS_URL": "redis://127.0.0.1:9/0",
}


@pytest.fixture
def production(settings, monkeypatch: pytest.MonkeyPatch):
    for name, value in _PRODUCTION.items():
        setattr(settings, name, value)
    monkeypatch.setattr(checks, "connection", _connection("postgresql"))
    return settings


def _connection(vendor: str, host: str = "", **options: str) -> SimpleNamespace:
    return SimpleNamespace(vendor=vendor, settings_dict={"HOST": host, "OPTIONS": options})


def codes() -> set[str | None]:
    of_all = (
        checks.addresses_of_the_site,
        checks.hosts_that_share,
        checks.a_private_way_to_the_database,
    )
    return {each.id for check in of_all for each in check()}


def test_production_with_everything_is_in_order(production) -> None:
    assert codes() == set()


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("ALLOWED_HOSTS", ["*"], "E001"),
        ("ALLOWED_HOSTS", ["rayuela.example", "."], "E001"),
        ("SITE_URL", "http://rayuela.example", "W002"),
        ("ALLOWED_HOSTS", ["other.example"], "E003"),
        ("TRUSTED_PROXIES", ["0.0.0.0/0"], "E004"),
        ("TRUSTED_PROXIES", ["::/0"], "E004"),
        ("METRICS_TOKEN", "secret", "E005"),
        ("REDIS_URL", "", "W007"),
    ],
)
def test_setting_that_harms_is_named(production, name: str, value: object, code: str) -> None:
    setattr(production, name, value)
    assert codes() == {f"tournaments.{code}"}


def test_sqlite_beside_redis_is_named(production, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "connection", _connection("sqlite"))
    assert codes() == {"tournaments.W006"}


def test_redis_that_drops_messages_is_named(production, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_bus, "eviction_policy", lambda _url: "allkeys-lru")
    assert codes() == {"tournaments.W008"}
    monkeypatch.setattr(redis_bus, "eviction_policy", lambda _url: "noeviction")
    assert codes() == set()


@pytest.mark.parametrize(
    ("host", "options", "names"),
    [
        ("db.example", {}, {"tournaments.W009"}),
        ("10.0.0.5", {}, {"tournaments.W009"}),
        ("127.0.0.1,db.example", {}, {"tournaments.W009"}),
        ("db.example", {"sslmode": "verify-full"}, set()),
        ("db.example", {"sslmode": "disable"}, set()),
        ("127.0.0.1", {}, set()),
        ("::1,localhost", {}, set()),
        ("/run/postgresql", {}, set()),
    ],
)
def test_database_of_another_host_without_sslmode_is_named(
    production, monkeypatch: pytest.MonkeyPatch, host: str, options: dict[str, str], names: set[str]
) -> None:
    monkeypatch.setattr(checks, "connection", _connection("postgresql", host, **options))
    assert codes() == names
