"""Many simultaneous requests: the database accepts exactly one.

Each race has a twin without its guard, which must fail.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Mapping, Sequence
from datetime import time, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError, transaction

import games
from tests.tournaments import pages, uploads
from tests.tournaments.conftest import enter, event_of
from tests.tournaments.races import RUNNERS, at_once, successes
from tournaments import clocks, database_time
from tournaments.models import (
    Bot,
    Entry,
    Event,
    Game,
    Heartbeat,
    LedgerEntry,
    Match,
    NewsItem,
    Occurrence,
    Outage,
    Ply,
    Program,
    Round,
    User,
)
from tournaments.models.games import GameQuerySet
from tournaments.queries.events import plans
from tournaments.services.accounts import players
from tournaments.services.bots import checks
from tournaments.services.bots import versions as bots
from tournaments.services.clocks import outages, vacations
from tournaments.services.events import entries
from tournaments.services.games import game_creation, game_end, play, takebacks
from tournaments.services.matches import leases, matches
from tournaments.services.notifications import news, reminders
from tournaments.services.ratings import posting
from tournaments.services.rounds import (
    lifecycle,
    publication,
    rounds,
    scheduled_events,
    schedules,
)

# After this time a barrier without further threads is broken.
PATIENCE_S = 60
pytestmark = [pytest.mark.engines, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def game(erasable: None, ana: User, ben: User) -> Game:
    return pages.new_game(ana.player, ben.player, clock=game_creation.Clock(60_000), seed=2)


def test_one_of_many_moves_at_a_ply_is_played(game: Game) -> None:
    legal = games.load(game.ruleset).parse(game.position).legal_moves()
    results = at_once(
        lambda n: play.play_move(game_id=game.pk, player=game.first, ply=0, move=legal[n])
    )
    assert len(successes(results)) == 1
    assert Ply.objects.count() == 1


def test_without_lock_and_condition_several_moves_are_written(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: without the guards of `play_move` several requests get through, so the race above is real.

    The key of a ply remains, and lets one of the writers through.
    """
    writers: list[int] = []
    together = threading.Barrier(RUNNERS)
    require_turn = play._require_turn

    def all_have_read(*arguments: Any) -> str:
        side = require_turn(*arguments)
        together.wait(PATIENCE_S)
        return side

    def update_anyway(changes: Mapping[str, object], **_: object) -> int:
        return Game.objects.filter(pk=game.pk).update(**changes)

    def write(charges: Sequence[clocks.Charge]) -> str:
        writers.append(threading.get_ident())
        return clocks.written(charges)

    legal = games.load(game.ruleset).parse(game.position).legal_moves()
    with monkeypatch.context() as patch:
        patch.setattr(play, "transaction", SimpleNamespace(atomic=contextlib.nullcontext))
        patch.setattr(GameQuerySet, "select_for_update", lambda self, **_: self.all())
        patch.setattr(play, "_at_ply", SimpleNamespace(update=update_anyway))
        patch.setattr(play, "_require_turn", all_have_read)
        patch.setattr(play, "written", write)
        patch.setattr(play, "conclude_ply", lambda *_: None)
        results = at_once(
            lambda n: play.play_move(game_id=game.pk, player=game.first, ply=0, move=legal[n])
        )
    assert len(writers) == RUNNERS
    assert len(successes(results)) == 1
    assert Ply.objects.count() == 1


def test_the_same_request_many_times_is_one_move(game: Game) -> None:
    move = games.load(game.ruleset).parse(game.position).legal_moves()[0]
    results = at_once(
        lambda _: play.play_move(
            game_id=game.pk, player=game.first, ply=0, move=move, client_key="k"
        )
    )
    assert len(successes(results)) >= 1
    assert Ply.objects.count() == 1


def test_a_game_ends_once_and_is_rated_once(game: Game) -> None:
    results = at_once(
        lambda n: play.resign(game_id=game.pk, player=game.first if n % 2 else game.second)
    )
    assert len(successes(results)) == 1
    assert LedgerEntry.objects.count() == 2


