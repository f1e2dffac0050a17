"""A visitor's filter of the standings."""

from __future__ import annotations

from collections.abc import Iterable

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from tournaments.models import Entry
from tournaments.queries.events.prizes import MAX_RATING
from tournaments.queries.results import categories
from tournaments.queries.results.categories import Choices
from tournaments.standings.prizes import Category, Kind
from tournaments.text.prizes import category_text


class StandingsFilterForm(forms.Form):
    """The fields of `categories.FILTERS`. The query checks their values, which addresses contain too."""

    age = forms.CharField(label=_("Age"), required=False, widget=forms.Select)
    sex = forms.CharField(label=_("Sex"), required=False, widget=forms.Select)
    club = forms.CharField(label=_("Club"), required=False, widget=forms.Select)
    federation = forms.CharField(label=_("Federation"), required=False, widget=forms.Select)
    category = forms.CharField(label=_("Category"), required=False, widget=forms.Select)
    rating_from = forms.IntegerField(
        label=_("Rating from"), required=False, min_value=0, max_value=MAX_RATING
    )
    rating_below = forms.IntegerField(
        label=_("Rating under"), required=False, min_value=0, max_value=MAX_RATING
    )
    players = forms.CharField(label=_("Players"), required=False, widget=forms.Select)

    def __init__(self, data: QueryDict, choices: Choices) -> None:
        super().__init__(data)
        self._offer("age", categories.AGE_GROUPS if choices.has_births else ())
        sexes = reversed(Entry.Sex.choices) if choices.has_sexes else ()
        self._offer("sex", [(value, str(label)) for value, label in sexes])
        self._offer("club", choices.clubs)
        self._offer("federation", choices.federations)
        self._offer("category", choices.labels)
        kinds = (Kind.PEOPLE, Kind.BOTS, Kind.UNRATED)
        self._offer(
            "players",
            [(kind.value, category_text(Category(kind))) for kind in kinds],
        )

    def _offer(self, name: str, values: Iterable[str | tuple[str, str]]) -> None:
        """Offer the values and the current one. A field without a value is left out."""
        pairs = [(each, each) if isinstance(each, str) else each for each in values]
        given = self.data.get(name, "")
        if given and given not in dict(pairs):
            pairs.append((given, given))
        widget = self.fields[name].widget
        assert isinstance(widget, forms.Select)
        widget.choices = [("", _("all")), *pairs]
        if not pairs:
            del self.fields[name]
