"""Parts of a player's page that a process keeps for all visitors: a change is on the page immediately."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import transaction
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.tournaments import pages
from tests.tournaments.conftest import enter, event_of
from tournaments import database_time
from tournaments.models import Entry, Event, Game, Player, Pool, Recomputation, User
from tournaments.services.account_data import deletion
from tournaments.services.clocks import vacations
from tournaments.services.events import entries
from tournaments.services.games import game_creation, game_end
from tournaments.services.rounds import lifecycle

pytestmark = pytest.mark.django_db

EnterAll = Callable[..., None]


def _text(client: Client, player: Player, query: str = "") -> str:
    return client.get(player.get_absolute_url() + query).content.decode()


@pytest.fixture
def event(ana: User, bots: list[Player]) -> Event:
    """An event of two bots in its first round."""
    event = event_of(ana, name="Tower Cup")
    enter(event, *bots[:2])
    lifecycle.start_event(event_id=event.pk, actor=event.organiser)
    lifecycle.advance_event(event.pk)
    return event


def test_the_page_takes_few_statements_for_a_guest(
    ana: User, ben: User, client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    pages.finished_game(ana.player, ben.player, "first")
    _text(client, ana.player)
    with django_assert_max_num_queries(7):
        _text(client, ana.player)


def test_the_page_takes_few_statements_for_a_member(
    ana: User, ben: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    pages.finished_game(ana.player, ben.player, "first")
    member = pages.member(ben)
    _text(member, ana.player)
    with django_assert_max_num_queries(11):
        _text(member, ana.player)


def _casual_game(first: Player, second: Player) -> Game:
    """Return a new game without a clock and a rating."""
    ruleset = "morelli(size=5)"
    return pages.new_game(
        first, second, ruleset, clock=game_creation.Clock.read("unlimited"), is_rated=False
    )


@pytest.fixture
def current(ana: User, ben: User) -> Game:
    return _casual_game(ana.player, ben.player)


def _end(game: Game) -> None:
    other = _casual_game(game.first, game.second)
    with transaction.atomic():
        game_end.finish_game(other, result="draw", ending=Game.Ending.RULES)


def _begin(game: Game) -> None:
    pages.new_game(game.second, game.first, "morlox(size=5)")


def _leave(game: Game) -> None:
    vacations.start(player=game.first, days=3)


@pytest.mark.parametrize(
    ("act", "words"),
    [(pages.move, "1 ply played"), (_end, "½"), (_begin, "Morlox"), (_leave, "on vacation until")],
    ids=["move", "result", "start", "vacation"],
)
def test_a_change_is_on_the_page(
    current: Game, client: Client, act: Callable[[Game], None], words: str
) -> None:
    assert words not in _text(client, current.first)
    act(current)
    assert words in _text(client, current.first)


def test_no_part_of_the_page_keeps_the_name_of_a_deleted_account(
    ana: User, ben: User, client: Client
) -> None:
    pages.finished_game(ana.player, ben.player, "first")
    assert "Ana" in _text(client, ana.player)
    deletion.delete_account(user=ana, password="rayuela-1963")
    assert "Ana" not in _text(client, ana.player)


@pytest.mark.long
def test_the_progress_of_a_recomputation_is_on_the_page(
    ana: User, ben: User, client: Client
) -> None:
    pages.finished_game(ana.player, ben.player, "first")
    assert "computed again" not in _text(client, ana.player)
    work = Recomputation.objects.create(
        pool=pages.pool_of(Pool.Kind.PEOPLE), row=0, begun_at=database_time.now()
    )
    assert "It begins in a moment." in _text(client, ana.player)
    Recomputation.objects.filter(pk=work.pk).update(games_total=9)
    assert "0 of 9 games" in _text(client, ana.player)
    Recomputation.objects.filter(pk=work.pk).update(games_done=2)
    assert "2 of 9 games" in _text(client, ana.player)
    Recomputation.objects.filter(pk=work.pk).update(finished_at=database_time.now())
    assert "computed again" not in _text(client, ana.player)


@pytest.mark.long
def test_entries_and_the_states_of_events_are_on_the_page(
    event: Event, client: Client, bots: list[Player], ana: User
) -> None:
    assert "Tower Cup" not in _text(client, bots[2])
    other = event_of(ana, name="Tower Cup")
    enter(other, bots[2], bots[3])
    assert "registration open" in _text(client, bots[2])
    lifecycle.start_event(event_id=other.pk, actor=other.organiser)
    assert "registration open" not in _text(client, bots[2])
    entries.withdraw(event_id=other.pk, player=bots[2], actor=other.organiser)
    assert "withdrawn" in _text(client, bots[2])


def test_an_event_that_becomes_private_leaves_the_page(
    event: Event, client: Client, bots: list[Player]
) -> None:
    assert "Tower Cup" in _text(client, bots[0])
    Event.objects.filter(pk=event.pk).update(is_private=True, access_code="sesame")
    assert "Tower Cup" not in _text(client, bots[0])


@pytest.mark.parametrize("is_entered", [True, False], ids=["entered", "games alone"])
def test_a_private_event_is_on_the_page_for_its_organiser_alone(
    event: Event, ana: User, ben: User, client: Client, bots: list[Player], *, is_entered: bool
) -> None:
    Event.objects.filter(pk=event.pk).update(is_private=True, access_code="sesame")
    if not is_entered:
        Entry.objects.filter(event=event, player=bots[0]).update(player=bots[2])
    visitors = (pages.member(ana), pages.member(ben), pages.member(ana), client)
    texts = [_text(visitor, bots[0]) for visitor in visitors]
    assert ["Tower Cup" in text for text in texts] == [True, False, True, False]


def test_a_member_is_marked_among_the_opponents_for_that_member_alone(
    ana: User, ben: User, client: Client
) -> None:
    pages.finished_game(ana.player, ben.player, "first")
    visitors = (pages.member(ben), pages.member(ana), client)
    assert [
        _text(visitor, ana.player).count(
            '<tr class="me"><th scope="row" class="name"><a class="player"'
        )
        for visitor in visitors
    ] == [1, 0, 0]


@pytest.mark.long
def test_languages_and_pools_have_parts_of_their_own(ana: User, ben: User, client: Client) -> None:
    for ruleset in ("morelli(size=5)", "morlox(size=5)"):
        for _ in range(2):
            pages.finished_game(ana.player, ben.player, "first", ruleset)
    page = _text(client, ana.player)
    japanese = client.get(ana.player.get_absolute_url(), headers={"accept-language": "ja"})
    assert "Rating history" in page
    assert "Rating history" not in japanese.content.decode()
    keys = Pool.objects.filter(ratings__player=ana.player).values_list("key", flat=True)
    charts = {_text(client, ana.player, f"?pool={key}").split("Rating in ")[1][:40] for key in keys}
    assert len(keys) == len(charts) == 2
    assert "<details open><summary>All pools" not in page
    assert "<details open><summary>All pools" in _text(client, ana.player, "?pool=unknown")
