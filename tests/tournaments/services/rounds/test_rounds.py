"""The making of a round: claims, progress, drawn set-ups, players kept apart, other points, acceleration."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client

from tests.tournaments.conftest import enter, event_of
from tournaments import database_time, trf
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import Event, Game, NewsItem, Pairing, Player, Prohibition, Seat, User
from tournaments.pairing import Contestant, PairingProblem, Solution
from tournaments.queries.arbiter import round_verification
from tournaments.queries.events import seed_chain
from tournaments.queries.results import pairing_input, tables
from tournaments.services import tick
from tournaments.services.arbiter import entry_acts, forbidden_pairs
from tournaments.services.events import entries
from tournaments.services.games import game_creation, game_end
from tournaments.services.rounds import lifecycle, pairing_lease, publication, rounds

EnterAll = Callable[..., None]

pytestmark = pytest.mark.engines


@pytest.fixture
def running(bots: list[Player], ana: User) -> Event:
    event = event_of(ana, is_automatic=False)
    enter(event, *bots)
    return lifecycle.start_event(event_id=event.pk, actor=ana)


def test_a_round_is_paired_by_one_worker_at_a_time(running: Event) -> None:
    claim = pairing_lease.claim(running.pk)
    with pytest.raises(StaleError, match="being-paired"):
        rounds.draft_round(event_id=running.pk)
    claim.release()
    assert rounds.draft_round(event_id=running.pk).number == 1


def test_a_lost_workers_claim_ends_and_its_answer_comes_too_late(running: Event) -> None:
    lost_claim = pairing_lease.claim(running.pk)
    Event.objects.filter(pk=running.pk).update(
        pairing_until=database_time.now() - timedelta(seconds=1)
    )
    pairing_lease.claim(running.pk)
    assert not lost_claim.held().exists()
    lost_claim.release()
    running.refresh_from_db()
    assert running.pairing_until is not None


def test_a_draft_that_an_entry_has_overtaken_is_made_again(
    running: Event, bots: list[Player], ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    solve, attempts = rounds.solve, []

    def solve_while_somebody_leaves(
        event: Event, round_input: pairing_input.RoundInput, progress: object = None
    ) -> Solution:
        attempts.append(len(round_input.playing))
        solution = solve(event, round_input)
        if len(attempts) == 1:
            entries.withdraw(event_id=event.pk, player=bots[0], actor=ana)
        return solution

    monkeypatch.setattr(rounds, "solve", solve_while_somebody_leaves)
    draft = rounds.draft_round(event_id=running.pk)
    assert attempts == [6, 5]
    assert draft.seats.count() == 5


def test_a_large_field_is_drafted_by_a_worker_that_tells_how_far_it_is(
    running: Event, ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairing_input, "LARGE_FIELD", 5)
    monkeypatch.setattr(pairing_lease, "_STEP", timedelta(0))
    lifecycle.draft_next(event_id=running.pk, actor=ana)
    assert not running.rounds.exists()
    running.refresh_from_db()
    assert running.is_draft_requested
    tick.tick(database_time.now())  # finds it even when the wake-up is lost
    lifecycle.advance_event(running.pk)
    assert running.rounds.get().state == "draft"
    progress = NewsItem.objects.filter(topic__name=f"event:{running.pk}", kind="pairing")
    assert [item.payload["percent"] for item in progress] == [99]
    running.refresh_from_db()
    assert (running.is_draft_requested, running.pairing_until) == (False, None)


@pytest.mark.long
def test_set_ups_were_committed_to_before_the_event(bots: list[Player], ana: User) -> None:
    event = event_of(ana, ruleset="morelli(size=7)", seed=None)
    commitment = event.seed_commitment
    enter(event, *bots[:4])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    round_ = event.rounds.get()
    assert hashlib.sha256(round_.setup_seed.encode()).hexdigest() == commitment
    assert round_.setup == game_creation.draw_setup(event.ruleset, int(round_.setup_seed, 16))
    assert seed_chain.is_committed(
        commitment, 3, seed_chain.round_seed(event.seed_secret, seed_chain.ROUNDS_LENGTH, 3)
    )
    assert not seed_chain.is_committed(
        commitment, 2, seed_chain.round_seed(event.seed_secret, seed_chain.ROUNDS_LENGTH, 3)
    )
    with pytest.raises(ValueError, match="no link"):
        seed_chain.round_seed(
            event.seed_secret, seed_chain.ROUNDS_LENGTH, seed_chain.ROUNDS_LENGTH + 1
        )


@pytest.mark.long
def test_a_swiss_round_keeps_the_file_it_was_paired_from(running: Event, client: Client) -> None:
    draft = rounds.draft_round(event_id=running.pk)
    url = f"/events/{running.slug}/pairings/1/"
    assert client.get(f"{url}problem/").status_code == 404  # a draft is the organiser's
    assert client.get(f"{url}again/").status_code == 404
    publication.publish_automatically(event_id=running.pk)
    answer = client.get(f"{url}problem/")
    assert answer["Content-Type"].startswith("text/plain")
    problem = trf.pairing_problem(trf.read(answer.content.decode()), 1)
    assert problem == pairing_input.read_back(draft)
    assert f"### paired by Rayuela {draft.engine}" in answer.content.decode()
    page = client.get(f"{url}again/").content.decode()
    assert "every board and every side is equal" in page
    assert draft.setup_seed in page


@pytest.mark.long
def test_a_round_that_was_tampered_with_is_not_confirmed(running: Event, client: Client) -> None:
    draft = rounds.draft_round(event_id=running.pk)
    board = draft.pairings.get(board=1)
    Pairing.objects.filter(pk=board.pk).update(first=board.second, second=board.first)
    draft.setup_seed = "0" * 64
    draft.save()
    publication.publish_automatically(event_id=running.pk)
    verdict = round_verification.verify(draft)
    assert not verdict.is_confirmed
    assert not verdict.is_seed_committed
    assert verdict.only_then == [
        round_verification.Difference(board.second.tpn or 0, board.first.tpn)
    ]
    page = client.get(f"/events/{running.slug}/pairings/1/again/").content.decode()
    assert "The new pairings differ" in page


@pytest.mark.long
def test_a_table_keeps_its_problem_as_json(bots: list[Player], ana: User, client: Client) -> None:
    event = event_of(ana, format="round-robin")
    enter(event, *bots[:4])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    answer = client.get(f"/events/{event.slug}/pairings/1/problem/")
    problem = json.loads(answer.content)
    assert problem["engine"].startswith("round-robin")
    assert len(problem["problem"]["contestants"]) == 4
    assert len(problem["answer"]["boards"]) == 2


@pytest.mark.long
def test_players_kept_apart_do_not_meet(
    running: Event, bots: list[Player], ana: User, ben: User
) -> None:
    top, *_ = entries = list(running.entries.order_by("tpn"))
    club = [entry.pk for entry in entries[:3] + entries[3:4]]
    with pytest.raises(NotAllowedError, match="not-organiser"):
        forbidden_pairs.forbid(event_id=running.pk, actor=ben, entry_ids=club)
    for entry_ids, first, last in (([top.pk], 1, None), (club, 3, 2), (club, 0, None)):
        with pytest.raises(RefusedError, match="prohibition-bad"):
            forbidden_pairs.forbid(
                event_id=running.pk,
                actor=ana,
                entry_ids=entry_ids,
                first_round=first,
                last_round=last,
            )
    prohibition = forbidden_pairs.forbid(
        event_id=running.pk, actor=ana, entry_ids=[entries[0].pk, entries[3].pk], note="a club"
    )
    draft = rounds.draft_round(event_id=running.pk)
    pairs = {frozenset((p.first.tpn, p.second.tpn)) for p in draft.pairings.all()}
    assert pairs == {frozenset(pair) for pair in ((1, 5), (2, 4), (3, 6))}
    assert "260   1   3    1    4" in draft.report
    rounds.discard_draft(event_id=running.pk, actor=running.organiser)
    forbidden_pairs.allow(event_id=running.pk, actor=ana, prohibition_id=prohibition.pk)
    with pytest.raises(StaleError, match="no-such-prohibition"):
        forbidden_pairs.allow(event_id=running.pk, actor=ana, prohibition_id=prohibition.pk)
    assert not Prohibition.objects.exists()
    again = rounds.draft_round(event_id=running.pk)
    pairs = {frozenset((p.first.tpn, p.second.tpn)) for p in again.pairings.all()}
    assert frozenset((1, 4)) in pairs


def test_who_must_never_meet_leaves_the_event_waiting_with_its_reason(
    bots: list[Player], ana: User
) -> None:
    event = event_of(ana)
    enter(event, *bots[:2])
    pair = [entry.pk for entry in event.entries.all()]
    forbidden_pairs.forbid(event_id=event.pk, actor=ana, entry_ids=pair)
    event = lifecycle.start_event(event_id=event.pk, actor=ana)
    assert event.hold_reason == "no-pairing"
    assert not event.rounds.exists()
    prohibition = event.prohibitions.get()
    forbidden_pairs.allow(event_id=event.pk, actor=ana, prohibition_id=prohibition.pk)
    lifecycle.advance_event(event.pk)
    assert event.rounds.count() == 1


@pytest.fixture
def all_had_full_byes(bots: list[Player], ana: User) -> Callable[[str], Event]:
    """Return an event by that system before its second round: all three players had a requested full-point bye in the first."""

    def before_round_2(system: str) -> Event:
        event = event_of(ana, format=system, is_automatic=False)
        enter(event, *bots[:5])
        for entry in event.entries.filter(player__in=bots[:3]):
            entry_acts.grant_bye(
                event_id=event.pk,
                actor=ana,
                entry_id=entry.pk,
                round_number=1,
                kind="full",
                reason="invited",
            )
        lifecycle.start_event(event_id=event.pk, actor=ana)
        rounds.draft_round(event_id=event.pk)
        publication.publish_automatically(event_id=event.pk)
        game = Game.objects.get(pairing__event=event)
        game_end.finish_game(game, result="draw", ending=Game.Ending.AGREEMENT)
        for bot in bots[3:5]:
            entries.withdraw(event_id=event.pk, player=bot, actor=ana)
        lifecycle.advance_event(event.pk)
        return event

    return before_round_2


@pytest.mark.long
def test_a_full_point_bye_bars_no_pairing_allocated_bye_in_the_edition_of_2017(
    all_had_full_byes: Callable[[str], Event],
) -> None:
    """C.2 of 2017 names the pairing-allocated bye and the forfeit win alone."""
    draft = rounds.draft_round(event_id=all_had_full_byes("dutch-2017").pk)
    assert draft.pairings.count() == 1
    assert [seat.entry.tpn for seat in draft.seats.filter(kind=Seat.Kind.PAIRING_BYE)] == [3]


@pytest.mark.long
def test_a_full_point_bye_bars_the_pairing_allocated_bye_today(
    all_had_full_byes: Callable[[str], Event],
) -> None:
    """C.04.1 4."""
    event = all_had_full_byes("dutch")
    with pytest.raises(RefusedError, match="no-pairing"):
        rounds.draft_round(event_id=event.pk)


@pytest.mark.long
def test_other_points_count_in_the_pairing_and_the_standings(bots: list[Player], ana: User) -> None:
    event = event_of(ana, win_halves=6, draw_halves=2, bye_halves=2)
    enter(event, *bots[:3])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    game = Game.objects.get(pairing__event=event)
    game_end.finish_game(game, result="draw", ending=Game.Ending.AGREEMENT)
    lifecycle.advance_event(event.pk)
    second = event.rounds.get(number=2)
    problem = pairing_input.read_back(second)
    assert sorted(c.score_halves for c in problem.contestants) == [2, 2, 2]
    assert problem.points.win == 6
    rows = tables.event_table(event).rows
    # A draw and a bye are 1 point each. The bye of the second round counts from its beginning.
    assert [row.points_halves for row in rows] == [4, 2, 2]
    assert {row.wins for row in rows} == {0}


@pytest.mark.long
def test_the_upper_half_of_an_accelerated_event_starts_with_virtual_points(
    bots: list[Player], ana: User
) -> None:
    event = event_of(ana, is_accelerated=True, rounds_total=4)
    enter(event, *bots)
    event = lifecycle.start_event(event_id=event.pk, actor=ana)
    assert event.accelerated_upto_tpn == 4
    problem = pairing_input.read_back(event.rounds.get())
    assert [c.pairing_halves(1) for c in _by_tpn(problem)] == [2, 2, 2, 2, 0, 0]
    pairs = {frozenset((p.first.tpn, p.second.tpn)) for p in Pairing.objects.all()}
    assert pairs == {frozenset(p) for p in ((1, 3), (2, 4), (5, 6))}


def _by_tpn(problem: PairingProblem) -> list[Contestant]:
    return sorted(problem.contestants, key=lambda c: c.tpn)


def test_the_guards_of_the_database_are_all_there(db: None) -> None:
    tables_of = {
        "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
        "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal",
    }
    with connection.cursor() as cursor:
        cursor.execute(tables_of[connection.vendor])
        names = {name for (name,) in cursor.fetchall()}
    assert {"game_result_once", "game_prediction_fixed", "round_frozen"} <= names
    append_only = {name for name in names if name.endswith(("_no_update", "_no_delete", "_only"))}
    assert len(append_only) == {"sqlite": 29, "postgresql": 17}[connection.vendor]


@pytest.mark.long
def test_a_seat_names_the_opponent_who_has_left(bots: list[Player], ana: User) -> None:
    event = event_of(ana, format="round-robin")
    enter(event, *bots[:3])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    entries.withdraw(event_id=event.pk, player=bots[0], actor=ana)
    for game in Game.objects.ongoing():
        game_end.finish_game(game, result="first", ending=Game.Ending.RESIGNATION)
    lifecycle.advance_event(event.pk)
    seats = Seat.objects.filter(kind=Seat.Kind.FORFEIT_WIN, round__number=2)
    assert all(seat.absent and seat.absent.player == bots[0] for seat in seats)
