"""Fields of forms about events: moments in the time zone of the reader, and those of declared settings."""

from __future__ import annotations

import zoneinfo
from datetime import datetime
from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from tournaments.models.setting_types import Setting, Unit

# Longer texts have a field of several lines.
_LONGEST_LINE = 200
_MINUTE_S = 60


class MomentField(forms.DateTimeField):
    """A moment as the browser's own field has it, in the zone that the form names."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 - whatever a field takes
        super().__init__(
            required=False,
            widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
            input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M"],
            **options,
        )


class ZonedForm(forms.Form):
    """A form with times in the reader's time zone, which its script fills in, or in UTC without a script."""

    time_zone = forms.CharField(required=False, max_length=60, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        """Take the moments for times of the zone."""
        cleaned = super().clean() or {}
        zone = _zone(cleaned.pop("time_zone", ""))
        for name, field in self.fields.items():
            moment: datetime | None = cleaned.get(name)
            if isinstance(field, MomentField) and moment is not None and not field.disabled:
                cleaned[name] = moment.replace(tzinfo=zone)
        return cleaned


def _zone(name: str) -> zoneinfo.ZoneInfo:
    try:
        return zoneinfo.ZoneInfo(name or "UTC")
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        return zoneinfo.ZoneInfo("UTC")


def field_name(each: Setting) -> str:
    """The name of the field of a setting."""
    name = each.public_name
    return f"{name.removesuffix('_s')}_minutes" if _is_in_minutes(each) else name


def field_factor(each: Setting) -> int:
    """The value of 1 in the field of a setting, in the unit of the setting."""
    if _is_in_minutes(each):
        return _MINUTE_S
    return 100 if each.unit is Unit.RATING else 1


def shown_value(each: Setting, value: Any) -> Any:  # noqa: ANN401 - whatever a plan holds
    """The value of a setting as its field shows it: spans and moments in whole minutes."""
    if isinstance(value, datetime):
        return value.replace(second=0, microsecond=0)
    factor = field_factor(each)
    return value // factor if factor > 1 and value is not None else value


def field_of(each: Setting) -> forms.Field:
    """A field for a setting, by its declaration."""
    options: dict[str, Any] = {"label": each.label, "help_text": each.help_text}
    if each.unit is Unit.MOMENT:
        return MomentField(**options)
    if each.unit is Unit.DAY:
        day = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
        return forms.DateField(required=False, widget=day, **options)
    options["required"] = each.is_required
    if each.default not in (..., None, ""):
        options["initial"] = each.default
    if each.menu:
        options |= {"coerce": int, "choices": each.menu}
        return forms.TypedChoiceField(empty_value=None, **options)
    if each.choices is not None:
        return forms.ChoiceField(choices=each.choices.choices, **options)
    if isinstance(each.default, bool):
        return forms.BooleanField(**options)
    if each.within is not None:
        factor = field_factor(each)
        low, high = each.within
        if _is_in_minutes(each):
            options["label"] = format_lazy(_("{span} in minutes"), span=each.label)
        return forms.IntegerField(min_value=-(-low // factor), max_value=high // factor, **options)
    is_long = (each.longest or 0) > _LONGEST_LINE
    widget = forms.Textarea(attrs={"rows": 4}) if is_long else None
    return forms.CharField(max_length=each.longest, widget=widget, **options)


def _is_in_minutes(each: Setting) -> bool:
    return each.unit is Unit.SPAN and not each.menu