def test_eight_flags_and_a_move_at_once_are_one_ending(game: Game) -> None:
    """The clock has run down: the first request decides the game, and the rest find it decided."""
    now = database_time.now()
    Game.objects.update(turn_started_at=now - timedelta(minutes=2), deadline_at=now)
    legal = games.load(game.ruleset).parse(game.position).legal_moves()[0]

    def come(number: int) -> bool:
        if number == 0:
            return (
                play.play_move(game_id=game.pk, player=game.first, ply=0, move=legal).game.ply > 0
            )
        return game_end.flag(game.pk, database_time.now())

    results = at_once(come)
    game.refresh_from_db()
    assert (game.result, game.ending, game.ply) == ("second", "time", 0)
    assert sum(result is True for result in results) <= 1
    assert game.charges.filter(reason="flag").count() == 1
    assert LedgerEntry.objects.count() == 2
    assert NewsItem.objects.filter(topic__name=f"game:{game.pk}", kind="end").count() == 1


def test_a_time_away_is_given_back_once_however_many_notice_it(game: Game) -> None:
    now = database_time.now()
    Heartbeat.objects.create(pk=1, beat_at=now - timedelta(minutes=5))
    started_at = now - timedelta(minutes=9)
    Game.objects.update(turn_started_at=started_at, deadline_at=now, first_ms=540_000)

    def come(number: int) -> bool:
        outages.notice(now)
        return game_end.flag(game.pk, now)

    assert successes(at_once(come)) == [False] * RUNNERS
    game.refresh_from_db()
    assert (Outage.objects.count(), game.outage_ms) == (1, 300_000)


def test_a_vacation_and_the_move_that_passes_the_turn_meet(game: Game) -> None:
    """In either order, the clock of the absent player is stopped in the end."""
    Game.objects.update(
        clock_kind="bank",
        clock_initial_ms=86_400_000,
        clock_cap_ms=86_400_000,
        second_ms=86_400_000,
        allows_vacation=True,
    )
    legal = games.load(game.ruleset).parse(game.position).legal_moves()[0]

    def come(number: int) -> object:
        if number:
            return vacations.start(player=game.second, days=3)
        return play.play_move(game_id=game.pk, player=game.first, ply=0, move=legal)

    assert len(successes(at_once(come))) == 2
    game.refresh_from_db()
    assert (game.side_to_move, game.deadline_at) == ("second", None)
    assert game.paused_at is not None


def test_a_ply_goes_back_once(game: Game) -> None:
    legal = games.load(game.ruleset).parse(game.position).legal_moves()[0]
    play.play_move(game_id=game.pk, player=game.first, ply=0, move=legal)
    takebacks.offer_takeback(game_id=game.pk, player=game.first)
    results = at_once(
        lambda _: takebacks.offer_takeback(game_id=game.pk, player=game.second, is_answer=True)
    )
    assert len(successes(results)) == 1
    game.refresh_from_db()
    assert (game.attempt, game.ply) == (2, 0)


def test_one_worker_gets_a_match(erasable: None) -> None:
    pair = (
        players.add_bot(name="Bot 1", engine="random"),
        players.add_bot(name="Bot 2", engine="random"),
    )
    match = matches.schedule(
        ruleset="morelli(size=5)",
        setup=game_creation.draw_setup("morelli(size=5)", 2),
        players=pair,
        clock=game_creation.Clock(60_000),
    )
    lease_results = at_once(lambda _: leases.claim(match.pk))
    assert sum(lease is not None for lease in lease_results) == 1
    assert Match.objects.get().attempt == 1


def test_news_stay_without_gaps_when_many_announce(erasable: None) -> None:
    def announce(_: int) -> None:
        with transaction.atomic():
            news.announce("site", "seek")

    at_once(announce)
    numbers = NewsItem.objects.order_by("seq").values_list("seq", flat=True)
    assert list(numbers) == list(range(1, RUNNERS + 1))


def test_a_round_is_drafted_and_published_once(erasable: None, ana: User) -> None:
    event = event_of(ana, is_automatic=False)
    enter(event, *(players.add_bot(name=f"Bot {n}", engine="random") for n in range(4)))
    lifecycle.start_event(event_id=event.pk, actor=ana)
    drafts = at_once(lambda _: rounds.draft_round(event_id=event.pk))
    rounds_published = at_once(lambda _: publication.publish_automatically(event_id=event.pk))
    assert len(successes(drafts)) == len(successes(rounds_published)) == 1
    assert Round.objects.count() == 1
    assert Game.objects.count() == 2


def _scheduled() -> Event:
    """Return the event of tonight of a new schedule, which eight processes have created."""
    plan = plans.EventPlan(
        name="Evening",
        ruleset="morelli(size=5)",
        format=Event.Format.ARENA,
        clock=game_creation.Clock(180_000),
        duration_s=3600,
        admits=Event.Admits.BOTH,
    )
    timetable = schedules.Timetable(
        time_of_day=time(20), zone="UTC", weekdays=127, field_size=8, opens_before_h=24
    )
    schedules.create(actor=None, plan=plan, timetable=timetable)
    now = database_time.now()
    at_once(lambda _: scheduled_events.create_coming(now))
    return Event.objects.get()


