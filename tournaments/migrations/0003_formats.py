"""Formats beside the Swiss: their options, rounds that overlap, second meetings, seats without an opponent."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0002_append_only")]

    operations = [
        migrations.RemoveConstraint(
            model_name='event',
            name='event_rounds_in_range',
        ),
        migrations.RemoveConstraint(
            model_name='event',
            name='event_words_known',
        ),
        migrations.RemoveConstraint(
            model_name='game',
            name='game_number_in_pair',
        ),
        migrations.RemoveConstraint(
            model_name='pairing',
            name='pairing_no_rematch',
        ),
        migrations.RemoveConstraint(
            model_name='round',
            name='round_one_at_a_time',
        ),
        migrations.RemoveConstraint(
            model_name='round',
            name='round_number_in_range',
        ),
        migrations.RemoveConstraint(
            model_name='seat',
            name='seat_at_a_board_or_not',
        ),
        migrations.AddField(
            model_name='event',
            name='cycles',
            field=models.PositiveSmallIntegerField(default=1),
        ),
        migrations.AddField(
            model_name='event',
            name='duration_s',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='event',
            name='ends_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='event',
            name='groups',
            field=models.PositiveSmallIntegerField(default=1),
        ),
        migrations.AddField(
            model_name='event',
            name='movers',
            field=models.PositiveSmallIntegerField(default=1),
        ),
        migrations.AddField(
            model_name='event',
            name='qualifiers',
            field=models.PositiveSmallIntegerField(default=2),
        ),
        migrations.AddField(
            model_name='event',
            name='seasons',
            field=models.PositiveSmallIntegerField(default=1),
        ),
        migrations.AddField(
            model_name='entry',
            name='joined_round',
            field=models.PositiveSmallIntegerField(default=1),
        ),
        migrations.AddField(
            model_name='entry',
            name='left_round',
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='seat',
            name='absent',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.entry'),
        ),
        migrations.AddField(
            model_name='pairing',
            name='encounter',
            field=models.PositiveSmallIntegerField(default=1),
        ),
        migrations.AddField(
            model_name='round',
            name='is_wave',
            field=models.BooleanField(default=False),
        ),
        migrations.AlterField(
            model_name='event',
            name='format',
            field=models.CharField(choices=[('dutch', 'Swiss, FIDE (Dutch) rules'), ('swiss', 'Swiss, forgiving in small fields'), ('round-robin', 'Round robin'), ('knockout', 'Knock-out'), ('double-knockout', 'Knock-out, two lives'), ('groups-knockout', 'Groups, then knock-out'), ('league', 'League with divisions'), ('arena', 'Arena'), ('ladder', 'Ladder of bots')], default='dutch', max_length=16),
        ),
        migrations.AlterField(
            model_name='seat',
            name='kind',
            field=models.CharField(choices=[('first', 'first'), ('second', 'second'), ('pairing-bye', 'bye'), ('half-bye', 'half-point bye'), ('zero-bye', 'absent'), ('free', 'no opponent in this round'), ('through', 'goes through without a game'), ('out', 'out of the event'), ('forfeit-win', 'the opponent has left')], max_length=12),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('rounds_total__lte', 400), models.Q(('rounds_total__gte', 1), ('format__in', ['arena', 'ladder']), _connector='OR')), name='event_rounds_in_range'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('admits__in', ['people', 'bots', 'both']), ('format__in', ['dutch', 'swiss', 'round-robin', 'knockout', 'double-knockout', 'groups-knockout', 'league', 'arena', 'ladder'])), name='event_words_known'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('cycles__in', [1, 2]), ('groups__gte', 1), ('movers__gte', 0), ('qualifiers__gte', 1), ('seasons__gte', 1), ('seasons__lte', 100)), name='event_options_in_range'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1), ('number__lte', 9)), name='game_number_in_pairing'),
        ),
        migrations.AddConstraint(
            model_name='pairing',
            constraint=models.UniqueConstraint(condition=models.Q(('is_met', True)), fields=('event', 'low', 'high', 'encounter'), name='pairing_no_rematch'),
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.UniqueConstraint(condition=models.Q(models.Q(('state', 'closed'), _negated=True), ('is_wave', False)), fields=('event',), name='round_one_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1), models.Q(('number__lte', 400), ('is_wave', True), _connector='OR')), name='round_number_in_range'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind__in', ['first', 'second']), ('pairing__isnull', False)), models.Q(('kind__in', ['pairing-bye', 'half-bye', 'zero-bye', 'free', 'through', 'out', 'forfeit-win']), ('pairing__isnull', True)), _connector='OR'), name='seat_at_a_board_or_not'),
        ),
    ]
