"""How a round comes about: claims, progress, set-ups nobody can choose, players kept apart, other points, acceleration."""

from __future__ import annotations

import hashlib
import json
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.utils import timezone

from tournaments import trf
from tournaments.models import Event, Game, NewsItem, Pairing, Prohibition, Seat
from tournaments.services import tick
from tournaments.services.arbiter import forbidden_pairs, round_verification
from tournaments.services.errors import NotAllowedError, RefusedError, StaleError
from tournaments.services.events import entries, seed_chain
from tournaments.services.games import game_creation, play
from tournaments.services.results import pairing_input, tables
from tournaments.services.rounds import lifecycle, pairing_lease, rounds

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

    from tournaments.models import Player, User
    from tournaments.pairing import Contestant, PairingProblem, Solution

    MakeEvent = Callable[..., Event]
    EnterAll = Callable[..., None]

pytestmark = pytest.mark.engines


@pytest.fixture
def started(new_event: MakeEvent, enter: EnterAll, bots: list[Player], ana: User) -> Event:
    event = new_event(is_automatic=False)
    enter(event, *bots)
    return lifecycle.start_event(event_id=event.pk, actor=ana)


def test_a_round_is_paired_by_one_worker_at_a_time(started: Event) -> None:
    claim = pairing_lease.claim(started.pk)
    with pytest.raises(StaleError, match="being-paired"):
        rounds.draft_round(event_id=started.pk)
    claim.release()
    assert rounds.draft_round(event_id=started.pk).number == 1


def test_a_lost_workers_claim_ends_and_its_answer_comes_too_late(started: Event) -> None:
    lost = pairing_lease.claim(started.pk)
    Event.objects.filter(pk=started.pk).update(pairing_until=timezone.now() - timedelta(seconds=1))
    pairing_lease.claim(started.pk)
    assert not lost.held().exists()
    lost.release()
    started.refresh_from_db()
    assert started.pairing_until is not None


