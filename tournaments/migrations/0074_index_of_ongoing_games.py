from django.db import migrations, models

from tournaments.migrations import _indexes


class Migration(migrations.Migration):
    """A move changes no indexed column of its game, so that PostgreSQL writes it into no index."""

    # An index is built beside the play outside of a transaction.
    atomic = False

    dependencies = [("tournaments", "0073_names_of_compilers")]

    operations = [
        _indexes.AddIndex(
            "game",
            models.Index(
                condition=models.Q(("result__isnull", True)),
                fields=["created_at"],
                name="game_ongoing",
            ),
        ),
        migrations.RemoveIndex("game", "game_deadlines"),
    ]
