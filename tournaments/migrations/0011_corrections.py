"""Corrected results, and how the ledger tells them."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0010_triggers_again'),
    ]

    operations = [
        migrations.CreateModel(
            name='Correction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.PositiveSmallIntegerField()),
                ('before', models.CharField(choices=[('first', 'first player won'), ('second', 'second player won'), ('draw', 'draw'), ('void', 'not counted')], max_length=6)),
                ('after', models.CharField(choices=[('first', 'first player won'), ('second', 'second player won'), ('draw', 'draw'), ('void', 'not counted')], max_length=6)),
                ('reason', models.CharField(max_length=200)),
                ('made_at', models.DateTimeField()),
            ],
            options={
                'ordering': ['game', 'seq'],
            },
        ),
        migrations.RemoveConstraint(
            model_name='ledgerentry',
            name='ledger_once_a_game_and_side',
        ),
        migrations.AddField(
            model_name='ledgerentry',
            name='kind',
            field=models.CharField(choices=[('game', 'game'), ('reversal', 'reversal'), ('replay', 'entered again')], default='game', max_length=8),
        ),
        migrations.AddField(
            model_name='ledgerentry',
            name='reverses',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='reversal', to='tournaments.ledgerentry'),
        ),
        migrations.AddField(
            model_name='ledgerentry',
            name='revision',
            field=models.PositiveSmallIntegerField(default=1),
        ),
        migrations.AddField(
            model_name='correction',
            name='actor',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='correction',
            name='game',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='corrections', to='tournaments.game'),
        ),
        migrations.AddField(
            model_name='ledgerentry',
            name='correction',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='tournaments.correction'),
        ),
        migrations.AddConstraint(
            model_name='ledgerentry',
            constraint=models.UniqueConstraint(condition=models.Q(('kind', 'reversal'), _negated=True), fields=('game', 'side', 'revision'), name='ledger_once_a_game_and_side'),
        ),
        migrations.AddConstraint(
            model_name='ledgerentry',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'game'), ('reverses__isnull', True), ('revision', 1)), models.Q(('kind', 'reversal'), ('reverses__isnull', False)), models.Q(('kind', 'replay'), ('reverses__isnull', True), ('revision__gte', 2)), _connector='OR'), name='ledger_kind_and_revision'),
        ),
        migrations.AddConstraint(
            model_name='correction',
            constraint=models.UniqueConstraint(fields=('game', 'seq'), name='correction_seq_once'),
        ),
        migrations.AddConstraint(
            model_name='correction',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('before', models.F('after')), _negated=True), ('seq__gte', 1)), name='correction_changes_something'),
        ),
        migrations.AddConstraint(
            model_name='correction',
            constraint=models.CheckConstraint(condition=models.Q(('reason__length__gte', 1), ('reason__length__lte', 200)), name='correction_has_a_reason'),
        ),
    ]
