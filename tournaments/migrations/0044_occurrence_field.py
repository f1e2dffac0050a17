from django.db import migrations, models
from django.db.models import OuterRef, Subquery


def fill(apps, schema_editor):
    """Take the size of the field from the schedules that exist."""
    occurrences = apps.get_model("tournaments", "Occurrence").objects.filter(schedule__isnull=False)
    schedules = apps.get_model("tournaments", "Schedule").objects.filter(pk=OuterRef("schedule"))
    occurrences.update(field_size=Subquery(schedules.values("field_size")))


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0043_picture")]

    operations = [
        migrations.AddField(
            model_name="occurrence",
            name="field_size",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
