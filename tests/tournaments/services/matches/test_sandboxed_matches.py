"""Matches with programs of authors: boxed, on workers that have a sandbox, with a record for their authors."""

from __future__ import annotations

import errno
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from celery import current_app
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engine import referee
from engine.errors import IsolationError
from engine.launch import Launch
from engine.match import BotSpec, Ending, Fault, GameReport, MatchSpec
from engine.transcript import parse_transcript
from tests.tournaments import authors, pages
from tests.tournaments.conftest import event_of
from tests.tournaments.frozen_clock import freeze
from tournaments import database_time
from tournaments.models import Game, Match, Player, SandboxReport, Transcript, User
from tournaments.services import enqueue, tick
from tournaments.services.accounts import players
from tournaments.services.bots import programs, sandbox_status
from tournaments.services.games import game_creation
from tournaments.services.matches import dispatch, matches, replies
from tournaments.services.matches.recorders import Recorder

RULESET = "morelli(size=5)"


@pytest.fixture
def theirs(ana: User) -> Player:
    return authors.version(ana, "Mover")


@pytest.fixture
def ours(db: None) -> Player:
    return players.add_bot(name="House", engine="random")


@pytest.fixture
def schedule(theirs: Player, ours: Player) -> Callable[..., Match]:
    """Return a function that schedules a match of an author's bot with one of the site.

    Change settings by keyword.
    """

    def make(**changes: object) -> Match:
        plan: dict[str, Any] = {
            "ruleset": RULESET,
            "setup": game_creation.draw_setup(RULESET, 3),
            "players": (theirs, ours),
            "clock": game_creation.Clock(60_000, 100),
            **changes,
        }
        return matches.schedule(**plan)

    return make


