"""Parts of an event's pages that a process keeps for all visitors: a change is on a member's page immediately."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import Group, Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from tests.tournaments import pages
from tests.tournaments.conftest import enter, event_of
from tournaments.models import Event, Player, User
from tournaments.services.events import announcements, entries, staff_members
from tournaments.services.rounds import lifecycle

pytestmark = [pytest.mark.django_db, pytest.mark.engines]

EnterAll = Callable[..., None]


@pytest.fixture
def event(ana: User, bots: list[Player]) -> Event:
    event = event_of(ana, admits="both")
    enter(event, *bots[:2])
    return event


def _text(client: Client, event: Event) -> str:
    return client.get(event.get_absolute_url()).content.decode()


@pytest.mark.long
def test_the_page_of_a_member_takes_few_statements(
    event: Event, ben: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    member = pages.member(ben)
    _text(member, event)
    with django_assert_max_num_queries(11):
        _text(member, event)


@pytest.mark.long
def test_entries_are_on_the_pages_of_other_members(
    event: Event, ana: User, ben: User, bots: list[Player]
) -> None:
    other = pages.member(ben)
    assert "2 players so far" in _text(other, event)
    entries.enter(event_id=event.pk, player=bots[2], actor=ana)
    text = _text(other, event)
    assert "3 players so far" in text
    assert bots[2].name in text


def test_a_member_sees_the_own_entry_and_others_do_not(event: Event, ana: User, ben: User) -> None:
    member, other = pages.member(ben), pages.member(ana)
    assert "You take part." not in _text(member, event)
    entries.enter(event_id=event.pk, player=ben.player, actor=ben)
    assert "You take part." in _text(member, event)
    assert "You take part." not in _text(other, event)


@pytest.mark.long
def test_rounds_and_announcements_are_on_the_pages_of_members(
    event: Event, ana: User, ben: User
) -> None:
    member = pages.member(ben)
    assert "Round 1 of 3" not in _text(member, event)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    lifecycle.advance_event(event.pk)
    announcements.announce(event_id=event.pk, actor=ana, text="Lunch is at noon.")
    text = _text(member, event)
    assert "Round 1 of 3" in text
    assert "Lunch is at noon." in text


def test_a_deputy_sees_the_desk_from_the_appointment_to_its_end(
    event: Event, ana: User, ben: User
) -> None:
    member = pages.member(ben)
    assert "Desk" not in _text(member, event)
    deputy = staff_members.add(event_id=event.pk, actor=ana, player=ben.player, role="deputy")
    assert "Desk" in _text(member, event)
    staff_members.remove(event_id=event.pk, actor=ana, member_id=deputy.pk)
    assert "Desk" not in _text(member, event)


@pytest.mark.parametrize("of_group", [False, True], ids=["own", "of a group"])
def test_a_permission_counts_from_the_next_request(
    event: Event, ben: User, *, of_group: bool
) -> None:
    member = pages.member(ben)
    request = member.get(event.get_absolute_url()).wsgi_request
    assert not request.user.has_perm("tournaments.moderate")
    moderate = Permission.objects.get(codename="moderate")
    if of_group:
        group = Group.objects.create(name="Moderators")
        group.permissions.add(moderate)
        ben.groups.add(group)
    else:
        ben.user_permissions.add(moderate)
    request = member.get(event.get_absolute_url()).wsgi_request
    assert request.user.has_perm("tournaments.moderate")


TABLES = ["standings/", "crosstable/", "pairings/1/"]


@pytest.fixture
def running(event: Event, ana: User, ben: User) -> Event:
    """Return an event of Ana's with two bots and Ben, in its first round."""
    entries.enter(event_id=event.pk, player=ben.player, actor=ben)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    event.refresh_from_db()
    return event


def _table(client: Client, event: Event, page: str) -> str:
    return client.get(f"{event.get_absolute_url()}{page}").content.decode()


