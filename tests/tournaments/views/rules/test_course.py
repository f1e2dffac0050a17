"""The courses of the games: their boards, the answers to moves, and the progress of visitors."""

from __future__ import annotations

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

import games
from games.presentation import Exercise
from tests.tournaments import pages
from tournaments.models import ExerciseDone, Game, User
from tournaments.services.account_data import deletion
from tournaments.services.accounts import exercises, guests, players
from tournaments.views import guest_cookie
from tournaments.views.rules import course, tryout

pytestmark = pytest.mark.django_db
ALL = [
    (family.name, name) for family in games.available() for name in course.of_family(family.name)
]


def _url(family: str = "morelli", name: str = "ripple") -> str:
    return reverse("exercise", args=[family, name])


def _text(content: bytes) -> str:
    return " ".join(pages.text_of(content).split())


def _finish(client: Client, family: str, name: str, *, line: int = 0) -> str:
    """Complete an exercise by one of its lines. Return the address that follows."""
    moves = ";".join(move.replace(" ", "_") for move in course.of_family(family)[name].lines[line])
    answer = client.post(reverse("exercise-done", args=[family, name]), {"moves": moves})
    assert answer.status_code == 302
    return str(answer["Location"])


@pytest.mark.parametrize(("family", "name"), ALL, ids=[f"{f}-{n}" for f, n in ALL])
def test_the_first_right_move_leads_on(client: Client, family: str, name: str) -> None:
    chosen: Exercise = course.of_family(family)[name]
    page = client.get(_url(family, name))
    assert page.status_code == 200
    assert not page.context["is_done"]
    paragraph = page.context["rule_of_task"].partition("#")[2]
    assert f'id="{paragraph}"' in client.get(reverse("rules", args=[family])).content.decode()
    page = client.get(page.context["solution"])
    assert tuple(page.context["page"].moves) == tuple(chosen.lines[0])
    assert page.context["is_done"]
    # Nothing can be moved any more.
    assert "data-cell" in page.context["page"].board
    assert "<a " not in page.context["page"].board


@pytest.mark.parametrize("typed", ["A1-A1", "A3-A4"], ids=["illegal", "another"])
def test_a_complete_exercise_takes_no_further_move(client: Client, typed: str) -> None:
    line = course.of_family("morelli")["capture"].lines[0]
    moves = tryout.moves_text(line)
    page = client.get(_url("morelli", "capture"), {"moves": moves, "try": typed})
    assert page.context["is_done"]
    assert "message error" not in page.content.decode()


def test_a_legal_move_that_is_not_right_is_answered_by_the_rule(client: Client) -> None:
    page = client.get(_url(), {"try": "A7-C7"})
    assert list(page.context["page"].moves) == []
    text = _text(page.content)
    assert "A piece that has just turned over does not capture" in text
    assert page.context["rule_of_task"] == "/games/morelli/#morelli-2015-5.6"


def test_an_illegal_move_is_refused_with_its_own_rule(client: Client) -> None:
    page = client.get(_url(), {"try": "A5-A9"})
    assert page.context["rule_url"] == "/games/morelli/#morelli-2015-4.2.1"
    assert not page.context["is_wrong"]


def test_clicks_that_make_no_legal_move_are_refused_like_the_move(client: Client) -> None:
    page = client.get(_url(), {"clicks": "A5,A9"})
    assert page.context["rule_url"] == "/games/morelli/#morelli-2015-4.2.1"
    assert client.get(_url(), {"clicks": "A7,C7"}).context["is_wrong"]
    for nothing in ("A5", "x", "Z99,A1"):
        page = client.get(_url(), {"clicks": nothing})
        assert (page.status_code, page.context["is_done"]) == (200, False)


def test_the_board_of_an_exercise_has_its_legal_moves_for_the_script(client: Client) -> None:
    page = client.get(_url())
    position = course.of_family("morelli")["ripple"].position
    assert {each["move"] for each in page.context["page"].choices} == set(position.legal_moves())
    assert not client.get(_url(), {"try": "A5-C5"}).context["page"].choices


def test_a_move_without_its_captures_is_the_right_one(client: Client) -> None:
    page = client.get(_url(), {"try": "A5-C5"})
    assert page.context["is_done"]
    assert "You play Black." in _text(client.get(_url()).content)


