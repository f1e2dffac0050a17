"""A database at the time of an old migration, kept as JSON in `tests/data/upgrades`.

`python -m tests.tournaments.upgrades` prints such a database for the present code: an event of four
people in its second round. `0002_triggers.json` is one of release 0.3.0 and never changes. A later
migration that moves data brings a separate file.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.apps.registry import Apps

APP = "tournaments"
FOLDER = Path(__file__).resolve().parent.parent / "data" / "upgrades"
SLUG = "an-event-from-before"

Rows = list[dict[str, Any]]


def main() -> None:
    """Print the rows of a new database with an event that is under way."""
    with tempfile.TemporaryDirectory() as home:
        os.environ["RAYUELA_HOME"] = home
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        os.environ.pop("DATABASE_URL", None)

        import django

        django.setup()

        from django.apps import apps
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        _play_an_event()
        json.dump(dict(_tables(apps)), sys.stdout, indent=1, sort_keys=True)
        sys.stdout.write("\n")


def _play_an_event() -> None:
    from tests.tournaments import pages
    from tournaments.models import Game
    from tournaments.queries.events import plans
    from tournaments.services.accounts import players
    from tournaments.services.events import entries, registration
    from tournaments.services.games import game_creation, play
    from tournaments.services.rounds import lifecycle

    people = [
        players.sign_up(name=name, password="rayuela-1963")
        for name in ("Ana", "Ben", "Cleo", "Dan")
    ]
    plan = plans.EventPlan(
        name="An event from before",
        ruleset="morelli(size=5)",
        rounds_total=3,
        clock=game_creation.Clock(600_000, 5_000),
        pause_s=0,
        seed=7,
    )
    event = registration.create_event(organiser=people[0], plan=plan)
    for person in people:
        entries.enter(event_id=event.pk, player=person.player, actor=person)
    lifecycle.start_event(event_id=event.pk, actor=people[0])
    for game in Game.objects.ongoing():
        pages.move(game)
        play.resign(game_id=game.pk, player=game.second)
    lifecycle.advance_event(event.pk)
    pages.move(Game.objects.ongoing().order_by("pk")[0])


def _tables(apps: Apps) -> Iterator[tuple[str, Rows]]:
    for model in apps.get_app_config(APP).get_models():
        rows = [
            {field.attname: _value(row, field) for field in model._meta.concrete_fields}
            for row in model._base_manager.order_by("pk")
        ]
        if rows:
            yield model.__name__, rows


def _value(row: Any, field: Any) -> object:
    return None if getattr(row, field.attname) is None else field.value_to_string(row)


def load(name: str, apps: Apps) -> None:
    """Put the rows of the file into an empty database, whose models at that time are those of `apps`.

    To be called in a transaction: foreign keys are checked at its end.
    """
    for model_name, rows in json.loads((FOLDER / f"{name}.json").read_text()).items():
        model = apps.get_model(APP, model_name)
        fields = {field.attname: field for field in model._meta.concrete_fields}
        model._base_manager.bulk_create(
            model(
                **{
                    name: None if value is None else _python(fields[name], value)
                    for name, value in row.items()
                }
            )
            for row in rows
        )


def _python(field: Any, value: object) -> object:
    target = getattr(field, "target_field", field)
    return target.to_python(value)


if __name__ == "__main__":
    main()
