"""The order in which versions are checked."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db.models import F

from engine.checking import CheckResult
from tests.tournaments import pages
from tournaments import database_time
from tournaments.models import Bot, User
from tournaments.queries.bots import check_queue
from tournaments.services import enqueue
from tournaments.services.bots import checks, sandbox_status


@pytest.fixture
def add() -> Callable[..., Bot]:
    """Adds versions that wait for their check, uploaded in the order of the calls."""

    def make(author: User, name: str) -> Bot:
        bot = pages.version_of(author, name, 1)
        Bot.objects.filter(pk=bot.pk).update(state=Bot.State.CHECKING, is_active=False)
        bot.refresh_from_db()
        return bot

    return make


def _order() -> list[str]:
    names = dict(Bot.objects.values_list("pk", "line__name"))
    return [names[bot_id] for bot_id in check_queue.order(database_time.now())]


def test_authors_take_turns(ana: User, ben: User, add: Callable[..., Bot]) -> None:
    for author, name in ((ana, "Ana a"), (ana, "Ana b"), (ana, "Ana c"), (ben, "Ben a")):
        add(author, name)
    assert _order() == ["Ana a", "Ben a", "Ana b", "Ana c"]


def test_who_has_kept_the_checkers_comes_after_others(
    ana: User, ben: User, add: Callable[..., Bot]
) -> None:
    slept = add(ana, "Slept")
    Bot.objects.filter(pk=slept.pk).update(
        state=Bot.State.READY, check_ms=90_000, checked_at=database_time.now()
    )
    add(ana, "Next")
    late = [add(ben, f"Ben {number}") for number in range(3)]
    assert _order() == ["Ben 0", "Ben 1", "Ben 2", "Next"]
    place = check_queue.place_of(late[1], database_time.now())
    assert place == check_queue.QueuePlace(position=2, waiting=4, running=0)
    Bot.objects.filter(pk=slept.pk).update(checked_at=F("checked_at") - timedelta(hours=2))
    assert _order()[0] == "Next"


def test_what_is_being_checked_has_no_place(ana: User, add: Callable[..., Bot]) -> None:
    bot = add(ana, "Uno")
    now = database_time.now()
    Bot.objects.filter(pk=bot.pk).update(check_lease_until=now + timedelta(seconds=30))
    assert check_queue.order(now) == []
    assert check_queue.place_of(bot, now) == check_queue.QueuePlace(0, 0, 1)


@pytest.fixture
def verdicts(monkeypatch: pytest.MonkeyPatch) -> list[CheckResult]:
    """Return the results of the next checks, in order. Each seems to take a second."""
    results: list[CheckResult] = []

    def play(claim: checks.Claim, _out: object) -> CheckResult:
        object.__setattr__(claim, "began_ns", claim.began_ns - 1_000_000_000)
        return results.pop(0)

    monkeypatch.setattr(checks, "_play", play)
    monkeypatch.setattr(sandbox_status, "isolator", object)
    return results


def test_a_worker_takes_the_next_and_sends_for_another(
    ana: User,
    ben: User,
    add: Callable[..., Bot],
    verdicts: list[CheckResult],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for author, name in ((ana, "Ana a"), (ana, "Ana b"), (ben, "Ben a")):
        add(author, name)
    messages: list[str] = []
    monkeypatch.setattr(enqueue, "check", lambda: messages.append("check"))
    verdicts += [CheckResult(violations=0, is_void=False, is_starved=False)] * 3
    expected = ["Ana a", "Ben a", "Ana b"]
    for left, name in zip((2, 1, 0), expected, strict=True):
        messages.clear()
        assert checks.check_next()
        assert messages == ["check"] * (left > 0)
        assert Bot.objects.get(line__name=name).state == Bot.State.READY
    assert not checks.check_next()
    assert 1000 <= Bot.objects.get(line__name="Ben a").check_ms < 100_000


def test_a_check_without_a_processor_waits_and_is_no_attempt(
    ana: User, add: Callable[..., Bot], verdicts: list[CheckResult]
) -> None:
    bot = add(ana, "Uno")
    for _ in range(2 * checks.MAX_ATTEMPTS):
        verdicts.append(CheckResult(violations=1, is_void=True, is_starved=True))
        assert not checks.check_next()
        bot.refresh_from_db()
        assert (bot.state, bot.check_attempts) == (Bot.State.CHECKING, 0)
        assert bot.check_lease_until is not None
        assert bot.check_lease_until > database_time.now()
        assert not checks.check_next()  # it is not its time yet
        Bot.objects.update(check_lease_until=database_time.now() - timedelta(seconds=1))
