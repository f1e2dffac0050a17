"""Regressions: by night each new active version plays its line's first version, unrated and once."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

import games
from tests.tournaments import authors, frozen_clock, pages, uploads, volunteers
from tests.tournaments.frozen_clock import FrozenClock
from tournaments.errors import RefusedError
from tournaments.models import (
    Bot,
    BotLine,
    Game,
    Gauntlet,
    GauntletPair,
    Regression,
    SharedMatch,
    User,
)
from tournaments.queries.bots import gauntlet_tables
from tournaments.queries.matches.fuel_terms import Terms
from tournaments.services import gauntlets, regressions
from tournaments.services.bots import versions
from tournaments.services.games import game_creation

_RULES = "morlox(size=5)"
_CLOCK = game_creation.Clock(5_000, 100)
_TERMS = Terms(_CLOCK)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> FrozenClock:
    """A clock that shows half past five in the morning, UTC, when the regression of each line may start."""
    held = frozen_clock.freeze(monkeypatch)
    held.sleep(hours=17, minutes=30)
    return held


@pytest.fixture
def line(ana: User, clock: FrozenClock) -> BotLine:
    """A bot of two versions, the second of them active, whose regressions are on."""
    second = uploads.ready(_next(uploads.ready(uploads.line(ana))), is_active=True)
    assert second.line is not None
    regressions.switch_on(line=second.line, ruleset=_RULES, terms=_TERMS, pairs=4)
    return second.line


def _next(bot: Bot) -> Bot:
    return uploads.version(bot, uploads.GOOD + b"# %d" % bot.pk)


def _tested(now: datetime) -> list[str]:
    """Return the versions that regressions have been started for, by the end of this minute."""
    regressions.start_due(now)
    rows = Gauntlet.objects.filter(is_regression=True).order_by("pk")
    return list(rows.values_list("candidate__player__name", flat=True))


def test_the_active_version_plays_the_first_one_unrated(line: BotLine, clock: FrozenClock) -> None:
    assert _tested(clock.now) == ["Nilo 2"]
    gauntlet = Gauntlet.objects.get()
    assert gauntlet.owner == line.owner
    assert gauntlet.pairs_each == 4
    assert (gauntlet.ruleset, gauntlet.clock_initial_ms) == (games.load(_RULES).key, 5_000)
    assert gauntlet.suite is not None, "Morlox has one start"
    assert [each.bot.player.name for each in gauntlet.opponents.all()] == ["Nilo 1"]
    assert not Game.objects.filter(is_rated=True).exists()


def test_no_regression_starts_by_day(line: BotLine, clock: FrozenClock) -> None:
    assert _tested(clock.sleep(hours=5)) == []
    assert _tested(clock.sleep(hours=19)) == ["Nilo 2"]


@pytest.mark.long
def test_a_version_is_played_once_and_one_a_night(line: BotLine, clock: FrozenClock) -> None:
    assert _tested(clock.now) == ["Nilo 2"]
    assert _tested(clock.sleep(hours=24)) == ["Nilo 2"]
    third = uploads.ready(_next(line.versions.get(version=2)), is_active=True)
    assert _tested(clock.now) == ["Nilo 2", "Nilo 3"]
    Gauntlet.objects.update(state=Gauntlet.State.DONE, ended_at=clock.now)
    uploads.ready(_next(third), is_active=True)
    assert _tested(clock.sleep(minutes=10)) == ["Nilo 2", "Nilo 3"]
    assert _tested(clock.sleep(hours=23, minutes=50)) == ["Nilo 2", "Nilo 3", "Nilo 4"]


@pytest.mark.long
def test_other_terms_play_a_version_again(line: BotLine, clock: FrozenClock) -> None:
    _tested(clock.now)
    regressions.switch_on(line=line, ruleset="morlox(size=7)", terms=_TERMS, pairs=4)
    assert _tested(clock.sleep(hours=24)) == ["Nilo 2", "Nilo 2"]
    assert Regression.objects.count() == 1


def test_nothing_starts_when_regressions_are_off(line: BotLine, clock: FrozenClock) -> None:
    regressions.switch_off(line)
    assert _tested(clock.now) == []


@pytest.mark.parametrize("active", [None, 1])
def test_nothing_starts_without_an_active_version_after_the_first(
    line: BotLine, clock: FrozenClock, active: int | None
) -> None:
    if active is None:
        versions.retire(bot_id=line.versions.get(version=2).pk, actor=line.owner)
    else:
        versions.activate(bot_id=line.versions.get(version=active).pk, actor=line.owner)
    assert _tested(clock.now) == []


def test_the_earliest_version_that_can_play_is_the_base(line: BotLine, clock: FrozenClock) -> None:
    uploads.ready(_next(line.versions.get(version=2)), is_active=True)
    line.versions.filter(version=1).update(state=Bot.State.SUSPENDED)
    assert _tested(clock.now) == ["Nilo 3"]
    assert Gauntlet.objects.get().opponents.get().bot.player.name == "Nilo 2"


@pytest.mark.long
def test_a_regression_waits_for_the_author_s_share(line: BotLine, clock: FrozenClock) -> None:
    first, second = line.versions.order_by("version")
    plan = gauntlets.Plan(second, [first], _RULES, _CLOCK, pairs_each=1)
    own = [gauntlets.start(line.owner, plan) for _ in range(gauntlets.RUNNING_AN_AUTHOR)]
    assert _tested(clock.now) == []
    gauntlets.stop(gauntlet_id=own[0].pk, actor=line.owner)
    assert _tested(clock.now) == ["Nilo 2"]
    assert [each.is_regression for each in gauntlet_tables.listing(regressions_of=line.pk)] == [
        True
    ]


@pytest.mark.parametrize(
    ("changes", "code"),
    [({"ruleset": "chess"}, "ruleset-bad"), ({"pairs": 101}, "gauntlet-pairs")],
    ids=str,
)
def test_terms_that_cannot_be_played_are_refused(
    line: BotLine, changes: dict[str, object], code: str
) -> None:
    terms: dict[str, object] = {"ruleset": _RULES, "terms": _TERMS, "pairs": 4, **changes}
    with pytest.raises(RefusedError, match=code):
        regressions.switch_on(line=line, **terms)  # type: ignore[arg-type]


@pytest.mark.long
def test_the_page_of_the_bot_has_the_terms_and_the_differences(
    line: BotLine, clock: FrozenClock
) -> None:
    _tested(clock.now)
    GauntletPair.objects.filter(number=1).update(score_halves=3)
    browser = pages.member(line.owner)
    page = browser.get(reverse("bot-line", args=[line.pk])).content.decode()
    assert reverse("gauntlet", args=[Gauntlet.objects.get().pk]) in page
    assert 'class="error-bar"' in page
    assert "plays 4 pairs against the first version" in pages.text_of(page.encode())


def test_the_form_switches_regressions_on_and_off(line: BotLine) -> None:
    browser, address = pages.member(line.owner), reverse("bot-regression", args=[line.pk])
    assert browser.get(address).context["form"]["pairs"].value() == 4
    form = {"ruleset": _RULES, "clock": "10+0.1", "pairs": "30"}
    browser.post(address, form | {"is_on": "on"})
    assert (Regression.objects.get().pairs, Regression.objects.get().clock_initial_ms) == (
        30,
        10_000,
    )
    assert browser.post(address, form | {"is_on": "on", "pairs": "0"}).status_code == 422
    browser.post(address, form)
    assert not Regression.objects.exists()


def _modules(owner: User) -> BotLine:
    """Return a bot of two versions that are modules which volunteers may get."""
    line = volunteers.module(owner, "Rio").bot.line
    assert line is not None
    second = authors.module(owner, "Rio 2", b"second").bot
    Bot.objects.filter(line=line).update(is_active=False)
    Bot.objects.filter(pk=second.pk).update(line=line, version=2, is_active=True)
    return line


def test_a_regression_under_fuel_is_open_to_volunteers(ana: User, clock: FrozenClock) -> None:
    line = _modules(ana)
    fuel = Terms.read("10Mfuel")
    regressions.switch_on(line=line, ruleset=_RULES, terms=fuel, volunteer_priority=3, pairs=4)
    assert _tested(clock.now) == ["Rio 2"]
    gauntlet = Gauntlet.objects.get()
    assert (gauntlet.fuel, gauntlet.volunteer_priority) == (10_000_000, 3)
    assert SharedMatch.objects.filter(match__gauntlet_pair__opponent__gauntlet=gauntlet).exists()
    assert _tested(clock.sleep(hours=24)) == ["Rio 2"]
    regressions.switch_on(line=line, ruleset=_RULES, terms=Terms.read("100Mfuel"), pairs=4)
    assert _tested(clock.now) == ["Rio 2", "Rio 2"]


@pytest.mark.parametrize(
    ("text", "priority", "code"),
    [
        ("10Mfuel", None, "lab-modules"),
        ("5+0.1", 2, "volunteers-fuel"),
    ],
)
def test_fuel_needs_modules_and_volunteers_need_fuel(
    line: BotLine, text: str, priority: int | None, code: str
) -> None:
    terms = Terms.read(text)
    with pytest.raises(RefusedError, match=code):
        regressions.switch_on(
            line=line, ruleset=_RULES, terms=terms, volunteer_priority=priority, pairs=4
        )


def test_volunteers_get_no_module_of_a_bot_that_is_not_lent(ana: User, clock: FrozenClock) -> None:
    line = authors.module(ana, "Secret").bot.line
    assert line is not None
    fuel = Terms.read("10Mfuel")
    with pytest.raises(RefusedError, match="volunteers-consent"):
        regressions.switch_on(line=line, ruleset=_RULES, terms=fuel, volunteer_priority=2)


def test_the_form_has_the_fuel_and_the_volunteers(ana: User, clock: FrozenClock) -> None:
    line = _modules(ana)
    browser, address = pages.member(ana), reverse("bot-regression", args=[line.pk])
    form = {"is_on": "on", "ruleset": _RULES, "clock": "100Mfuel", "pairs": "4"}
    browser.post(address, form | {"volunteer_priority": "2"})
    form_after = browser.get(address).context["form"]
    assert (form_after["clock"].value(), form_after["volunteer_priority"].value()) == (
        "100Mfuel",
        2,
    )
    page = browser.get(reverse("bot-line", args=[line.pk])).content
    assert "100 M fuel per ply" in pages.text_of(page)


@given(st.integers(1, 10**9))
def test_starts_are_spread_over_the_night(line_id: int) -> None:
    starts = sorted(regressions._delay(line_id + n) for n in range(10))
    assert timedelta() <= starts[0] <= starts[-1] < timedelta(hours=5)
    assert min(late - early for early, late in pairwise(starts)) > timedelta(minutes=10)


def test_a_regression_waits_for_its_time_of_the_night(line: BotLine, clock: FrozenClock) -> None:
    midnight = clock.now.replace(hour=0, minute=0)
    start = midnight + regressions._delay(line.pk)
    assert _tested(start - timedelta(seconds=1)) == []
    assert _tested(start) == ["Nilo 2"]
