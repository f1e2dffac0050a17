from __future__ import annotations

import re
from typing import TYPE_CHECKING

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import Entry, Event, Player
from tournaments.models.events import MAX_ENTRIES, MAX_ROUNDS
from tournaments.models.games import Side
from tournaments.models.players import NAME_LENGTH
from tournaments.services import calculator, menu, tiebreaks
from tournaments.services.beginnings import Clock
from tournaments.services.plans import EventPlan

if TYPE_CHECKING:
    from django.forms import BoundField
    from django.http import QueryDict

# How many tie-breaks an organiser can put in order.
TIE_BREAKS = 5


class SignUpForm(forms.Form):
    name = forms.CharField(
        label=_("Name"),
        min_length=2,
        max_length=NAME_LENGTH,
        help_text=_("What other players see: letters, digits, blanks and - _ . '"),
        widget=forms.TextInput(attrs={"autocomplete": "username", "autofocus": True}),
    )
    password = forms.CharField(
        label=_("Password"),
        max_length=200,
        help_text=_("At least eight characters, and not one that everybody uses."),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )


CLOCKS = [
    ("180+2", _("3 minutes + 2 seconds a ply")),
    ("300+5", _("5 minutes + 5 seconds")),
    ("600+10", _("10 minutes + 10 seconds")),
    ("1800+20", _("30 minutes + 20 seconds")),
    ("86400+3600", _("1 day + 1 hour")),
    ("604800+43200", _("7 days + 12 hours")),
]


class ClockField(forms.ChoiceField):
    """One of the clocks on offer; cleans to a `Clock`."""

    def __init__(self) -> None:
        super().__init__(choices=CLOCKS, initial="600+10", label=_("Clock"))

    def clean(self, value: object) -> Clock:
        initial_s, increment_s = str(super().clean(value)).split("+")
        return Clock(int(initial_s) * 1000, int(increment_s) * 1000)


class RulesetField(forms.ChoiceField):
    """A rule set of the menus, or any other that `games` knows, such as a link asks for; cleans to its key."""

    def __init__(self) -> None:
        super().__init__(label=_("Game"), choices=menu.ruleset_choices)

    def valid_value(self, value: object) -> bool:
        return menu.canonical_key(str(value)) is not None

    def offer(self, key: str) -> None:
        """Put a rule set that is not on the menus at the head of the choices."""
        canonical = menu.canonical_key(key)
        offered = menu.ruleset_choices()
        if canonical and all(canonical != each for _group, keys in offered for each, _name in keys):
            special = (_("As you wished"), [(canonical, menu.ruleset_name(canonical))])
            self.choices = [special, *offered]


class ChallengeForm(forms.Form):
    opponent = forms.CharField(
        label=_("Opponent"),
        required=False,
        max_length=NAME_LENGTH,
        help_text=_("A player's or bot's name; leave it empty and anybody may accept."),
        widget=forms.TextInput(attrs={"list": "players", "autocomplete": "off"}),
    )
    ruleset = RulesetField()
    clock = ClockField()
    side = forms.ChoiceField(
        label=_("Who begins"),
        required=False,
        choices=[
            ("", _("by lot")),
            (Side.FIRST, _("I begin")),
            (Side.SECOND, _("my opponent begins")),
        ],
    )
    is_rated = forms.BooleanField(label=_("Rated"), required=False, initial=True)

    def offer(self, ruleset: str) -> None:
        """Let `ruleset` be chosen, whether the menus have it or not."""
        field = self.fields["ruleset"]
        assert isinstance(field, RulesetField)
        field.offer(ruleset)


# What a win, a draw and a loss are worth, in half points.
POINTS = {
    "1-0.5-0": (2, 1, 0),
    "3-1-0": (6, 2, 0),
    "2-1-0": (4, 2, 0),
    "3-2-1": (6, 4, 2),
}


class EventForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=80)
    ruleset = RulesetField()
    format = forms.ChoiceField(
        label=_("Format"),
        choices=Event.Format.choices,
        initial=Event.Format.DUTCH,
        help_text=_(
            "By the FIDE rules a small field cannot play many rounds; the forgiving Swiss can."
        ),
    )
    rounds_total = forms.IntegerField(
        label=_("Rounds"), required=False, min_value=1, max_value=MAX_ROUNDS, initial=5
    )
    cycles = forms.TypedChoiceField(
        label=_("Everybody meets everybody"),
        required=False,
        coerce=int,
        choices=[(1, _("once")), (2, _("twice, with sides exchanged"))],
        initial=1,
    )
    groups = forms.IntegerField(
        label=_("Groups or divisions"), required=False, min_value=1, max_value=100, initial=2
    )
    qualifiers = forms.IntegerField(
        label=_("Go on from each group"), required=False, min_value=1, max_value=100, initial=2
    )
    movers = forms.IntegerField(
        label=_("Rise and fall after a season"),
        required=False,
        min_value=0,
        max_value=100,
        initial=1,
    )
    seasons = forms.IntegerField(
        label=_("Seasons"), required=False, min_value=1, max_value=100, initial=1
    )
    duration_s = forms.TypedChoiceField(
        label=_("Lasts"),
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
    clock = ClockField()
    admits = forms.ChoiceField(
        label=_("Who may enter"), choices=Event.Admits.choices, initial=Event.Admits.PEOPLE
    )
    max_entries = forms.IntegerField(
        label=_("Entries at most"), min_value=2, max_value=MAX_ENTRIES, initial=64
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
        label=_("Odd one out gets"),
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
        label=_("Rounds follow by themselves"),
        required=False,
        initial=True,
        help_text=_("Otherwise you draft, look and publish each round yourself."),
    )
    pause_s = forms.TypedChoiceField(
        label=_("Pause between rounds"),
        coerce=int,
        choices=[
            (0, _("none")),
            (60, _("1 minute")),
            (300, _("5 minutes")),
            (900, _("15 minutes")),
            (86400, _("1 day")),
        ],
        initial=60,
    )
    description = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 4}),
    )

    def __init__(self, data: QueryDict | None = None) -> None:
        super().__init__(data)
        usual = [("", _("as usual in the format")), *tiebreaks.choices()]
        for number in range(1, TIE_BREAKS + 1):
            self.fields[f"tie_break_{number}"] = forms.ChoiceField(
                label=_("Tie-break %(number)d") % {"number": number},
                required=False,
                choices=usual if number == 1 else [("", _("none")), *tiebreaks.choices()],
            )

    @property
    def tie_break_fields(self) -> list[BoundField]:
        """The fields of the tie-breaks, which the page shows apart."""
        return [self[f"tie_break_{number}"] for number in range(1, TIE_BREAKS + 1)]

    @property
    def plain_fields(self) -> list[BoundField]:
        """All other fields, in their order."""
        return [field for field in self.visible_fields() if not field.name.startswith("tie_break_")]

    def plan(self) -> EventPlan:
        """What the organiser has decided; what was left blank takes the usual value."""
        given = dict(self.cleaned_data)
        win, draw, loss = POINTS[given.pop("points") or "1-0.5-0"]
        bye = {"draw": draw, "none": 0}.get(given.pop("bye"), win)
        chosen = [given.pop(f"tie_break_{number}") for number in range(1, TIE_BREAKS + 1)]
        is_continuous = given["format"] in {Event.Format.ARENA, Event.Format.LADDER}
        given["duration_s"] = given["duration_s"] if is_continuous else 0
        return EventPlan(
            **{name: value for name, value in given.items() if value not in (None, "")},
            win_halves=win,
            draw_halves=draw,
            loss_halves=loss,
            bye_halves=bye,
            tie_breaks=",".join(filter(None, chosen)),
        )


class EntriesField(forms.ModelMultipleChoiceField):
    """Some of an event's entries, by the players' names."""

    def label_from_instance(self, obj: Entry) -> str:
        return obj.player.name


class ProhibitionForm(forms.Form):
    """Who must not meet, and when."""

    entries = EntriesField(
        label=_("Players"),
        queryset=Entry.objects.none(),
        widget=forms.CheckboxSelectMultiple,
    )
    first_round = forms.IntegerField(
        label=_("From round"), min_value=1, max_value=MAX_ROUNDS, initial=1
    )
    last_round = forms.IntegerField(
        label=_("To round"),
        required=False,
        min_value=1,
        max_value=MAX_ROUNDS,
        help_text=_("Leave it empty for all rounds."),
    )
    note = forms.CharField(
        label=_("Why"),
        required=False,
        max_length=100,
        help_text=_("A club or a family, for example. Everybody can read it."),
    )

    def __init__(self, data: QueryDict | None = None, *, event: Event) -> None:
        super().__init__(data)
        field = self.fields["entries"]
        assert isinstance(field, forms.ModelMultipleChoiceField)
        field.queryset = event.entries.active().select_related("player")


