from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0019_version_checks")]

    operations = [
        migrations.AddField(
            model_name="game",
            name="fuel_meter",
            field=models.CharField(blank=True, max_length=60, null=True),
        ),
    ]
