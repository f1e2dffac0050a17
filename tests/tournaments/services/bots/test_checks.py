"""The check of a version: in the real sandbox, by one checker at a time, and never blamed for faults of the site."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings

import games
from engine import sandbox, sdk
from tests.engine import bots
from tests.tournaments import uploads
from tournaments import database_time, limits
from tournaments.errors import StaleError, TooManyError
from tournaments.models import Bot, NewsItem, Program, SandboxReport, User
from tournaments.services import enqueue, tick
from tournaments.services.bots import checks, sandbox_status, versions


@pytest.fixture(autouse=True)
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "HOME", tmp_path)


@pytest.fixture
def box(db: None) -> None:
    uploads.require_box()


@pytest.fixture
def no_box(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which no isolator can be tried."""
    monkeypatch.setattr(sandbox.choice, "ISOLATORS", {})
    monkeypatch.setattr(sandbox_status, "_self_test", sandbox_status.SelfTest())


def _check(bot: Bot) -> Bot:
    assert uploads.has_verdict(bot)
    bot.refresh_from_db()
    return bot


def _news_of(user: User) -> list[object]:
    items = NewsItem.objects.filter(topic__name=f"user:{user.pk}", kind="bot").order_by("seq")
    return [item.payload["what"] for item in items]


@pytest.mark.long
@pytest.mark.engine
def test_a_good_bot_is_ready_and_plays_at_once(box: None, ana: User) -> None:
    bot = _check(uploads.line(ana))
    assert (bot.state, bot.is_active, bot.check_lease_until) == (Bot.State.READY, True, None)
    assert bot.check_log.startswith("morlox(size=")
    assert bot.check_log.endswith("no violations\n")
    assert _news_of(ana) == ["ready", "activate"]


@pytest.mark.engine
@pytest.mark.long
def test_a_bot_in_javascript_is_ready(box: None, ana: User) -> None:
    sample = Path(sdk.__file__).parent / "samples/javascript/morlox.js"
    bot = _check(uploads.line(ana, data=sample.read_bytes(), filename="morlox.js"))
    assert bot.state == Bot.State.READY, bot.check_log
    assert bot.program is not None
    assert (bot.program.kind, bot.program.filename) == (Program.Kind.WASM, "upload.js")


@pytest.mark.long
@pytest.mark.engine
def test_a_good_bot_waits_for_its_author_if_the_author_wants_it(box: None, ana: User) -> None:
    bot = _check(uploads.line(ana, takes_over=False))
    assert (bot.state, bot.is_active) == (Bot.State.READY, False)


@pytest.mark.long
@pytest.mark.engine
@pytest.mark.parametrize(
    ("data", "code", "log_line"),
    [
        (uploads.CHEAT, "check-failed", "illegal-move"),
        (uploads.SILENT, "check-failed", "I know nothing"),
        (bots.IGNORES_POSITION.encode(), "check-position", "Set up F, then play the moves"),
        (b"def (:", "program-does-not-compile", ""),
    ],
    ids=["cheat", "silent", "ignores the position", "does not compile"],
)
def test_a_bad_bot_is_refused_with_the_reason_and_the_log(
    box: None, ana: User, data: bytes, code: str, log_line: str
) -> None:
    bot = _check(uploads.line(ana, data=data))
    assert (bot.state, bot.state_code, bot.is_active) == (Bot.State.REFUSED, code, False)
    assert log_line in bot.check_log
    assert _news_of(ana) == ["refused"]


@pytest.mark.long
@pytest.mark.engine
def test_a_bot_is_checked_at_each_game_that_it_plays(box: None, ana: User) -> None:
    bot = _check(uploads.line(ana, families=["morlox", "perfect"]))
    headings = [
        line for line in bot.check_log.splitlines() if line.endswith(")") and "  " not in line
    ]
    assert headings[:2] == checks.terms(bot)[1]
    assert "morelli" not in bot.check_log


@pytest.mark.long
@pytest.mark.engine
def test_the_options_of_the_program_are_stored(box: None, ana: User) -> None:
    declares = uploads.GOOD.replace(b"import run", b"import Option, run").replace(
        b"run(choose)", b'run(choose, options=[Option("Depth", 3, 1, 9)])'
    )
    bot = _check(uploads.line(ana, data=declares))
    assert bot.options == ["name Depth type spin default 3 min 1 max 9"]


# Plays by the rules only on the clock that checks had.
_TELLS_THE_CLOCK = b"""\
from rayuela_sdk import run

def choose(position, clock):
    return position.legal_moves()[0] if clock.remaining_ms <= 2_000 else "a1-a1"

run(choose)
"""


@pytest.mark.long
@pytest.mark.engine
def test_a_program_cannot_tell_its_check_from_a_game(box: None, ana: User) -> None:
    bot = first = uploads.line(ana, data=_TELLS_THE_CLOCK)
    while checks.terms(bot)[0].initial_ms == 2_000:
        bot = uploads.version(first, _TELLS_THE_CLOCK)
    assert _check(bot).state == Bot.State.REFUSED


