"""Events: the game, the format, and the value of results."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.forms import BoundField
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from tournaments.errors import RefusedError
from tournaments.forms.formats import FormatSelect
from tournaments.forms.games import (
    BANKS,
    CLOCKS_OF_BOTS,
    LIVE_CLOCKS,
    EventClockField,
    RulesetField,
)
from tournaments.forms.setting_fields import (
    ZonedForm,
    field_factor,
    field_name,
    field_of,
    shown_value,
)
from tournaments.models import Event
from tournaments.models.event_settings import SETTINGS
from tournaments.models.setting_types import Part, Setting, Unit
from tournaments.queries import formats
from tournaments.queries.clocks import game_clocks
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.queries.events import plans
from tournaments.queries.events.plans import EventPlan
from tournaments.text import rulesets, tie_breaks

# Maximum number of tie-breaks that an organiser can put in order.
TIE_BREAKS = 5

# Values of a win, a draw and a loss, in half points.
POINTS = {
    "1-0.5-0": (2, 1, 0),
    "3-1-0": (6, 2, 0),
    "2-1-0": (4, 2, 0),
    "3-2-1": (6, 4, 2),
}
_TIE_BREAK_FIELDS = tuple(f"tie_break_{number}" for number in range(1, TIE_BREAKS + 1))
# The settings whose fields are not derived from their declarations, each with its fields.
_BY_HAND: Mapping[str, Sequence[str]] = {
    "ruleset": ("ruleset", "setup"),
    "clock": ("clock", "other_clock"),
    "win_halves": ("points",),
    "draw_halves": ("points",),
    "loss_halves": ("points",),
    "bye_halves": ("bye",),
    "tie_breaks": _TIE_BREAK_FIELDS,
}
_DECIDING = ("format", "is_over_the_board", "admits", "fuel", "ruleset")
_USUAL_DURATION_S = 3600
# Behind scores that the menus do not offer.
_IN_HALVES = " (½)"


class EventForm(ZonedForm):
    """The settings of an event, in the order of their declarations."""

    ruleset = RulesetField()
    setup = forms.ChoiceField(
        label=_("Set-up"),
        required=False,
        choices=lambda: [("", _("as usual in the game")), *rulesets.setup_choices()],
        help_text=_(
            "Pieces are placed in pairs in the revised edition, and adjacent, free or by "
            "ballot in the original one. A ballot is drawn once a round."
        ),
    )
    clock = EventClockField()
    other_clock = forms.CharField(
        label=_("Another clock"),
        required=False,
        max_length=40,
        help_text=_(
            "Seconds, for example 1500+10 for 25 minutes and 10 seconds a move, or 900d5 for 15 "
            "minutes with a delay of 5 seconds."
        ),
    )
    points = forms.ChoiceField(
        label=_("Win – draw – loss"),
        required=False,
        choices=[
            (key, key.replace("-", " – ").replace(".5", "½").replace("0½", "½")) for key in POINTS
        ],
        initial="1-0.5-0",
    )
    bye = forms.ChoiceField(
        label=_("Bye scores"),
        required=False,
        choices=[
            ("win", _("a win's points")),
            ("draw", _("a draw's points")),
            ("none", _("nothing")),
        ],
        initial="win",
        help_text=_("The bye of a Swiss with an odd number of players."),
    )

    def __init__(
        self, data: QueryDict | None = None, *, initial: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(data, initial=dict(initial or {}))
        by_hand = {**self.fields, **_fields_of_tie_breaks()}
        for each in SETTINGS.values():
            for name in self.names_of(each):
                self.fields[name] = by_hand.get(name) or field_of(each)
        self.fields["format"].widget = FormatSelect(choices=Event.Format.choices)
        self.fields["duration_s"].initial = _USUAL_DURATION_S
        self.order_fields(
            ["time_zone", *(n for each in SETTINGS.values() for n in self.names_of(each))]
        )
        for name, value in self.initial.items():
            field = self.fields.get(name)
            # A value of an event that the menus do not offer can remain.
            is_set = value is not None and value != ""
            if isinstance(field, forms.ChoiceField) and is_set and not field.valid_value(value):
                field.choices = [*field.choices, (value, str(value))]  # type: ignore[misc]

    def clean(self) -> dict[str, Any]:
        """Take the written clock, and refuse settings that no event can be played with."""
        cleaned = super().clean()
        self._take_setup(cleaned)
        written = cleaned.pop("other_clock", "")
        if cleaned.get("is_over_the_board"):
            return cleaned
        if written:
            try:
                cleaned["clock"] = Clock.read(written)
            except RefusedError:
                self.add_error("other_clock", _("This is not a clock, or not one for events."))
        clock = cleaned.get("clock")
        admits = cleaned.get("admits", "")
        if clock is not None and plans.is_too_short_for_people(clock, admits):
            self.add_error("clock", _("This clock is too short for people. Let only bots enter."))
        return cleaned

    def _take_setup(self, cleaned: dict[str, Any]) -> None:
        """Put the set-up that was chosen into the rule set."""
        setup, ruleset = cleaned.get("setup"), cleaned.get("ruleset")
        if setup and ruleset:
            cleaned["ruleset"] = rulesets.with_setup(ruleset, setup)
            if cleaned["ruleset"] is None:
                self.add_error("setup", _("This game has no such set-up."))

    @property
    def plain_fields(self) -> list[BoundField]:
        """The fields of the main part but those of tie-breaks, in their order."""
        return self._bound(
            each
            for each in SETTINGS.values()
            if each.part is Part.MAIN and each.unit is not Unit.TIE_BREAKS
        )

    @property
    def deciding_fields(self) -> list[BoundField]:
        """The fields whose values decide which other fields the page shows."""
        return [self[name] for name in _DECIDING]

    @property
    def condition_fields(self) -> list[BoundField]:
        """The fields about dates, entries, byes and the start of clocks."""
        return self._bound(each for each in SETTINGS.values() if each.part is Part.CONDITIONS)

    @property
    def head_fields(self) -> list[BoundField]:
        """The fields about the place, the days and the people of the event, for reports."""
        return self._bound(each for each in SETTINGS.values() if each.part is Part.HEAD)

    @property
    def tie_break_fields(self) -> list[BoundField]:
        """The fields of the tie-breaks, which the page shows apart."""
        return [self[name] for name in _TIE_BREAK_FIELDS]

    @staticmethod
    def names_of(each: Setting) -> Sequence[str]:
        """The names of the fields of a setting."""
        return _BY_HAND.get(each.name, (field_name(each),))

    def _bound(self, settings: Iterable[Setting]) -> list[BoundField]:
        names = dict.fromkeys(name for each in settings for name in self.names_of(each))
        return [self[name] for name in names]

    def plan(self, base: EventPlan | None = None) -> EventPlan:
        """Return the decisions of the organiser. A field that was left blank takes the usual value.

        A setting whose field shows the value of `base` keeps it to the second.
        """
        cleaned = self.cleaned_data
        win, draw, loss = POINTS.get(key := cleaned["points"] or "1-0.5-0") or _read_points(key)
        values: dict[str, Any] = {
            "ruleset": cleaned["ruleset"],
            "clock": cleaned["clock"],
            "win_halves": win,
            "draw_halves": draw,
            "loss_halves": loss,
            "bye_halves": _read_bye(cleaned["bye"], win, draw),
            "tie_breaks": ",".join(filter(None, (cleaned[name] for name in _TIE_BREAK_FIELDS))),
        }
        for name, each in SETTINGS.items():
            value = cleaned.get(field_name(each))
            if name in _BY_HAND or value in (None, ""):
                continue
            before = getattr(base, name, None)
            is_same = base is not None and shown_value(each, before) == value
            values[name] = before if is_same else _times(value, field_factor(each))
        return EventPlan(**values | _implied(values, base))

    @classmethod
    def initial_of(cls, event: Event) -> dict[str, object]:
        """Return the form's values for the settings of `event`."""
        clock = game_clocks.clock_of(event).text()
        is_known = clock in dict([*LIVE_CLOCKS, *BANKS, *CLOCKS_OF_BOTS])
        scores = (event.win_halves, event.draw_halves, event.loss_halves)
        byes = {event.win_halves: "win", event.draw_halves: "draw", 0: "none"}
        codes = event.tie_breaks.split(",") if event.tie_breaks else []
        derived = {name: each for name, each in SETTINGS.items() if name not in _BY_HAND}
        return {
            **{
                field_name(each): shown_value(each, getattr(event, name))
                for name, each in derived.items()
            },
            **dict(zip(_TIE_BREAK_FIELDS, codes, strict=False)),
            "ruleset": event.ruleset,
            "rounds_total": _chosen_rounds(event),
            "games_per_pairing": plans.plan_of(event).games_per_pairing,
            "duration_s": event.duration_s if event.rounds_total == 0 else _USUAL_DURATION_S,
            "clock": clock if is_known else "600+10",
            "other_clock": "" if is_known else clock,
            "points": next(
                (key for key, value in POINTS.items() if value == scores), _text(scores)
            ),
            "bye": byes.get(event.bye_halves, _text([event.bye_halves])),
        }

    def fix_all_but(self, names: Collection[str]) -> None:
        """Allow changes of these settings only. The others keep the initial values of the form."""
        open_names = {
            field
            for each in SETTINGS.values()
            if each.name in names
            for field in self.names_of(each)
        }
        for name, field in self.fields.items():
            field.disabled = name not in open_names and name != "time_zone"


