"""Lists that a process keeps for the pages of players: none has a private event for a reader without a part in it."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.tournaments import pages, puzzle_rows
from tests.tournaments.conftest import event_of
from tournaments import database_time
from tournaments.models import Event, Player, StaffMember, User
from tournaments.queries.events import conditions, festivals
from tournaments.services.events import entries, staff_members
from tournaments.services.festivals import changes
from tournaments.services.puzzles import tries
from tournaments.services.rounds import lifecycle

pytestmark = pytest.mark.django_db

_KEYS = re.compile(r'name="(?:csrfmiddlewaretoken|form_key)" value="[^"]*"')


def _front(user: User) -> str:
    return pages.member(user).get("/").content.decode()


def _organise(event: Event, ben: User) -> None:
    Event.objects.filter(pk=event.pk).update(organiser=ben)


def _enter(event: Event, ben: User) -> None:
    entries.enter(event_id=event.pk, player=ben.player, actor=ben, code="sesame")


def _enter_bot(event: Event, ben: User) -> None:
    bot = pages.version_of(ben, "Robot", 1)
    entries.enter(event_id=event.pk, player=bot.player, actor=event.organiser)


def _help(event: Event, ben: User) -> None:
    staff_members.add(
        event_id=event.pk,
        actor=event.organiser,
        player=ben.player,
        role=StaffMember.Role.DEPUTY,
    )


@pytest.mark.parametrize(
    "act", [_organise, _enter, _enter_bot, _help], ids=["organiser", "player", "author", "staff"]
)
def test_a_part_in_a_private_event_gives_a_reader_lists_of_their_own(
    ana: User, ben: User, act: Callable[[Event, User], None]
) -> None:
    event = event_of(ana, is_private=True, access_code="sesame")
    assert conditions.reader_of_lists(ben) is None
    act(event, ben)
    assert conditions.visible(Event.objects.all(), ben).exists()
    assert conditions.reader_of_lists(ben) == ben


def test_a_festival_without_sections_gives_its_organiser_lists_of_their_own(ben: User) -> None:
    assert conditions.reader_of_lists(ben) is None
    changes.create(organiser=ben, about=changes.About("Weekend"))
    assert festivals.current(ben).exists()
    assert conditions.reader_of_lists(ben) == ben


def test_a_part_in_a_public_event_gives_no_lists_of_their_own(ana: User) -> None:
    event_of(ana)
    assert conditions.reader_of_lists(ana) is None


def test_the_front_page_of_a_player_takes_few_statements(
    ana: User, ben: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    puzzle_rows.stored()
    pages.finished_game(ana.player, ben.player, "first")
    member = pages.member(ben)
    member.get("/")
    with django_assert_max_num_queries(18):
        member.get("/")


def test_private_results_are_on_the_front_page_of_their_readers_alone(
    ana: User, ben: User, bots: list[Player]
) -> None:
    event = event_of(ana, name="Tower Cup", is_listed=True, rounds_total=1)
    for bot in bots[:2]:
        entries.enter(event_id=event.pk, player=bot, actor=ana)
    Event.objects.filter(pk=event.pk).update(is_private=True, access_code="sesame")
    assert ["Tower Cup" in _front(user) for user in (ana, ben, ana)] == [True, False, True]


def test_the_own_game_is_not_among_those_to_watch(ana: User, ben: User, bots: list[Player]) -> None:
    pages.move(pages.new_game(bots[0], bots[1]))
    pages.move(pages.new_game(ana.player, bots[2]))
    watched = [page.partition("Being played now")[2] for page in map(_front, (ben, ana, ben))]
    assert [bots[0].name in text for text in watched] == [True, True, True]
    assert [bots[2].name in text for text in watched] == [True, False, True]


def test_the_puzzle_of_the_day_has_the_own_try(ana: User, ben: User) -> None:
    puzzle = puzzle_rows.stored()
    assert "Your rating:" not in _front(ana)
    tries.play(ana.player, puzzle, [], puzzle.line[0])
    assert ["Your rating:" in _front(user) for user in (ben, ana)] == [False, True]


def test_the_events_of_a_player_are_not_among_the_others(ana: User, ben: User) -> None:
    event = event_of(ana, name="Tower Cup")
    assert _front(ben).count("Tower Cup") == 1
    entries.enter(event_id=event.pk, player=ben.player, actor=ben)
    assert _front(ben).count("Tower Cup") == 1


def test_a_form_like_a_private_event_is_not_kept_for_others(ana: User, ben: User) -> None:
    event = event_of(ana, name="Attic")
    Event.objects.filter(pk=event.pk).update(is_private=True, access_code="sesame")
    own = pages.member(ana).get(f"/events/new/?like={event.slug}").content.decode()
    other = pages.member(ben).get("/events/new/").content.decode()
    assert event.slug in own
    assert event.slug not in other


def _form(page: str) -> str:
    return page.partition('action="/events/new/"')[2].partition("</form>")[0]


def test_each_template_has_a_form_of_its_own(ben: User) -> None:
    member = pages.member(ben)
    arena, evening, empty, unknown = (
        _form(_KEYS.sub("", member.get(f"/events/new/{query}").content.decode()))
        for query in ("?template=arena", "?template=club-evening", "", "?template=none")
    )
    assert len({arena, evening, empty}) == 3
    assert unknown == empty


def test_private_games_are_in_no_archive_of_others(
    client: Client, ana: User, ben: User, bots: list[Player]
) -> None:
    event = event_of(ana, name="Tower Cup", is_listed=True, rounds_total=1)
    for bot in bots[:2]:
        entries.enter(event_id=event.pk, player=bot, actor=ana)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    pages.resign_all(event)
    Event.objects.filter(pk=event.pk).update(is_private=True, access_code="sesame")
    readers = [pages.member(ana), pages.member(ben), client, pages.member(ana)]
    family = event.ruleset.partition("(")[0]
    texts = [reader.get(f"/archive/?family={family}").content.decode() for reader in readers]
    assert ["Tower Cup" in text for text in texts] == [True, False, False, True]


def test_the_archive_of_a_game_has_no_games_of_another(
    client: Client, ana: User, ben: User
) -> None:
    pages.finished_game(ana.player, ben.player, "first", "morelli(size=7)")
    pages.finished_game(ben.player, ana.player, "draw", "morlox(size=5)")
    queries = ("", "family=morelli", "family=morlox", "result=draw", "family=morelli&size=5")
    texts = [client.get(f"/archive/?{query}").content.decode() for query in queries]
    assert [text.count('"card archive-card"') for text in texts] == [2, 1, 1, 1, 0]


def test_the_page_of_all_puzzles_has_the_own_try(client: Client, ana: User, ben: User) -> None:
    puzzle = puzzle_rows.stored()
    tries.play(ana.player, puzzle, [], puzzle.line[0])
    readers = [client, pages.member(ana), pages.member(ben)]
    texts = [reader.get("/puzzles/").content.decode() for reader in readers]
    assert ["1 of 1 solved" in text for text in texts] == [False, True, False]
    assert ["Your rating:" in text for text in texts] == [False, True, False]


def _calendar(client: Client) -> str:
    return client.get("/calendar/").content.decode().partition('id="calendar"')[2]


@pytest.fixture
def coming(ana: User) -> Event:
    """Return a public event of Ana's that starts tomorrow."""
    tomorrow = database_time.now() + timedelta(days=1)
    return event_of(ana, name="Tower Cup", is_listed=True, starts_at=tomorrow)


