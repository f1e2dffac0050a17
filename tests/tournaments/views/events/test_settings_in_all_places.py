"""Columns, form and public log follow the declarations of settings."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import models
from django.http import QueryDict
from django.utils import translation

from tests.tournaments import pages
from tests.tournaments.conftest import event_of
from tournaments import database_time
from tournaments.forms.events import EventForm
from tournaments.models import AuditEntry, Event, User
from tournaments.models.event_settings import SETTINGS, EventPlan
from tournaments.models.setting_types import Setting, Unit
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.queries.events import plans
from tournaments.services.events import settings
from tournaments.text.audit_log import Words

# A change of each setting to a value that the public log shows in words.
CHANGES: dict[str, tuple[Any, str]] = {
    "win_halves": (3, "Points for a win: 1 → 1½"),
    "is_over_the_board": (True, "Over the board: no → yes"),
    "games_per_pairing": (2, "Games per pairing: 1 → 2"),
    "grace_s": (600, "Grace time: – → 10 minutes"),
    "pause_s": (300, "Pause between rounds: 1 minute → 5 minutes"),
    "min_centielo": (150_000, "Minimum rating: – → 1500"),
    "tie_breaks": ("BH,SB", "Tie-breaks: – → BH, SB"),
    "admits": ("bots", "Admission: people → bots"),
    "clock": (Clock(300_000, 5_000), "Clock: 600+10 → 300+5"),
    "first_day": (date(2026, 12, 1), "First day: – → 1 December 2026"),
    "starts_at": (
        datetime(2026, 12, 1, 18, tzinfo=UTC),
        "Starts at: – → 1 December 2026, 18:00 UTC",
    ),
}


# Settings that programs give, and that fields show in another way.
UNUSUAL: dict[str, dict[str, Any]] = {
    "an arena": {"format": "arena", "duration_s": 5000, "admits": "people"},
    "a table of many rounds": {"format": "round-robin", "rounds_total": 39},
    "matches": {"format": "double-swiss"},
    "seconds of grace": {"grace_s": 90},
    "seconds of a start": {"starts_at": datetime(2126, 12, 1, 18, 0, 30, tzinfo=UTC)},
    "a bye that no menu offers": {"win_halves": 6, "draw_halves": 2, "bye_halves": 3},
    "a rating band": {"min_centielo": 150_000, "max_centielo": 180_000},
    "fuel that no menu offers": {"admits": "bots", "fuel": 12_345_678},
    "over the board": {
        "is_over_the_board": True,
        "admits": "people",
        "clock": Clock.read("unlimited"),
        "is_rated": False,
        "is_automatic": False,
    },
}


def _sent_form(event: Event, zone: ZoneInfo) -> QueryDict:
    """The form of settings as a browser in the zone sends it, unchanged."""
    form = EventForm(initial=EventForm.initial_of(event))
    form.fix_all_but(settings.changeable(event))
    data = QueryDict(mutable=True)
    data["time_zone"] = zone.key
    for bound in form.visible_fields():
        value = bound.value()
        if isinstance(value, datetime):
            value = f"{value.astimezone(zone):%Y-%m-%dT%H:%M}"
        if not bound.field.disabled and value is not None and value is not False:
            data[bound.name] = str(value)
    return data


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo"])
@pytest.mark.parametrize("state", [Event.State.REGISTRATION, Event.State.RUNNING])
@pytest.mark.parametrize("values", UNUSUAL.values(), ids=UNUSUAL)
@pytest.mark.part(0.3)
def test_a_form_of_settings_that_nobody_touched_changes_nothing(
    ana: User, values: dict[str, Any], state: str, zone: str
) -> None:
    event = event_of(ana, **values)
    Event.objects.filter(pk=event.pk).update(state=state, started_at=database_time.now())
    event.refresh_from_db()
    path = f"/events/{event.slug}/desk/settings/"
    answer = pages.member(ana).post(path, _sent_form(event, ZoneInfo(zone)).dict())
    assert (answer.context["form"].errors, answer.context["effects"]) == ({}, [])


def test_the_length_of_a_table_is_no_setting_of_a_running_event(ana: User) -> None:
    event = event_of(ana, format="round-robin")
    assert "rounds_total" in settings.changeable(event)
    event.state = Event.State.RUNNING
    assert "rounds_total" not in settings.changeable(event)


@pytest.mark.parametrize("each", SETTINGS.values(), ids=SETTINGS)
def test_a_setting_and_its_column_have_the_same_default(each: Setting) -> None:
    column = Event._meta.get_field("clock_initial_ms" if each.unit is Unit.CLOCK else each.name)
    assert isinstance(column, models.Field)
    # An event always has a name and a game, and its number of rounds follows from its format.
    if each.default is not ... and each.name != "rounds_total":
        assert column.get_default() == each.default


def test_a_form_that_nobody_touched_makes_a_plan_of_defaults() -> None:
    values = {name: field.initial for name, field in EventForm().fields.items()}
    filled = {name: value for name, value in values.items() if value not in (None, False)}
    data = QueryDict(mutable=True)
    data.update(
        {name: str(value) for name, value in filled.items()} | {"name": "A", "ruleset": "morlox"}
    )
    form = EventForm(data)
    assert form.is_valid(), form.errors
    assert form.plan() == EventPlan(
        name="A", ruleset=form.cleaned_data["ruleset"], clock=Clock(600_000, 10_000)
    )


def _other(each: Setting) -> Any:
    """A value that is not the usual one."""
    if each.unit is Unit.MOMENT:
        return datetime(2026, 12, 1, 18, tzinfo=UTC)
    if each.unit is Unit.DAY:
        return date(2026, 12, 1)
    if each.unit is Unit.CLOCK:
        return Clock(300_000, 5_000)
    if each.unit is Unit.TIE_BREAKS:
        return "BH,SB"
    if each.choices is not None:
        return next(value for value in each.choices.values if value != each.default)
    if isinstance(each.default, bool):
        return not each.default
    if each.menu:
        return next(value for value, _words in each.menu if value not in (each.default, ""))
    if each.within is not None:
        step = 100 if each.unit is Unit.RATING else 60 if each.unit is Unit.SPAN else 1
        return (each.default or each.within[0] // step * step) + step
    if each.unit is Unit.RULESET:
        return "morlox(size=5,swap=on)"
    return "Serpent"[: each.longest]


# A field that the form shows only beside another value.
_BESIDE: dict[str, dict[str, Any]] = {
    **{name: {"is_over_the_board": True} for name in ("board_time", "first_day", "last_day")},
    "fuel": {"admits": "bots"},
    "admits_remote": {"admits": "both"},
    "duration_s": {"format": "arena"},
    "win_halves": {"win_halves": 6, "draw_halves": 2},
    "draw_halves": {"win_halves": 6, "draw_halves": 2},
    "loss_halves": {"win_halves": 6, "draw_halves": 4, "loss_halves": 2},
    "bye_halves": {"bye_halves": 1},
}


def _plan_with(each: Setting) -> EventPlan:
    usual = {"name": "Cup", "ruleset": "morlox(size=7,swap=on)", "clock": Clock(600_000, 10_000)}
    changes = {each.name: _other(each)} | _BESIDE.get(each.name, {})
    return EventPlan(**{**usual, **changes})


@pytest.mark.parametrize("each", SETTINGS.values(), ids=SETTINGS)
def test_an_event_stores_every_setting(each: Setting) -> None:
    plan = _plan_with(each)
    stored = plans.plan_of(Event(**plans.columns(plan)))
    assert getattr(stored, each.name) == getattr(plan, each.name)


@pytest.mark.parametrize("each", SETTINGS.values(), ids=SETTINGS)
def test_the_form_of_an_event_keeps_every_setting_that_nobody_changes(each: Setting) -> None:
    plan = _plan_with(each)
    data = QueryDict(mutable=True)
    initial = EventForm.initial_of(Event(**plans.columns(plan)))
    for name, value in initial.items():
        if value is not None and value is not False:
            is_moment = isinstance(value, datetime)
            data[name] = f"{value:%Y-%m-%dT%H:%M}" if is_moment else str(value)
    form = EventForm(data, initial=initial)
    assert form.is_valid(), form.errors
    assert getattr(form.plan(), each.name) == getattr(plan, each.name)


@pytest.mark.parametrize(("name", "case"), CHANGES.items(), ids=CHANGES)
def test_the_public_log_shows_a_setting_before_and_after(
    ana: User, name: str, case: tuple[object, str]
) -> None:
    value, sentence = case
    event = event_of(ana)
    before = Clock(600_000, 10_000) if name == "clock" else SETTINGS[name].default
    stored = [settings._stored(before), settings._stored(value)]
    entry = AuditEntry(action="settings", detail={"changes": {name: stored}}, actor=ana)
    words = Words.of(event, [entry])
    assert words.sentence(entry) == f"Settings changed: {sentence}."
    with translation.override("ja"):
        assert name not in words.sentence(entry)


def test_the_log_of_an_old_event_leaves_out_a_setting_that_is_gone(ana: User) -> None:
    changes = {"bribes": [0, 1], "is_rated": [True, False]}
    entry = AuditEntry(action="settings", detail={"changes": changes}, actor=ana)
    words = Words.of(event_of(ana), [entry])
    assert words.sentence(entry) == "Settings changed: Rated: yes → no."


def test_a_change_gets_into_the_log_without_the_access_code(ana: User) -> None:
    event = event_of(ana)
    plan = replace(plans.plan_of(event), access_code="moss", is_rated=False)
    settings.change(event_id=event.pk, actor=ana, plan=plan)
    page = pages.text_of(pages.member(ana).get(f"/events/{event.slug}/log/").content)
    assert "Rated: yes → no" in page
    assert "Access code" in page
    assert "moss" not in page
