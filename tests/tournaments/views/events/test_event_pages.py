"""Contents and offers of an event's pages in each state, for each visitor."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import reverse

from games.morelli.setup import SETUPS
from tests.tournaments import pages
from tests.tournaments.conftest import enter, event_of
from tournaments import database_time
from tournaments.models import ByeRequest, Event, Game, Player, User
from tournaments.queries.arbiter import round_verification
from tournaments.services.events import entries
from tournaments.services.games import game_end, play
from tournaments.services.rounds import lifecycle, publication, rounds

EnterAll = Callable[..., None]

STOP_PAIRING = "Stop pairing"


def _page(client: Client, name: str, *args: object) -> str:
    return client.get(reverse(name, args=args)).content.decode()


@pytest.fixture
def pool(bots: list[Player], ana: User) -> Event:
    event = event_of(ana, format="arena", duration_s=3600, admits="bots")
    enter(event, *bots)
    return lifecycle.start_event(event_id=event.pk, actor=ana)


@pytest.fixture
def stepwise(bots: list[Player], ana: User) -> Event:
    event = event_of(ana, is_automatic=False)
    enter(event, *bots)
    return lifecycle.start_event(event_id=event.pk, actor=ana)


@pytest.mark.long
def test_pairing_is_stopped_once(pool: Event, ana: User) -> None:
    organiser = pages.member(ana)
    assert STOP_PAIRING in _page(organiser, "event", pool.slug)
    lifecycle.finish_early(event_id=pool.pk, actor=ana)
    text = _page(organiser, "event", pool.slug)
    assert STOP_PAIRING not in text
    assert "ends automatically after its last game" in text


@pytest.mark.long
@pytest.mark.parametrize("name", ["event-crosstable", "event-report"])
def test_a_pool_has_neither_a_crosstable_nor_a_report(
    pool: Event, stepwise: Event, client: Client, name: str
) -> None:
    assert client.get(reverse(name, args=[stepwise.slug])).status_code == 200
    assert client.get(reverse(name, args=[pool.slug])).status_code == 404


@pytest.mark.parametrize(
    ("language", "text"), [("en", "3 May 2099, 18:30 UTC"), ("ja", "2099年5月3日 18:30 UTC")]
)
def test_the_day_of_the_end_is_written_as_the_reader_writes_it(
    pool: Event, client: Client, language: str, text: str
) -> None:
    Event.objects.filter(pk=pool.pk).update(ends_at=datetime(2099, 5, 3, 18, 30, tzinfo=UTC))
    answer = client.get(
        reverse("event", args=[pool.slug]), headers={"accept-language": language}
    ).content.decode()
    assert text in answer
    assert '<time datetime="2099-05-03T18:30:00+00:00" data-local>' in answer


def test_players_are_told_that_the_first_round_is_the_organisers(
    stepwise: Event, client: Client
) -> None:
    assert "The organiser pairs the first round." in _page(client, "event", stepwise.slug)


@pytest.mark.long
def test_a_large_round_is_paired_again_for_its_organiser_only(
    stepwise: Event, client: Client, ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds.draft_round(event_id=stepwise.pk)
    publication.publish_automatically(event_id=stepwise.pk)
    again = reverse("round-verify", args=[stepwise.slug, 1])
    assert again in _page(client, "event-pairings", stepwise.slug)
    monkeypatch.setattr(round_verification, "LARGE_FIELD", 5)
    cache.clear()
    assert again not in _page(client, "event-pairings", stepwise.slug)
    assert client.get(again).status_code == 403
    organiser = pages.member(ana)
    assert again in _page(organiser, "event-pairings", stepwise.slug)
    assert organiser.get(again).status_code == 200


@pytest.mark.long
def test_buchholz_stands_where_it_means_something(
    bots: list[Player], ana: User, client: Client
) -> None:
    for system, is_shown in (("dutch", True), ("knockout", False), ("round-robin", False)):
        event = event_of(ana, format=system)
        enter(event, *bots)
        lifecycle.start_event(event_id=event.pk, actor=ana)
        assert ("Buchholz" in _page(client, "event", event.slug)) is is_shown, system


@pytest.mark.long
def test_a_second_final_that_is_not_needed_is_not_drawn(
    bots: list[Player], ana: User, client: Client
) -> None:
    event = event_of(ana, format="double-knockout")
    enter(event, *bots[:2])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    assert "Bracket reset" in _page(client, "event-draw", event.slug)
    best = event.entries.get(tpn=1).player
    for _ in range(3):
        for game in Game.objects.ongoing().filter(pairing__event=event).with_players():
            with transaction.atomic():
                result = Game.Result.FIRST if game.first == best else Game.Result.SECOND
                game_end.finish_game(game, result=result, ending=Game.Ending.RESIGNATION)
        lifecycle.advance_event(event.pk)
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED
    assert "Bracket reset" not in _page(client, "event-draw", event.slug)


@pytest.mark.long
@pytest.mark.parametrize(
    "ruleset",
    [
        f"morelli(edition={edition.value},size=7,setup={setup})"
        for edition, setups in SETUPS.items()
        for setup in setups
    ],
)
@pytest.mark.part(0.4)
def test_every_start_mode_has_an_event_with_pages_and_a_first_round(
    ana: User, bots: list[Player], client: Client, ruleset: str
) -> None:
    """The form takes any rule set that `games` knows."""
    form = {
        "name": "Start", "ruleset": ruleset, "format": "dutch", "rounds_total": "3", "clock": "10+0.1",
        "admits": "bots", "max_entries": "8", "pause_s": "0", "is_automatic": "on",
    }  # fmt: skip
    assert pages.member(ana).post(reverse("event-new"), form).status_code == 302
    event = Event.objects.get()
    enter(event, *bots)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    assert Game.objects.filter(pairing__event=event).exists()
    for name in ("event", "event-pairings", "event-standings", "event-crosstable"):
        assert client.get(reverse(name, args=[event.slug])).status_code == 200, name


@pytest.mark.long
def test_a_player_finds_the_way_back_to_the_event_and_on_to_the_next_round(
    people: list[Player], ana: User, ben: User
) -> None:
    event = event_of(ana, name="Open House", pause_s=30, admits="people", rounds_total=2)
    enter(event, *people)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    games = list(Game.objects.filter(pairing__event=event).with_players().order_by("pk"))
    loser = games[0].second
    address = games[0].get_absolute_url()

    def card(user: User | None) -> str:
        assert user is not None
        part = pages.member(user).get(address).content.decode().partition('data-part="event"')[2]
        return part.partition("</div>")[0]

    assert card(loser.user) == "", "it is being played"
    pages.move(games[0])
    play.resign(game_id=games[0].pk, player=loser)
    assert card(ben) == "", "a spectator"
    assert f'href="{event.get_absolute_url()}"' in card(loser.user)
    assert "Back to Open House" in card(loser.user)
    assert "Your score after 1 round: 0" in card(loser.user)
    assert "Your score after 1 round: 1" in card(games[0].first.user)
    assert "1 game of the round is being played" in card(loser.user)
    pages.resign_all(event)
    lifecycle.advance_event(event.pk)
    event.refresh_from_db()
    assert event.next_step_at is not None
    moment = f'datetime="{event.next_step_at:%Y-%m-%dT%H:%M:%S}'
    for page in (card(loser.user), _page(Client(), "event", event.slug)):
        assert "Next round:" in page
        assert moment in page
        assert 'data-countdown="in {time}"' in page
    game_page = pages.member(loser.user).get(address).content.decode()  # type: ignore[arg-type]  # a person
    assert 'content="base/zones"' in game_page, "the script that counts down"
    stream = pages.member(loser.user).get(address).context["stream"]  # type: ignore[arg-type]  # a person
    assert f"t=event:{event.pk}" in stream
    Event.objects.filter(pk=event.pk).update(next_step_at=database_time.now())
    lifecycle.advance_event(event.pk)
    after = Game.objects.ongoing().of(loser).get(pairing__event=event)
    assert f'href="{after.get_absolute_url()}"' in card(loser.user)


@pytest.mark.long
def test_a_player_is_asked_before_the_second_half_point_bye(
    ana: User, people: list[Player]
) -> None:
    event = event_of(ana, rounds_total=5, most_half_byes=2)
    user = people[0].user
    assert user is not None
    entries.enter(event_id=event.pk, player=people[0], actor=user)
    client, address = pages.member(user), reverse("event-bye", args=[event.slug])

    def ask(number: int, **answers: str) -> str:
        form = {"round_number": number, "kind": "half", **answers}
        return pages.text_of(client.post(address, form, follow=True).content)

    assert "Your bye was registered." in ask(1)
    assert "half-point byes already, in rounds: 1." in ask(2)
    assert ByeRequest.objects.count() == 1
    assert "Your bye was registered." in ask(2, confirm="1")
    assert "half-point byes already" not in ask(3)  # which is refused
    assert ByeRequest.objects.count() == 2
