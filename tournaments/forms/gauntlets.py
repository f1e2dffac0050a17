"""Gauntlets and tunings: which version, how it is played, and against whom."""

from __future__ import annotations

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from tournaments.forms.games import RulesetField
from tournaments.forms.sprt import (
    TERMS,
    BotsField,
    GameListForm,
    VolunteersField,
    starts,
    usual_ruleset,
)
from tournaments.models import Bot, BotLine, Gauntlet, Regression, Suite, User
from tournaments.models.gauntlets import MAX_GAUNTLET_PAIRS, MAX_ITERATIONS
from tournaments.queries.bots import tunings
from tournaments.queries.matches.fuel_terms import Terms
from tournaments.services import gauntlets, regressions
from tournaments.services.bots import suites


class GauntletListForm(GameListForm):
    """A choice among all gauntlets, by kind, game and state."""

    kind = forms.ChoiceField(
        label=_("Kind"),
        choices=[("", _("any")), ("gauntlet", _("gauntlet")), ("tuning", _("tuning"))],
        required=False,
    )
    state = forms.ChoiceField(
        label=_("State"), choices=[("", _("any")), *Gauntlet.State.choices], required=False
    )


class GauntletTermsForm(forms.Form):
    """The version, the rules and the clock. They determine the possible opponents."""

    candidate = BotsField(label=_("Version of yours"), queryset=Bot.objects.none())
    ruleset = RulesetField()
    clock = forms.ChoiceField(label=_("Clock"), choices=TERMS, initial="5+0.1")

    def __init__(self, data: QueryDict | None, *, owner: User) -> None:
        """The versions that are `owner`'s."""
        usable = Bot.objects.testable_by(owner).filter(owner=owner)
        first = usable.first()
        self.has_versions = first is not None
        initial = {} if first is None else {"candidate": first, "ruleset": usual_ruleset(first)}
        super().__init__(data, initial=initial)
        field = self.fields["candidate"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = usable
        field.empty_label = None

    @property
    def terms(self) -> Terms:
        """Return the clock or the fuel of a valid form."""
        return Terms.read(self.cleaned_data["clock"])


class RegressionForm(forms.Form):
    """The terms by which new versions of a bot are played against the first one by night."""

    is_on = forms.BooleanField(label=_("Test new versions at night"), required=False)
    ruleset = RulesetField()
    clock = forms.ChoiceField(label=_("Clock"), choices=TERMS, initial="5+0.1")
    volunteer_priority = VolunteersField()
    pairs = forms.IntegerField(
        label=_("Pairs"),
        min_value=1,
        max_value=MAX_GAUNTLET_PAIRS,
        initial=regressions.USUAL_PAIRS,
        help_text=_("More pairs give a shorter interval."),
    )

    @classmethod
    def of(cls, row: Regression | None, latest: Bot, data: QueryDict | None) -> RegressionForm:
        """Return the form with the terms in the row, or with usual ones for the latest version."""
        if row is None:
            return cls(data, initial={"ruleset": usual_ruleset(latest)})
        initial = {
            "is_on": True,
            "ruleset": row.ruleset,
            "clock": Terms.of(row).text(),
            "volunteer_priority": row.volunteer_priority,
            "pairs": row.pairs,
        }
        return cls(data, initial=initial)

    def save(self, line: BotLine) -> None:
        """Switch the regressions of the line on or off. Raises RefusedError as `regressions.switch_on`."""
        cleaned = self.cleaned_data
        if not cleaned["is_on"]:
            regressions.switch_off(line)
            return
        regressions.switch_on(
            line=line,
            ruleset=cleaned["ruleset"],
            terms=Terms.read(cleaned["clock"]),
            volunteer_priority=cleaned["volunteer_priority"],
            pairs=cleaned["pairs"],
        )


class _OpponentsForm(GauntletTermsForm):
    """The terms with the start positions, and those bots as opponents that can be its version's."""

    start = forms.ChoiceField(
        label=_("Start positions"),
        required=False,
        help_text=_("Each pair begins from one, with both sides. A suite is of one game."),
    )
    opponents = forms.ModelMultipleChoiceField(
        label=_("Against"), queryset=Bot.objects.none(), widget=forms.CheckboxSelectMultiple
    )
    volunteer_priority = VolunteersField()

    def __init__(self, data: QueryDict | None, *, owner: User) -> None:
        """Offer all bots: `gauntlets.start` refuses some, with the reason."""
        super().__init__(data, owner=owner)
        self._owner = owner
        start = self.fields["start"]
        assert isinstance(start, forms.ChoiceField)
        start.choices = starts(owner, Suite.objects.usable_by(owner).defer("setups"))
        field = self.fields["opponents"]
        assert isinstance(field, forms.ModelMultipleChoiceField)
        field.queryset = Bot.objects.select_related("player")


class GauntletForm(_OpponentsForm):
    """A gauntlet: the number of pairs against each opponent."""

    pairs_each = forms.IntegerField(
        label=_("Pairs against each"), min_value=1, max_value=MAX_GAUNTLET_PAIRS, initial=10
    )

    def plan(self) -> gauntlets.Plan:
        """Return the plan of a valid form.

        Raises RefusedError `suite-openings` if the game has no openings.
        """
        cleaned = self.cleaned_data
        return gauntlets.Plan(
            candidate=cleaned["candidate"],
            opponents=list(cleaned["opponents"]),
            ruleset=cleaned["ruleset"],
            clock=self.terms.clock,
            fuel=self.terms.fuel,
            volunteer_priority=cleaned["volunteer_priority"],
            pairs_each=cleaned["pairs_each"],
            suite=suites.chosen(self._owner, cleaned["start"], cleaned["ruleset"]),
        )


class TuningForm(_OpponentsForm):
    """A tuning: the parameters, the number of iterations, and one opponent."""

    iterations = forms.IntegerField(
        label=_("Iterations"),
        min_value=1,
        max_value=MAX_ITERATIONS,
        initial=tunings.USUAL_ITERATIONS,
        help_text=_("Each plays two pairs of games, one with changed values in each direction."),
    )
    parameters = forms.CharField(
        label=_("Parameters"),
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 6, "class": "mono", "spellcheck": "false"}),
        help_text=_(
            "One on each line: name, int or float, start, minimum, maximum, c_end, r_end. Without the last two, usual values are taken."
        ),
    )

    def suggest(self, candidate: Bot) -> None:
        """Fill in the parameters that the program of the version has declared."""
        self.initial["parameters"] = tunings.suggested(candidate)

    def plan(self) -> gauntlets.Plan:
        """Return the plan of a valid form.

        Raises RefusedError `suite-openings`, or as `tunings.parameters_in`.
        """
        cleaned = self.cleaned_data
        return gauntlets.Plan(
            candidate=cleaned["candidate"],
            opponents=list(cleaned["opponents"]),
            ruleset=cleaned["ruleset"],
            clock=self.terms.clock,
            fuel=self.terms.fuel,
            volunteer_priority=cleaned["volunteer_priority"],
            parameters=tunings.parameters_in(cleaned["parameters"]),
            iterations=cleaned["iterations"],
            suite=suites.chosen(self._owner, cleaned["start"], cleaned["ruleset"]),
        )
