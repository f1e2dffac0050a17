"""Organisers choose the order of the tie-breaks."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0012_corrections_are_final'),
    ]

    operations = [
        migrations.AddField(
            model_name='event',
            name='tie_breaks',
            field=models.CharField(blank=True, max_length=80),
        ),
    ]
