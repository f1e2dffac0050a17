"""Text of everything derived from the declarations of acts of organisers and arbiters.

.venv/bin/python -m tests.tournaments.acts_table
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tournaments.services.events.acts import Act, GameAct, LongAct

    AnyAct = Act[..., object] | GameAct[..., object] | LongAct[..., object]


def declared() -> dict[str, AnyAct]:
    """Return every act of the services, by the name of its function."""
    from tournaments import services
    from tournaments.services.events.acts import Act, GameAct, LongAct

    names = [
        each.name for each in pkgutil.walk_packages(services.__path__, "tournaments.services.")
    ]
    modules = [importlib.import_module(name) for name in names]
    values = [value for module in modules for value in vars(module).values()]
    return {
        f"{each.function.__module__.removeprefix('tournaments.services.')}.{each.function.__name__}": each
        for each in values
        if isinstance(each, Act | GameAct | LongAct)
    }


def text() -> str:
    """Return a paragraph for each act."""
    from django.utils import translation

    acts = declared()
    with translation.override("en"):
        return "\n".join("".join(_lines(name, acts[name])) for name in sorted(acts))


def _lines(name: str, act: AnyAct) -> Iterator[str]:
    from tournaments.queries.events import staff
    from tournaments.services.arbiter import undo
    from tournaments.services.events import acts
    from tournaments.text.audit_log import KINDS

    roles = [role for role, tasks in staff.TASKS.items() if act.task in tasks]
    kind = KINDS[act.action]
    yield f"{name}: {act.code}\n"
    yield f"  task: {act.task or 'asked by the function'}\n"
    yield f"  roles: {' '.join(['organiser', *roles])}\n" if act.task else ""
    yield f"  reason: {'needed' if acts.needs_reason(act.function) else 'not needed'}\n"
    yield f"  message: {act.done}\n"
    yield f"  log: {act.action}: {kind.sentence}\n"
    yield "  the log says when its author takes part\n" if kind.is_about_others else ""
    yield "  can be undone\n" if undo.can_undo(act.action) else ""


if __name__ == "__main__":
    import django

    os.environ.setdefault("RAYUELA_NO_BOOTSTRAP", "1")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    sys.stdout.write(text())
