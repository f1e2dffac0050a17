"""Following players, and the page with their games and events."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments import pages
from tests.tournaments.conftest import enter, event_of
from tournaments.errors import RefusedError
from tournaments.models import Event, Follow, Player, User
from tournaments.queries.events import followed
from tournaments.services.accounts import follows
from tournaments.services.events import entries


@pytest.fixture
def fan(ana: User, people: list[Player]) -> Player:
    """Ana, who follows the first of the people."""
    follows.follow(player=ana.player, followed=people[0])
    return ana.player


@pytest.mark.long
def test_the_page_has_games_and_events_of_the_followed_and_of_no_one_else(
    fan: Player, ana: User, ben: User, people: list[Player]
    ) -> None:  # fmt: skip
    running = pages.new_game(people[0], ben.player)
    ended = pages.finished_game(people[1], people[0], "first")
    other = pages.new_game(people[1], ben.player)
    event = event_of(ana, name="Open of June")
    enter(event, people[0], people[1])
    activity = followed.activity(fan, ana)
    assert activity.players == [people[0]]
    assert activity.ongoing == [running]
    assert activity.ended == [ended]
    assert [(row.player, row.event) for row in activity.entries] == [(people[0], event)]
    content = pages.member(ana).get(reverse("following")).content.decode()
    for game in (running, ended):
        assert game.get_absolute_url() in content
    assert other.get_absolute_url() not in content
    home = pages.member(ana).get("/").content.decode()
    assert running.get_absolute_url() in home.partition("Players you follow")[2]


def test_games_and_entries_of_private_events_are_for_their_participants(
    fan: Player, ana: User, ben: User, people: list[Player]
    ) -> None:  # fmt: skip
    event = event_of(ana, is_private=True, access_code="sesame")
    user = people[0].user
    assert user is not None
    entries.enter(event_id=event.pk, player=people[0], actor=user, code="sesame")
    follows.follow(player=ben.player, followed=people[0])
    assert followed.activity(ben.player, ben).entries == []
    assert len(followed.activity(fan, ana).entries) == 1  # Ana runs the event


def test_an_event_that_no_list_has_is_not_in_the_activity(
    fan: Player, ana: User, people: list[Player]
    ) -> None:  # fmt: skip
    event = event_of(ana)
    enter(event, people[0])
    Event.objects.filter(pk=event.pk).update(is_listed=False)
    assert followed.activity(fan, ana).entries == []


def test_follow_and_unfollow_are_repeatable(fan: Player, people: list[Player], ana: User) -> None:
    client = pages.member(ana)
    address = reverse("player-follow", args=[people[0].pk])
    profile = people[0].get_absolute_url()
    for _ in range(2):
        client.post(address, {"next": profile})
        assert Follow.objects.count() == 1
        assert "Unfollow" in client.get(profile).content.decode()
    for _ in range(2):
        client.post(address, {"again": "yes", "next": profile})
        assert not Follow.objects.exists()
    assert "Unfollow" not in client.get(profile).content.decode()


def test_nobody_follows_themselves_or_too_many(
    fan: Player, people: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(RefusedError, match="not-yourself-follow"):
        follows.follow(player=fan, followed=fan)
    monkeypatch.setattr(follows, "MOST", 1)
    with pytest.raises(RefusedError, match="follows-many"):
        follows.follow(player=fan, followed=people[1])
    follows.follow(player=fan, followed=people[0])  # a repeated request


def test_guests_and_players_without_a_page_are_not_followed(ana: User) -> None:
    address = reverse("player-follow", args=[10**9])
    assert pages.member(ana).post(address).status_code == 404
    assert Client().get(reverse("following")).status_code == 302
