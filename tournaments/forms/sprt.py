"""An author's question about two bots."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

import games
from tournaments.forms.games import RulesetField
from tournaments.models import Bot, SprtTest, Suite, User
from tournaments.models.bots import BotQuerySet
from tournaments.models.volunteers import Priority
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.queries.matches.fuel_terms import Terms
from tournaments.services import sprt_tests
from tournaments.services.bots import suites
from tournaments.text import rulesets

CLOCKS = [
    ("1+0.05", _("1 second + 0.05 per move")),
    ("5+0.1", _("5 seconds + 0.1")),
    ("10+0.1", _("10 seconds + 0.1")),
    ("60+0.6", _("1 minute + 0.6")),
]
# In place of the clock, for modules.
FUELS = [
    ("10Mfuel", _("10 million units of fuel per ply")),
    ("100Mfuel", _("100 million units of fuel per ply")),
    ("1Gfuel", _("1,000 million units of fuel per ply")),
]
TERMS = [(_("Clocks"), CLOCKS), (_("Fuel, for WebAssembly modules"), FUELS)]


class VolunteersField(forms.TypedChoiceField):
    """The priority of a test among its author's tests for volunteers, or None without volunteers."""

    def __init__(self) -> None:
        super().__init__(
            label=_("Volunteers' machines"),
            choices=[("", _("do not play it")), *Priority.choices],
            coerce=int,
            empty_value=None,
            required=False,
            help_text=_(
                "Only under fuel. Choose its priority among your tests. The authors of both modules must allow it."
            ),
        )


class BotsField(forms.ModelChoiceField):
    """One of the bots that an author may test with, by its player's name."""

    def label_from_instance(self, obj: Bot) -> str:
        return obj.player.name


def _usual(candidate: Bot, usable: BotQuerySet) -> dict[str, object]:
    """The likeliest test of a version: against the one before, on a small board of a game it plays."""
    before = usable.filter(line=candidate.line_id, version__lt=candidate.version).first()
    return {"candidate": candidate, "base": before, "ruleset": usual_ruleset(candidate)}


def usual_ruleset(candidate: Bot) -> str | None:
    """Return a small board of a game that the version plays, or None if the menus have no such board."""
    keys = [key for _group, offered in rulesets.ruleset_choices() for key, _name in offered]
    return next((key for key in keys if games.load(key).family in candidate.families), None)


def starts(owner: User, usable: Iterable[Suite]) -> list[Any]:
    """The start positions to choose from: drawn, openings of the house, and the author's suites."""
    drawn = [
        (suites.DRAWN, _("Drawn by the rules, or openings if the rules have one start")),
        (suites.OPENINGS, _("Openings of the site: positions after random plies")),
    ]
    own = [
        (str(suite.pk), f"{suite.name} ({rulesets.ruleset_name(suite.ruleset)}, {suite.count})")
        for suite in usable
        if suite.owner_id == owner.pk
    ]
    return [*drawn, *([(_("My suites"), own)] if own else [])]


class GameListForm(forms.Form):
    """A choice among experiments, by game."""

    family = forms.ChoiceField(label=_("Game"), required=False)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        families = [(f.name, rulesets.family_name(f.name)) for f in games.available()]
        self.fields["family"].choices = [("", _("any")), *families]  # type: ignore[attr-defined]


class SprtListForm(GameListForm):
    """A choice among all SPRT tests, by game and state."""

    state = forms.ChoiceField(
        label=_("State"), choices=[("", _("any")), *SprtTest.State.choices], required=False
    )


class SprtTestForm(forms.Form):
    candidate = BotsField(label=_("Candidate"), queryset=Bot.objects.none())
    base = BotsField(
        label=_("Against"),
        queryset=Bot.objects.none(),
        help_text=_("One of your own bots, or a built-in bot."),
    )
    ruleset = RulesetField()
    start = forms.ChoiceField(
        label=_("Start positions"),
        required=False,
        help_text=_("Each pair begins from one, with both sides. A suite is of one game."),
    )
    clock = forms.ChoiceField(label=_("Clock"), choices=TERMS, initial="5+0.1")
    volunteer_priority = VolunteersField()
    second_clock = forms.ChoiceField(
        label=_("Second clock"),
        choices=[("", _("none")), *CLOCKS[1:]],
        required=False,
        help_text=_(
            "When the SPRT test passes with the first clock, it will be repeated with this longer one. It passes only if both do."
        ),
    )
    model = forms.ChoiceField(label=_("Elo"), choices=SprtTest.Model.choices)
    elo0 = forms.DecimalField(
        label=_("Lower bound"),
        initial=0,
        min_value=-1000,
        max_value=1000,
        decimal_places=1,
        help_text=_("Elo points. The SPRT test fails when this is much likelier."),
    )
    elo1 = forms.DecimalField(
        label=_("Upper bound"),
        initial=20,
        min_value=-1000,
        max_value=1000,
        decimal_places=1,
        help_text=_("Elo points. The SPRT test passes when this is much likelier."),
    )
    max_pairs = forms.IntegerField(
        label=_("Maximum number of pairs"), initial=1000, min_value=10, max_value=20_000
    )

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        owner: User,
        candidate_id: int | None = None,
        suite_id: int | None = None,
    ) -> None:
        usable = Bot.objects.testable_by(owner)
        own = usable.filter(line__owner=owner)
        candidate = own.filter(pk=candidate_id).first() if candidate_id else None
        initial = _usual(candidate, usable) if candidate else {}
        usable_suites = {each.pk: each for each in Suite.objects.usable_by(owner).defer("setups")}
        suite = usable_suites.get(suite_id) if suite_id is not None else None
        if suite is not None:
            begin = str(suite.pk) if suite.owner_id else suites.OPENINGS
            initial |= {"start": begin, "ruleset": suite.ruleset}
        super().__init__(data, initial=initial or None)
        self._owner = owner
        start = self.fields["start"]
        assert isinstance(start, forms.ChoiceField)
        start.choices = starts(owner, usable_suites.values())
        for name in ("candidate", "base"):
            field = self.fields[name]
            assert isinstance(field, forms.ModelChoiceField)
            field.queryset = usable
            field.empty_label = _("choose…")

    def plan(self) -> sprt_tests.Plan:
        """Return the plan of a valid form.

        Raises RefusedError `suite-openings` if the game has no openings.
        """
        cleaned = self.cleaned_data
        second = cleaned["second_clock"]
        terms = Terms.read(cleaned["clock"])
        return sprt_tests.Plan(
            candidate=cleaned["candidate"],
            base=cleaned["base"],
            ruleset=cleaned["ruleset"],
            clock=terms.clock,
            fuel=terms.fuel,
            volunteer_priority=cleaned["volunteer_priority"],
            model=cleaned["model"],
            elo0_centielo=round(100 * cleaned["elo0"]),
            elo1_centielo=round(100 * cleaned["elo1"]),
            max_pairs=cleaned["max_pairs"],
            suite=suites.chosen(self._owner, cleaned["start"], cleaned["ruleset"]),
            second_clock=Clock.read(second) if second else None,
        )
