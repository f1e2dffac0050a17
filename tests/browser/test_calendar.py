"""Tonight's arena: a newcomer finds it in the calendar, joins by one click, and plays when it starts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import RunningSite
from tests.browser.visitors import await_board, await_turn, choices, click_move, ply, sign_up

# An arena that starts soon, as an administrator's schedule has it.
TONIGHT = """
import django; django.setup()
from datetime import timedelta
from tournaments import database_time
from tournaments.models import Event
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.queries.events.plans import EventPlan
from tournaments.services.rounds import scheduled_events, schedules
start = database_time.now() + timedelta(seconds=40)
schedules.create(
    actor=None,
    plan=EventPlan(
        name="Tonight", ruleset="morelli(edition=revised,size=7)", format=Event.Format.ARENA,
        clock=Clock(180_000, 2_000), duration_s=3_600, admits=Event.Admits.BOTH,
    ),
    timetable=schedules.Timetable(
        time_of_day=start.time().replace(microsecond=0), zone="UTC", weekdays=127, field_size=4,
        opens_before_h=1,
    ),
)
scheduled_events.create_coming(database_time.now())
"""


@pytest.mark.engines
@pytest.mark.long
def test_a_newcomer_joins_an_arena_of_the_calendar_by_one_click_and_plays(
    page: Page, running_site: RunningSite
) -> None:
    sign_up(page, "Traveler Ana")
    running_site.run(TONIGHT)
    page.goto("/calendar/")
    row = page.get_by_role("listitem").filter(has_text="Tonight").first
    # The count runs before the start and during the arena: on a slow machine it may have begun.
    expect(row).to_contain_text(re.compile(r"in \d+:\d\d"))
    row.get_by_role("button", name="Join").click()
    # No hand starts the arena. The page goes to the board automatically.
    await_board(page)
    assert await_turn(page)
    before = ply(page)
    click_move(page, choices(page)[0])
    page.wait_for_function(f"() => +document.querySelector('.game').dataset.ply >= {before + 2}")
    expect(page.locator("main")).to_contain_text("Tonight")
