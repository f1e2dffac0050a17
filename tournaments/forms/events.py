"""Events: what is played, in which format, and what results are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forms.event_conditions import ConditionsForm
from tournaments.forms.games import (
    BANKS,
    CLOCKS_OF_BOTS,
    LIVE_CLOCKS,
    EventClockField,
    PauseField,
    RulesetField,
)
from tournaments.models import Event
from tournaments.models.events import MAX_ENTRIES, MAX_ROUNDS
from tournaments.services.clocks import game_clocks
from tournaments.services.clocks.game_clocks import Clock
from tournaments.services.errors import RefusedError
from tournaments.services.events import plans
from tournaments.services.events.plans import EventPlan
from tournaments.text import rulesets, tie_breaks

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from django.forms import BoundField
    from django.http import QueryDict


# How many tie-breaks an organiser can put in order.
TIE_BREAKS = 5

# What a win, a draw and a loss are worth, in half points.
POINTS = {
    "1-0.5-0": (2, 1, 0),
    "3-1-0": (6, 2, 0),
    "2-1-0": (4, 2, 0),
    "3-2-1": (6, 4, 2),
}


class EventForm(ConditionsForm):
    name = forms.CharField(label=_("Name"), max_length=80)
    ruleset = RulesetField()
    setup = forms.ChoiceField(
        label=_("Set-up"),
        required=False,
        choices=lambda: [("", _("as usual in the game")), *rulesets.setup_choices()],
        help_text=_(
            "Pieces placed in pairs in the revised edition; adjacent, free or by ballot in the "
            "original one. A ballot is drawn once a round."
        ),
    )
    format = forms.ChoiceField(
        label=_("Format"),
        choices=Event.Format.choices,
        initial=Event.Format.DUTCH,
        help_text=_(
            "Under the FIDE rules a small field cannot play many rounds; the Swiss with "
            "weighted matching can."
        ),
    )
    rounds_total = forms.IntegerField(
        label=_("Rounds"), required=False, min_value=1, max_value=MAX_ROUNDS, initial=5
    )
    games_per_pairing = forms.TypedChoiceField(
        label=_("Games per pairing"),
        required=False,
        coerce=int,
        choices=[(1, _("one")), (2, _("two, the second with the sides exchanged"))],
        initial=1,
        help_text=_("Two games are a mini-match: both count, and so does a bye, twice."),
    )
    cycles = forms.TypedChoiceField(
        label=_("Number of cycles"),
        required=False,
        coerce=int,
        choices=[(1, _("Single round robin")), (2, _("Double round robin"))],
        initial=1,
    )
    groups = forms.IntegerField(
        label=_("Groups or divisions"), required=False, min_value=1, max_value=100, initial=2
    )
    qualifiers = forms.IntegerField(
        label=_("Qualifiers per group"), required=False, min_value=1, max_value=100, initial=2
    )
    promotion_places = forms.IntegerField(
        label=_("Promotion and relegation places"),
        required=False,
        min_value=0,
        max_value=100,
        initial=1,
    )
    seasons = forms.IntegerField(
        label=_("Seasons"), required=False, min_value=1, max_value=100, initial=1
    )
    duration_s = forms.TypedChoiceField(
        label=_("Duration"),
        required=False,
        coerce=int,
        choices=[
            (1800, _("half an hour")),
            (3600, _("1 hour")),
            (5400, _("1½ hours")),
            (7200, _("2 hours")),
            (86400, _("1 day")),
            (604800, _("1 week")),
        ],
        initial=3600,
    )
    is_over_the_board = forms.BooleanField(
        label=_("Over the board"),
        required=False,
        help_text=_(
            "Played on real boards: you enter players by name and type the results; no clock runs "
            "here, nothing is rated, and you publish and close each round yourself."
        ),
    )
    board_time = forms.CharField(
        label=_("Time at the board"),
        required=False,
        max_length=60,
        help_text=_("In your words, for the players: 25 minutes each, for example."),
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
    allows_vacation = forms.BooleanField(
        label=_("Clocks stop during vacations"),
        required=False,
        initial=True,
        help_text=_("Where the clock is a bank of days; up to thirty days a year for each player."),
    )
    admits = forms.ChoiceField(
        label=_("Who may enter"), choices=Event.Admits.choices, initial=Event.Admits.PEOPLE
    )
    admits_remote = forms.BooleanField(
        label=_("Remote bots may enter"),
        required=False,
        help_text=_(
            "They run at their authors', on machines of any strength, and play by the API. All games of the event are then rated in a pool with remote bots."
        ),
    )
    fuel = forms.TypedChoiceField(
        label=_("Fuel instead of the clock"),
        required=False,
        coerce=int,
        empty_value=None,
        choices=[
            ("", _("none: the clock runs")),
            (10**7, _("10 million units per ply")),
            (10**8, _("100 million units per ply")),
            (10**9, _("1,000 million units per ply")),
            (10**10, _("10,000 million units per ply")),
        ],
        help_text=_(
            "For WebAssembly modules alone: their work is counted, so that anybody can play each game again. A search uses 3 to 5 million units in a millisecond."
        ),
    )
    max_entries = forms.IntegerField(
        label=_("Maximum number of players"), min_value=2, max_value=MAX_ENTRIES, initial=64
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
    is_accelerated = forms.BooleanField(
        label=_("Accelerated (Baku)"),
        required=False,
        help_text=_("For large fields with few rounds: the upper half starts with virtual points."),
    )
    is_rated = forms.BooleanField(label=_("Rated"), required=False, initial=True)
    is_automatic = forms.BooleanField(
        label=_("Automatic pairing"),
        required=False,
        initial=True,
        help_text=_("Otherwise you draft, check and publish each round yourself."),
    )
    pause_s = PauseField()
    description = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 4}),
    )

    def __init__(
        self, data: QueryDict | None = None, *, initial: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(data, initial=dict(initial or {}))
        usual = [("", _("as usual in the format")), *tie_breaks.choices()]
        for number in range(1, TIE_BREAKS + 1):
            self.fields[f"tie_break_{number}"] = forms.ChoiceField(
                label=_("Tie-break %(number)d") % {"number": number},
                required=False,
                choices=usual if number == 1 else [("", _("none")), *tie_breaks.choices()],
            )
        for name, value in self.initial.items():
            field = self.fields.get(name)
            # What an event has that the menus do not offer can stay.
            is_set = value is not None and value != ""
            if isinstance(field, forms.ChoiceField) and is_set and not field.valid_value(value):
                field.choices = [*field.choices, (value, str(value))]  # type: ignore[misc]

    def clean(self) -> dict[str, Any]:
        """Take the clock that was written, and refuse what no event can be played with."""
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
            self.add_error("clock", _("This clock is too short for people; let only bots enter."))
        return cleaned

    def _take_setup(self, cleaned: dict[str, Any]) -> None:
        """Put the set-up that was chosen into the rule set."""
        setup, ruleset = cleaned.get("setup"), cleaned.get("ruleset")
        if setup and ruleset:
            cleaned["ruleset"] = rulesets.with_setup(ruleset, setup)
            if cleaned["ruleset"] is None:
                self.add_error("setup", _("This game has no such set-up."))

    @property
    def tie_break_fields(self) -> list[BoundField]:
        """The fields of the tie-breaks, which the page shows apart."""
        return [self[f"tie_break_{number}"] for number in range(1, TIE_BREAKS + 1)]

    @property
    def plain_fields(self) -> list[BoundField]:
        """All fields but those of tie-breaks and conditions, in their order."""
        apart = {*ConditionsForm.base_fields}
        names = [name for name in self.fields if not name.startswith("tie_break_")]
        return [self[name] for name in names if name not in apart]

    def plan(self) -> EventPlan:
        """What the organiser has decided; what was left blank takes the usual value."""
        cleaned = dict(self.cleaned_data)
        conditions = self.conditions(cleaned)
        cleaned.pop("setup")  # it is in the rule set
        win, draw, loss = POINTS.get(key := cleaned.pop("points") or "1-0.5-0") or _read_points(key)
        bye = {"draw": draw, "none": 0}.get(cleaned.pop("bye"), win)
        codes = [cleaned.pop(f"tie_break_{number}") for number in range(1, TIE_BREAKS + 1)]
        is_continuous = cleaned["format"] in {Event.Format.ARENA, Event.Format.LADDER}
        cleaned["duration_s"] = cleaned["duration_s"] if is_continuous else 0
        if cleaned["is_over_the_board"]:  # these fields are not shown then
            cleaned |= {"clock": Clock.read("unlimited"), "admits": Event.Admits.PEOPLE}
            cleaned |= {"is_rated": False, "is_automatic": False}
        else:
            cleaned["board_time"] = ""
        if cleaned["format"] not in {Event.Format.DUTCH, Event.Format.SWISS}:
            cleaned["games_per_pairing"] = 1  # the field is not shown then
        if cleaned["admits"] != Event.Admits.BOTS:
            cleaned["fuel"] = None  # the field is not shown then
        if cleaned["admits"] == Event.Admits.PEOPLE or cleaned["fuel"] is not None:
            cleaned["admits_remote"] = False  # the field is not shown then
        return EventPlan(
            **{name: value for name, value in cleaned.items() if value not in (None, "")},
            **conditions,
            win_halves=win,
            draw_halves=draw,
            loss_halves=loss,
            bye_halves=bye,
            tie_breaks=",".join(filter(None, codes)),
        )

    @classmethod
    def initial_of(cls, event: Event) -> dict[str, object]:
        """What the form shows for the settings of `event`."""
        same = set(cls.base_fields) - set(ConditionsForm.base_fields) - {"clock", "points", "bye"}
        clock = game_clocks.clock_of(event).text()
        is_known = clock in dict([*LIVE_CLOCKS, *BANKS, *CLOCKS_OF_BOTS])
        scores = (event.win_halves, event.draw_halves, event.loss_halves)
        byes = {event.win_halves: "win", event.draw_halves: "draw", 0: "none"}
        codes = event.tie_breaks.split(",") if event.tie_breaks else []
        return {
            **{name: getattr(event, name) for name in same if hasattr(event, name)},
            **cls.initial_conditions(event),
            **{f"tie_break_{number}": code for number, code in enumerate(codes, start=1)},
            "duration_s": event.duration_s if event.rounds_total == 0 else 3600,
            "clock": clock if is_known else "600+10",
            "other_clock": "" if is_known else clock,
            "points": next(
                (key for key, value in POINTS.items() if value == scores), _text(scores)
            ),
            "bye": byes.get(event.bye_halves, "win"),
        }

    def fix_all_but(self, names: Collection[str]) -> None:
        """Let only these settings be changed; the others keep the values the form began with."""
        for name, field in self.fields.items():
            field.disabled = not _SETTINGS_OF.get(name, frozenset({_setting(name)})) & set(names)


# Fields that stand for settings of other names.
_SETTINGS_OF = {
    "other_clock": frozenset({"clock"}),
    "setup": frozenset({"ruleset"}),
    "points": frozenset({"win_halves", "draw_halves", "loss_halves"}),
    "bye": frozenset({"bye_halves"}),
    "min_rating": frozenset({"min_centielo"}),
    "max_rating": frozenset({"max_centielo"}),
    "grace_minutes": frozenset({"grace_s"}),
    "time_zone": frozenset({"name"}),
}


def _text(scores: Sequence[int]) -> str:
    return "-".join(map(str, scores)) + " (½)"


def _read_points(text: str) -> tuple[int, int, int]:
    win, draw, loss = (int(number) for number in text.removesuffix(" (½)").split("-"))
    return win, draw, loss


def _setting(field: str) -> str:
    return "tie_breaks" if field.startswith("tie_break_") else field
