"""Names, passwords and bots."""

from __future__ import annotations

import pytest
from django.contrib.auth import authenticate
from django.db import IntegrityError, transaction

from tournaments import database_time
from tournaments.errors import RefusedError
from tournaments.models import Player, User
from tournaments.services.accounts import players

PASSWORD = "rayuela-1963"


def test_whoever_signs_up_can_sign_in(db: None) -> None:
    user = players.sign_up(name="  Lucía   Maga ", password=PASSWORD)
    assert user.player.name == "Lucía Maga"
    assert authenticate(username="lucía maga", password=PASSWORD) == user


@pytest.mark.parametrize("name", ["ana", "ANA", "\uff21\uff4e\uff41", " Ana "])
def test_names_that_people_would_confuse_are_one(db: None, name: str) -> None:
    players.sign_up(name="Ana", password=PASSWORD)
    with pytest.raises(RefusedError) as refused:
        players.sign_up(name=name, password=PASSWORD)
    assert refused.value.code == "name-taken"
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    "name",
    [
        "",
        "x",
        "x" * 41,
        "<b>Ana</b>",
        "Ana\x00",
        "An\u200ba",
        "\u202eanA",
        "\u0410na",
        "a\nb@",
        "🙂🙂",
        "\ufdfa" * 40,
    ],
    ids=[
        "empty",
        "short",
        "long",
        "tag",
        "nul",
        "zero width",
        "bidi",
        "two scripts",
        "at",
        "emoji",
        "letters that are phrases",
    ],
)
def test_a_name_that_deceives_is_refused(db: None, name: str) -> None:
    with pytest.raises(RefusedError) as refused:
        players.sign_up(name=name, password=PASSWORD)
    assert refused.value.code == "name-bad"


@pytest.mark.parametrize("name", ["Moxham", "O'Brien-Smith", "佐藤 はな", "Ωμέγα", "Bot_3.1"])
def test_names_of_many_scripts_are_welcome(db: None, name: str) -> None:
    assert players.sign_up(name=name, password=PASSWORD).player.name == name


@pytest.mark.parametrize("password", ["", "12345678", "password", "short", "pedrecita-9"])
def test_a_weak_password_is_refused(db: None, password: str) -> None:
    with pytest.raises(RefusedError) as refused:
        players.sign_up(name="Ana", password=password)
    assert refused.value.code == "password-weak"


def test_twelve_characters_are_enough(db: None) -> None:
    assert players.sign_up(name="Ana", password="pedrecita-99").check_password("pedrecita-99")


def test_a_bot_needs_an_engine_there_is(db: None) -> None:
    bot = players.add_bot(name="Deep Thought", engine="search:200")
    assert bot.is_bot
    assert bot in players.built_in_bots()
    with pytest.raises(RefusedError) as refused:
        players.add_bot(name="Other", engine="rm -rf /")
    assert refused.value.code == "engine-unknown"


def test_a_bot_has_no_account(db: None) -> None:
    user = players.sign_up(name="Ana", password=PASSWORD)
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.filter(user=user).update(kind="bot")
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.create(
            kind="cat", name="Tom", canonical="tom", created_at=database_time.now()
        )


@pytest.mark.parametrize("name", ["AIice", "Al1ce", "alíce"])
def test_a_name_that_looks_like_another_is_refused(db: None, name: str) -> None:
    players.sign_up(name="Alice", password="rayuela-1963")
    with pytest.raises(RefusedError, match=r"name-alike|name-taken"):
        players.sign_up(name=name, password="rayuela-1963")


@pytest.mark.parametrize(
    ("taken", "name", "is_free"),
    [
        ("La Maga", "Lá Maga", False),
        ("Lá Maga", "La Maga", False),
        ("Morelli", "Morel1i", False),
        ("Merna", "Mema", False),
        ("Mema", "Merna", False),
        ("Oliveira", "0liveira", False),
        ("Alice", "Alicia", True),
        ("Alice", "Alma", True),
        ("花子", "華子", True),
        ("Rock and.Roll", "Rock andxRoll", True),
    ],
)
def test_letters_that_look_the_same_are_the_same_in_names(
    db: None, taken: str, name: str, *, is_free: bool
) -> None:
    players.sign_up(name=taken, password="rayuela-1963")
    if is_free:
        players.sign_up(name=name, password="rayuela-1963")
    else:
        with pytest.raises(RefusedError, match=r"name-alike|name-taken"):
            players.sign_up(name=name, password="rayuela-1963")


@pytest.mark.parametrize("name", ["admin", "Admin", "MODERATOR", "Rayuela", "support"])
def test_names_of_the_site_itself_are_kept(db: None, name: str) -> None:
    with pytest.raises(RefusedError, match="name-bad"):
        players.sign_up(name=name, password="rayuela-1963")
