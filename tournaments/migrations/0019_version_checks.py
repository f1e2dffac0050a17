"""What the check of a version leads to, and which games a version plays; an upload sent twice is one version."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0018_programs'),
    ]

    operations = [
        migrations.AddField(
            model_name='bot',
            name='families',
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AddField(
            model_name='bot',
            name='judged_from',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='bot',
            name='passes_on',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='bot',
            name='state_code',
            field=models.CharField(blank=True, max_length=30),
        ),
        migrations.AddField(
            model_name='bot',
            name='takes_over',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='bot',
            name='upload_key',
            field=models.CharField(blank=True, max_length=40, null=True),
        ),
        migrations.AddConstraint(
            model_name='bot',
            constraint=models.UniqueConstraint(fields=('owner', 'upload_key'), name='bot_uploaded_once'),
        ),
        migrations.AddConstraint(
            model_name='bot',
            constraint=models.CheckConstraint(condition=models.Q(('takes_over', False), ('state__in', ['checking', 'ready']), _connector='OR'), name='bot_takes_over_when_ready'),
        ),
    ]
