from django.db import migrations, models

from tournaments.migrations import _triggers


class Migration(_triggers.Migration):

    dependencies = [
        ('tournaments', '0070_regressions_under_fuel'),
    ]

    operations = [
        migrations.AddField(
            model_name='workerrun',
            name='has_transcripts',
            field=models.BooleanField(default=True),
        ),
        migrations.AddIndex(
            model_name='workerrun',
            index=models.Index(condition=models.Q(('has_transcripts', True)), fields=['ended_at'], name='worker_run_transcripts'),
        ),
    ]
