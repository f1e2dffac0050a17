"""Every event has its chain of hashes."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0006_lots_drawn")]

    operations = [
        migrations.AlterField(
            model_name='event',
            name='lot_commitment',
            field=models.CharField(max_length=64),
        ),
        migrations.AlterField(
            model_name='event',
            name='lot_secret',
            field=models.CharField(max_length=64),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('lot_commitment__length', 64), ('lot_secret__length', 64)), name='event_lot_is_committed'),
        ),
    ]
