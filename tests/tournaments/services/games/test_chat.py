"""Talk at the boards: its readers, and the means against abuse."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments import pages
from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError, StaleError, TooManyError
from tournaments.models import ChatLine, ChatReport, Game, Player, Silence, Throttle, User
from tournaments.services.accounts import players
from tournaments.services.games import chat


@pytest.fixture
def game(ana: User, ben: User) -> Game:
    return pages.new_game(ana.player, ben.player)


@pytest.fixture
def cleo(db: None) -> User:
    return players.sign_up(name="Cleo", password="rayuela-1963")


def _texts(game: Game, player: Player | None) -> list[str]:
    return [line.text for line in chat.lines(game, player)]


def test_the_two_at_the_board_and_the_others_talk_apart(
    game: Game, ana: User, ben: User, cleo: User
) -> None:
    chat.say(game_id=game.pk, player=ana.player, text="  Good \n luck!  ")
    chat.say(game_id=game.pk, player=cleo.player, text="She should take C3")
    assert _texts(game, ben.player) == ["Good luck!"]
    assert _texts(game, cleo.player) == _texts(game, None) == ["She should take C3"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "chat-empty"),
        (" \n\t ", "chat-empty"),
        ("\u200b\u200d", "chat-empty"),
        ("\x00\x07", "chat-empty"),
        ("x" * 301, "chat-long"),
    ],
)
def test_bad_lines_are_refused_by_name(game: Game, ana: User, text: str, code: str) -> None:
    with pytest.raises(RefusedError, match=code):
        chat.say(game_id=game.pk, player=ana.player, text=text)


def test_what_no_database_keeps_is_no_part_of_a_line(game: Game, ana: User) -> None:
    response = pages.member(ana).post(
        reverse("game-say", args=[game.pk]), {"text": "Hi\x00,\x1b you"}
    )
    assert response.status_code == 302
    assert _texts(game, ana.player) == ["Hi , you"]


def test_nobody_floods_a_board(game: Game, ana: User) -> None:
    for number in range(5):
        chat.say(game_id=game.pk, player=ana.player, text=f"line {number}")
    with pytest.raises(TooManyError, match="chat-by-account"):
        chat.say(game_id=game.pk, player=ana.player, text="one more")
    Throttle.objects.update(until=database_time.now() - timedelta(seconds=1))
    chat.say(game_id=game.pk, player=ana.player, text="later")


def test_talk_closes_after_the_game_and_bots_have_none(
    game: Game, ana: User, bots: list[Player], cleo: User
) -> None:
    pages.play_out(game)
    chat.say(game_id=game.pk, player=ana.player, text="Thank you")
    Game.objects.filter(pk=game.pk).update(ended_at=database_time.now() - timedelta(days=3))
    with pytest.raises(RefusedError, match="chat-closed"):
        chat.say(game_id=game.pk, player=ana.player, text="Still here?")
    with_bot = pages.new_game(ana.player, bots[0])
    with pytest.raises(RefusedError, match="chat-closed"):
        chat.say(game_id=with_bot.pk, player=ana.player, text="Hello?")
    chat.say(game_id=with_bot.pk, player=cleo.player, text="Go, bot")


def test_the_muted_are_not_read_by_who_muted_them(game: Game, ana: User, ben: User) -> None:
    chat.say(game_id=game.pk, player=ben.player, text="Hurry")
    chat.mute(player=ana.player, muted=ben.player)
    chat.mute(player=ana.player, muted=ben.player)
    assert _texts(game, ana.player) == []
    assert _texts(game, ben.player) == ["Hurry"]
    chat.unmute(player=ana.player, muted=ben.player)
    assert _texts(game, ana.player) == ["Hurry"]
    with pytest.raises(RefusedError, match="not-yourself-mute"):
        chat.mute(player=ana.player, muted=ana.player)


def test_only_lines_one_can_read_are_reported_and_not_ones_own(
    game: Game, ana: User, ben: User, cleo: User
) -> None:
    line = chat.say(game_id=game.pk, player=ana.player, text="Rude words")
    with pytest.raises(NotAllowedError, match="chat-elsewhere"):
        chat.report(line_id=line.pk, player=cleo.player)
    with pytest.raises(RefusedError, match="not-yourself-report"):
        chat.report(line_id=line.pk, player=ana.player)
    chat.report(line_id=line.pk, player=ben.player)
    chat.report(line_id=line.pk, player=ben.player)
    assert ChatReport.objects.count() == 1


def test_a_moderator_keeps_hides_or_silences(game: Game, ana: User, ben: User, staff: User) -> None:
    line = chat.say(game_id=game.pk, player=ana.player, text="Rude words")
    report = chat.report(line_id=line.pk, player=ben.player)
    with pytest.raises(NotAllowedError, match="not-moderator"):
        chat.resolve_report(report_id=report.pk, actor=ben, verdict="hidden")
    with pytest.raises(RefusedError, match="verdict-bad"):
        chat.resolve_report(report_id=report.pk, actor=staff, verdict="burnt")
    assert (
        chat.resolve_report(report_id=report.pk, actor=staff, verdict="silenced").resolver == staff
    )
    with pytest.raises(StaleError, match="resolved-already"):
        chat.resolve_report(report_id=report.pk, actor=staff, verdict="dismissed")
    line.refresh_from_db()
    assert line.is_hidden
    with pytest.raises(RefusedError, match="chat-silenced"):
        chat.say(game_id=game.pk, player=ana.player, text="But I")
    Silence.objects.update(until=database_time.now() - timedelta(seconds=1))
    chat.say(game_id=game.pk, player=ana.player, text="Sorry")


def test_the_page_shows_lines_as_text_and_hidden_ones_not_at_all(
    game: Game, ana: User, ben: User, staff: User
) -> None:
    of_ana, of_ben = pages.member(ana), pages.member(ben)
    hostile = "<script>alert('\u202e')</script>"
    answer = of_ana.post(reverse("game-say", args=[game.pk]), {"text": hostile})
    assert answer["Location"].endswith("#chat")
    page = of_ben.get(game.get_absolute_url()).content.decode()
    assert "&lt;script&gt;alert" in page
    line = ChatLine.objects.get()
    of_ben.post(reverse("chat-report", args=[line.pk]))
    moderator = pages.member(staff)
    page = moderator.get(reverse("moderation-chat")).content.decode()
    assert "&lt;script&gt;alert" in page
    assert '>Reports</span> <span class="chip">1</span>' in page
    moderator.post(
        reverse("chat-resolve", args=[ChatReport.objects.get().pk]), {"verdict": "hidden"}
    )
    hidden = of_ben.get(reverse("game-chat", args=[game.pk])).content.decode()
    assert "alert" not in hidden
    assert "This message is hidden." in hidden
    assert of_ana.get(reverse("moderation-chat")).status_code == 404


def test_the_page_refuses_in_words(game: Game, ana: User, client: Client) -> None:
    address = reverse("game-say", args=[game.pk])
    of_ana = pages.member(ana)
    response = of_ana.post(address, {"text": ""}, headers={"accept": "application/json"})
    assert (response.status_code, response.json()["sentence"]) == (422, "Write something first.")
    assert (
        "Write something first."
        in of_ana.post(address, {"text": " "}, follow=True).content.decode()
    )
    assert client.post(address, {"text": "x"}).status_code == 302
    assert "Sign in to write" in client.get(game.get_absolute_url()).content.decode()


def test_muting_by_the_page(ana: User, ben: User) -> None:
    of_ana = pages.member(ana)
    address = reverse("player-mute", args=[ben.player.pk])
    assert "Ben is muted" in of_ana.post(address, follow=True).content.decode()
    assert "Unmute" in of_ana.get(ben.player.get_absolute_url()).content.decode()
    of_ana.post(address, {"again": "yes"})
    assert "Unmute" not in of_ana.get(ben.player.get_absolute_url()).content.decode()
