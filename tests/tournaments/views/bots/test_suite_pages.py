"""Suites on pages: added from a list or from openings, looked at, downloaded, tested with, deleted."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from django.test import Client

import games
from engine import suites as engine_suites
from tests.tournaments import pages
from tournaments.models import Player, SprtTest, Suite, User
from tournaments.services.bots import suites

RULESET = games.load("morlox(size=5)").key
OPENINGS = {"name": "Early", "ruleset": RULESET, "plies": "3", "count": "5", "seed": "1"}


@pytest.fixture
def author(ana: User) -> Client:
    return pages.member(ana)


def test_who_has_no_bot_is_sent_to_upload_one_before_a_gauntlet(author: Client) -> None:
    page = author.get("/gauntlets/new/").content.decode()
    assert "You have no bots yet" in page
    assert 'href="/bots/new/"' in page
    assert "Show who can be played" not in page


def test_openings_become_a_suite_that_can_be_read_again(author: Client, client: Client) -> None:
    address = author.post("/suites/new/", OPENINGS)["Location"]
    suite = Suite.objects.get()
    assert suite.count == 5
    page = client.get(address).content.decode()
    assert page.count("card board-card") == 5
    text = client.get(f"{address}file/").content.decode()
    assert engine_suites.read(text, games.load(RULESET)) == tuple(suite.starts)
    assert "Early" in client.get("/suites/").content.decode()


def test_a_wrong_line_is_said_by_its_number(author: Client) -> None:
    good = games.load(RULESET).initial().play("a1").text()
    response = author.post("/suites/new/", {**OPENINGS, "starts": f"{good}\n\nrubbish"})
    assert response.status_code == 422
    text = pages.text_of(response.content)
    assert "This is neither a set-up nor a position of the game. Line 3." in text
    assert not Suite.objects.exists()
    assert author.post("/suites/new/", {**OPENINGS, "starts": good}).status_code == 302
    assert Suite.objects.get().count == 1


@pytest.mark.long
def test_a_test_begins_from_what_its_form_says(
    author: Client, ana: User, ben: User, bots: Sequence[Player]
) -> None:
    own = suites.add_openings(owner=ana, name="A", ruleset=RULESET, plies=2, count=3, seed=1)
    other = suites.add_openings(owner=ben, name="B", ruleset=RULESET, plies=2, count=3, seed=1)
    form = {
        "candidate": bots[0].bot.pk, "base": bots[1].bot.pk, "ruleset": RULESET, "clock": "5+0.1",
        "model": "logistic", "elo0": "0", "elo1": "20", "max_pairs": "100",
    }  # fmt: skip
    house = suites.of_house(RULESET)
    for start, suite in (("", house), (str(own.pk), own), ("openings", house)):
        assert author.post("/sprt/new/", {**form, "start": start}).status_code == 302
        test = SprtTest.objects.order_by("-pk")[0]
        assert test.suite == suite
        SprtTest.objects.filter(pk=test.pk).update(state="stopped", ended_at=test.created_at)
    assert author.post("/sprt/new/", {**form, "start": str(other.pk)}).status_code == 200
    wrong = author.post("/sprt/new/", {**form, "start": str(own.pk), "ruleset": "morelli(size=5)"})
    assert "The suite is of another game." in pages.text_of(wrong.content)
    assert SprtTest.objects.count() == 3
    page = author.get(f"/sprt/new/?suite={own.pk}").content.decode()
    assert f'<option value="{own.pk}" selected>' in page
    assert ">A (" in page
    assert ">B (" not in page


def test_only_its_author_deletes_a_suite(author: Client, ana: User, ben: User) -> None:
    suite = suites.add_openings(owner=ana, name="A", ruleset=RULESET, plies=2, count=3, seed=1)
    pages.member(ben).post(f"/suites/{suite.pk}/delete/")
    assert Suite.objects.filter(pk=suite.pk).exists()
    assert b"Delete the suite" not in pages.member(ben).get(f"/suites/{suite.pk}/").content
    author.post(f"/suites/{suite.pk}/delete/")
    assert not Suite.objects.filter(pk=suite.pk).exists()


def test_the_list_asks_as_often_for_many_as_for_one(
    client: Client, ana: User, django_assert_max_num_queries
) -> None:
    for number in range(20):
        suites.add_openings(
            owner=ana, name=f"Suite {number}", ruleset=RULESET, plies=2, count=3, seed=1
        )
    with django_assert_max_num_queries(5):
        assert "Suite 19" in client.get("/suites/").content.decode()
