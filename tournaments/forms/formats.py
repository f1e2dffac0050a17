"""The choice of a format of events."""

from __future__ import annotations

from typing import Any

from django import forms

from tournaments.queries.formats import FORMATS


class FormatSelect(forms.Select):
    """A choice of a format whose options name the fields that the form shows with it.

    `events/formats.css` hides the fields of other formats.
    """

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:  # noqa: ANN401 - as in Django
        option = super().create_option(name, value, *args, **kwargs)
        option["attrs"]["data-fields"] = " ".join(FORMATS[value].fields)
        return option
