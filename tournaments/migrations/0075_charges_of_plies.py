from django.db import migrations, models

from tournaments.migrations import _triggers


class Migration(_triggers.Migration):
    """The charges of a turn are in the row of its ply, in place of a row each."""

    dependencies = [("tournaments", "0074_index_of_ongoing_games")]

    operations = [
        migrations.AddField(
            "ply", "charges", models.CharField(blank=True, max_length=250, null=True)
        )
    ]
