from django.db import migrations, models

from tournaments.migrations import _triggers


class Migration(_triggers.Migration):

    dependencies = [
        ('tournaments', '0069_tunings'),
    ]

    operations = [
        migrations.AddField(
            model_name='regression',
            name='fuel',
            field=models.PositiveBigIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='regression',
            name='volunteer_priority',
            field=models.PositiveSmallIntegerField(blank=True, choices=[(1, 'low'), (2, 'normal'), (3, 'high')], null=True),
        ),
        migrations.AddConstraint(
            model_name='regression',
            constraint=models.CheckConstraint(condition=models.Q(('fuel__isnull', False), ('volunteer_priority__isnull', True), _connector='OR'), name='regression_volunteers_under_fuel'),
        ),
    ]
