"""What a Swiss round was paired from as a FIDE report file, and the link of the chain that drew its set-up."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0007_lots_required")]

    operations = [
        migrations.AddField(
            model_name='round',
            name='report',
            field=models.TextField(blank=True),
        ),
        migrations.AddField(
            model_name='round',
            name='setup_seed',
            field=models.CharField(blank=True, max_length=64),
        ),
    ]
