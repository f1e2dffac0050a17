"""Reports of volunteers' workers: checked by the rules, by replays, and taken back."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

import games
from config import wsgi_pool
from engine.programs import fuel_game
from engine.volunteer import tasks
from games import Outcome
from tests.tournaments import volunteers
from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import Game, Match, NewsItem, SprtPair, SprtTest, User, Worker, WorkerRun
from tournaments.queries.matches import fuel_records, trust
from tournaments.services import sprt_tests
from tournaments.services.matches import leases, matches
from tournaments.services.volunteers import leasing, reports, revocations

State = WorkerRun.State


@pytest.fixture
def test(ana: User) -> SprtTest:
    return volunteers.sprt_test(ana, elo1_centielo=300_00)


@pytest.fixture
def laptop(ben: User, test: SprtTest) -> Worker:
    return volunteers.worker(ben)


@pytest.fixture
def checks_none(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Check the share that the test sets, which is none at first."""

    def set_share(parts: int) -> None:
        monkeypatch.setattr(trust, "share", lambda verified: parts)

    set_share(0)
    return set_share


def _counted(worker: Worker, count: int) -> list[WorkerRun]:
    """Return runs whose invented results count."""
    runs = []
    for seed in range(count):
        run = volunteers.leased(worker)
        runs.append(volunteers.report(run, volunteers.invented(run, seed)))
    return runs


@pytest.mark.long
def test_a_result_without_a_check_counts_with_its_moves(
    checks_none: object, laptop: Worker, test: SprtTest
) -> None:
    run = volunteers.leased(laptop)
    transcripts = volunteers.invented(run)
    assert volunteers.report(run, transcripts).state == State.COUNTED
    match = Match.objects.get(pk=run.match_id)
    assert match.state == Match.State.DONE
    games = match.games.order_by("number")
    assert [fuel_records.record_of(game).text() for game in games] == transcripts
    sprt_tests.advance(test.pk)
    assert SprtPair.objects.get(match=match).score_halves is not None


@pytest.mark.long
def test_a_new_worker_is_checked_and_verified_by_the_replay(laptop: Worker, test: SprtTest) -> None:
    run = volunteers.leased(laptop)
    assert volunteers.report(run, volunteers.honest(run)).state == State.CHECKING
    assert leasing.lease(worker_id=laptop.pk, version=tasks.version()) is not None
    assert matches.play_match(run.match_id)
    reports.settle_due(database_time.now())
    run.refresh_from_db()
    assert run.state == State.VERIFIED


@pytest.mark.long
def test_an_invented_transcript_is_found_by_the_replay_with_its_first_ply(
    laptop: Worker, test: SprtTest
) -> None:
    run = volunteers.leased(laptop)
    transcripts = volunteers.invented(run)
    volunteers.report(run, transcripts)
    assert matches.play_match(run.match_id)
    reports.settle_due(database_time.now())
    run.refresh_from_db()
    assert (run.state, run.ply) == (State.WRONG, _first_difference(run))
    laptop.refresh_from_db()
    assert laptop.stop_code == Worker.Stop.WRONG
    with pytest.raises(NotAllowedError, match="worker-stopped"):
        volunteers.leased(laptop)
    notices = NewsItem.objects.filter(kind="worker-wrong")
    topics = {f"user:{laptop.owner_id}", f"user:{test.owner_id}"}
    assert set(notices.values_list("topic__name", flat=True)) == topics
    assert {item.payload["ply"] for item in notices} == {run.ply}


def _first_difference(run: WorkerRun) -> int:
    played = Game.objects.filter(match=run.match_id).order_by("number")
    for game, transcript in zip(played, run.transcripts, strict=True):
        reported = fuel_game.parse_fuel_game(transcript).record
        moves = fuel_records.record_of(game).record.moves
        for ply, pair in enumerate(zip(moves, reported.moves, strict=False), start=1):
            if pair[0] != pair[1]:
                return ply
    raise AssertionError("the invented games were those of the modules")


