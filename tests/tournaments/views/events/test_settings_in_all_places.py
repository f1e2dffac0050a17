"""Plan, API, labels, log and form name the same settings with the same defaults."""

from __future__ import annotations

from dataclasses import MISSING, fields, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import translation

from tests.tournaments import pages
from tournaments.api.events.settings import Settings
from tournaments.forms.events import _SETTINGS_OF, EventForm, _setting
from tournaments.models import AuditEntry, Event
from tournaments.services.clocks.game_clocks import Clock
from tournaments.services.events import plans, settings
from tournaments.services.events.plans import EventPlan
from tournaments.text import setting_effects
from tournaments.text.audit_log import Words

if TYPE_CHECKING:
    from collections.abc import Callable

    from tournaments.models import User

PLAN = {field.name: field.default for field in fields(EventPlan)}
# Nobody decides a seed, and only the demo waits for guests or slows bots down.
NO_SETTINGS = {"seed", "min_guests", "pace_ms"}
# Other places show these two in whole points.
RATINGS = {"min_rating": "min_centielo", "max_rating": "max_centielo"}
# A change of each setting to a value that the public log shows in words.
CHANGES: dict[str, tuple[Any, str]] = {
    "win_halves": (3, "Points for a win: 1 → 1.5"),
    "is_over_the_board": (True, "Over the board: no → yes"),
    "games_per_pairing": (2, "Games per pairing: 1 → 2"),
    "grace_s": (600, "Grace time: – → 10 minutes"),
    "pause_s": (300, "Pause between rounds: 1 minute → 5 minutes"),
    "min_centielo": (150_000, "Lowest rating: – → 1500"),
    "tie_breaks": ("BH,SB", "Tie-breaks: – → BH, SB"),
    "admits": ("bots", "Who may enter: people → bots"),
    "clock": (Clock(300_000, 5_000), "Clock: 600+10 → 300+5"),
    "starts_at": (datetime(2026, 12, 1, 18, tzinfo=UTC), "Starts at: – → 1 December 2026, 18:00"),
}

_BEFORE = {"clock": Clock(600_000, 10_000)}


def test_the_api_has_every_setting() -> None:
    assert {RATINGS.get(name, name) for name in Settings.model_fields} == set(PLAN) - NO_SETTINGS


def test_the_form_has_every_setting() -> None:
    names = {
        setting
        for name in EventForm().fields
        for setting in _SETTINGS_OF.get(name, {_setting(name)})
    }
    assert names == set(PLAN) - NO_SETTINGS


def test_an_event_takes_over_every_setting_of_its_plan() -> None:
    apart = {"name", "description", "ruleset", "clock", "rounds_total", "seed"}
    assert set(plans.AS_PLANNED) == set(PLAN) - apart


def test_every_setting_has_a_name_in_words() -> None:
    assert setting_effects._NAMES.keys() == PLAN.keys() - {"seed"}


def test_plan_api_and_model_have_the_same_defaults() -> None:
    shape = {RATINGS.get(name, name): each for name, each in Settings.model_fields.items()}
    for name, default in PLAN.items():
        if name in NO_SETTINGS | {"clock", "tie_breaks"} or default is MISSING:
            continue
        assert shape[name].default == default, name
        if name != "rounds_total":
            assert Event._meta.get_field(name).get_default() == default, name  # type: ignore[union-attr]  # a column
        field = EventForm.base_fields.get(name)
        if field is not None and field.initial is not None and name != "duration_s":
            assert field.initial == default, name


@pytest.mark.parametrize(("name", "case"), CHANGES.items(), ids=CHANGES)
def test_the_public_log_shows_a_setting_before_and_after(
    new_event: Callable[..., Event], ana: User, name: str, case: tuple[object, str]
) -> None:
    value, sentence = case
    event = new_event()
    stored = [settings._stored(_BEFORE.get(name, PLAN[name])), settings._stored(value)]
    entry = AuditEntry(action="settings", detail={"changes": {name: stored}}, actor=ana)
    words = Words.of(event, [entry])
    assert words.sentence(entry) == f"Settings changed: {sentence}."
    with translation.override("ja"):
        assert name not in words.sentence(entry)


def test_a_change_gets_into_the_log_without_the_access_code(
    new_event: Callable[..., Event], ana: User
) -> None:
    event = new_event()
    plan = replace(settings.plan_of(event), access_code="moss", is_rated=False)
    settings.change(event_id=event.pk, actor=ana, plan=plan)
    page = pages.text_of(pages.member(ana).get(f"/events/{event.slug}/log/").content)
    assert "Rated: yes → no" in page
    assert "Access code" in page
    assert "moss" not in page