def _fields_of_tie_breaks() -> dict[str, forms.Field]:
    choices = tie_breaks.choices()
    return {
        name: forms.ChoiceField(
            label=_("Tie-break %(number)d") % {"number": number},
            required=False,
            choices=[("", _("as usual in the format") if number == 1 else _("none")), *choices],
        )
        for number, name in enumerate(_TIE_BREAK_FIELDS, start=1)
    }


def _chosen_rounds(event: Event) -> int:
    """The number of rounds for the field, which a table of many players has more of."""
    is_chosen = formats.of(event).has_chosen_length
    return event.rounds_total if is_chosen else int(SETTINGS["rounds_total"].default)


def _implied(values: Mapping[str, Any], base: EventPlan | None) -> dict[str, object]:
    """The settings whose fields the page hides beside these values, as they follow from them."""
    of_format = formats.FORMATS[values["format"]].fields
    admits = Event.Admits.PEOPLE if values["is_over_the_board"] else values["admits"]
    follows: dict[str, object] = {}
    if values["is_over_the_board"]:
        follows |= {"clock": Clock.read("unlimited"), "admits": admits}
        follows |= {"is_rated": False, "is_automatic": False, "extra_clock": ""}
    else:
        follows |= {"board_time": "", "first_day": None, "last_day": None}
    if "rounds_total" not in of_format and base is not None:
        follows["rounds_total"] = base.rounds_total
    if "duration_s" not in of_format:
        follows["duration_s"] = 0
    if "games_per_pairing" not in of_format:
        follows["games_per_pairing"] = 1
    if admits != Event.Admits.BOTS:
        follows["fuel"] = None
    if admits == Event.Admits.PEOPLE or (admits == Event.Admits.BOTS and values.get("fuel")):
        follows["admits_remote"] = False
    return follows


def _times(value: Any, factor: int) -> Any:  # noqa: ANN401 - a number, a text or a moment
    return value * factor if factor > 1 else value


def _text(scores: Sequence[int]) -> str:
    return "-".join(map(str, scores)) + _IN_HALVES


def _read_points(text: str) -> tuple[int, int, int]:
    win, draw, loss = (int(number) for number in text.removesuffix(_IN_HALVES).split("-"))
    return win, draw, loss


def _read_bye(text: str, win: int, draw: int) -> int:
    if text.endswith(_IN_HALVES):
        return int(text.removesuffix(_IN_HALVES))
    return {"draw": draw, "none": 0}.get(text, win)
