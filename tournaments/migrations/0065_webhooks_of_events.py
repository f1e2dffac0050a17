import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0064_site_texts'),
    ]

    operations = [
        migrations.AddField(
            model_name='webhook',
            name='event',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='webhooks', to='tournaments.event'),
        ),
        migrations.AddField(
            model_name='webhook',
            name='audit_id',
            field=models.PositiveBigIntegerField(default=0),
        ),
    ]
