"""Pages of tunings: the form suggests, names what is wrong, and starts. The page has the course of each value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests.tournaments import authors, volunteers
from tournaments.models import Bot, Gauntlet, Player, SharedMatch, TunedPair, TuningIteration, User
from tournaments.queries.bots import tunings
from tournaments.services import gauntlets
from tournaments.services.accounts import players
from tournaments.services.games import game_creation

RULESET = "morlox(size=5)"


@pytest.fixture
def house(db: None) -> Player:
    return players.add_bot(name="House", engine="random")


@pytest.fixture
def nilo(ana: User) -> Player:
    player = authors.version(ana, "Nilo")
    options = [f"name {name} type spin default 3 min 1 max 9" for name in ("Depth", "Width")]
    Bot.objects.filter(pk=player.pk).update(options=options)
    player.bot.refresh_from_db()
    return player


@pytest.fixture
def tuning(ana: User, nilo: Player, house: Player) -> Gauntlet:
    """A tuning with the results of two iterations."""
    parameters = tunings.parameters_in(tunings.suggested(nilo.bot))
    clock = game_creation.Clock(5_000, 100)
    plan = gauntlets.Plan(
        nilo.bot, [house.bot], RULESET, clock, parameters=parameters, iterations=9
    )
    row = gauntlets.start(ana, plan)
    for place, number in enumerate((2, 1), start=1):
        step = TuningIteration.objects.get(gauntlet=row, number=number)
        step.place, step.difference_halves = place, 3
        step.save()
    return row


def _form(nilo: Player, house: Player, **changes: Any) -> dict[str, Any]:
    return {
        "candidate": nilo.pk,
        "ruleset": RULESET,
        "clock": "5+0.1",
        "parameters": "Depth, int, 3, 1, 9",
        "iterations": "20",
        "start": "",
        "opponents": [house.pk],
        **changes,
    }


def test_the_form_says_that_a_program_without_numbers_cannot_be_tuned(
    client: Client, ana: User, nilo: Player, house: Player
) -> None:
    client.force_login(ana)
    terms: dict[str, Any] = {"candidate": nilo.pk, "ruleset": RULESET, "clock": "5+0.1"}
    words = "declares no numbers with bounds"
    assert words not in client.get(reverse("tuning-new"), terms).content.decode()
    Bot.objects.filter(pk=nilo.pk).update(options=[])
    assert words in client.get(reverse("tuning-new"), terms).content.decode()


def test_the_form_contains_the_declared_options_and_one_opponent_can_be_chosen(
    client: Client, ana: User, nilo: Player, house: Player
) -> None:
    client.force_login(ana)
    terms: dict[str, Any] = {"candidate": nilo.pk, "ruleset": RULESET, "clock": "5+0.1"}
    page = client.get(reverse("tuning-new"), terms).content.decode()
    assert "Depth, int, 3, 1, 9\nWidth, int, 3, 1, 9" in page
    assert 'type="radio" name="opponents"' in page
    assert "volunteer_priority" not in page


@pytest.mark.long
def test_a_tuning_is_started_by_the_form(
    client: Client, ana: User, nilo: Player, house: Player
) -> None:
    client.force_login(ana)
    answer = client.post(reverse("tuning-new"), _form(nilo, house))
    row = Gauntlet.objects.get(candidate=nilo.pk)
    assert answer["Location"] == reverse("gauntlet", args=[row.pk])
    assert (row.iterations, row.pairs_each) == (20, 40)
    assert [each.name for each in row.parameters.all()] == ["Depth"]


@pytest.mark.long
def test_a_tuning_of_modules_is_started_under_fuel_for_volunteers(
    client: Client, ana: User
) -> None:
    nilo, other = (volunteers.module(ana, name) for name in ("Nilo", "Other"))
    Bot.objects.filter(pk=nilo.pk).update(options=["name Depth type spin default 3 min 1 max 9"])
    client.force_login(ana)
    terms: dict[str, Any] = {"candidate": nilo.pk, "ruleset": RULESET, "clock": "10Mfuel"}
    assert 'name="volunteer_priority"' in client.get(reverse("tuning-new"), terms).content.decode()
    form = _form(nilo, other, clock="10Mfuel", volunteer_priority="3")
    assert client.post(reverse("tuning-new"), form).status_code == 302
    row = Gauntlet.objects.get(candidate=nilo.pk)
    assert (row.fuel, row.volunteer_priority) == (10_000_000, 3)
    assert SharedMatch.objects.filter(match__gauntlet_pair__opponent__gauntlet=row).exists()


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ("Depth 3", "Line 1."),
        ("Depth, int, 3, 1, 9\nHeight, int, 3, 1, 9", "Parameter Height."),
        ("Depth, int, 0, 1, 9", "Parameter Depth."),
    ],
)
def test_a_line_that_is_wrong_is_named_and_stays_in_the_form(
    client: Client, ana: User, nilo: Player, house: Player, parameters: str, words: str
) -> None:
    client.force_login(ana)
    answer = client.post(reverse("tuning-new"), _form(nilo, house, parameters=parameters))
    page = answer.content.decode()
    assert answer.status_code == 422
    assert words in page
    assert parameters in page
    assert f'value="{house.pk}" checked' in page


@pytest.mark.long
def test_the_page_has_the_values_their_courses_and_the_values_of_each_pair(
    client: Client, tuning: Gauntlet
) -> None:
    page = client.get(reverse("gauntlet", args=[tuning.pk])).content.decode()
    [depth, width] = tunings.parameter_courses(tuning)
    assert f"Depth = {depth.text}\nWidth = {width.text}\n" in page
    assert page.count('class="rating-graph course"') == 2
    assert "2 of 9 iterations have their results" in page
    pair = tuning.steps.get(number=1).pairs.get(is_raised=True)
    words = ", ".join(f"{name} {value}" for name, value in pair.options.items())
    assert words in page


@pytest.mark.long
def test_the_page_takes_no_query_for_each_iteration(
    client: Client, tuning: Gauntlet, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(20):
        client.get(reverse("gauntlet-live", args=[tuning.pk]))


@pytest.mark.long
def test_only_its_author_has_the_button_that_stops_it(
    client: Client, ana: User, tuning: Gauntlet
) -> None:
    address = reverse("gauntlet", args=[tuning.pk])
    stop = reverse("gauntlet-stop", args=[tuning.pk])
    assert stop not in client.get(address).content.decode()
    client.force_login(ana)
    assert stop in client.get(address).content.decode()
    client.post(stop)
    tuning.refresh_from_db()
    assert tuning.state == Gauntlet.State.STOPPED


@pytest.mark.long
@pytest.mark.parametrize(
    ("query", "is_listed"),
    [
        ({"kind": "tuning"}, True),
        ({"kind": "gauntlet"}, False),
        ({"family": "morlox"}, True),
        ({"family": "morelli"}, False),
        ({"state": "running"}, True),
        ({"state": "done"}, False),
    ],
    ids=str,
)
def test_the_list_is_limited_to_a_kind_a_game_or_a_state(
    client: Client, tuning: Gauntlet, query: dict[str, str], is_listed: bool
) -> None:
    page = client.get(reverse("gauntlets"), query).content.decode()
    assert (reverse("gauntlet", args=[tuning.pk]) in page) is is_listed
    assert ("No gauntlet fits" in page) is not is_listed


def test_an_unknown_choice_of_the_list_is_refused(client: Client, db: None) -> None:
    assert client.get(reverse("gauntlets"), {"kind": "rope"}).status_code == 400


def test_the_program_interface_reads_what_the_page_shows(
    client: Client, tuning: Gauntlet, get_json: Callable[[str], dict]
) -> None:
    read = get_json(f"/api/v1/gauntlets/{tuning.pk}/tuning")
    [depth, _width] = tunings.parameter_courses(tuning)
    assert (read["results"], read["seed"]) == (2, tuning.seed)
    assert read["parameters"][0]["value"] == depth.text
    assert read["parameters"][0]["estimate"] == depth.estimate
    first = get_json(f"/api/v1/gauntlets/{tuning.pk}/iterations")["items"][-1]
    assert (first["number"], first["place"], first["difference"]) == (1, 2, 1.5)
    raised = next(pair for pair in first["pairs"] if pair["is_raised"])
    assert raised["options"] == tuning.steps.get(number=1).pairs.get(is_raised=True).options


def test_a_gauntlet_is_no_tuning(client: Client, ana: User, nilo: Player, house: Player) -> None:
    clock = game_creation.Clock(5_000, 100)
    row = gauntlets.start(ana, gauntlets.Plan(nilo.bot, [house.bot], RULESET, clock))
    assert client.get(f"/api/v1/gauntlets/{row.pk}/tuning").status_code == 404
    assert client.get(f"/api/v1/gauntlets/{row.pk}").json()["iterations"] is None


@pytest.fixture
def get_json(client: Client) -> Callable[[str], dict]:
    return lambda path: client.get(path).json()


def test_the_table_of_iterations_rounds_values_that_the_rows_have_in_full(
    client: Client, ana: User, tuning: Gauntlet
) -> None:
    exact = {"Depth": "12345", "Width": "0.12345678901234568"}
    TunedPair.objects.filter(iteration__gauntlet=tuning).update(options=exact)
    client.force_login(ana)
    page = client.get(reverse("gauntlet", args=[tuning.pk])).content.decode()
    assert "Depth 12345, Width 0.1235<" in page
