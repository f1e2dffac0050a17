"""Forms about teams: their members, their captains and their line-ups."""

from __future__ import annotations

from django import forms
from django.http import QueryDict

from tournaments.models.players import NAME_LENGTH
from tournaments.services.clubs import MOST_MEMBERS
from tournaments.services.events.teams import TeamArguments


class TeamForm(forms.Form):
    """The arguments of an act on a team. The button says which."""

    entry_id = forms.IntegerField(required=False)
    name = forms.CharField(required=False, max_length=2 * NAME_LENGTH)
    username = forms.CharField(required=False, max_length=150)
    player_id = forms.IntegerField(required=False)
    club = forms.CharField(required=False, max_length=80)
    round_number = forms.IntegerField(required=False)
    kind = forms.CharField(required=False, max_length=4)

    def arguments(self) -> TeamArguments:
        """Return the arguments of a valid form. Members are ordered by the numbers beside their names."""
        cleaned = self.cleaned_data
        assert isinstance(self.data, QueryDict), "of a request"
        places = zip(self.data.getlist("place"), self.data.getlist("member"), strict=False)
        ordered = sorted(
            (int(place), int(member))
            for place, member in list(places)[:MOST_MEMBERS]
            if is_number(place) and is_number(member)
        )
        return TeamArguments(
            entry_id=cleaned["entry_id"] or 0,
            name=cleaned["name"],
            username=cleaned["username"],
            player_id=cleaned["player_id"],
            member_ids=[member for _, member in ordered],
            club=cleaned["club"],
            # Members of a club are named in the same fields.
            player_ids=[member for _, member in ordered],
            round_number=cleaned["round_number"] or 0,
            kind=cleaned["kind"],
        )


class LineUpForm(forms.Form):
    """The members of a team board by board, empty for an empty board."""

    round_number = forms.IntegerField()
    entry_id = forms.IntegerField()

    def members(self) -> list[int | None]:
        """Return the chosen members; 0, which is no member, for any other text."""
        assert isinstance(self.data, QueryDict), "of a request"
        texts = self.data.getlist("board")
        return [(int(text) if is_number(text) else 0) if text else None for text in texts]


def is_number(text: str) -> bool:
    """Return whether the text is a number that can be a place or an id."""
    return text.isascii() and text.isdigit() and len(text) < 16