def test_checks_are_drawn_from_clocks_and_boards_of_games(ana: User) -> None:
    bot = uploads.line(ana, families=["morlox", "morelli", "perfect"])
    drawn = [checks.terms(Bot(pk=number, owner=ana, families=bot.families)) for number in range(60)]
    assert len({control for control, _ in drawn}) == 4
    for control, boards in drawn:
        assert [games.load(key).family for key in boards] == ["morelli", "morlox", "perfect"]
        longest_s = 2 * len(boards) * (2 * control.initial_ms + 480 * control.increment_ms) / 1000
        assert longest_s < 600
    assert len({board for _, boards in drawn for board in boards}) >= 8
    assert checks.terms(bot) == checks.terms(bot)


@pytest.mark.long
@pytest.mark.engine
def test_control_characters_of_a_bot_do_not_get_into_its_log(box: None, ana: User) -> None:
    noisy = b"import sys\nsys.stderr.write('\\x1b[31mred\\u202e\\n')\n"
    bot = _check(uploads.line(ana, data=noisy))
    assert "\\x1b[31mred\\u202e" in bot.check_log


def test_without_a_sandbox_a_version_waits_and_the_machine_says_why(
    no_box: None, ana: User
) -> None:
    bot = uploads.line(ana)
    assert not checks.check(bot.pk)
    bot.refresh_from_db()
    assert (bot.state, bot.check_attempts) == (Bot.State.CHECKING, 0)
    assert SandboxReport.objects.get().isolator == ""
    assert not SandboxReport.objects.exclude(isolator="").exists()


@pytest.mark.long
@pytest.mark.engine
def test_a_version_that_is_being_checked_is_left_to_its_checker(box: None, ana: User) -> None:
    bot = uploads.line(ana)
    Bot.objects.filter(pk=bot.pk).update(
        check_lease_until=database_time.now() + timedelta(seconds=30), check_attempts=1
    )
    assert not checks.check(bot.pk)
    Bot.objects.filter(pk=bot.pk).update(
        check_lease_until=database_time.now() - timedelta(seconds=1)
    )
    assert _check(bot).check_attempts == 2


@pytest.mark.long
@pytest.mark.engine
def test_three_lost_checkers_are_enough_and_the_author_may_ask_again(box: None, ana: User) -> None:
    bot = uploads.line(ana)
    Bot.objects.filter(pk=bot.pk).update(
        check_lease_until=database_time.now() - timedelta(seconds=1), check_attempts=3
    )
    assert not checks.check(bot.pk)
    bot.refresh_from_db()
    assert (bot.state, bot.state_code) == (Bot.State.REFUSED, "check-lost")
    versions.recheck(bot_id=bot.pk, actor=ana)
    assert _check(bot).is_active


@pytest.mark.long
@pytest.mark.engine
def test_a_late_checker_changes_nothing(box: None, ana: User) -> None:
    bot = uploads.line(ana)
    late = checks.claim(bot.pk)
    assert late is not None
    Bot.objects.filter(pk=bot.pk).update(
        check_lease_until=database_time.now() - timedelta(seconds=1)
    )
    assert _check(bot).state == Bot.State.READY
    assert not checks.refuse(late, code="check-failed", reason="9", log_text="")
    bot.refresh_from_db()
    assert bot.state == Bot.State.READY


@pytest.mark.long
@pytest.mark.engine
def test_a_suspended_version_comes_back_through_another_check(box: None, ana: User) -> None:
    bot = uploads.ready(uploads.line(ana), is_active=True)
    Bot.objects.filter(pk=bot.pk).update(
        state=Bot.State.SUSPENDED, is_active=False, state_code="faults-in-a-row"
    )
    versions.recheck(bot_id=bot.pk, actor=ana)
    again = _check(bot)
    assert (again.state, again.is_active, again.state_code) == (Bot.State.READY, True, "")
    assert again.faults_counted_from is not None


def test_three_further_checks_can_be_asked_for_a_day(ana: User) -> None:
    bot = uploads.line(ana)
    for _ in range(limits.RECHECKS.most):
        Bot.objects.filter(pk=bot.pk).update(state=Bot.State.SUSPENDED, takes_over=False)
        versions.recheck(bot_id=bot.pk, actor=ana)
    Bot.objects.filter(pk=bot.pk).update(state=Bot.State.SUSPENDED, takes_over=False)
    with pytest.raises(TooManyError, match="rechecks-by-account"):
        versions.recheck(bot_id=bot.pk, actor=ana)


def test_what_is_refused_for_its_faults_is_not_checked_again(ana: User) -> None:
    bot = uploads.line(ana)
    Bot.objects.filter(pk=bot.pk).update(
        state=Bot.State.REFUSED, state_code="check-failed", takes_over=False
    )
    with pytest.raises(StaleError):
        versions.recheck(bot_id=bot.pk, actor=ana)


def test_the_tick_finds_versions_that_wait(ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    woken: list[str] = []
    monkeypatch.setattr(enqueue, "check", lambda: woken.append("check"))
    uploads.line(ana)
    leased = uploads.line(ana, "Mono")
    Bot.objects.filter(pk=leased.pk).update(
        check_lease_until=database_time.now() + timedelta(seconds=60)
    )
    woken.clear()
    tick.tick(database_time.now().replace(second=30))
    assert woken == ["check"]
