"""What the ratings expected of a game is kept with it and does not change; the guards of games are made again."""

from django.db import migrations, models

# What never changes once a game has its result.
FIXED = ["ending", "ply", "attempt", "first_id", "second_id"]
# What was expected of a game was expected before it.
PREDICTED = ["predicted_millionths", "predicted_by"]
# The latest correction of the game leads from the old result to the new one.
_CORRECTED = (
    "EXISTS (SELECT 1 FROM tournaments_correction c WHERE c.game_id = OLD.id AND c.before = OLD.result"
    " AND c.after = NEW.result AND c.seq ="
    " (SELECT MAX(l.seq) FROM tournaments_correction l WHERE l.game_id = OLD.id))"
)


def _sqlite():
    fixed = " OR ".join(f"NEW.{column} IS NOT OLD.{column}" for column in FIXED)
    predicted = " OR ".join(f"NEW.{column} IS NOT OLD.{column}" for column in PREDICTED)
    # SQLite makes the table anew for the constraint and drops its triggers with the old one.
    yield "DROP TRIGGER IF EXISTS game_result_once"
    yield (
        "CREATE TRIGGER game_result_once BEFORE UPDATE ON tournaments_game "
        f"WHEN OLD.result IS NOT NULL AND ({fixed} OR (NEW.result IS NOT OLD.result AND NOT {_CORRECTED})) "
        "BEGIN SELECT RAISE(ABORT, 'a finished game does not change'); END"
    )
    yield (
        f"CREATE TRIGGER game_prediction_fixed BEFORE UPDATE ON tournaments_game WHEN {predicted} "
        "BEGIN SELECT RAISE(ABORT, 'a prediction does not change'); END"
    )


def _postgresql():
    new, old = (", ".join(f"{row}.{column}" for column in PREDICTED) for row in ("NEW", "OLD"))
    yield (
        "CREATE FUNCTION rayuela_prediction_fixed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "RAISE EXCEPTION 'a prediction does not change' USING ERRCODE = 'integrity_constraint_violation'; END $$"
    )
    yield (
        "CREATE TRIGGER game_prediction_fixed BEFORE UPDATE ON tournaments_game FOR EACH ROW "
        f"WHEN (({new}) IS DISTINCT FROM ({old})) EXECUTE FUNCTION rayuela_prediction_fixed()"
    )


def add(apps, schema_editor):
    make = {"sqlite": _sqlite, "postgresql": _postgresql}[schema_editor.connection.vendor]
    for statement in make():
        schema_editor.execute(statement, params=None)


def remove(apps, schema_editor):
    """A column cannot be dropped while a trigger reads it; 0012 makes the other guard again on its own way back."""
    if schema_editor.connection.vendor == "sqlite":
        statements = [
            "DROP TRIGGER IF EXISTS game_prediction_fixed",
            "DROP TRIGGER IF EXISTS game_result_once",
        ]
    else:
        statements = ["DROP FUNCTION rayuela_prediction_fixed() CASCADE"]
    for statement in statements:
        schema_editor.execute(statement, params=None)


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0013_tie_breaks'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='predicted_by',
            field=models.CharField(blank=True, max_length=20, null=True),
        ),
        migrations.AddField(
            model_name='game',
            name='predicted_millionths',
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('predicted_by__isnull', True), ('predicted_millionths__isnull', True)), models.Q(('predicted_by__isnull', False), ('predicted_millionths__isnull', False), ('predicted_millionths__lte', 1000000)), _connector='OR'), name='game_prediction_in_range'),
        ),
        migrations.RunPython(add, remove),
    ]
