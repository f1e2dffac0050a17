"""Bugs that an organiser met on a walk through the site, each as it was met."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments.conftest import enter, event_of
from tests.tournaments.pages import member, text_of
from tournaments.models import Event, Game, Player, User
from tournaments.services.accounts import players
from tournaments.services.rounds import lifecycle

EnterAll = Callable[..., None]

FORM = {
    "name": "Ballot",
    "ruleset": "morelli(edition=original,size=9)",
    "format": "dutch",
    "rounds_total": 3,
    "clock": "600+10",
    "admits": "people",
    "max_entries": 8,
    "is_automatic": "on",
    "pause_s": 0,
}


def _page(event: Event, client: Client | None = None, name: str = "event") -> str:
    return text_of((client or Client()).get(reverse(name, args=[event.slug])).content)


@pytest.mark.long
@pytest.mark.parametrize("setup", ["adjacent", "free", "ballot"])
def test_an_event_of_the_original_edition_has_the_set_up_that_was_chosen(
    ana: User, ben: User, setup: str
) -> None:
    member(ana).post(reverse("event-new"), {**FORM, "setup": setup})
    event = Event.objects.get()
    assert f"setup={setup}" in event.ruleset
    enter(event, ana.player, ben.player)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    assert Game.objects.filter(pairing__event=event).count() == 1
    for name in ("event", "event-pairings", "event-standings", "event-crosstable"):
        assert Client().get(reverse(name, args=[event.slug])).status_code == 200


def test_a_set_up_that_the_game_has_not_is_refused(ana: User) -> None:
    for ruleset in ("morlox(size=5)", "morelli(size=7)"):
        page = member(ana).post(
            reverse("event-new"), {**FORM, "ruleset": ruleset, "setup": "ballot"}
        )
        assert "This game has no such set-up." in text_of(page.content)
    assert not Event.objects.exists()


def test_sign_up_and_join_joins(ana: User) -> None:
    event = event_of(ana)
    client = Client()
    link = f"{reverse('sign-up')}?join={event.slug}&amp;next={event.get_absolute_url()}"
    assert link in client.get(event.get_absolute_url()).content.decode()
    form = client.get(link.replace("&amp;", "&")).content.decode()
    assert f'name="join" value="{event.slug}"' in form
    account = {"name": "Carla", "password": "rayuela-1963", "join": event.slug}
    answer = client.post(
        reverse("sign-up"), {**account, "next": event.get_absolute_url()}, follow=True
    )
    assert "You have entered Test." in text_of(answer.content)
    assert event.entries.get().player.name == "Carla"


def test_sign_up_says_why_nobody_can_join(ana: User) -> None:
    event = event_of(ana, admits="bots")
    account = {"name": "Carla", "password": "rayuela-1963", "join": event.slug}
    answer = Client().post(reverse("sign-up"), account, follow=True)
    assert "This event is for bots." in text_of(answer.content)
    assert Player.objects.filter(name="Carla").exists()


@pytest.mark.long
def test_a_round_robin_says_how_many_rounds_when_that_is_known(
    bots: list[Player], ana: User
) -> None:
    event = event_of(ana, format="round-robin", rounds_total=5)
    enter(event, *bots[:4])
    assert "5 rounds" not in _page(event)
    assert "5 rounds" not in text_of(Client().get(reverse("events")).content)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    assert "3 rounds" in _page(event)


@pytest.mark.long
def test_join_and_add_bots_are_not_offered_where_they_would_be_refused(
    bots: list[Player], ana: User, ben: User
) -> None:
    event = event_of(ana, max_entries=3)
    assert "Join" in _page(event, member(ben))
    assert "Add bots" in _page(event, member(ana))
    enter(event, *bots[:3])
    assert "Join" not in _page(event, member(ben))
    assert "Add bots" not in _page(event, member(ana))
    table = event_of(ana, format="round-robin")
    enter(table, *bots[:3])
    lifecycle.start_event(event_id=table.pk, actor=ana)
    assert "Join" not in _page(table, member(ben))
    assert "Add bots" not in _page(table, member(ana))


@pytest.mark.long
def test_each_step_of_the_organiser_is_answered(bots: list[Player], ana: User) -> None:
    client = member(ana)
    event = event_of(ana)
    url = reverse("event-act", args=[event.slug])

    def step(**form: object) -> str:
        return text_of(client.post(url, form, follow=True).content)

    assert "2 bots have entered." in step(action="bots", bots=[bots[0].pk, bots[1].pk])
    assert "The event has started." in step(action="start")
    other = event_of(ana)
    url = reverse("event-act", args=[other.slug])
    assert "The event was cancelled. Its players were notified." in step(
        action="cancel", reason="rain", confirm="1"
    )


@pytest.mark.parametrize(
    ("ruleset", "is_drawn"), [("morelli(size=7)", True), ("morlox(size=5)", False)]
)
def test_a_set_up_is_called_drawn_where_it_is(ana: User, ruleset: str, is_drawn: bool) -> None:
    page = _page(event_of(ana, ruleset=ruleset))
    assert ("drawn once a round" in page) is is_drawn


def test_bots_of_an_arena_play_people_as_long_as_one_takes_part(
    bots: list[Player], ana: User, ben: User
) -> None:
    event = event_of(ana, format="arena", duration_s=3600)
    enter(event, ana.player, ben.player, *bots[:4])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    for _ in range(3):
        lifecycle.advance_event(event.pk)
    games = Game.objects.filter(pairing__event=event).select_related("first", "second")
    assert games.exists()
    assert not [game for game in games if game.first.is_bot and game.second.is_bot]
    people = players.sign_up(name="Carla", password="rayuela-1963")
    enter(event, people.player)
    lifecycle.advance_event(event.pk)
    assert not [game for game in games.all() if game.first.is_bot and game.second.is_bot]


@pytest.mark.long
def test_bots_of_an_arena_for_both_wait_for_people_who_get_a_game_at_once(
    bots: list[Player], ana: User, ben: User
) -> None:
    event = event_of(ana, format="arena", duration_s=3600)
    enter(event, *bots[:4])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    lifecycle.advance_event(event.pk)
    assert not Game.objects.filter(pairing__event=event).exists()
    words = "They wait until a person enters."
    assert words in _page(event)
    enter(event, ben.player)
    assert words not in _page(event)
    lifecycle.advance_event(event.pk)
    game = Game.objects.get(pairing__event=event)
    assert ben.player in {game.first, game.second}


def test_bots_of_an_arena_for_bots_play_each_other(bots: list[Player], ana: User) -> None:
    event = event_of(ana, format="arena", duration_s=3600, admits="bots")
    enter(event, *bots[:4])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    assert Game.objects.filter(pairing__event=event).exists()


@pytest.mark.parametrize(
    ("name", "is_for_all"), [("BH/C1", False), ("BH", False), ("SB", True), ("DE", True)]
)
def test_the_form_says_which_tie_breaks_do_not_fit_a_round_robin(
    ana: User, name: str, is_for_all: bool
) -> None:
    page = member(ana).get(reverse("event-new")).content.decode()
    option = page.split(f'<option value="{name}">', 1)[1].split("</option>")[0]
    assert ("(not for a round robin)" in option) is not is_for_all
