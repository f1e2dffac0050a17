"""The form of a moderator's acts in the chat of an event."""

from __future__ import annotations

from django import forms

from tournaments.services.events.event_chat import MOST_HOURS, ChatArguments


class ChatActForm(forms.Form):
    """The arguments of an act. The button says which act."""

    line_id = forms.IntegerField(required=False)
    player_id = forms.IntegerField(required=False)
    hours = forms.IntegerField(required=False, min_value=0, max_value=MOST_HOURS)

    def arguments(self) -> ChatArguments:
        """Return the arguments of a valid form."""
        return ChatArguments(**{name: value or 0 for name, value in self.cleaned_data.items()})
