"""The settings of events: creating one, changing one, and taking one over from a report."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import AwareDatetime, BaseModel, Field

from tournaments.api.problems import PointedError
from tournaments.models import Event
from tournaments.models.events import MAX_ROUNDS
from tournaments.services.clocks.game_clocks import Clock
from tournaments.services.errors import RefusedError
from tournaments.services.events import formats, plans
from tournaments.services.events import settings as services
from tournaments.services.events.plans import EventPlan

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_LOWEST, _HIGHEST = 100, 4_000
_WEEK_S = 7 * 24 * 3_600
_YEAR_S = 366 * 24 * 3_600

Rating = Annotated[int, Field(ge=_LOWEST, le=_HIGHEST)]
Number = Annotated[int, Field(ge=1, le=100)]
RoundLimit = Annotated[int, Field(ge=1, le=MAX_ROUNDS)]
Halves = Annotated[int, Field(ge=0, le=20, description="In half points.")]
Name = Annotated[str, Field(min_length=1, max_length=80)]
Rules = Annotated[str, Field(max_length=120)]

# The values that a refusal of a plan is about.
_PLACES: Mapping[str, str] = {
    "name-bad": "name",
    "ruleset-bad": "ruleset",
    "board-event-bad": "is_over_the_board",
    "rounds-bad": "rounds_total",
    "rounds-played": "rounds_total",
    "entries-bad": "max_entries",
    "entries-many": "max_entries",
    "clock-bad": "clock",
    "clock-bots": "clock",
    "clock-short": "clock",
    "admits-bad": "admits",
    "format-bad": "format",
    "options-bad": "format",
    "points-bad": "win_halves",
    "acceleration-bad": "is_accelerated",
    "duration-bad": "duration_s",
    "tie-breaks-bad": "tie_breaks",
    "fuel-bad": "fuel",
    "rating-band": "min_rating",
    "access-code-bad": "access_code",
    "start-mode-bad": "start_mode",
    "grace-bad": "grace_s",
    "grace-needed": "grace_s",
    "check-in-bad": "check_in_opens_at",
    "mini-matches-swiss": "games_per_pairing",
    "mini-matches-plain": "games_per_pairing",
}


# Plans have these two in hundredths of a point.
_RATINGS = {"min_centielo": "min_rating", "max_centielo": "max_rating"}


class Settings(BaseModel):
    """What the organiser decides. Spans are seconds; what games and byes are worth, half points.

    Over the board no clock runs, nothing is rated, and every round is made by hand: these settings
    follow by themselves.
    """

    name: Name
    ruleset: Rules
    clock: Annotated[
        str, Field(max_length=60, description="Seconds and seconds a move: `600+10`.")
    ] = "600+10"
    format: Annotated[str, Field(max_length=16)] = Event.Format.DUTCH.value
    rounds_total: RoundLimit = 5
    description: Annotated[str, Field(max_length=2_000)] = ""
    is_over_the_board: bool = False
    board_time: Annotated[str, Field(max_length=60)] = ""
    admits: Annotated[str, Field(max_length=6)] = Event.Admits.PEOPLE.value
    admits_remote: Annotated[bool, Field(description="Whether remote bots may enter.")] = False
    max_entries: Annotated[int, Field(ge=2, le=5_000)] = 64
    is_rated: bool = True
    is_automatic: bool = True
    pause_s: Annotated[int, Field(ge=0, le=_WEEK_S)] = 60
    cycles: Annotated[int, Field(ge=1, le=2)] = 1
    groups: Number = 2
    promotion_places: Annotated[int, Field(ge=0, le=100)] = 1
    qualifiers: Number = 2
    seasons: Number = 1
    duration_s: Annotated[
        int, Field(ge=0, le=_YEAR_S, description="Of arenas and ladders; 0 until you end it.")
    ] = 0
    win_halves: Halves = 2
    draw_halves: Halves = 1
    loss_halves: Halves = 0
    bye_halves: Halves = 2
    tie_breaks: Annotated[
        list[Annotated[str, Field(max_length=20)]],
        Field(max_length=5, description="In their order; none: as usual in the format."),
    ] = []
    games_per_pairing: Annotated[int, Field(ge=1, le=2)] = 1
    is_accelerated: bool = False
    fuel: Annotated[int | None, Field(ge=1, le=10**12)] = None
    allows_vacation: bool = True
    start_mode: Annotated[
        str, Field(max_length=11, description="publication, button or presence")
    ] = Event.Start.PUBLICATION.value
    grace_s: Annotated[int | None, Field(ge=1, le=_WEEK_S)] = None
    starts_at: AwareDatetime | None = None
    registration_closes_at: AwareDatetime | None = None
    check_in_opens_at: AwareDatetime | None = None
    min_rating: Rating | None = None
    max_rating: Rating | None = None
    min_games: Annotated[int, Field(ge=0, le=1_000)] = 0
    needs_approval: bool = False
    has_waiting_list: bool = False
    is_private: bool = False
    access_code: Annotated[
        str, Field(max_length=40, description="Shown to those who have the settings as a task.")
    ] = ""
    most_half_byes: Annotated[int, Field(ge=0, le=MAX_ROUNDS)] = 1
    last_half_bye_round: RoundLimit | None = None
    last_late_round: RoundLimit | None = None
    keeps_clubs_apart: bool = False
    forbids_engine: bool = False


class Effect(BaseModel):
    """A setting that changes, and what that does."""

    setting: str
    before: str
    after: str


def settings_of(event: Event, *, is_full: bool) -> Settings:
    """The settings of the event; the access code only where the answer `is_full`."""
    plan = services.plan_of(event)
    values: dict[str, Any] = {
        name: getattr(plan, name) for name in Settings.model_fields if hasattr(plan, name)
    }
    values |= {
        "clock": plan.clock.text(),
        "tie_breaks": plan.tie_breaks.split(",") if plan.tie_breaks else [],
        "min_rating": _elo(plan.min_centielo),
        "max_rating": _elo(plan.max_centielo),
        "access_code": plan.access_code if is_full else "",
    }
    # What an event has that nobody could ask for here is shown all the same.
    return Settings.model_construct(**values)


def plan_of(values: Mapping[str, Any], base: EventPlan | None = None) -> EventPlan:
    """The plan of these settings; those that are not among them are as in `base`, or as usual.

    Raises RefusedError `clock-bad`, `clock-short`.
    """
    named = dict(values)
    if "clock" in named:
        named["clock"] = Clock.read(named["clock"])
    if "tie_breaks" in named:
        named["tie_breaks"] = ",".join(named["tie_breaks"])
    for column, name in _RATINGS.items():
        if name in named:
            elo = named.pop(name)
            named[column] = None if elo is None else 100 * elo
    if named.get("is_over_the_board", base is not None and base.is_over_the_board):
        # These follow by themselves.
        by_hand = {"clock": Clock.read("unlimited"), "is_rated": False, "is_automatic": False}
        named = {**by_hand, **named}
    plan = replace(base, **named) if base else EventPlan(**named)
    traits = formats.FORMATS.get(plan.format)
    if traits is not None and not traits.is_continuous:
        plan = replace(plan, duration_s=0)
    is_timed = base is None or not named.keys().isdisjoint({"clock", "admits"})
    if is_timed and plans.is_too_short_for_people(plan.clock, plan.admits):
        raise RefusedError("clock-short")
    return plan


@contextmanager
def pointing() -> Iterator[None]:
    """Let refusals of a plan name the value of the body that they are about."""
    try:
        yield
    except RefusedError as refusal:
        place = _PLACES.get(refusal.code)
        if place is None:
            raise
        errors = [{"pointer": f"#/{place}", "detail": refusal.detail or refusal.code}]
        raise PointedError(refusal, errors) from refusal


def effects(event: Event, plan: EventPlan) -> list[Effect]:
    """What `plan` changes, setting by setting; the names are those of the settings here."""
    return [
        Effect(
            setting=_RATINGS.get(name, name), before=_text(name, before), after=_text(name, after)
        )
        for name, (before, after) in services.differences(event, plan).items()
    ]


def changeable(event: Event) -> list[str]:
    """The names of the settings here that can still be changed, in their order."""
    open_names = {_RATINGS.get(name, name) for name in services.changeable(event)}
    return [name for name in Settings.model_fields if name in open_names]


def _elo(centielo: int | None) -> int | None:
    return None if centielo is None else centielo // 100


def _text(name: str, value: object) -> str:
    if isinstance(value, Clock):
        return value.text()
    if name.endswith("_centielo") and isinstance(value, int):
        return str(value // 100)
    return "" if value is None else str(value)
