"""The forms of an organiser's desk: acts with reasons, entries, changes of a draft, and staff."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from tournaments.forms.setting_fields import MomentField, ZonedForm
from tournaments.models import ByeRequest, Event, Game, Round, Sanction, StaffMember
from tournaments.models.events import MAX_BOARDS, MAX_ROUNDS, MAX_ROUNDS_OF_TABLES
from tournaments.services.arbiter.entry_acts import EntryArguments
from tournaments.services.arbiter.game_acts import GameArguments
from tournaments.services.arbiter.results import ENTERED
from tournaments.services.arbiter.steps import StepArguments
from tournaments.services.reasons import LONGEST_REASON
from tournaments.services.rounds.edits import EDITS, EditArguments


class PublicationForm(ZonedForm):
    """The start of a draft's games after its publication."""

    starts_at = MomentField(
        label=_("Clocks start at"), help_text=_("Leave empty to follow the settings of the event.")
    )


class StepForm(PublicationForm):
    """A step of an event, of a round or of a board."""

    deadline_at = MomentField()
    reason = forms.CharField(required=False)
    name = forms.CharField(required=False, max_length=80)
    round_number = forms.IntegerField(required=False, min_value=1)
    board = forms.IntegerField(required=False, min_value=1)
    tpn = forms.IntegerField(required=False, min_value=0)
    order = forms.RegexField(r"^[0-9 ,;]*$", required=False, max_length=400)

    def clean_order(self) -> list[int]:
        return [int(number) for number in re.findall(r"[0-9]{1,5}", self.cleaned_data["order"])]

    def arguments(self) -> StepArguments:
        return StepArguments(**self.cleaned_data)


class GameActForm(ZonedForm):
    """An action of the arbiter in a game in progress."""

    reason = forms.CharField(label=_("Reason"), required=False, max_length=LONGEST_REASON)
    result = forms.CharField(required=False, max_length=20)
    side = forms.ChoiceField(required=False, choices=[("first", "first"), ("second", "second")])
    minutes = forms.IntegerField(label=_("Minutes"), required=False, min_value=1, max_value=14_400)
    resumes_at = MomentField(label=_("Resume at"))

    def arguments(self) -> GameArguments:
        cleaned = self.cleaned_data
        return GameArguments(
            reason=cleaned["reason"],
            result=cleaned["result"],
            side=cleaned["side"] or "first",
            added_s=60 * (cleaned["minutes"] or 0),
            resumes_at=cleaned["resumes_at"],
        )


class EntryActForm(forms.Form):
    """An action of the organiser on an entry."""

    entry = forms.IntegerField(min_value=1)
    reason = forms.CharField(required=False, max_length=LONGEST_REASON)
    round_number = forms.IntegerField(required=False, min_value=1, max_value=MAX_ROUNDS)
    kind = forms.ChoiceField(required=False, choices=ByeRequest.Kind.choices)
    is_exception = forms.BooleanField(required=False)
    has_half_byes = forms.BooleanField(required=False)
    rating = forms.IntegerField(required=False, min_value=100, max_value=4000)
    from_round = forms.IntegerField(required=False, min_value=2, max_value=MAX_ROUNDS)
    seed = forms.IntegerField(required=False, min_value=1, max_value=5000)
    section = forms.SlugField(required=False, max_length=80)
    other = forms.IntegerField(required=False, min_value=1)
    sanction = forms.ChoiceField(required=False, choices=Sanction.Kind.choices)
    points = forms.DecimalField(required=False, min_value=0, max_value=50, step_size=0.5)

    def arguments(self) -> EntryArguments:
        cleaned = self.cleaned_data
        rating = cleaned["rating"]
        return EntryArguments(
            entry_id=cleaned["entry"],
            reason=cleaned["reason"],
            round_number=cleaned["round_number"] or 0,
            kind=cleaned["kind"],
            is_exception=cleaned["is_exception"],
            has_half_byes=cleaned["has_half_byes"],
            centielo=None if rating is None else 100 * rating,
            from_round=cleaned["from_round"] or 0,
            seed=cleaned["seed"],
            section=cleaned["section"],
            other_id=cleaned["other"],
            sanction_kind=cleaned["sanction"],
            halves=int(2 * (cleaned["points"] or 0)),
        )


class NameForm(forms.Form):
    """A player with an account, by name."""

    name = forms.CharField(label=_("Player"), max_length=80)


class StaffForm(NameForm):
    """A new helper and the role."""

    role = forms.ChoiceField(label=_("Role"), choices=StaffMember.Role.choices)


class AnnouncementForm(forms.Form):
    text = forms.CharField(
        label=_("Announcement"), max_length=500, widget=forms.Textarea(attrs={"rows": 3})
    )