def test_the_calendar_has_the_own_entries_of_each_reader(
    client: Client, coming: Event, ana: User, ben: User
) -> None:
    entries.enter(event_id=coming.pk, player=ben.player, actor=ben)
    readers = [client, pages.member(ana), pages.member(ben), pages.member(ana), client]
    texts = list(map(_calendar, readers))
    assert ["You take part." in text for text in texts] == [False, False, True, False, False]
    assert ["csrfmiddlewaretoken" in text for text in texts] == [False, True, False, True, False]
    assert ["Sign up and join" in text for text in texts] == [True, False, False, False, True]


def test_a_private_event_is_in_the_calendar_of_its_readers_alone(
    client: Client, coming: Event, ana: User, ben: User
) -> None:
    Event.objects.filter(pk=coming.pk).update(is_private=True, access_code="sesame")
    readers = [pages.member(ana), pages.member(ben), client, pages.member(ana)]
    texts = list(map(_calendar, readers))
    assert ["Tower Cup" in text for text in texts] == [True, False, False, True]


def test_a_leaderboard_has_the_place_of_its_reader_alone(
    client: Client, ana: User, ben: User
) -> None:
    pages.finished_game(ana.player, ben.player, "first")
    readers = [pages.member(ana), client, pages.member(ana), client]
    texts = [reader.get("/leaderboard/").content.decode() for reader in readers]
    for mark in ("You are here", '<tr class="me">'):
        assert [mark in text for text in texts] == [True, False, True, False]
    assert all(ben.player.name in text for text in texts)


def test_an_empty_calendar_says_so_to_visitors_and_members(client: Client, ben: User) -> None:
    texts = [
        each.get("/calendar/").content.decode() for each in (client, client, pages.member(ben))
    ]
    assert ["No event has a start" in text for text in texts] == [True, True, True]
