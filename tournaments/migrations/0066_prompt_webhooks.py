from django.db import migrations, models

from tournaments.migrations import _triggers


def mark_topics(apps, schema_editor):
    """Mark the topics of the accounts that have webhooks."""
    users = apps.get_model("tournaments", "Webhook").objects.values_list("user", flat=True)
    names = [f"user:{pk}" for pk in users.distinct()]
    apps.get_model("tournaments", "Topic").objects.filter(name__in=names).update(has_webhooks=True)


class Migration(_triggers.Migration):

    dependencies = [
        ('tournaments', '0065_webhooks_of_events'),
    ]

    operations = [
        migrations.AddField(
            model_name='webhook',
            name='is_quick',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='topic',
            name='has_webhooks',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.RunPython(mark_topics, migrations.RunPython.noop),
    ]