def test_a_draft_that_an_entry_has_overtaken_is_made_again(
    started: Event, bots: list[Player], ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    solve, seen = rounds.solved, []

    def solved_while_somebody_leaves(
        event: Event, round_input: pairing_input.RoundInput, progress: object = None
    ) -> Solution:
        seen.append(len(round_input.playing))
        solution = solve(event, round_input)
        if len(seen) == 1:
            entries.withdraw(event_id=event.pk, player=bots[0], actor=ana)
        return solution

    monkeypatch.setattr(rounds, "solved", solved_while_somebody_leaves)
    drafted = rounds.draft_round(event_id=started.pk)
    assert seen == [6, 5]
    assert drafted.seats.count() == 5


def test_a_large_field_is_drafted_by_a_worker_that_tells_how_far_it_is(
    started: Event, ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lifecycle, "LARGE_FIELD", 5)
    monkeypatch.setattr(pairing_lease, "_STEP", timedelta(0))
    lifecycle.draft_next(event_id=started.pk, actor=ana)
    assert not started.rounds.exists()
    started.refresh_from_db()
    assert started.is_draft_requested
    tick.tick(timezone.now())  # finds it even when the wake-up is lost
    lifecycle.advance_event(started.pk)
    assert started.rounds.get().state == "draft"
    told = NewsItem.objects.filter(topic__name=f"event:{started.pk}", kind="pairing")
    assert [item.payload["percent"] for item in told] == [99]
    started.refresh_from_db()
    assert (started.is_draft_requested, started.pairing_until) == (False, None)


def test_set_ups_were_committed_to_before_the_event(
    new_event: MakeEvent, enter: EnterAll, bots: list[Player], ana: User
) -> None:
    event = new_event(ruleset="morelli(size=7)", seed=None)
    commitment = event.seed_commitment
    enter(event, *bots[:4])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    played = event.rounds.get()
    assert hashlib.sha256(played.setup_seed.encode()).hexdigest() == commitment
    assert played.setup == game_creation.draw_setup(event.ruleset, int(played.setup_seed, 16))
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


def test_a_swiss_round_keeps_the_file_it_was_paired_from(started: Event, client: Client) -> None:
    drafted = rounds.draft_round(event_id=started.pk)
    url = f"/events/{started.slug}/pairings/1/"
    assert client.get(f"{url}problem/").status_code == 404  # a draft is the organiser's
    assert client.get(f"{url}again/").status_code == 404
    rounds.publish_round(event_id=started.pk)
    answer = client.get(f"{url}problem/")
    assert answer["Content-Type"].startswith("text/plain")
    problem = trf.pairing_problem(trf.read(answer.content.decode()), 1)
    assert problem == pairing_input.read_back(drafted)
    assert f"### paired by Rayuela {drafted.engine}" in answer.content.decode()
    page = client.get(f"{url}again/").content.decode()
    assert "every board and every side as it was published" in page
    assert drafted.setup_seed in page


def test_a_round_that_was_tampered_with_is_not_confirmed(started: Event, client: Client) -> None:
    drafted = rounds.draft_round(event_id=started.pk)
    board = drafted.pairings.get(board=1)
    Pairing.objects.filter(pk=board.pk).update(first=board.second, second=board.first)
    drafted.setup_seed = "0" * 64
    drafted.save()
    rounds.publish_round(event_id=started.pk)
    verdict = round_verification.verify(drafted)
    assert not verdict.is_confirmed
    assert not verdict.is_seed_committed
    assert verdict.only_then == [
        round_verification.Difference(board.second.tpn or 0, board.first.tpn)
    ]
    page = client.get(f"/events/{started.slug}/pairings/1/again/").content.decode()
    assert "The new pairings differ" in page


def test_a_table_keeps_its_problem_as_json(
    new_event: MakeEvent, enter: EnterAll, bots: list[Player], ana: User, client: Client
) -> None:
    event = new_event(format="round-robin")
    enter(event, *bots[:4])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    answer = client.get(f"/events/{event.slug}/pairings/1/problem/")
    kept = json.loads(answer.content)
    assert kept["engine"].startswith("round-robin")
    assert len(kept["problem"]["contestants"]) == 4
    assert len(kept["answer"]["boards"]) == 2


def test_players_kept_apart_do_not_meet(
    started: Event, bots: list[Player], ana: User, ben: User
) -> None:
    top, *_ = entered = list(started.entries.order_by("tpn"))
    club = [entry.pk for entry in entered[:3] + entered[3:4]]
    with pytest.raises(NotAllowedError, match="not-organiser"):
        forbidden_pairs.forbid(event_id=started.pk, actor=ben, entry_ids=club)
    for entry_ids, first, last in (([top.pk], 1, None), (club, 3, 2), (club, 0, None)):
        with pytest.raises(RefusedError, match="prohibition-bad"):
            forbidden_pairs.forbid(
                event_id=started.pk,
                actor=ana,
                entry_ids=entry_ids,
                first_round=first,
                last_round=last,
            )
    made = forbidden_pairs.forbid(
        event_id=started.pk, actor=ana, entry_ids=[entered[0].pk, entered[3].pk], note="a club"
    )
    drafted = rounds.draft_round(event_id=started.pk)
    met = {frozenset((p.first.tpn, p.second.tpn)) for p in drafted.pairings.all()}
    assert met == {frozenset(pair) for pair in ((1, 5), (2, 4), (3, 6))}
    assert "260   1   3    1    4" in drafted.report
    rounds.discard_draft(event_id=started.pk)
    forbidden_pairs.allow(event_id=started.pk, actor=ana, prohibition_id=made.pk)
    with pytest.raises(StaleError, match="no-such-prohibition"):
        forbidden_pairs.allow(event_id=started.pk, actor=ana, prohibition_id=made.pk)
    assert not Prohibition.objects.exists()
    again = rounds.draft_round(event_id=started.pk)
    met = {frozenset((p.first.tpn, p.second.tpn)) for p in again.pairings.all()}
    assert frozenset((1, 4)) in met


def test_who_must_never_meet_leaves_the_event_waiting_with_its_reason(
    new_event: MakeEvent, enter: EnterAll, bots: list[Player], ana: User
) -> None:
    event = new_event()
    enter(event, *bots[:2])
    pair = [entry.pk for entry in event.entries.all()]
    forbidden_pairs.forbid(event_id=event.pk, actor=ana, entry_ids=pair)
    event = lifecycle.start_event(event_id=event.pk, actor=ana)
    assert event.hold_reason == "no-pairing"
    assert not event.rounds.exists()
    made = event.prohibitions.get()
    forbidden_pairs.allow(event_id=event.pk, actor=ana, prohibition_id=made.pk)
    lifecycle.advance_event(event.pk)
    assert event.rounds.count() == 1


def test_other_points_count_in_the_pairing_and_the_standings(
    new_event: MakeEvent, enter: EnterAll, bots: list[Player], ana: User
) -> None:
    event = new_event(win_halves=6, draw_halves=2, bye_halves=2)
    enter(event, *bots[:3])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    game = Game.objects.get(pairing__event=event)
    play.finish_game(game, result="draw", ending=Game.Ending.AGREEMENT)
    lifecycle.advance_event(event.pk)
    second = event.rounds.get(number=2)
    problem = pairing_input.read_back(second)
    assert sorted(c.score_halves for c in problem.contestants) == [2, 2, 2]
    assert problem.points.win == 6
    rows = tables.event_table(event).rows
    # A draw and a bye are 1 point each; the bye of the second round counts from its beginning.
    assert [row.points_halves for row in rows] == [4, 2, 2]
    assert {row.wins for row in rows} == {0}


def test_the_upper_half_of_an_accelerated_event_starts_with_virtual_points(
    new_event: MakeEvent, enter: EnterAll, bots: list[Player], ana: User
) -> None:
    event = new_event(is_accelerated=True, rounds_total=4)
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
        found = {name for (name,) in cursor.fetchall()}
    assert {"game_result_once", "game_prediction_fixed", "round_frozen"} <= found
    appended = {name for name in found if name.endswith(("_no_update", "_no_delete", "_only"))}
    assert len(appended) == {"sqlite": 22, "postgresql": 12}[connection.vendor]


def test_a_seat_names_the_opponent_who_has_left(
    new_event: MakeEvent, enter: EnterAll, bots: list[Player], ana: User
) -> None:
    event = new_event(format="round-robin")
    enter(event, *bots[:3])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    entries.withdraw(event_id=event.pk, player=bots[0], actor=ana)
    for game in Game.objects.ongoing():
        play.finish_game(game, result="first", ending=Game.Ending.RESIGNATION)
    lifecycle.advance_event(event.pk)
    seats = Seat.objects.filter(kind=Seat.Kind.FORFEIT_WIN, round__number=2)
    assert all(seat.absent and seat.absent.player == bots[0] for seat in seats)
