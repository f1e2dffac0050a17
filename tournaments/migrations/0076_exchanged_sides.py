"""The sides of a game over the board can be exchanged by a correction."""

from importlib import import_module

from django.db import migrations, models

from tournaments.migrations import _triggers

_FIRST = import_module("tournaments.migrations.0002_triggers")
# The latest correction of the game exchanges its sides.
_EXCHANGE = (
    "(NEW.first_id = OLD.second_id AND NEW.second_id = OLD.first_id"
    " AND EXISTS (SELECT 1 FROM tournaments_correction c WHERE c.game_id = OLD.id AND c.is_exchange"
    " AND c.before = OLD.result AND c.after = NEW.result AND c.seq ="
    " (SELECT MAX(l.seq) FROM tournaments_correction l WHERE l.game_id = OLD.id)))"
)
GUARDS = [
    _triggers.Transferable(
        name="game_players_once",
        table="game",
        columns=["first_id", "second_id"],
        message="a finished game does not change",
        once="OLD.result IS NOT NULL",
        permission=f"({_FIRST.CLAIM} OR {_EXCHANGE})",
        function_name="rayuela_players_once",
    )
]
_BEFORE = [each for each in _FIRST.GUARDS if isinstance(each, _triggers.Transferable)]


def guard(apps, schema_editor):
    _triggers.recreate(schema_editor, GUARDS)


def guard_all(apps, schema_editor):
    _triggers.recreate(schema_editor, _BEFORE)


class Migration(_triggers.Migration):
    dependencies = [("tournaments", "0075_fewer_rows_a_move")]

    operations = [
        migrations.AddField(
            model_name="correction",
            name="is_exchange",
            field=models.BooleanField(default=False),
        ),
        migrations.RemoveConstraint(
            model_name="correction",
            name="correction_changes_something",
        ),
        migrations.AddConstraint(
            model_name="correction",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        models.Q(("before", models.F("after")), _negated=True),
                        ("is_exchange", True),
                        _connector="OR",
                    ),
                    ("seq__gte", 1),
                ),
                name="correction_changes_something",
            ),
        ),
        migrations.RunPython(guard, guard_all),
    ]