def _illegal(text: str) -> str:
    head, _, moves = text.rpartition("1. ")
    return f"{head}1. z9 {moves.partition(' ')[2]}"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda games: [volunteers.with_other_result(games[0]).text(), games[1].text()],
        lambda games: [games[1].text(), games[0].text()],
        lambda games: [games[0].text()],
        lambda games: [replace(games[0], fuel=2).text(), games[1].text()],
        lambda games: [replace(games[0], meter="rayuela 0").text(), games[1].text()],
        lambda games: [_illegal(games[0].text()), games[1].text()],
        lambda games: ["", games[1].text()],
    ],
    ids=["result", "order", "missing", "fuel", "meter", "move", "empty"],
)
def test_a_transcript_against_the_rules_stops_its_worker_immediately(
    checks_none: object, laptop: Worker, spoil: Callable[[list[object]], list[str]]
) -> None:
    run = volunteers.leased(laptop)
    rng = random.Random(3)
    games = [volunteers.random_game(task, rng) for task in leasing.tasks_of(run)]
    run = volunteers.report(run, spoil(games))  # type: ignore[arg-type]
    assert run.state == State.WRONG, run.detail
    match = Match.objects.get(pk=run.match_id)
    assert match.state == Match.State.QUEUED
    assert not match.games.finished().exists()
    assert not leasing.waiting(database_time.now()).filter(pk=match.pk).exists()


def test_a_transcript_beyond_its_limit_is_refused_and_the_match_can_be_given_back(
    laptop: Worker,
) -> None:
    run = volunteers.leased(laptop)
    longest = tasks.most_characters(leasing.tasks_of(run)[0])
    with pytest.raises(RefusedError, match="transcript-long"):
        volunteers.report(run, [volunteers.invented(run)[0], " " * (longest + 1)])
    run.refresh_from_db()
    assert (run.state, run.transcripts) == (State.LEASED, [])
    assert reports.give_back(run_id=run.pk, reason="long").state == State.RETURNED
    assert Match.objects.get(pk=run.match_id).state == Match.State.QUEUED


@pytest.mark.parametrize("key", ["morlox(size=19)", "morelli(edition=original,size=13)", "perfect"])
def test_two_transcripts_of_any_game_are_one_request(key: str) -> None:
    task = tasks.FuelTask(games.load(key).key, "", "", "", 1, "7")
    escaped_lines = games.record.MAX_PLIES + 100
    assert 2 * (tasks.most_characters(task) + escaped_lines) < wsgi_pool.MAX_BODY_BYTES


@pytest.mark.long
def test_a_wrong_transcript_takes_back_all_results_without_a_replay(
    checks_none: Callable[[int], None], laptop: Worker, test: SprtTest
) -> None:
    counted = _counted(laptop, 3)
    sprt_tests.advance(test.pk)
    assert test.pairs.filter(place__isnull=False).count() == 3
    checks_none(trust.PARTS)
    run = volunteers.leased(laptop)
    volunteers.report(run, volunteers.invented(run))
    assert matches.play_match(run.match_id)
    reports.settle_due(database_time.now())
    revocations.revoke_due()
    games = Game.objects.filter(match__in=[each.match_id for each in counted])
    assert set(games.values_list("result", flat=True)) == {Game.Result.VOID}
    assert games.filter(corrections__reason=revocations.REASON).count() == 6
    placed = test.pairs.filter(place__isnull=False)
    assert list(placed.values_list("match", flat=True)) == [run.match_id]
    assert placed.get().place == 1
    test.refresh_from_db()
    assert test.state == SprtTest.State.RUNNING
    assert test.pairs.filter(match__state=Match.State.QUEUED).count() >= 8


