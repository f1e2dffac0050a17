"""A worker claims the pairing of a round and tells how far it is."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0008_round_reports")]

    operations = [
        migrations.AddField(
            model_name='event',
            name='is_draft_wanted',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='event',
            name='pairing_claims',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='event',
            name='pairing_percent',
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='event',
            name='pairing_until',
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
