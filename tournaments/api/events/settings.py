"""The settings of events: creating one, changing one, and taking one over from a report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from typing import Annotated, Any

from pydantic import AwareDatetime, BaseModel, Field

from tournaments.api.problems import PointedError
from tournaments.errors import RefusedError
from tournaments.models import Event
from tournaments.models.event_settings import SETTINGS
from tournaments.models.setting_types import Setting, Unit
from tournaments.queries import formats
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.queries.events import plans
from tournaments.queries.events.plans import EventPlan
from tournaments.services.events import settings as services

Name = Annotated[str, Field(min_length=1, max_length=SETTINGS["name"].longest)]
Rules = Annotated[str, Field(max_length=SETTINGS["ruleset"].longest)]
_USUAL_CLOCK = "600+10"
_TieBreak = Annotated[str, Field(max_length=20)]


def _shape(each: Setting) -> object:
    """The type of a setting in the API, with its range, its default and its description."""
    limits: dict[str, Any] = {"default": each.default, "description": each.about or None}
    kind: object = type(each.default)
    match each.unit:
        case Unit.CLOCK:
            limits |= {
                "default": _USUAL_CLOCK,
                "description": "Seconds and seconds a move: `600+10`.",
            }
            return Annotated[str, Field(max_length=60, **limits)]
        case Unit.TIE_BREAKS:
            return Annotated[list[_TieBreak], Field(max_length=5, **limits | {"default": []})]
        case Unit.MOMENT:
            kind = AwareDatetime
        case Unit.DAY:
            kind = date
        case Unit.HALVES:
            limits["description"] = "In half points."
        case _:
            pass
    if each.within is not None:
        kind, factor = int, 100 if each.unit is Unit.RATING else 1
        limits |= {"ge": each.within[0] // factor, "le": each.within[1] // factor}
    if kind is str:
        limits["max_length"] = each.longest
    return Annotated[kind | None if each.default is None else kind, Field(**limits)]  # type: ignore[operator]


class Settings(BaseModel):
    """The organiser's settings. Spans are seconds, and values of games and byes are half points.

    Over the board no clock runs, games are not rated, and every round is made by hand. These
    settings follow automatically.
    """

    __annotations__ = {
        each.public_name: _shape(each)
        for each in SETTINGS.values()
        if each.default is not ... or each.unit is Unit.CLOCK
    } | {"name": Name, "ruleset": Rules}


class Effect(BaseModel):
    """A setting that changes, and the effect of the change."""

    setting: str
    before: str
    after: str


def settings_of(event: Event, *, is_full: bool) -> Settings:
    """Return the settings of the event, with the access code only if the answer `is_full`."""
    plan = plans.plan_of(event)
    values = {
        each.public_name: _public(each, getattr(plan, name)) for name, each in SETTINGS.items()
    }
    values["games_per_pairing"] = event.games_per_pairing
    # Show also values of an event that no request could set here.
    return Settings.model_construct(**values | ({} if is_full else {"access_code": ""}))


def plan_of(values: Mapping[str, Any], base: EventPlan | None = None) -> EventPlan:
    """Return the plan of these settings. Missing settings are those of `base`, or the usual ones.

    Raises RefusedError `clock-bad`, `clock-short`.
    """
    given = {} if base else {"clock": _USUAL_CLOCK}
    given |= values
    named = {
        name: _stored(each, given[each.public_name])
        for name, each in SETTINGS.items()
        if each.public_name in given
    }
    if given.get("is_over_the_board", base is not None and base.is_over_the_board):
        # These follow automatically.
        by_hand = {"clock": Clock.read("unlimited"), "is_rated": False, "is_automatic": False}
        named |= {name: value for name, value in by_hand.items() if name not in values}
    plan = replace(base, **named) if base else EventPlan(**named)
    traits = formats.FORMATS.get(plan.format)
    if traits is not None and not traits.is_continuous:
        plan = replace(plan, duration_s=0)
    if traits is not None and traits.has_matches:
        plan = replace(plan, games_per_pairing=1)  # the two games follow from the format
    is_timed = base is None or not values.keys().isdisjoint({"clock", "admits"})
    if is_timed and plans.is_too_short_for_people(plan.clock, plan.admits):
        raise RefusedError("clock-short")
    return plan


@contextmanager
def pointing() -> Iterator[None]:
    """Attach the value of the body to refusals of a plan that concern it."""
    try:
        yield
    except RefusedError as refusal:
        places = [each.public_name for each in SETTINGS.values() if refusal.code in each.refusals]
        if not places:
            raise
        errors = [{"pointer": f"#/{places[0]}", "detail": refusal.detail or refusal.code}]
        raise PointedError(refusal, errors) from refusal


def effects(event: Event, plan: EventPlan) -> list[Effect]:
    """Return the changes of `plan`, setting by setting, with the names of the settings here."""
    return [
        Effect(
            setting=SETTINGS[name].public_name,
            before=_text(SETTINGS[name], before),
            after=_text(SETTINGS[name], after),
        )
        for name, (before, after) in services.differences(event, plan).items()
    ]


def changeable(event: Event) -> list[str]:
    """The names of the settings here that can still be changed, in their order."""
    names = services.changeable(event)
    return [each.public_name for name, each in SETTINGS.items() if name in names]


def _public(each: Setting, value: Any) -> Any:  # noqa: ANN401 - whatever a plan holds
    if each.unit is Unit.CLOCK:
        return value.text()
    if each.unit is Unit.TIE_BREAKS:
        return value.split(",") if value else []
    return value // 100 if each.unit is Unit.RATING and value is not None else value


def _stored(each: Setting, value: Any) -> Any:  # noqa: ANN401 - whatever the shape takes
    if each.unit is Unit.CLOCK:
        return Clock.read(value)
    if each.unit is Unit.TIE_BREAKS:
        return ",".join(value)
    return 100 * value if each.unit is Unit.RATING and value is not None else value


def _text(each: Setting, value: object) -> str:
    public = value if each.unit is Unit.TIE_BREAKS else _public(each, value)
    return "" if public is None else str(public)
