"""Everything that is derived from the declaration of each setting of an event, as text.

.venv/bin/python -m tests.tournaments.settings_table
"""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tournaments.models.setting_types import Setting


def text() -> str:
    """Return a paragraph for each setting: its description, its field of the form, and its shape in the API."""
    from django.utils import translation

    from tournaments.models.event_settings import SETTINGS

    with translation.override("en"):
        return "\n".join("".join(_lines(each)) for each in SETTINGS.values())


def _lines(each: Setting) -> Iterator[str]:
    from tournaments.api.events.settings import Settings
    from tournaments.forms.events import EventForm
    from tournaments.models import Event

    yield f"{each.name}: {each.label}, by default {'none' if each.default is ... else repr(each.default)}\n"
    yield f"  can be changed until: {each.until.name.lower()}\n"
    yield f"  refusals: {' '.join(each.refusals)}\n"
    if effect := each.effect_in(Event.State.RUNNING):
        yield f"  effect of a change: {effect}\n"
    if each.is_secret:
        yield "  the public log leaves its values out\n"
    if each.fact:
        yield f"  on the overview: {each.fact[0]}: {each.fact[1] or '(the value)'}\n"
    form = EventForm()
    for name in EventForm.names_of(each):
        if name in form.fields:
            field = form.fields[name]
            yield f"  field {name}: {type(field).__name__}, {field.label}\n"
    if each.public_name in Settings.model_fields:
        shape = Settings.model_json_schema()["properties"][each.public_name]
        yield f"  API {each.public_name}: {json.dumps(shape, sort_keys=True)}\n"


if __name__ == "__main__":
    import django

    os.environ.setdefault("RAYUELA_NO_BOOTSTRAP", "1")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    sys.stdout.write(text())