@pytest.mark.long
@pytest.mark.parametrize("page", TABLES)
def test_the_own_row_is_marked_for_its_player_alone(
    running: Event, ben: User, people: list[Player], client: Client, page: str
) -> None:
    other = people[0].user
    assert other is not None
    readers = [pages.member(ben), pages.member(other), client, pages.member(ben)]
    texts = [_table(reader, running, page) for reader in readers]
    assert ['class="me"' in text for text in texts] == [True, False, False, True]


@pytest.mark.long
def test_the_own_row_of_a_pool_is_marked_for_its_player_alone(
    ana: User, ben: User, client: Client
) -> None:
    arena = event_of(ana, format="arena", duration_s=3600)
    enter(arena, ana.player, ben.player)
    lifecycle.start_event(event_id=arena.pk, actor=ana)
    readers = [client, pages.member(ben), client]
    texts = [_table(reader, arena, "pairings/") for reader in readers]
    assert ['class="me"' in text for text in texts] == [False, True, False]
    assert all(ben.player.name in text for text in texts)


@pytest.mark.long
@pytest.mark.parametrize("page", TABLES)
def test_a_table_of_members_takes_few_statements(
    running: Event,
    people: list[Player],
    django_assert_max_num_queries: DjangoAssertNumQueries,
    page: str,
) -> None:
    member, other = (pages.member(each.user) for each in people[:2] if each.user)
    _table(member, running, page)
    with django_assert_max_num_queries(6):
        _table(other, running, page)


@pytest.mark.long
@pytest.mark.parametrize("page", TABLES)
def test_a_page_of_a_member_reads_the_own_notices_once(
    running: Event, ben: User, page: str
) -> None:
    member = pages.member(ben)
    with CaptureQueriesContext(connection) as captured:
        _table(member, running, page)
    assert sum('FROM "tournaments_newsitem" ' in each["sql"] for each in captured) == 1


@pytest.mark.long
@pytest.mark.parametrize("page", TABLES)
def test_a_result_is_in_the_tables_of_members(
    running: Event, people: list[Player], page: str
) -> None:
    assert people[0].user is not None
    member = pages.member(people[0].user)
    before = _table(member, running, page)
    pages.resign_all(running)
    after = _table(member, running, page)
    assert before.partition("event-tables")[2] != after.partition("event-tables")[2]


def test_a_draft_is_in_the_pairings_of_the_staff_alone(
    ana: User, ben: User, bots: list[Player]
) -> None:
    event = event_of(ana, is_automatic=False)
    enter(event, *bots[:2])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    lifecycle.draft_next(event_id=event.pk, actor=ana)
    readers = [pages.member(ana), pages.member(ben), pages.member(ana)]
    texts = [_table(reader, event, "pairings/") for reader in readers]
    assert [bots[0].name in text for text in texts] == [True, False, True]


@pytest.mark.long
def test_tables_are_in_the_language_of_each_reader(running: Event, people: list[Player]) -> None:
    assert people[0].user is not None
    member = pages.member(people[0].user)
    address = f"{running.get_absolute_url()}standings/"
    languages = ("en", "ja", "en")
    texts = [
        member.get(address, headers={"accept-language": each}).content.decode()
        for each in languages
    ]
    assert ["when the event began" in text for text in texts] == [True, False, True]


@pytest.mark.parametrize("page", TABLES)
def test_kept_tables_of_a_private_event_are_shown_to_its_readers_alone(
    running: Event, people: list[Player], client: Client, page: str
) -> None:
    Event.objects.filter(pk=running.pk).update(is_private=True, access_code="sesame")
    invited, other = (pages.member(each.user) for each in people[:2] if each.user)
    address = f"{running.get_absolute_url()}{page}"
    statuses = [
        reader.get(address, query).status_code
        for reader, query in (
            (invited, {"code": "sesame"}),
            (invited, {}),
            (other, {}),
            (client, {}),
        )
    ]
    assert statuses == [200, 200, 404, 404]