@pytest.mark.long
def test_a_test_whose_verdict_no_longer_follows_runs_again(
    checks_none: object, laptop: Worker, test: SprtTest
) -> None:
    while test.state == SprtTest.State.RUNNING:
        run = volunteers.leased(laptop)
        volunteers.report(run, [_won(run, task, k) for k, task in enumerate(leasing.tasks_of(run))])
        sprt_tests.advance(test.pk)
        test.refresh_from_db()
    assert test.state == SprtTest.State.PASSED
    Worker.objects.filter(pk=laptop.pk).update(
        stop_code=Worker.Stop.WRONG, stopped_at=database_time.now()
    )
    while WorkerRun.objects.filter(state=State.COUNTED).exists():
        revocations.revoke_due()
    test.refresh_from_db()
    assert (test.state, test.ended_at, test.reason) == (SprtTest.State.RUNNING, None, "")
    assert not test.pairs.filter(place__isnull=False).exists()


def _won(run: WorkerRun, task: object, number: int) -> str:
    """Return the first game of some random ones that the candidate has won, all different."""
    outcome = Outcome.FIRST if number == 0 else Outcome.SECOND
    rng = random.Random(run.pk * 10 + number)
    while True:
        game = volunteers.random_game(task, rng)  # type: ignore[arg-type]
        if game.record.outcome is outcome:
            return game.text()


def test_the_candidate_wins_by_resignation_too(checks_none: object, laptop: Worker) -> None:
    run = volunteers.leased(laptop)
    first, second = leasing.tasks_of(run)
    game = volunteers.random_game(first, random.Random(1))
    record = replace(
        game.record,
        moves=game.record.moves[:2],
        outcome=Outcome.SECOND,
        ending="resignation",
    )
    texts = [
        replace(game, record=record).text(),
        volunteers.random_game(second, random.Random(2)).text(),
    ]
    assert volunteers.report(run, texts).state == State.COUNTED
    played = Game.objects.get(match=run.match_id, number=1)
    assert (played.result, played.ending, played.ply) == ("second", "resignation", 2)


def test_a_lease_that_ends_gives_the_match_to_others_without_a_loss(
    laptop: Worker, test: SprtTest
) -> None:
    run = volunteers.leased(laptop)
    later = Match.objects.get(pk=run.match_id).lease_until
    assert later is not None
    Match.objects.filter(pk=run.match_id).update(lease_until=later - timedelta(hours=2))
    reports.settle_due(database_time.now())
    run.refresh_from_db()
    match = Match.objects.get(pk=run.match_id)
    assert (run.state, match.state, match.losses) == (State.LOST, Match.State.QUEUED, 0)
    with pytest.raises(StaleError, match="run-over"):
        volunteers.report(run, volunteers.invented(run))


def test_an_answer_is_refused_after_the_site_has_claimed_the_match(laptop: Worker) -> None:
    run = volunteers.leased(laptop)
    Match.objects.filter(pk=run.match_id).update(lease_until=database_time.now())
    lease = leases.claim(run.match_id)
    assert lease is not None
    assert Match.objects.get(pk=run.match_id).losses == 0
    with pytest.raises(StaleError, match="run-over"):
        volunteers.report(run, volunteers.invented(run))
    reports.settle_due(database_time.now())
    assert lease.held().exists(), "the run that was lost takes nothing from the site"


@pytest.mark.long
def test_a_repeated_report_is_one_report(checks_none: object, laptop: Worker) -> None:
    run = volunteers.leased(laptop)
    texts = volunteers.invented(run)
    assert volunteers.report(run, texts).state == State.COUNTED
    assert volunteers.report(run, texts).state == State.COUNTED
    assert Game.objects.filter(match=run.match_id).finished().count() == 2
    with pytest.raises(StaleError, match="run-over"):
        volunteers.report(run, volunteers.invented(run, 8))


@pytest.mark.long
def test_connected_workers_get_further_pairs(laptop: Worker, test: SprtTest) -> None:
    assert test.pairs.count() == 8
    volunteers.leased(laptop)
    sprt_tests.advance_due()
    assert test.pairs.count() == 8 + 2 * laptop.processes


def test_a_match_that_was_given_back_is_played_by_the_site(laptop: Worker) -> None:
    run = volunteers.leased(laptop)
    assert reports.give_back(run_id=run.pk, reason="crash").state == State.RETURNED
    assert not leasing.waiting(database_time.now()).filter(pk=run.match_id).exists()
    assert leases.claim(run.match_id) is not None
