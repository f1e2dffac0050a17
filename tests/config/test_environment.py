"""Configuration from the environment: every value or a clear refusal."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import environment


def test_a_secret_may_be_in_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text("of the file\n")
    monkeypatch.setenv("SOME_SECRET", "of the variable")
    assert environment.secret("SOME_SECRET") == "of the variable"
    monkeypatch.setenv("SOME_SECRET_FILE", str(file))
    with pytest.raises(ImproperlyConfigured, match="SOME_SECRET_FILE"):
        environment.secret("SOME_SECRET")
    monkeypatch.delenv("SOME_SECRET")
    assert environment.secret("SOME_SECRET") == "of the file"
    file.unlink()
    with pytest.raises(ImproperlyConfigured, match="No such file"):
        environment.secret("SOME_SECRET")


@pytest.mark.parametrize(
    ("text", "value"), [("1", True), ("Yes", True), ("0", False), ("off", False), ("", False)]
)
def test_a_flag_is_on_or_off(monkeypatch: pytest.MonkeyPatch, text: str, value: bool) -> None:
    monkeypatch.setenv("SOME_FLAG", text)
    assert environment.flag("SOME_FLAG") is value


def test_a_flag_of_another_kind_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_FLAG", "perhaps")
    with pytest.raises(ImproperlyConfigured, match="perhaps"):
        environment.flag("SOME_FLAG")


@pytest.mark.parametrize(
    ("text", "chosen"), [(None, ["a"]), ("", []), ("b", ["b"]), (" b , a", ["b", "a"])]
)
def test_several_choices_are_made(
    monkeypatch: pytest.MonkeyPatch, text: str | None, chosen: list[str]
) -> None:
    monkeypatch.delenv("SOME_CHOICES", raising=False)
    if text is not None:
        monkeypatch.setenv("SOME_CHOICES", text)
    assert environment.choices("SOME_CHOICES", ("a", "b")) == chosen


def test_an_unknown_choice_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_CHOICES", "a,c")
    with pytest.raises(ImproperlyConfigured, match="'c'; it takes a, b"):
        environment.choices("SOME_CHOICES", ("a", "b"))


def test_a_postgresql_address_is_taken_apart() -> None:
    settings = environment.database("postgresql://us%40er:p%3Aw@db.example:5433/rayuela")
    assert (settings["USER"], settings["PASSWORD"]) == ("us@er", "p:w")
    assert (settings["HOST"], settings["PORT"], settings["NAME"]) == (
        "db.example",
        "5433",
        "rayuela",
    )


def test_options_of_a_postgresql_address_are_passed_on() -> None:
    settings = environment.database(
        "postgresql://u:p@a.example:5432,[2001:db8::1],b.example:5433/rayuela?sslmode=verify-full"
        "&sslrootcert=%2Fetc%2Fssl%2Fca%20root.pem&target_session_attrs=read-write&connect_timeout=9"
        "&application_name=a%26b&options=-c%20work_mem%3D64MB"
    )
    assert settings["HOST"] == "a.example,2001:db8::1,b.example"
    assert settings["PORT"] == "5432,,5433"
    options = cast("dict[str, str]", settings["OPTIONS"])
    assert options["sslmode"] == "verify-full"
    assert options["sslrootcert"] == "/etc/ssl/ca root.pem"
    assert options["target_session_attrs"] == "read-write"
    assert options["connect_timeout"] == "9"
    assert options["application_name"] == "a&b"
    assert options["options"].startswith("-c lock_timeout=2000 ")
    assert options["options"].endswith(" -c work_mem=64MB")


def test_a_socket_may_be_the_host_of_a_postgresql_address() -> None:
    for url in ("postgresql://%2Frun%2FPG/rayuela", "postgresql:///rayuela?host=/run/PG"):
        assert environment.database(url)["HOST"] == "/run/PG"


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("ssl=true", "the option 'ssl'; it takes application_name, "),
        ("sslmode=require&sslmode=disable", "'sslmode' twice"),
        ("sslmode=", "'sslmode' twice or without a value"),
        ("sslmode", "'sslmode' twice or without a value"),
    ],
)
def test_an_option_that_means_nothing_is_refused(query: str, reason: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=reason):
        environment.database(f"postgresql://u@h/rayuela?{query}")


@pytest.mark.parametrize(
    "url",
    ["postgresql://h:x/y", "postgresql://a:1:2/y", "mysql://x/y", "postgresql://host", "rayuela"],
)
def test_an_address_we_cannot_use_is_refused(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL"):
        environment.database(url)


def test_the_secret_key_is_drawn_once_and_kept_private(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("RAYUELA_HOME", str(tmp_path))
    monkeypatch.delenv("SECRET_KEY", raising=False)
    key = environment.secret_key()
    assert len(key) >= 50
    assert environment.secret_key() == key
    assert (tmp_path / "secret-key").stat().st_mode & 0o077 == 0


def test_an_address_of_a_mail_server_is_taken_apart() -> None:
    settings = environment.mail("smtp+tls://us%40er:p%3Aw@mail.example")
    assert (settings.host, settings.port, settings.is_encrypted) == ("mail.example", 587, True)
    assert (settings.user, settings.password) == ("us@er", "p:w")
    assert environment.mail("smtp://mail.example:2525").port == 2525
    assert environment.mail("").host == ""


@pytest.mark.parametrize("url", ["mail.example", "https://mail.example", "smtp://"])
def test_a_mail_server_we_cannot_use_is_refused(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="MAIL_URL"):
        environment.mail(url)


def test_the_key_of_web_push_is_drawn_once_and_never_for_a_service(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("RAYUELA_HOME", str(tmp_path))
    monkeypatch.delenv("PUSH_KEY", raising=False)
    assert environment.push_key(is_service=True) == ""
    key = environment.push_key(is_service=False)
    assert environment.push_key(is_service=False) == key
    assert (tmp_path / "push-key").stat().st_mode & 0o077 == 0
    monkeypatch.setenv("PUSH_KEY", key)
    assert environment.push_key(is_service=True) == key


@pytest.mark.parametrize("key", ["short", "é" * 43, "A" * 44, "A" * 42])
def test_a_key_of_another_length_is_refused(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUSH_KEY", key)
    with pytest.raises(ImproperlyConfigured, match="PUSH_KEY"):
        environment.push_key(is_service=True)