def test_an_event_of_a_schedule_is_created_once(erasable: None) -> None:
    event = _scheduled()
    assert Occurrence.objects.get().event == event


def test_a_cancelled_event_is_deleted_by_several_beats_without_a_failure(erasable: None) -> None:
    event = _scheduled()
    schedules.cancel_event(event.pk, "without-people")
    later = database_time.now() + timedelta(days=2)
    at_once(lambda _: scheduled_events.forget_cancelled(later))
    assert not Event.objects.exists()


def test_a_player_is_reminded_of_a_start_once(erasable: None, ana: User, ben: User) -> None:
    now = database_time.now()
    event = event_of(ana, starts_at=now + timedelta(minutes=5))
    entries.enter(event_id=event.pk, player=ben.player, actor=ben)
    at_once(lambda _: reminders.remind_of_starts(now))
    assert NewsItem.objects.filter(kind="start-soon").count() == 1


def test_the_last_place_is_taken_once(erasable: None, ana: User) -> None:
    event = event_of(ana, max_entries=2)
    hopeful = [players.add_bot(name=f"Bot {n}", engine="random") for n in range(RUNNERS)]
    results = at_once(lambda n: entries.enter(event_id=event.pk, player=hopeful[n], actor=ana))
    assert len(successes(results)) == 2
    assert Entry.objects.count() == 2


def test_people_of_one_game_and_another_do_not_wait_for_each_other(
    erasable: None, ana: User, ben: User
) -> None:
    """Games of two players end simultaneously, in both seatings: locks taken in one order cannot deadlock."""
    seats = [(ana.player, ben.player), (ben.player, ana.player)] * (RUNNERS // 2)
    ongoing = [
        pages.new_game(first, second, "morlox(size=5)", clock=game_creation.Clock(60_000))
        for first, second in seats
    ]
    try:
        at_once(lambda n: play.resign(game_id=ongoing[n].pk, player=ongoing[n].first))
    except OperationalError as error:
        pytest.fail(f"deadlock: {error}")
    assert LedgerEntry.objects.count() == 2 * RUNNERS


def test_a_form_sent_many_times_at_once_is_one_bot(erasable: None, ana: User) -> None:
    results = at_once(lambda _: uploads.line(ana, key="once").pk)
    assert len(set(successes(results))) == 1
    assert Bot.objects.count() == 1


def test_many_uploads_at_once_do_not_pass_the_limit(erasable: None, ana: User) -> None:
    results = at_once(lambda n: uploads.line(ana, f"Nilo {n}").pk)
    assert len(successes(results)) == bots.MAX_IN_CHECK
    assert Program.objects.count() == 1


def test_one_of_many_checkers_gets_a_version(erasable: None, ana: User) -> None:
    waiting = uploads.line(ana)
    claims = at_once(lambda _: checks.claim(waiting.pk))
    assert sum(claim is not None for claim in claims) == 1


def test_of_many_versions_activated_at_once_one_plays(erasable: None, ana: User) -> None:
    first = uploads.ready(uploads.line(ana))
    versions = [first, uploads.ready(uploads.version(first, uploads.CHEAT))]
    at_once(lambda n: bots.activate(bot_id=versions[n % 2].pk, actor=ana))
    assert Bot.objects.filter(is_active=True).count() == 1


@pytest.mark.long
def test_newcomers_and_others_of_one_event_do_not_wait_for_each_other(
    erasable: None, ana: User
) -> None:
    """A first game locks its pool, and every player's ledger refers to it: a reference must not wait for that lock."""
    event = event_of(ana, is_automatic=False, is_rated=True)
    people = [players.sign_up(name=f"Player {n}", password="rayuela-1963") for n in range(16)]
    for user in people:
        enter(event, user.player)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    rounds.draft_round(event_id=event.pk)
    publication.publish_automatically(event_id=event.pk)
    ongoing = list(Game.objects.with_players().order_by("pk"))
    with transaction.atomic():  # every second game is of players who have a rating
        for game in ongoing[::2]:
            assert game.pool is not None
            posting.locked_standings(game.pool, [game.first_id, game.second_id])
    results = at_once(lambda n: play.resign(game_id=ongoing[n].pk, player=ongoing[n].first))
    assert len(successes(results)) == RUNNERS
