"""Publishing and starting are two actions. Publications are taken back. Absent players forfeit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournaments import pages
from tests.tournaments.conftest import enter, event_of
from tests.tournaments.frozen_clock import FrozenClock, freeze
from tournaments import database_time
from tournaments.errors import RefusedError, StaleError
from tournaments.models import Event, Game, Player, Round, User
from tournaments.services.events import entries, settings
from tournaments.services.games import presence
from tournaments.services.rounds import interruptions, lifecycle, publication, rounds


@pytest.fixture
def draft(people: list[Player], ana: User) -> Callable[..., Event]:
    def make(**changes: object) -> Event:
        event = event_of(ana, is_automatic=False, admits=Event.Admits.PEOPLE, **changes)
        enter(event, *people)
        lifecycle.start_event(event_id=event.pk, actor=ana)
        rounds.draft_round(event_id=event.pk, actor=ana)
        return event

    return make


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> FrozenClock:
    return freeze(monkeypatch)


def _games(event: Event) -> list[Game]:
    return list(Game.objects.filter(pairing__event=event).with_players().order_by("pk"))


def test_by_button_the_games_begin_when_the_organiser_starts_them(
    draft: Callable[..., Event], ana: User
) -> None:
    event = draft(start_mode=Event.Start.BUTTON)
    publication.publish_round(event_id=event.pk, actor=ana)
    assert not _games(event)
    lifecycle.advance_event(event.pk)
    assert event.rounds.get().state == Round.State.PUBLISHED  # and not closed for want of games
    publication.start_round(event_id=event.pk, actor=ana)
    assert len(_games(event)) == 2
    with pytest.raises(StaleError, match="no-round-to-start"):
        publication.start_round(event_id=event.pk, actor=ana)


@pytest.mark.long
def test_the_start_of_a_round_takes_no_more_queries_for_more_boards(
    people: list[Player], ana: User
) -> None:
    def queries(players: Sequence[Player]) -> int:
        event = event_of(ana, is_automatic=False, start_mode=Event.Start.BUTTON)
        enter(event, *players)
        lifecycle.start_event(event_id=event.pk, actor=ana)
        rounds.draft_round(event_id=event.pk, actor=ana)
        publication.publish_round(event_id=event.pk, actor=ana)
        with CaptureQueriesContext(connection) as captured:
            publication.start_round(event_id=event.pk, actor=ana)
        assert len(_games(event)) == len(players) // 2
        return len(captured)

    queries(people[:2])  # the pool of the games is new
    assert queries(people) == queries(people[:2])


def test_at_a_time_the_games_begin_by_themselves(
    draft: Callable[..., Event], ana: User, clock: FrozenClock
) -> None:
    event = draft()
    at = clock.now + timedelta(hours=1)
    with pytest.raises(RefusedError, match="time-past"):
        publication.publish_round(event_id=event.pk, actor=ana, starts_at=clock.now)
    publication.publish_round(event_id=event.pk, actor=ana, starts_at=at)
    assert not publication.start_due(event.pk, at - timedelta(seconds=1))
    clock.now = at
    lifecycle.advance_event(event.pk)
    assert len(_games(event)) == 2


def test_the_planned_time_of_a_round_is_when_its_games_begin(
    draft: Callable[..., Event], ana: User, clock: FrozenClock
) -> None:
    event = draft()
    at = clock.now + timedelta(hours=2)
    settings.plan_rounds(event_id=event.pk, actor=ana, times=[at, at + timedelta(days=1), None])
    publication.publish_round(event_id=event.pk, actor=ana)
    assert event.rounds.get().starts_at == at
    with pytest.raises(RefusedError, match="times-order"):
        settings.plan_rounds(event_id=event.pk, actor=ana, times=[at, at])


def test_with_presence_each_clock_starts_when_both_are_there(
    draft: Callable[..., Event], ana: User, clock: FrozenClock
) -> None:
    event = draft(start_mode=Event.Start.PRESENCE, grace_s=600)
    publication.publish_round(event_id=event.pk, actor=ana)
    game, other = _games(event)
    assert game.deadline_at is None
    with pytest.raises(StaleError, match="clocks-stopped"):
        pages.move(game)
    clock.wait(seconds=60)
    presence.note(game_id=game.pk, player=game.second)
    game.refresh_from_db()
    assert game.deadline_at is None
    presence.note(game_id=game.pk, player=game.first)
    game.refresh_from_db()
    assert game.deadline_at == clock.now + timedelta(milliseconds=game.first_ms)
    presence.note(game_id=other.pk, player=other.first)
    presence.forfeit_absent(clock.now)
    clock.wait(seconds=600)
    presence.forfeit_absent(clock.now)
    game.refresh_from_db()
    other.refresh_from_db()
    assert game.result is None
    assert (other.result, other.ending) == ("first-forfeit", "no-show")


def test_where_neither_has_come_both_forfeit_and_are_withdrawn(
    draft: Callable[..., Event], ana: User, clock: FrozenClock
) -> None:
    event = draft(grace_s=600)
    publication.publish_round(event_id=event.pk, actor=ana)
    clock.wait(seconds=600)
    presence.forfeit_absent(clock.now)
    assert {game.result for game in _games(event)} == {"double-forfeit"}
    lifecycle.advance_event(event.pk)
    assert event.entries.active().count() == 0


@pytest.mark.long
def test_a_player_who_looks_at_the_board_is_there(draft: Callable[..., Event], ana: User) -> None:
    event = draft(grace_s=600)
    publication.publish_round(event_id=event.pk, actor=ana)
    game = _games(event)[0]
    assert game.first.user is not None
    pages.member(game.first.user).get(game.get_absolute_url())
    pages.member(ana).get(game.get_absolute_url())
    game.refresh_from_db()
    assert game.first_present_at is not None
    assert game.second_present_at is None


def test_a_publication_is_taken_back_until_a_ply_is_played(
    draft: Callable[..., Event], ana: User
) -> None:
    event = draft()
    publication.publish_round(event_id=event.pk, actor=ana)
    before = _games(event)
    publication.take_back(event_id=event.pk, actor=ana, reason="wrong bye")
    assert event.rounds.get().state == Round.State.DRAFT
    assert not _games(event)
    former = Game.objects.get(pk=before[0].pk)
    assert (former.result, former.pairing) == ("void", None)
    publication.publish_round(event_id=event.pk, actor=ana)
    pages.move(_games(event)[0])
    with pytest.raises(StaleError, match="plies-played"):
        publication.take_back(event_id=event.pk, actor=ana, reason="too late")
    assert len(_games(event)) == 2


def test_a_draft_whose_player_asks_for_a_bye_is_not_published(
    draft: Callable[..., Event], ana: User, people: list[Player]
) -> None:
    event = draft()
    player = people[0]
    assert player.user is not None
    entries.request_bye(
        event_id=event.pk, player=player, actor=player.user, round_number=1, kind="half"
    )
    with pytest.raises(StaleError, match="draft-outdated"):
        publication.publish_round(event_id=event.pk, actor=ana)


def test_a_paused_event_publishes_nothing_and_closes_nothing(
    draft: Callable[..., Event], ana: User
) -> None:
    event = draft()
    interruptions.pause(event_id=event.pk, actor=ana, reason="power cut")
    with pytest.raises(StaleError, match="paused"):
        publication.publish_round(event_id=event.pk, actor=ana)
    interruptions.go_on(event_id=event.pk, actor=ana)
    publication.publish_round(event_id=event.pk, actor=ana)
    with pytest.raises(StaleError, match="not-paused"):
        interruptions.go_on(event_id=event.pk, actor=ana)


def test_a_pause_and_its_end_are_in_the_log(draft: Callable[..., Event], ana: User) -> None:
    event = draft()
    interruptions.pause(event_id=event.pk, actor=ana, reason="power cut")
    interruptions.go_on(event_id=event.pk, actor=ana)
    latest = event.audit.order_by("-pk").values_list("action", "reason")[:2]
    assert list(latest) == [("go-on", ""), ("pause", "power cut")]


def test_a_cancelled_event_counts_no_game_that_was_going_on(
    draft: Callable[..., Event], ana: User
) -> None:
    event = draft()
    publication.publish_round(event_id=event.pk, actor=ana)
    interruptions.cancel(event_id=event.pk, actor=ana, reason="storm")
    event.refresh_from_db()
    assert event.state == Event.State.CANCELLED
    assert {game.result for game in _games(event)} == {"void"}
    lifecycle.advance_event(event.pk)
    with pytest.raises(StaleError, match="event-over"):
        interruptions.cancel(event_id=event.pk, actor=ana, reason="again")


def test_an_automatic_event_starts_at_its_time_or_says_why_not(
    ana: User, people: list[Player], clock: FrozenClock
) -> None:
    at = clock.now + timedelta(hours=1)
    full = event_of(ana, admits=Event.Admits.PEOPLE, starts_at=at)
    empty = event_of(ana, admits=Event.Admits.PEOPLE, starts_at=at)
    enter(full, *people)
    lifecycle.start_due(clock.now)
    clock.now = at
    lifecycle.start_due(database_time.now())
    full.refresh_from_db()
    empty.refresh_from_db()
    assert full.state == Event.State.RUNNING
    assert (empty.state, empty.starts_at, empty.hold_reason) == ("registration", None, "too-few")
