"""Pools by time class and kind of players, each with its way of rating; ledgers that close months; pairs counted with each result."""

from importlib import import_module

import django.db.models.deletion
from django.db import migrations, models


def nothing(apps, schema_editor):
    """Forwards the guards of changed tables come back with 0017."""


def guard_again(apps, schema_editor):
    """The last step of the way back: SQLite has made these tables anew and dropped their triggers with the old ones."""
    if schema_editor.connection.vendor == "sqlite":
        for module in ("0012_corrections_are_final", "0014_predictions"):
            for statement in import_module(f"tournaments.migrations.{module}")._sqlite():
                schema_editor.execute(statement, params=None)


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0014_predictions'),
    ]

    operations = [
        migrations.RunPython(nothing, guard_again),
        # So that the way back has something to put there.
        migrations.AlterField(
            model_name='pool',
            name='name',
            field=models.CharField(default='', max_length=80),
        ),
        migrations.CreateModel(
            name='PairTally',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('wins', models.PositiveIntegerField(default=0)),
                ('draws', models.PositiveIntegerField(default=0)),
                ('losses', models.PositiveIntegerField(default=0)),
            ],
            options={
                'ordering': ['pool', 'first', 'second'],
            },
        ),
        migrations.RemoveConstraint(
            model_name='ledgerentry',
            name='ledger_side_known',
        ),
        migrations.RemoveConstraint(
            model_name='ledgerentry',
            name='ledger_kind_and_revision',
        ),
        migrations.RemoveField(
            model_name='pool',
            name='name',
        ),
        migrations.AddField(
            model_name='game',
            name='pool',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='games', to='tournaments.pool'),
        ),
        migrations.AddField(
            model_name='ledgerentry',
            name='inputs',
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AddField(
            model_name='ledgerentry',
            name='period',
            field=models.DateField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='pool',
            name='closed_until',
            field=models.DateField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='pool',
            name='edition',
            field=models.CharField(blank=True, max_length=20),
        ),
        migrations.AddField(
            model_name='pool',
            name='kind',
            field=models.CharField(blank=True, choices=[('events', 'people, events'), ('people', 'people, casual games'), ('bots', 'bots'), ('mixed', 'people and bots together')], max_length=8),
        ),
        migrations.AddField(
            model_name='pool',
            name='size_class',
            field=models.CharField(blank=True, choices=[('small', 'boards up to 9×9'), ('large', 'boards of 10×10 to 13×13'), ('giant', 'giant boards')], max_length=8),
        ),
        migrations.AddField(
            model_name='pool',
            name='system',
            field=models.CharField(choices=[('lists', 'monthly lists, FIDE B.02'), ('glicko2', 'Glicko-2'), ('running', 'Elo after each game')], default='running', max_length=8),
        ),
        migrations.AddField(
            model_name='pool',
            name='time_class',
            field=models.CharField(blank=True, choices=[('blitz', 'blitz'), ('rapid', 'rapid'), ('standard', 'standard'), ('correspondence', 'correspondence')], max_length=16),
        ),
        migrations.AddField(
            model_name='rating',
            name='deviation_centielo',
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='rating',
            name='last_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='rating',
            name='listed_elo',
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='rating',
            name='volatility_billionths',
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='ledgerentry',
            name='game',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='ledger', to='tournaments.game'),
        ),
        migrations.AlterField(
            model_name='ledgerentry',
            name='kind',
            field=models.CharField(choices=[('game', 'game'), ('period', 'month closed'), ('reversal', 'reversal'), ('replay', 'entered again')], default='game', max_length=8),
        ),
        migrations.AlterField(
            model_name='ledgerentry',
            name='side',
            field=models.CharField(blank=True, choices=[('first', 'first'), ('second', 'second')], max_length=6),
        ),
        migrations.AddConstraint(
            model_name='ledgerentry',
            constraint=models.UniqueConstraint(condition=models.Q(('game__isnull', True), models.Q(('kind', 'reversal'), _negated=True)), fields=('pool', 'player', 'period', 'revision'), name='ledger_once_a_month'),
        ),
        migrations.AddConstraint(
            model_name='ledgerentry',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind__in', ['game', 'period']), ('reverses__isnull', True), ('revision', 1)), models.Q(('kind', 'reversal'), ('reverses__isnull', False)), models.Q(('kind', 'replay'), ('reverses__isnull', True), ('revision__gte', 2)), _connector='OR'), name='ledger_kind_and_revision'),
        ),
        migrations.AddConstraint(
            model_name='ledgerentry',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('game__isnull', False), ('side__in', ['first', 'second']), models.Q(('kind', 'period'), _negated=True)), models.Q(('game__isnull', True), ('period__isnull', False), ('side', ''), models.Q(('kind', 'game'), _negated=True)), _connector='OR'), name='ledger_of_a_game_or_month'),
        ),
        migrations.AddConstraint(
            model_name='pool',
            constraint=models.CheckConstraint(condition=models.Q(('system__in', ['glicko2', 'running']), models.Q(('closed_until__isnull', False), ('system', 'lists')), _connector='OR'), name='pool_lists_are_closed_until'),
        ),
        migrations.AddField(
            model_name='pairtally',
            name='first',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.player'),
        ),
        migrations.AddField(
            model_name='pairtally',
            name='pool',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='pair_tallies', to='tournaments.pool'),
        ),
        migrations.AddField(
            model_name='pairtally',
            name='second',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.player'),
        ),
        migrations.AddConstraint(
            model_name='pairtally',
            constraint=models.UniqueConstraint(fields=('pool', 'first', 'second'), name='pair_counted_once'),
        ),
    ]