class ByeForm(forms.Form):
    round_number = forms.IntegerField(min_value=1, max_value=MAX_ROUNDS)
    kind = forms.ChoiceField(choices=[("half", _("half-point bye")), ("zero", _("no points"))])


class MoveForm(forms.Form):
    """A move as the page or a person sends it; what it means is for the rules to say."""

    move = forms.CharField(max_length=4096, strip=True)
    ply = forms.IntegerField(min_value=0, max_value=100_000)
    client_key = forms.CharField(required=False, max_length=40)


class BotEntryForm(forms.Form):
    """Bots to be entered in an event, several at once; those who take part already are not offered."""

    bots = forms.ModelMultipleChoiceField(
        label=_("Bots"), queryset=Player.objects.none(), widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, data: QueryDict | None = None, *, event: Event) -> None:
        super().__init__(data)
        field = self.fields["bots"]
        assert isinstance(field, forms.ModelMultipleChoiceField)
        active = Player.objects.bots().filter(bot__is_active=True)
        entered = event.entries.active().values("player")
        field.queryset = active.exclude(pk__in=entered).order_by("canonical")


RESULTS = [("2", _("won")), ("1", _("drawn")), ("0", _("lost"))]
TIME_CLASSES = [("standard", _("standard")), ("rapid", _("rapid")), ("blitz", _("blitz"))]
# What people write for a game's score, in half points.
_SCORES = {"1": 2, "½": 1, "0.5": 1, "0,5": 1, "1/2": 1, "=": 1, "0": 0}


class LedgerChangeForm(forms.Form):
    """One game by the formula of the ledger."""

    rating = forms.DecimalField(
        label=_("Your rating"), min_value=0, max_value=calculator.MAX_ELO, decimal_places=2
    )
    opponent = forms.DecimalField(
        label=_("Opponent's rating"), min_value=0, max_value=calculator.MAX_ELO, decimal_places=2
    )
    result = forms.TypedChoiceField(label=_("Result"), choices=RESULTS, coerce=int)
    k = forms.TypedChoiceField(
        label="K",
        choices=[(k, str(k)) for k in reversed(calculator.K_FACTORS)],
        coerce=int,
        help_text=_("40 in the first 30 games, then 20, and 10 once 2400 was reached."),
    )


class FideChangeForm(forms.Form):
    """A period of rated games by FIDE's regulations."""

    rating = forms.IntegerField(label=_("Your rating"), min_value=0, max_value=calculator.MAX_ELO)
    k = forms.TypedChoiceField(
        label="K",
        choices=[(k, str(k)) for k in reversed(calculator.K_FACTORS)],
        initial=20,
        coerce=int,
    )
    time_class = forms.ChoiceField(label=_("Time control"), choices=TIME_CLASSES)
    games = forms.CharField(
        label=_("Games"),
        max_length=2000,
        help_text=_("One a line: the opponent's rating and 1, ½ (or 0.5) or 0, such as “1834 1”."),
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
    )

    def clean_games(self) -> list[calculator.FideGame]:
        lines = [line.split() for line in str(self.cleaned_data["games"]).splitlines()]
        numbered = [(number, line) for number, line in enumerate(lines, start=1) if line]
        if len(numbered) > calculator.MAX_GAMES:
            raise forms.ValidationError(
                _("These are more than %(count)d games."), params={"count": calculator.MAX_GAMES}
            )
        games = []
        for number, words in numbered:
            if len(words) != 2 or not re.fullmatch(r"[0-9]{1,4}", words[0]):
                raise forms.ValidationError(
                    _("Line %(number)d is not a rating and a result."), params={"number": number}
                )
            if int(words[0]) > calculator.MAX_ELO:
                raise forms.ValidationError(
                    _("Line %(number)d: no rating is above %(most)d."),
                    params={"number": number, "most": calculator.MAX_ELO},
                )
            if words[1] not in _SCORES:
                raise forms.ValidationError(
                    _("Line %(number)d: the result is 1, ½ (or 0.5) or 0."),
                    params={"number": number},
                )
            games.append(calculator.FideGame(int(words[0]), _SCORES[words[1]]))
        return games
