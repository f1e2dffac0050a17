"""The declaration of a setting: its words, its range, its unit, until when it can be changed."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from tournaments.models.events import Event

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

_NEW_ENTRIES = _("for new entries. Entered players stay")


class Unit(enum.Enum):
    """The unit in which a value is stored, which decides how people and programs see it."""

    PLAIN = enum.auto()  # a number, a text, or yes and no
    SPAN = enum.auto()  # seconds
    HALVES = enum.auto()  # half points
    RATING = enum.auto()  # hundredths of a rating point
    MOMENT = enum.auto()
    DAY = enum.auto()
    RULESET = enum.auto()  # the key of a rule set
    CLOCK = enum.auto()
    TIE_BREAKS = enum.auto()  # codes with commas


class Until(enum.IntEnum):
    """The time until which the organiser can change a setting.

    Later the setting has had its effect.
    """

    START = 0
    END = 1
    EVER = 2


class Level(enum.IntEnum):
    """The level of a warning before an act, as FIDE's checklist names it. No switch lowers it."""

    NONE = 0
    SIMPLE = 1  # a sentence on the page of the act
    CONFIRM = 2  # a question
    DOUBLE = 3  # a question, and a second one once it is answered


class Part(enum.Enum):
    """The part of the form that shows a setting."""

    MAIN = enum.auto()
    CONDITIONS = enum.auto()  # dates, entries and byes
    HEAD = enum.auto()  # the head of report files


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A setting of an event, beside its type.

    Attributes:
        label: its name for people.
        help_text: the effect, and the meaning of an empty field.
        about: its description for programs.
        within: the smallest and the largest whole number, in its unit.
        choices: the words that it can be.
        menu: the values that the form offers, with their words, if the form does not accept any
            number.
        is_required: whether the form asks for a value. Otherwise an empty field means the default.
        until: the time until which the organiser can change it.
        effect: the effect of a change while rounds are played.
        level: the level of the warning before a change after the start of the event.
        binds_entries: whether it is a condition for entries that come after a change.
        fact: a title and a sentence for the overview, if the value is not the default. Without the
            sentence the overview shows the value.
        is_secret: whether the public log leaves its values out.
        refusals: codes of refusals about the setting. The first is that of a value out of range.
    """

    label: _StrPromise
    name: str = ""
    default: Any = None
    help_text: _StrPromise | str = ""
    about: str = ""
    unit: Unit = Unit.PLAIN
    part: Part = Part.MAIN
    within: tuple[int, int] | None = None
    choices: type[TextChoices] | None = None
    menu: Sequence[tuple[Any, _StrPromise]] = ()
    is_required: bool = False
    until: Until = Until.START
    effect: _StrPromise | str = ""
    level: Level = Level.CONFIRM
    binds_entries: bool = False
    fact: tuple[_StrPromise, _StrPromise | None] | None = None
    is_secret: bool = False
    refusals: Sequence[str] = ("options-bad",)

    @property
    def public_name(self) -> str:
        """Its name in forms and in the API, which have ratings in whole points."""
        return self.name.replace("_centielo", "_rating")

    @property
    def longest(self) -> int | None:
        """Return the length of the column in characters; None if it is not a text."""
        column = Event._meta.get_field(self.name)
        return getattr(column, "max_length", None)

    def allows(self, value: Any) -> bool:  # noqa: ANN401 - whatever a plan holds
        """Return whether `value` is in its range, independent of other settings."""
        if self.choices is not None:
            return value in self.choices.values
        if isinstance(value, str):
            return self.longest is None or len(value) <= self.longest
        return self.within is None or value is None or self.within[0] <= value <= self.within[1]

    def can_change_in(self, state: str) -> bool:
        """Return whether the organiser can change it while the event is in `state`."""
        stages = {Event.State.REGISTRATION: Until.START, Event.State.RUNNING: Until.END}
        return stages.get(Event.State(state), Until.EVER) <= self.until

    def effect_in(self, state: str) -> str:
        """Return the effect of a change while the event is in `state`, in words; empty without an effect."""
        if self.binds_entries:
            return str(_NEW_ENTRIES)
        return str(self.effect) if state == Event.State.RUNNING else ""


def setting(default: Any, label: _StrPromise, **rest: Any) -> Any:  # noqa: ANN401 - as of `dataclasses.field`
    """Declare a field of `EventPlan`: its default (`...` if it has none) and the values of `Setting`."""
    metadata = {"setting": Setting(label=label, default=default, **rest)}
    return field(metadata=metadata) if default is ... else field(default=default, metadata=metadata)
