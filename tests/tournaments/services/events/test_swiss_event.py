"""A Swiss from its creation to its final standings, with everything that can happen on the way."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from tests.tournaments.conftest import enter, event_of, play_due
from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import (
    AuditEntry,
    ByeRequest,
    Entry,
    Event,
    Game,
    Player,
    Round,
    Seat,
    User,
)
from tournaments.queries.arbiter import round_verification
from tournaments.queries.results import standings
from tournaments.services.events import entries
from tournaments.services.games import game_end, play
from tournaments.services.rounds import interruptions, lifecycle, publication, rounds

EnterAll = Callable[..., None]


def _play_to_the_end(event: Event) -> None:
    for _ in range(event.rounds_total + 1):
        play_due(event)
        lifecycle.advance_event(event.pk)
        event.refresh_from_db()
        if event.state == Event.State.FINISHED:
            return


def _resign_all(event: Event) -> None:
    """Every person to move resigns."""
    for game in Game.objects.ongoing().filter(pairing__event=event, match=None):
        person = game.first if not game.first.is_bot else game.second
        play.resign(game_id=game.pk, player=person)


@pytest.mark.long
@pytest.mark.engine
def test_bots_play_a_swiss_to_its_final_standings_by_themselves(
    bots: list[Player], ana: User
) -> None:
    event = event_of(ana)
    enter(event, *bots[:5])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    _play_to_the_end(event)
    assert event.state == Event.State.FINISHED
    table = standings.event_table(event)
    assert len(table.rows) == 5
    # Two points a game and two for the bye, in halves, in each of three rounds.
    assert sum(row.points_halves for row in table.rows) == 3 * 6
    byes = Seat.objects.filter(round__event=event, kind=Seat.Kind.PAIRING_BYE)
    assert len({bye.entry_id for bye in byes}) == 3
    assert Game.objects.filter(pairing__event=event, ledger__isnull=True).count() == 0


@pytest.mark.engine
@pytest.mark.long
def test_every_stored_round_is_paired_again_to_the_same_boards(
    bots: list[Player], ana: User
) -> None:
    event = event_of(ana)
    enter(event, *bots)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    _play_to_the_end(event)
    for round_ in event.rounds.all():
        verdict = round_verification.verify(round_)
        assert verdict.is_confirmed, verdict
        assert verdict.is_seed_committed


def test_all_boards_of_a_round_share_one_set_up(bots: list[Player], ana: User) -> None:
    event = event_of(ana, ruleset="morelli(size=7)")
    enter(event, *bots)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    setups = set(Game.objects.filter(pairing__event=event).values_list("setup", flat=True))
    assert setups == {event.rounds.get().setup}
    assert setups != {""}


def test_people_and_bots_sit_in_one_event_when_the_organiser_says_so(
    bots: list[Player], ana: User
) -> None:
    event = event_of(ana)
    enter(event, ana.player, bots[0])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    game = Game.objects.get(pairing__event=event)
    assert game.match is None
    play.resign(game_id=game.pk, player=ana.player)
    lifecycle.advance_event(event.pk)
    assert event.rounds.get(number=1).state == Round.State.CLOSED


@pytest.mark.parametrize(
    ("admits", "code"), [(Event.Admits.PEOPLE, "people-only"), (Event.Admits.BOTS, "bots-only")]
)
def test_who_is_not_admitted_is_refused(
    bots: list[Player], ana: User, admits: str, code: str
) -> None:
    event = event_of(ana, admits=admits)
    entrant = bots[0] if admits == Event.Admits.PEOPLE else ana.player
    with pytest.raises(RefusedError) as refused:
        enter(event, entrant)
    assert refused.value.code == code


def test_nobody_enters_twice_or_for_others(ana: User, ben: User) -> None:
    event = event_of(ana)
    enter(event, ana.player)
    with pytest.raises(RefusedError):
        enter(event, ana.player)
    with pytest.raises(NotAllowedError):
        entries.enter(event_id=event.pk, player=ana.player, actor=ben)


def test_a_full_event_takes_nobody(ana: User, bots: list[Player]) -> None:
    event = event_of(ana, max_entries=2)
    enter(event, *bots[:2])
    with pytest.raises(RefusedError) as refused:
        enter(event, bots[2])
    assert refused.value.code == "event-full"


def test_who_has_left_is_not_paired_and_may_return(bots: list[Player], ana: User) -> None:
    event = event_of(ana, is_automatic=False)
    enter(event, *bots[:3])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    entries.withdraw(event_id=event.pk, player=bots[2], actor=ana)
    rounds.draft_round(event_id=event.pk, actor=ana)
    assert not Seat.objects.filter(round__event=event, entry__player=bots[2]).exists()
    rounds.discard_draft(event_id=event.pk, actor=ana)
    enter(event, bots[2])
    rounds.draft_round(event_id=event.pk, actor=ana)
    assert Seat.objects.filter(round__event=event, entry__player=bots[2]).exists()
    with pytest.raises(RefusedError):
        entries.withdraw(event_id=event.pk, player=bots[5], actor=ana)


def test_a_late_entry_scores_nothing_for_what_it_missed(
    ana: User, ben: User, bots: list[Player]
) -> None:
    event = event_of(ana, is_automatic=False)
    enter(event, ana.player, bots[0])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    rounds.draft_round(event_id=event.pk)
    publication.publish_automatically(event_id=event.pk)
    enter(event, ben.player)
    _resign_all(event)
    lifecycle.advance_event(event.pk)
    rounds.draft_round(event_id=event.pk)
    late = Entry.objects.get(event=event, player=ben.player)
    assert late.tpn == 2
    assert Seat.objects.filter(round__number=2, entry=late).exists()
    row = next(r for r in standings.event_table(event).rows if r.entry == late)
    assert row.points_halves == 0
    with pytest.raises(RefusedError) as refused:
        enter(event, bots[3])
    assert refused.value.code == "event-closed"


def test_a_requested_bye_is_given_and_counts(bots: list[Player], ana: User) -> None:
    event = event_of(ana, is_automatic=False)
    enter(event, ana.player, *bots[:2])
    ask: dict[str, Any] = {"event_id": event.pk, "player": ana.player, "actor": ana}
    entries.request_bye(**ask, round_number=1, kind="half")
    cases: list[tuple[dict[str, Any], str]] = [
        ({"round_number": 1, "kind": "zero"}, "bye-requested"),
        ({"round_number": 2, "kind": "half"}, "half-bye-used"),
        ({"round_number": 9, "kind": "zero"}, "no-such-round"),
        ({"round_number": 2, "kind": "full"}, "bye-kind"),
    ]
    for changes, code in cases:
        with pytest.raises(RefusedError) as refused:
            entries.request_bye(**ask, **changes)
        assert refused.value.code == code
    lifecycle.start_event(event_id=event.pk, actor=ana)
    rounds.draft_round(event_id=event.pk)
    publication.publish_automatically(event_id=event.pk)
    row = next(r for r in standings.event_table(event).rows if r.entry.player == ana.player)
    assert row.points_halves == 1
    with pytest.raises(StaleError, match="round-paired"):
        entries.request_bye(**ask, round_number=1, kind="zero")
    assert ByeRequest.objects.count() == 1


def test_a_draft_is_seen_before_it_is_published_and_only_once(
    bots: list[Player], ana: User
) -> None:
    event = event_of(ana, is_automatic=False)
    with pytest.raises(StaleError):
        rounds.draft_round(event_id=event.pk)
    enter(event, *bots[:4])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    rounds.draft_round(event_id=event.pk, actor=ana)
    assert not Game.objects.exists()
    with pytest.raises(StaleError):
        rounds.draft_round(event_id=event.pk, actor=ana)
    publication.publish_round(event_id=event.pk, actor=ana)
    assert Game.objects.filter(pairing__event=event).count() == 2
    with pytest.raises(StaleError):
        publication.publish_round(event_id=event.pk, actor=ana)
    actions = list(AuditEntry.objects.filter(event=event).values_list("action", flat=True))
    assert actions[:2] == ["publish", "draft"]


def _due_at_once() -> None:
    Event.objects.filter(next_step_at__isnull=False).update(
        next_step_at=database_time.now() - timedelta(seconds=1)
    )


@pytest.mark.long
def test_an_event_that_cannot_be_paired_waits_with_the_reason(ana: User, ben: User) -> None:
    event = event_of(ana, rounds_total=5)
    enter(event, ana.player, ben.player)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    play.resign(game_id=Game.objects.get().pk, player=ana.player)
    for _ in range(3):
        lifecycle.advance_event(event.pk)  # the two have met
        event.refresh_from_db()
        assert event.next_step_at is not None
        assert event.next_step_at > database_time.now() + timedelta(seconds=10)
        _due_at_once()
    assert event.state == Event.State.RUNNING
    assert event.hold_reason == "no-pairing"
    assert AuditEntry.objects.filter(event=event, action="postponed").count() == 1
    lifecycle.finish_early(event_id=event.pk, actor=ana)
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED


def test_an_event_that_everybody_has_left_ends(ana: User, ben: User) -> None:
    event = event_of(ana, rounds_total=2)
    enter(event, ana.player, ben.player)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    for user in (ana, ben):
        entries.withdraw(event_id=event.pk, player=user.player, actor=user)
    play.resign(game_id=Game.objects.get().pk, player=ana.player)
    lifecycle.advance_event(event.pk)
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED


def test_a_draft_with_somebody_who_has_left_is_not_published(bots: list[Player], ana: User) -> None:
    event = event_of(ana, is_automatic=False)
    enter(event, *bots[:4])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    rounds.draft_round(event_id=event.pk)
    entries.withdraw(event_id=event.pk, player=bots[0], actor=ana)
    with pytest.raises(StaleError) as refused:
        publication.publish_automatically(event_id=event.pk)
    assert refused.value.code == "draft-outdated"
    Event.objects.update(is_automatic=True)  # such an event helps itself
    lifecycle.advance_event(event.pk)
    lifecycle.advance_event(event.pk)
    assert event.rounds.get().state == Round.State.PUBLISHED
    assert Game.objects.count() == 1


def test_who_left_before_the_start_and_returns_after_it_is_paired(
    bots: list[Player], ana: User
) -> None:
    event = event_of(ana, rounds_total=5)
    enter(event, *bots[:2], ana.player)
    entries.withdraw(event_id=event.pk, player=ana.player, actor=ana)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    enter(event, ana.player)
    assert event.entries.get(player=ana.player).tpn == 1


def test_the_next_round_waits_for_the_people_it_wants(
    bots: list[Player], ana: User, ben: User
) -> None:
    event = event_of(ana, min_guests=1)
    enter(event, *bots[:3])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    for game in Game.objects.ongoing():
        game_end.finish_game(game, result="first", ending="rules")
    lifecycle.advance_event(event.pk)
    assert event.rounds.count() == 1
    enter(event, ben.player)
    lifecycle.advance_event(event.pk)
    assert event.rounds.count() == 2
    assert Seat.objects.filter(round__number=2, entry__player=ben.player).exists()


@pytest.mark.long
def test_no_round_waits_for_people_who_may_not_enter_any_more(
    bots: list[Player], ana: User
) -> None:
    event = event_of(ana, min_guests=1, rounds_total=2)
    enter(event, *bots[:4])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    for game in Game.objects.ongoing():
        game_end.finish_game(game, result="first", ending="rules")
    lifecycle.advance_event(event.pk)
    assert event.rounds.count() == 2


def test_who_never_came_is_withdrawn(ana: User, ben: User) -> None:
    event = event_of(ana)
    enter(event, ana.player, ben.player)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    game = Game.objects.get()
    assert game.deadline_at is not None
    game_end.flag(game.pk, game.deadline_at)
    lifecycle.advance_event(event.pk)
    absent = Entry.objects.get(event=event, player=game.first)
    assert absent.state == Entry.State.WITHDRAWN


def test_only_the_organiser_starts_and_cancels(ben: User, ana: User) -> None:
    event = event_of(ana)
    for act in (lifecycle.start_event, lifecycle.finish_early):
        with pytest.raises(NotAllowedError):
            act(event_id=event.pk, actor=ben)
    with pytest.raises(NotAllowedError):
        interruptions.cancel(event_id=event.pk, actor=ben, reason="rain")
    with pytest.raises(RefusedError):
        lifecycle.start_event(event_id=event.pk, actor=ana)  # nobody has entered
    interruptions.cancel(event_id=event.pk, actor=ana, reason="rain")
    with pytest.raises(StaleError):
        lifecycle.start_event(event_id=event.pk, actor=ana)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"name": "  "}, "name-bad"),
        ({"name": "x" * 81}, "name-bad"),
        ({"ruleset": "chess"}, "ruleset-bad"),
        ({"ruleset": "morelli(size=8)"}, "ruleset-bad"),
        ({"rounds_total": 0}, "rounds-bad"),
        ({"rounds_total": 31}, "rounds-bad"),
        ({"max_entries": 1}, "entries-bad"),
        ({"admits": "cats"}, "admits-bad"),
        ({"format": "roulette"}, "format-bad"),
    ],
)
def test_a_bad_plan_is_refused_by_name(ana: User, changes: dict[str, Any], code: str) -> None:
    with pytest.raises(RefusedError) as refused:
        event_of(ana, **changes)
    assert refused.value.code == code


def test_events_of_one_name_have_addresses_of_their_own(ana: User) -> None:
    assert {event_of(ana).slug for _ in range(3)} == {"test", "test-2", "test-3"}


def test_no_event_takes_the_address_of_the_form_for_new_ones(ana: User) -> None:
    assert event_of(ana, name="New!").slug == "new-2"
