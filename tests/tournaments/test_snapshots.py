"""The OpenAPI document, the rendered forms and the table of settings are those of `tests/data/snapshots`.

They show that a change inside the code leaves them unchanged. After an intended visible change,
write the files again and read the difference:

    .venv/bin/python -m tests.tournaments.test_snapshots
"""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.tournaments import acts_table, settings_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from django import forms

FOLDER = Path(__file__).resolve().parent.parent / "data" / "snapshots"


def openapi_document() -> str:
    from tournaments.api import openapi
    from tournaments.api.v1 import v1

    document = json.loads(json.dumps(openapi.document(v1), default=str))
    for _method, _path, operation in openapi.operations(document):
        del operation["x-codeSamples"]  # follows from the example and the address of the site
    del document["servers"]
    return json.dumps(document, indent=1, sort_keys=True) + "\n"


def rendered_forms() -> str:
    """Every form that needs no argument, as paragraphs in English."""
    from django.utils import translation

    with translation.override("en"):
        parts = [f"<!-- {name} -->\n{form.as_p()}\n" for name, form in _forms()]
    drawn = re.sub(r'value="[^"]*"( id="id_key")', r'value="drawn"\1', "\n".join(parts))
    return re.sub(r"[ \t]+\n", "\n", drawn)


def _forms() -> Iterator[tuple[str, forms.Form]]:
    from django import forms

    from tournaments import forms as package

    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        for name, each in vars(importlib.import_module(module.name)).items():
            is_ours = isinstance(each, type) and issubclass(each, forms.Form)
            if is_ours and each.__module__ == module.name:
                try:
                    form = each()
                except TypeError:  # of a person, a bot or an event
                    continue
                yield f"{module.name}.{name}", form


SNAPSHOTS: dict[str, Callable[[], str]] = {
    "openapi.json": openapi_document,
    "forms.html": rendered_forms,
    "settings.txt": settings_table.text,
    "acts.txt": acts_table.text,
}


@pytest.mark.parametrize("name", SNAPSHOTS)
def test_nothing_that_users_see_has_changed_unnoticed(db: None, name: str) -> None:
    assert SNAPSHOTS[name]() == (FOLDER / name).read_text()


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    FOLDER.mkdir(exist_ok=True)
    for file, text in SNAPSHOTS.items():
        (FOLDER / file).write_text(text())