def test_the_other_side_replies(client: Client) -> None:
    page = client.get(_url("morlox", "goal"), {"try": "b3"})
    assert list(page.context["page"].moves) == ["b3", "d1"]


@pytest.mark.parametrize("moves", ["A7-C7_xD7", "nonsense", ";;;", "A5-C5_xD6;A7-C7", "x" * 9_000])
def test_moves_that_begin_no_right_line_are_forgotten(client: Client, moves: str) -> None:
    page = client.get(_url(), {"moves": moves})
    assert page.status_code == 200
    assert list(page.context["page"].moves) == []


@pytest.mark.parametrize(
    "path", ["/learn/chess/", "/learn/chess/frame/", "/learn/morelli/castling/"]
)
def test_what_does_not_exist_is_not_found(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_an_exercise_that_is_not_done_is_not_stored(client: Client) -> None:
    for moves in ("", "A7-C7_xD7", "A5-C5_xD6;A7-C7"):
        answer = client.post(reverse("exercise-done", args=["morelli", "ripple"]), {"moves": moves})
        assert answer["Location"] == _url()
    assert course.COOKIE not in client.cookies


def test_a_visitor_keeps_the_progress_in_a_cookie_and_a_player_in_the_database(
    client: Client,
) -> None:
    names = list(course.of_family("morelli"))
    assert _finish(client, "morelli", "ripple") == _url(name=names[names.index("ripple") + 1])
    assert "1 of 10 boards done" in _text(client.get(reverse("learn")).content)
    assert not ExerciseDone.objects.exists()
    ana = players.sign_up(name="Ana", password="rayuela-1963")
    client.force_login(ana)
    assert "1 of 10 boards done" in _text(client.get(reverse("learn")).content)
    _finish(client, "morelli", "frame")
    _finish(client, "morelli", "frame")
    assert exercises.done_by(ana.player) == {("morelli", "ripple"), ("morelli", "frame")}
    assert client.cookies[course.COOKIE].value == ""


def test_a_guest_has_rows_too(client: Client) -> None:
    guest = guests.enter(browser="a secret", address="127.0.0.1")
    answer = HttpResponse()
    guest_cookie.remember(answer, guest)
    client.cookies.update(answer.cookies)
    _finish(client, "perfect", "step")
    assert exercises.done_by(guest) == {("perfect", "step")}


@pytest.mark.parametrize("cookie", ["morelli.castling|.|x", "|||", "a" * 9_000, "morelli.frame"])
def test_what_a_cookie_says_of_other_boards_is_ignored(client: Client, cookie: str) -> None:
    client.cookies[course.COOKIE] = cookie
    page = client.get(reverse("learn"))
    done = sum(each.done for each, _board in page.context["courses"])
    assert done == (cookie == "morelli.frame")


def test_the_last_board_leads_to_a_game_against_the_weakest_bot(client: Client, ana: User) -> None:
    players.add_bot(name="Random", engine="random")
    client.force_login(ana)
    *_, following = [_finish(client, "morlox", name) for name in course.of_family("morlox")]
    assert following == reverse("course", args=["morlox"])
    page = client.get(following)
    assert "You have done all boards." in _text(page.content)
    form = {"ruleset": page.context["ruleset"], "clock": "unlimited", "side": "first"}
    answer = client.post(reverse("challenge"), {**form, "bot": page.context["level"].bot.name})
    game = Game.objects.get()
    assert answer["Location"] == game.get_absolute_url()
    assert (game.first, game.is_rated) == (ana.player, False)


def test_a_course_without_bots_has_no_game(client: Client) -> None:
    page = client.get(reverse("course", args=["morlox"]))
    assert page.status_code == 200
    assert page.context["level"] is None


def test_a_deleted_account_loses_its_progress(ana: User) -> None:
    exercises.note(ana.player, [("morelli", "frame")])
    deletion.delete_account(user=ana, password="rayuela-1963")
    assert not ExerciseDone.objects.exists()


def test_the_address_of_a_solution_has_the_moves_before_it() -> None:
    assert tryout.address_of("/x/", ["a b"], "c") == "/x/?moves=a_b&try=c"
