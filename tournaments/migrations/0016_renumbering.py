from django.db import migrations, models

from tournaments.migrations import _triggers


class Migration(_triggers.Migration):
    dependencies = [
        ("tournaments", "0015_player_reports"),
    ]

    operations = [
        migrations.AddField(
            model_name="round",
            name="renumbered",
            field=models.JSONField(blank=True, default=list),
        ),
    ]
