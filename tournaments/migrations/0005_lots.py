"""A secret for every event and the published end of its chain of hashes: the columns."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0004_points_and_prohibitions")]

    operations = [
        migrations.AddField(
            model_name='event',
            name='lot_commitment',
            field=models.CharField(default='', max_length=64),
        ),
        migrations.AddField(
            model_name='event',
            name='lot_secret',
            field=models.CharField(default='', max_length=64),
        ),
    ]