class EditForm(forms.Form):
    """One change of a draft by hand."""

    kind = forms.ChoiceField(choices=[(kind, kind) for kind in EDITS.by_code])
    tpn = forms.IntegerField(required=False, min_value=1)
    other = forms.IntegerField(required=False, min_value=1)
    board = forms.IntegerField(required=False, min_value=1)
    bye = forms.ChoiceField(required=False, choices=ByeRequest.Kind.choices)

    def arguments(self) -> EditArguments:
        cleaned = self.cleaned_data
        return EditArguments(
            tpn=cleaned["tpn"] or 0,
            other=cleaned["other"] or 0,
            board=cleaned["board"] or 0,
            bye=cleaned["bye"],
        )


class RoundTimesForm(ZonedForm):
    """The start of the games of each round. The page shows published rounds."""

    def __init__(
        self, data: QueryDict | None = None, *, event: Event, published: Sequence[Round]
    ) -> None:
        super().__init__(data, auto_id="times_%s")
        planned = dict(event.round_times.values_list("number", "starts_at"))
        first = max((round_.number for round_ in published), default=0) + 1
        self._before: Mapping[int, datetime] = {n: at for n, at in planned.items() if n < first}
        self._first = first
        for number in range(first, min(event.rounds_total, MAX_ROUNDS_OF_TABLES) + 1):
            field = MomentField(label=_("Round %(number)d") % {"number": number})
            field.initial = planned.get(number)
            self.fields[f"round_{number}"] = field

    def times(self) -> list[datetime | None]:
        """The moments of all rounds, from the first."""
        later = [self.cleaned_data[name] for name in self.fields if name.startswith("round_")]
        return [*(self._before.get(number) for number in range(1, self._first)), *later]


# Results as they are typed and read. The last is for the double forfeit, which has no separate
# sign.
KEYS = {
    "1": Game.Result.FIRST,
    "0": Game.Result.SECOND,
    "=": Game.Result.DRAW,
    "+": Game.Result.FIRST_FORFEIT,
    "-": Game.Result.SECOND_FORFEIT,
    "x": Game.Result.DOUBLE_FORFEIT,
}


class ResultForm(forms.Form):
    """The result of a board. An empty result removes it."""

    round_number = forms.IntegerField(min_value=1, max_value=400)
    board = forms.IntegerField(min_value=1, max_value=5000)
    game = forms.IntegerField(required=False, min_value=1, max_value=MAX_BOARDS)
    result = forms.ChoiceField(
        required=False, choices=[("", ""), *((each.value, each.value) for each in ENTERED)]
    )
    # The result that the page showed.
    page_result = forms.CharField(required=False, max_length=14)


class ReportForm(forms.Form):
    """The report of a player about a game of a board."""

    game = forms.IntegerField(min_value=1, max_value=MAX_BOARDS)
    entry = forms.IntegerField(min_value=1)
    result = forms.CharField(max_length=20)


class FeeForm(forms.Form):
    """The fee of an entry."""

    entry = forms.IntegerField(min_value=1)
    state = forms.CharField(max_length=20)


_LINE = re.compile(r"(\d{1,4})(?:\.(\d{1,2}))?(?:\s+|(?=[^\d.\s]))(\S+)")
# The signs of `KEYS`, and others that people write on slips.
_SIGNS = {
    **KEYS,
    "2": Game.Result.SECOND,
    "d": Game.Result.DRAW,
    "½": Game.Result.DRAW,
    "−": Game.Result.SECOND_FORFEIT,
    "=0": Game.Result.DRAW_LOSS,
    "½0": Game.Result.DRAW_LOSS,
    "0=": Game.Result.LOSS_DRAW,
    "0½": Game.Result.LOSS_DRAW,
    "00": Game.Result.BOTH_LOST,
    "w1": Game.Result.SHORT_FIRST,
    "w0": Game.Result.SHORT_SECOND,
    "w=": Game.Result.SHORT_DRAW,
}


class LineForm(forms.Form):
    """A board and its result as one line: `12 1`, or `3.2 =` for the second game of board 3.

    Cleaned, it has the fields of a `ResultForm`.
    """

    round_number = forms.IntegerField(min_value=1, max_value=400)
    line = forms.CharField(max_length=20)

    def clean(self) -> dict[str, object]:
        match = _LINE.fullmatch(self.cleaned_data.get("line", ""))
        result = _SIGNS.get(match[3].lower()) if match is not None else None
        if match is None or result is None:
            raise forms.ValidationError("no board with a result", code="line")
        game = None if match[2] is None else int(match[2])
        return {
            **self.cleaned_data,
            "board": int(match[1]),
            "game": game,
            "result": result.value,
            # Slips come in any order: the page may show another board.
            "page_result": "",
        }
