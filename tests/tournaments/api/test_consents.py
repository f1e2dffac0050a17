"""Consent, requests and gauntlets by the API."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.tournaments import authors, volunteers
from tests.tournaments.api import bot_world
from tests.tournaments.api.conftest import Program, program_of
from tests.tournaments.conftest import CLOCK
from tournaments.models import Bot, Entry, Gauntlet, GauntletPair, User
from tournaments.queries.bots import gauntlet_tables
from tournaments.services import gauntlets
from tournaments.services.accounts import players
from tournaments.services.accounts.bot_consents import Consent


def test_a_consent_is_changed_by_what_was_read_and_everybody_sees_it_without_names(
    anybody: Program, ana: User, ben: User
) -> None:
    bot = authors.version(ana, "Nilo", consent=Consent()).bot
    program, path = program_of(ana), f"/bots/lines/{bot.line_id}/consent"
    etag = program("GET", path)["ETag"]
    changes = {"max_games": 4, "open_formats": ["arena"], "refused_accounts": ["Ben"]}
    row = program("PATCH", path, changes, **{"If-Match": etag}).json()
    assert (row["max_games"], row["refused_accounts"], row["takes_rated"]) == (4, ["Ben"], True)
    assert program("PATCH", path, changes, **{"If-Match": etag}).status_code == 412
    public = anybody("GET", f"/bots/{bot.pk}/consent").json()
    assert public["open_formats"] == ["arena"]
    assert "refused_accounts" not in public
    assert program_of(ben)("GET", path).status_code == 404
    for bad in (
        {"max_games": 65},
        {"open_formats": ["chess"]},
        {"least_ms": 9_000, "most_ms": 8_000},
    ):
        answer = program("PATCH", path, bad, **{"If-Match": program("GET", path)["ETag"]})
        assert answer.status_code == 422


def test_an_organiser_asks_and_the_author_answers(ana: User, ben: User) -> None:
    event = bot_world.event(ana, "Escalera")
    bot = authors.version(ben, "Nilo", consent=Consent())
    organiser, author = program_of(ana), program_of(ben)
    entry = {"players": [bot.pk]}
    answer = organiser("POST", f"/events/{event.slug}/entries", entry)
    assert (answer.status_code, answer.json()["code"]) == (422, "bot-asks")
    answer = organiser("POST", f"/events/{event.slug}/bot-requests", {"bot": bot.pk})
    assert answer.json()["state"] == "open"
    [row] = author("GET", "/bots/requests").json()["items"]
    assert (row["event"], row["asker"]["name"]) == (event.slug, "Ana")
    assert organiser("POST", f"/bots/requests/{row['id']}", {"answer": "yes"}).status_code == 404
    answer = author("POST", f"/bots/requests/{row['id']}", {"answer": "yes"})
    assert answer.json()["state"] == "granted"
    assert Entry.objects.get().player == bot


@pytest.mark.long
def test_a_gauntlet_is_started_read_and_stopped(ci: Program, ana: User, ben: User) -> None:
    mine = authors.version(ana, "Nilo").bot
    house = players.add_bot(name="Gate", engine="random")
    shut = authors.version(ben, "Shut", consent=Consent(takes_matches=False))
    path = f"/bots/versions/{mine.pk}/gauntlets"
    body = {"opponents": [house.pk], "ruleset": "morlox(size=5)", "pairs_each": 2}
    refused = ci("POST", path, {**body, "opponents": [house.pk, shut.pk]})
    assert refused.json()["code"] == "bot-no-matches"
    answer = ci("POST", path, body)
    row = answer.json()
    assert answer["Location"] == f"/api/v1/gauntlets/{row['id']}"
    assert row["opponents"][0]["pairs_under_way"] == 2
    assert row["total"]["difference"] is None
    pair = GauntletPair.objects.earliest("pk")
    GauntletPair.objects.filter(pk=pair.pk).update(score_halves=3)
    table = ci("GET", f"/gauntlets/{row['id']}").json()
    assert table["total"]["pairs"] == [0, 0, 0, 1, 0]
    assert table["total"]["difference"]["lower_elo"] < table["total"]["difference"]["elo"]
    [played] = ci("GET", f"/gauntlets/{row['id']}/pairs").json()["items"]
    assert (played["points"], len(played["games"])) == (1.5, 2)
    assert ci("POST", f"/gauntlets/{row['id']}/stop").json()["state"] == "stopped"
    assert ci("GET", f"/gauntlets?version={mine.pk}").json()["items"][0]["id"] == row["id"]
    assert ci("GET", "/gauntlets?state=running").json()["items"] == []
    assert ci("GET", f"/suites/{row['suite']}").json()["author"] is None
    of_site = ci("POST", path, {**body, "start": "openings"}).json()
    assert of_site["suite"] == row["suite"]


@pytest.mark.long
def test_a_tuning_is_started_under_fuel_for_volunteers(ci: Program, ana: User) -> None:
    mine, other = (volunteers.module(ana, name).bot for name in ("Nilo", "Other"))
    Bot.objects.filter(pk=mine.pk).update(options=["name Depth type spin default 3 min 1 max 9"])
    parameter = {"name": "Depth", "type": "int", "start": 3, "low": 1, "high": 9}
    body = {"opponent": other.pk, "ruleset": "morlox(size=5)", "parameters": [parameter]}
    path = f"/bots/versions/{mine.pk}/tunings"
    refused = ci("POST", path, {**body, "volunteer_priority": 2})
    assert refused.json()["code"] == "volunteers-fuel"
    answer = ci("POST", path, {**body, "clock": "10Mfuel", "volunteer_priority": 2}).json()
    row = ci("GET", f"/gauntlets/{answer['gauntlet']}").json()
    assert (row["fuel"], row["volunteer_priority"], row["iterations"]) == (10_000_000, 2, 1000)


def test_regressions_are_switched_on_and_off(ci: Program, ana: User) -> None:
    path = f"/bots/lines/{bot_world.version(ana).line_id}/regression"
    assert ci("GET", path).json() == {"terms": None}
    terms = {"ruleset": "morlox(size=5)", "clock": "10+0.1", "pairs": 20}
    answer = ci("PUT", path, terms).json()
    assert answer == ci("GET", path).json()
    assert (answer["terms"]["clock"], answer["terms"]["pairs"]) == ("10+0.1", 20)
    assert ci("PUT", path, {**terms, "pairs": 101}).status_code == 422
    refused = ci("PUT", path, {**terms, "clock": "10Mfuel"})
    assert refused.json()["code"] == "lab-modules"  # the version is no module
    assert ci("DELETE", path).status_code == 204
    assert ci("GET", path).json() == {"terms": None}


def test_a_list_of_gauntlets_takes_no_query_for_each(
    ana: User, django_assert_max_num_queries: Callable[..., object]
) -> None:
    house = players.add_bot(name="Gate", engine="random")
    for name in ("A1", "B1"):
        mine = authors.version(ana, name).bot
        plan = gauntlets.Plan(mine, [house.bot], "morlox(size=5)", CLOCK)
        gauntlets.start(ana, plan)
    with django_assert_max_num_queries(4):  # type: ignore[attr-defined]  # a context manager
        assert len(gauntlet_tables.tables(list(Gauntlet.objects.all()))) == 2
