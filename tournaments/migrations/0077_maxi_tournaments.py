"""Events by the Lim system can be Maxi-tournaments."""

from django.db import migrations, models

from tournaments.migrations import _triggers


class Migration(_triggers.Migration):
    dependencies = [("tournaments", "0076_exchanged_sides")]

    operations = [
        migrations.AddField(
            model_name="event",
            name="maxi_elo",
            field=models.PositiveSmallIntegerField(default=0),
        ),
    ]
