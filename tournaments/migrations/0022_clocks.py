"""Clocks of more kinds: delays and banks of days beside Fischer's; a clock may stand still."""

from importlib import import_module

from django.db import migrations, models

_guards = import_module("tournaments.migrations.0017_pools_required")


def nothing(apps, schema_editor):
    """The other direction has its own step."""


def guard(apps, schema_editor):
    """SQLite has made the table of games anew and dropped its triggers with the old one."""
    if schema_editor.connection.vendor == "sqlite":
        for statement in _guards._sqlite():
            schema_editor.execute(statement, params=None)


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0021_offers'),
    ]

    operations = [
        migrations.RunPython(nothing, guard),
        migrations.AddField(
            model_name='challenge',
            name='clock_cap_ms',
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='challenge',
            name='clock_kind',
            field=models.CharField(choices=[('fischer', 'something is added after each ply'), ('delay', 'the first seconds of each turn are free'), ('bank', 'a bank of days')], default='fischer', max_length=7),
        ),
        migrations.AddField(
            model_name='event',
            name='allows_vacation',
            field=models.BooleanField(default=True),
        ),
        migrations.AddField(
            model_name='event',
            name='clock_cap_ms',
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='event',
            name='clock_kind',
            field=models.CharField(choices=[('fischer', 'something is added after each ply'), ('delay', 'the first seconds of each turn are free'), ('bank', 'a bank of days')], default='fischer', max_length=7),
        ),
        migrations.AddField(
            model_name='game',
            name='allows_vacation',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='game',
            name='clock_cap_ms',
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='game',
            name='clock_kind',
            field=models.CharField(choices=[('fischer', 'something is added after each ply'), ('delay', 'the first seconds of each turn are free'), ('bank', 'a bank of days')], default='fischer', max_length=7),
        ),
        migrations.AddField(
            model_name='game',
            name='outage_ms',
            field=models.PositiveBigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='game',
            name='paused_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='game',
            name='vacation_ms',
            field=models.PositiveBigIntegerField(default=0),
        ),
        migrations.AddConstraint(
            model_name='challenge',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('clock_cap_ms__isnull', True), ('clock_kind__in', ['fischer', 'delay'])), models.Q(('clock_cap_ms__gte', models.F('clock_initial_ms')), ('clock_kind', 'bank'), ('clock_cap_ms__isnull', False)), _connector='OR'), name='challenge_clock_known'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('clock_cap_ms__isnull', True), ('clock_kind__in', ['fischer', 'delay'])), models.Q(('clock_cap_ms__gte', models.F('clock_initial_ms')), ('clock_kind', 'bank'), ('clock_cap_ms__isnull', False)), _connector='OR'), name='event_clock_known'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('allows_vacation', False), ('clock_kind', 'bank'), _connector='OR'), name='game_vacation_from_a_bank'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('paused_at__isnull', True), models.Q(('allows_vacation', True), ('deadline_at__isnull', True), ('result__isnull', True)), _connector='OR'), name='game_paused_has_no_deadline'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('clock_cap_ms__isnull', True), ('clock_kind__in', ['fischer', 'delay'])), models.Q(('clock_cap_ms__gte', models.F('clock_initial_ms')), ('clock_kind', 'bank'), ('clock_cap_ms__isnull', False)), _connector='OR'), name='game_clock_known'),
        ),
        migrations.RunPython(guard, nothing),
    ]