@pytest.fixture
def no_sandbox(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """A machine whose only isolator is missing."""
    settings.BOTS_ISOLATOR = "bwrap"
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.setattr(sandbox_status, "_self_test", sandbox_status.SelfTest())


@pytest.mark.engine
def test_a_pair_is_played_and_measured(schedule: Callable[..., Match]) -> None:
    match = schedule(games_count=2)
    assert match.is_sandboxed
    assert matches.play_match(match.pk)
    for game in match.games.all():
        assert game.ending == Game.Ending.RULES
        assert game.plies.count() == game.ply
        for ply in game.plies.all():
            assert ply.wall_ms is not None
            assert ply.cpu_ms is not None
            assert ply.spent_ms <= max(ply.wall_ms, ply.cpu_ms)


@pytest.mark.engine
def test_the_transcript_of_an_authors_bot_comes_with_the_result(
    schedule: Callable[..., Match], theirs: Player
) -> None:
    match = schedule(games_count=2)
    assert matches.play_match(match.pk)
    for game in match.games.all():
        (transcript,) = game.transcripts.all()
        assert transcript.side == game.side_of(theirs)
        assert transcript.attempt == game.attempt
        parse_result = parse_transcript(transcript.text)
        assert parse_result.bot == "Mover"
        lines = [entry.text for entry in parse_result.entries if entry.text.startswith("bestmove")]
        assert len(lines) == game.plies.filter(side=transcript.side).count()


@pytest.mark.engine
def test_our_own_bots_keep_no_diary_and_need_no_sandbox(
    ours: Player, schedule: Callable[..., Match], no_sandbox: None
) -> None:
    match = schedule(players=(ours, players.add_bot(name="Other", engine="random")))
    assert not match.is_sandboxed
    assert matches.play_match(match.pk)
    assert not Transcript.objects.exists()


def test_a_match_of_our_own_bots_tests_no_sandbox(
    ours: Player, schedule: Callable[..., Match], no_sandbox: None
) -> None:
    other = players.add_bot(name="Other", engine="random")
    later = database_time.now() + timedelta(minutes=1)
    match = schedule(players=(ours, other), due_at=later)
    assert not matches.play_match(match.pk)
    assert not SandboxReport.objects.exists()


@pytest.mark.engine
def test_without_a_sandbox_a_boxed_match_waits_and_loses_no_attempt(
    schedule: Callable[..., Match], no_sandbox: None
) -> None:
    match = schedule()
    assert not matches.play_match(match.pk)
    match.refresh_from_db()
    assert (match.state, match.attempt, match.losses) == (Match.State.QUEUED, 0, 0)
    assert Game.objects.ongoing().count() == 1


def _broken_box(_: BotSpec) -> Launch:
    raise IsolationError("the box could not be made")


@pytest.mark.engine
@pytest.mark.long
def test_a_box_that_cannot_be_made_is_tried_three_times_and_then_voids(
    schedule: Callable[..., Match], monkeypatch: pytest.MonkeyPatch
) -> None:
    match = schedule()
    monkeypatch.setattr(sandbox_status, "launcher", lambda: _broken_box)
    for losses, wait_s in ((1, 5), (2, 60), (3, 300)):
        now = database_time.now()
        Match.objects.update(due_at=now - timedelta(seconds=1))
        assert not matches.play_match(match.pk)
        match.refresh_from_db()
        assert (match.state, match.losses) == (Match.State.QUEUED, losses)
        assert "isolation" in match.fault
        # A machine that is busy for some minutes voids no game.
        assert match.due_at - now >= timedelta(seconds=wait_s)
    Match.objects.update(due_at=database_time.now() - timedelta(seconds=1))
    assert not matches.play_match(match.pk)
    match.refresh_from_db()
    game = match.games.get()
    assert match.state == Match.State.FAILED
    assert (game.result, game.ending) == ("void", "fault")


@pytest.mark.engine
def test_a_match_of_a_busy_machine_waits_as_long_as_it_takes(
    ours: Player, schedule: Callable[..., Match], monkeypatch: pytest.MonkeyPatch
) -> None:
    def starved(spec: MatchSpec, *, observer: Recorder, **_: object) -> None:
        names = (spec.ruleset, spec.setup, "a", "b")
        detail = "starved: 3 plies in a row"
        observer.game_ended(
            GameReport(0, *names, [], None, Ending.VOID, fault=Fault.STARVED, detail=detail)
        )

    freeze(monkeypatch)
    match = schedule(players=(ours, players.add_bot(name="Other", engine="random")))
    monkeypatch.setattr(referee, "play_match", starved)
    for waits, pause_s in enumerate((15, 30, 60, 120, 240, 480, 600, 600, 600), start=1):
        now = database_time.now()
        Match.objects.update(due_at=now - timedelta(seconds=1))
        assert not matches.play_match(match.pk)
        match.refresh_from_db()
        assert (match.state, match.waits, match.losses) == (Match.State.QUEUED, waits, 0)
        assert match.due_at == now + timedelta(seconds=pause_s)
        assert match.waits_for_processor
    assert match.games.get().result is None


def test_a_match_on_a_full_disk_waits_and_is_not_given_up(
    schedule: Callable[..., Match], monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    match = schedule()
    monkeypatch.setattr(programs, "spec", no_room)
    for waits in range(1, 5):
        Match.objects.update(due_at=database_time.now() - timedelta(seconds=1))
        assert not matches.play_match(match.pk)
        match.refresh_from_db()
        assert (match.state, match.waits, match.losses) == (Match.State.QUEUED, waits, 0)
    assert "No space left" in match.fault


@pytest.mark.engine
def test_a_program_that_crashes_loses_and_its_transcript_says_why(
    ana: User, schedule: Callable[..., Match], ours: Player
) -> None:
    source = b"import sys\nprint('no book', file=sys.stderr)\nsys.exit(3)\n"
    match = schedule(players=(authors.version(ana, "Broken", source), ours))
    assert matches.play_match(match.pk)
    game = match.games.get()
    assert (game.result, game.ending) == ("second", "crash")
    (transcript,) = game.transcripts.all()
    assert "no book" in transcript.text
    assert "exited" in transcript.text


@pytest.mark.engine
def test_numbers_of_any_size_and_markup_in_a_thought_are_text_of_the_transcript(
    ana: User, schedule: Callable[..., Match], ours: Player
) -> None:
    thoughts = (
        f"info depth {'9' * 3900}",
        f"info score cp {-(2**127)}",
        "info pv <script>x</script>",
    )
    says = "".join(f"    print({thought!r}, flush=True)\n" for thought in thoughts)
    source = authors.RANDOM_MOVER.replace(b"    return", says.encode() + b"    return")
    match = schedule(players=(authors.version(ana, "Boaster", source), ours))
    assert matches.play_match(match.pk)
    game = match.games.get()
    assert game.ending == Game.Ending.RULES
    (transcript,) = game.transcripts.all()
    lines = [entry.text for entry in parse_transcript(transcript.text).entries]
    assert [line for line in lines if line.startswith("info")][:3] == list(thoughts)


def test_boxed_matches_and_ours_have_queues_of_their_own(
    ours: Player,
    schedule: Callable[..., Match],
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    tasks: list[tuple[int, str]] = []

    def send(_task: str, args: list[int], *, queue: str, **_: object) -> None:
        tasks.append((args[0], queue))

    monkeypatch.setattr(current_app, "send_task", send)
    with django_capture_on_commit_callbacks(execute=True):
        sandboxed = schedule()
        builtin = schedule(players=(ours, players.add_bot(name="Other", engine="random")))
    assert tasks == [(sandboxed.pk, "bots"), (builtin.pk, "builtin")]
    tasks.clear()
    with django_capture_on_commit_callbacks(execute=True):
        tick.tick(database_time.now() + dispatch.REPEAT * 2)
    assert sorted(tasks) == [(sandboxed.pk, "bots"), (builtin.pk, "builtin")]


def test_a_person_does_not_wait_for_a_reply_behind_matches(
    theirs: Player,
    ana: User,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    tasks: list[tuple[int, str]] = []

    def send(_task: str, args: list[int], *, queue: str, **_: object) -> None:
        tasks.append((args[0], queue))

    monkeypatch.setattr(current_app, "send_task", send)
    with django_capture_on_commit_callbacks(execute=True):
        game = _against(theirs, ana.player)
    assert tasks == [(game.pk, "replies")]
    tasks.clear()
    later = (database_time.now() + tick.REPEAT_REPLY * 2).replace(second=0) + timedelta(minutes=1)
    with django_capture_on_commit_callbacks(execute=True):
        tick.tick(later)
    assert tasks == [(game.pk, "replies")]


@pytest.mark.engine
def test_a_bot_that_thinks_on_loses_on_time_and_voids_nothing(
    ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replies, "MAX_THINKING_MS", 300)
    game = _against(
        authors.version(ana, "Dreamer", authors.SLOW_MOVER.replace(b"0.2", b"600")),
        ana.player,
        game_creation.Clock(24 * 3600 * 1000),
    )
    replies.reply(game.pk)
    game.refresh_from_db()
    assert (game.result, game.ending) == (Game.Result.SECOND, Game.Ending.TIME)


def _against(bot: Player, person: Player, clock: game_creation.Clock | None = None) -> Game:
    """A game in which the bot is to make the first ply against the person."""
    return pages.new_game(
        bot,
        person,
        RULESET,
        clock=clock or game_creation.Clock(600_000, 100),
        is_rated=False,
        seed=3,
    )


def test_a_long_clock_gives_a_match_more_time_and_two_hours_are_the_most(
    schedule: Callable[..., Match], monkeypatch: pytest.MonkeyPatch
) -> None:
    limits: list[int] = []
    monkeypatch.setattr(enqueue, "match", lambda _, *, limit_s, **__: limits.append(limit_s))
    for plan in ({}, {"games_count": 2}, {"clock": game_creation.Clock(24 * 3600 * 1000)}):
        schedule(**plan)
        Match.objects.update(state=Match.State.DONE)  # so that there is room for the next
    assert limits[0] >= 2 * 60
    assert limits[1] == 2 * limits[0]
    assert limits[2] == 2 * 3600


def test_games_scheduled_together_ask_for_their_programs_once(
    theirs: Player, ours: Player, ana: User
) -> None:
    start = game_creation.start_position(RULESET, game_creation.draw_setup(RULESET, 1))
    event = event_of(ana, name="Ladder")

    def new_games(count: int) -> list[Game]:
        clock = game_creation.Clock(60_000)
        return [
            game_creation.new_game(start, first=theirs, second=ours, clock=clock, is_rated=False)
            for _ in range(count)
        ]

    def queries(count: int) -> int:
        with CaptureQueriesContext(connection) as captured:
            matches.schedule_games(new_games(count), event=event)
        return len(captured)

    queries(2)  # for these workers are sent
    assert queries(2) == queries(20)
    assert not Match.objects.filter(is_sandboxed=False).exists()


@pytest.mark.engine
def test_an_authors_bot_replies_to_a_person(ana: User, ben: User, theirs: Player) -> None:
    game = _game_against(ben, theirs)
    assert replies.reply(game.pk)
    ply = game.plies.get()
    assert ply.side == "first"
    assert ply.cpu_ms is not None


@pytest.mark.engine
def test_without_a_sandbox_the_reply_waits(ben: User, theirs: Player, no_sandbox: None) -> None:
    game = _game_against(ben, theirs)
    assert not replies.reply(game.pk)
    game.refresh_from_db()
    assert (game.reply_attempts, game.result) == (0, None)


def _game_against(user: User, bot: Player) -> Game:
    return pages.new_game(
        bot, user.player, RULESET, clock=game_creation.Clock(60_000), is_rated=False, seed=1
    )
