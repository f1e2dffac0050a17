import django.db.models.deletion
from django.db import migrations, models

from tournaments.migrations import _triggers


class Migration(_triggers.Migration):
    """A move writes less: charges are in the row of their ply, keys have no index, topics are not locked again."""

    dependencies = [("tournaments", "0074_index_of_ongoing_games")]

    operations = [
        migrations.AddField(
            "ply", "charges", models.CharField(blank=True, max_length=250, null=True)
        ),
        migrations.RemoveConstraint("ply", "ply_client_key_once"),
        migrations.AlterField(
            "newsitem",
            "topic",
            models.ForeignKey(
                db_constraint=False,
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="items",
                to="tournaments.topic",
            ),
        ),
    ]
