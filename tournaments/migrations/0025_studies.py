"""Trees of moves that people pass on by a short link."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0024_takebacks'),
    ]

    operations = [
        migrations.CreateModel(
            name='Study',
            fields=[
                ('key', models.CharField(max_length=10, primary_key=True, serialize=False)),
                ('ruleset', models.CharField(max_length=120)),
                ('start', models.CharField(max_length=4096)),
                ('tree', models.TextField(blank=True, max_length=60000)),
                ('at', models.PositiveSmallIntegerField(default=0)),
                ('created_at', models.DateTimeField()),
                ('game', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='studies', to='tournaments.game')),
            ],
            options={
                'verbose_name_plural': 'studies',
                'ordering': ['-created_at', 'key'],
                'indexes': [models.Index(fields=['created_at'], name='study_by_day')],
                'constraints': [models.CheckConstraint(condition=models.Q(('key__length', 10)), name='study_key_of_its_length'), models.CheckConstraint(condition=models.Q(('start__length__gte', 1), ('start__length__lte', 4096)), name='study_begins_somewhere'), models.CheckConstraint(condition=models.Q(('tree__length__lte', 60000)), name='study_tree_length')],
            },
        ),
    ]
