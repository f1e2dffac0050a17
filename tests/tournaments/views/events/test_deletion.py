"""An event made by mistake is deleted by its organiser while it concerns no other person."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments.conftest import enter, event_of
from tests.tournaments.pages import member, text_of
from tournaments.errors import NotAllowedError, RefusedError
from tournaments.models import Event, Player, StaffMember, User
from tournaments.queries.events import conditions
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.services.arbiter import results
from tournaments.services.events import listed_players, staff_members
from tournaments.services.rounds import deletion, interruptions, lifecycle, publication


@pytest.fixture
def drafted(event: Event, ana: User) -> Event:
    """Four players of a list are in a draft."""
    rows = [ListedPlayer(name, 1500) for name in ("Alba", "Bruno", "Celia", "Dario")]
    listed_players.enter_all(event_id=event.pk, actor=ana, players=rows)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    lifecycle.draft_next(event_id=event.pk, actor=ana)
    return event


def _delete(event: Event, actor: User, name: str = "Test") -> None:
    deletion.delete(event_id=event.pk, actor=actor, reason="a trial", name=name)


@pytest.mark.long
def test_a_deleted_event_is_found_by_its_organiser_only(
    drafted: Event, ana: User, ben: User, client: Client
) -> None:
    staff_members.add(
        event_id=drafted.pk, actor=ana, player=ben.player, role=StaffMember.Role.DEPUTY
    )
    url, organiser = drafted.get_absolute_url(), member(ana)
    form = {"action": "delete", "reason": "a trial", "name": "Test", "confirm": "1"}
    answer = organiser.post(reverse("event-act", args=[drafted.slug]), form, follow=True)
    assert "The event was deleted." in text_of(answer.content)
    assert "Delete the event" not in text_of(answer.content)
    assert [visitor.get(url).status_code for visitor in (client, member(ben))] == [404, 404]
    assert organiser.get(url).status_code == 200
    assert "a trial" in text_of(organiser.get(reverse("event-log", args=[drafted.slug])).content)
    for visitor in (None, ben):
        assert not conditions.visible(Event.objects.all(), visitor).exists()


def test_a_deletion_needs_the_name(drafted: Event, ana: User) -> None:
    with pytest.raises(RefusedError, match="event-name-other"):
        _delete(drafted, ana, name="Tent")
    drafted.refresh_from_db()
    assert not drafted.is_private


def test_helpers_delete_no_event(drafted: Event, ana: User, ben: User) -> None:
    staff_members.add(
        event_id=drafted.pk, actor=ana, player=ben.player, role=StaffMember.Role.DEPUTY
    )
    assert "Delete the event" not in text_of(
        member(ben).get(reverse("event-desk", args=[drafted.slug])).content
    )
    with pytest.raises(NotAllowedError, match="not-organiser"):
        _delete(drafted, ben)


def test_an_event_with_a_published_round_is_not_deleted(started: Event, ana: User) -> None:
    with pytest.raises(RefusedError, match="delete-published"):
        _delete(started, ana)


def test_an_event_that_others_have_entered_is_cancelled_first(
    people: list[Player], bots: list[Player], ana: User
) -> None:
    event = event_of(ana, is_automatic=False)
    enter(event, ana.player, bots[0])
    assert deletion.obstacle(event) == "", "the organiser's entry and a bot of the site"
    enter(event, people[0])
    with pytest.raises(RefusedError, match="delete-entered"):
        _delete(event, ana)
    interruptions.cancel(event_id=event.pk, actor=ana, reason="rain")
    _delete(event, ana)
    event.refresh_from_db()
    assert event.is_private


def test_a_cancelled_event_with_a_typed_result_remains(started: Event, ana: User) -> None:
    results.enter_result(event_id=started.pk, actor=ana, round_number=1, board=1, result="draw")
    interruptions.cancel(event_id=started.pk, actor=ana, reason="rain")
    with pytest.raises(RefusedError, match="delete-played"):
        _delete(started, ana)


def test_an_unpublished_round_does_not_keep_an_event(started: Event, ana: User) -> None:
    publication.take_back(event_id=started.pk, actor=ana, reason="a trial")
    _delete(started, ana)
    started.refresh_from_db()
    assert started.state == Event.State.CANCELLED
