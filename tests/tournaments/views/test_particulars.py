"""Additions of refusals to their sentence, and the site's own texts, in the reader's language."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import translation

import games
from engine.programs import reading
from tests.tournaments import messages, pages
from tournaments.errors import RefusedError, StaleError
from tournaments.models import User
from tournaments.services.accounts import players
from tournaments.text import house, refusals

SEED = 2  # Black has a piece on A5
REFUSED = [
    ("morelli(size=13)", "A5-A13", "A13はA5より玉座に近くありません"),
    (
        "morelli(edition=original,size=13,setup=facing)",
        "A1-A13",
        "A13はA1よりセンターに近くありません",
    ),
    ("morelli(size=9)", "A10-B2", "A10はこの盤にありません"),
    ("morlox(size=5)", "c3x", "そこに相手の石はありません"),
    ("morlox(size=5)", "nothing", "手は、マス、マスとx、swap、passのいずれかです"),
    ("perfect()", "+a1", "出発マスにタイルは敷けません"),
    ("perfect()", "a1-a5", "先にタイルを敷きます"),
]


def _refusal(key: str, move: str) -> RefusedError:
    with pytest.raises(games.IllegalMoveError) as illegal:
        games.load(key).initial(seed=SEED).play(move)
    return RefusedError.of_move(illegal.value)


@pytest.mark.parametrize("code", ["bot-inactive", "bot-other-game"])
def test_a_refusal_of_a_bot_has_its_name_in_no_translation(code: str) -> None:
    with translation.override("ja"):
        assert refusals.particulars(RefusedError(code, "Draw")) == "Draw"


@pytest.mark.parametrize(("key", "move", "japanese"), REFUSED)
def test_what_is_wrong_with_a_move_is_said_in_japanese(key: str, move: str, japanese: str) -> None:
    refusal = _refusal(key, move)
    assert refusal.pattern in messages.messages()
    with translation.override("en"):
        assert refusals.particulars(refusal) == refusal.detail
    with translation.override("ja"):
        assert refusals.particulars(refusal) == japanese


def test_a_refused_try_shows_what_is_wrong_in_the_readers_language(
    client: Client, db: None
) -> None:
    query = {"try": "A5-I13"}
    path = "/games/morelli/figures/movement/"
    headers = {"accept-language": "ja"}
    page = client.get(path, query, headers=headers).content.decode()
    assert "I13はA5より玉座に近くありません" in page


def test_details_for_developers_are_not_shown() -> None:
    assert refusals.particulars(StaleError("moved-on", "the game is at ply 5")) == ""


def test_what_is_wrong_with_a_name_is_said_in_japanese() -> None:
    with pytest.raises(RefusedError) as refused:
        players.checked_name("x")
    with translation.override("ja"):
        assert refusals.particulars(refused.value) == "名前は2文字以上40文字以内です。"


def test_what_is_wrong_with_an_upload_is_said_in_japanese(ana: User) -> None:
    member = pages.member(ana)
    upload = SimpleUploadedFile("<b>bot.exe", b"MZ")
    form = {"name": "Mia", "file": upload, "families": ["morelli"], "description": ""}
    answer = member.post(reverse("bot-new"), form, headers={"accept-language": "ja"})
    page = answer.content.decode()
    assert f"{', '.join(reading.SUFFIXES)} のファイルが必要です" in page
    assert "&#x27;&lt;b&gt;bot.exe&#x27;" in page


def test_descriptions_of_built_in_bots_are_translated_and_those_of_others_are_not() -> None:
    with translation.override("ja"):
        assert house.in_readers_language(house.ONE_MOVE) == "1手先を読みます。"
        assert house.in_readers_language("Games") == "Games"
        assert house.in_readers_language("") == ""


def test_a_built_in_bot_is_described_in_the_readers_language(client: Client, db: None) -> None:
    bot = players.add_bot(name="Traveler", engine="greedy", description=house.ONE_MOVE)
    page = client.get(bot.get_absolute_url(), headers={"accept-language": "ja"}).content.decode()
    assert "1手先を読みます。" in page
