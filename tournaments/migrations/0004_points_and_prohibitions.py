"""Other point systems, acceleration, and players who must not meet."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0003_formats")]

    operations = [
        migrations.CreateModel(
            name='Prohibition',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('first_round', models.PositiveSmallIntegerField(default=1)),
                ('last_round', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('note', models.CharField(blank=True, max_length=100)),
                ('created_at', models.DateTimeField()),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.AddField(
            model_name='event',
            name='accelerated_upto_tpn',
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='event',
            name='bye_halves',
            field=models.PositiveSmallIntegerField(default=2),
        ),
        migrations.AddField(
            model_name='event',
            name='draw_halves',
            field=models.PositiveSmallIntegerField(default=1),
        ),
        migrations.AddField(
            model_name='event',
            name='is_accelerated',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='event',
            name='loss_halves',
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='event',
            name='win_halves',
            field=models.PositiveSmallIntegerField(default=2),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('win_halves__gt', models.F('draw_halves')), ('win_halves__lte', 20), ('bye_halves__lte', models.F('win_halves')), ('draw_halves__gte', models.F('loss_halves'))), name='event_points_in_order'),
        ),
        migrations.AddField(
            model_name='prohibition',
            name='entries',
            field=models.ManyToManyField(related_name='prohibitions', to='tournaments.entry'),
        ),
        migrations.AddField(
            model_name='prohibition',
            name='event',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='prohibitions', to='tournaments.event'),
        ),
        migrations.AddConstraint(
            model_name='prohibition',
            constraint=models.CheckConstraint(condition=models.Q(('first_round__gte', 1), models.Q(('last_round__isnull', True), ('last_round__gte', models.F('first_round')), _connector='OR')), name='prohibition_rounds_in_order'),
        ),
    
    ]
