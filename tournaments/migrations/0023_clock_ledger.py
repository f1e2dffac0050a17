"""Every charge of a clock, when the service was away, and who is on vacation: only added to."""

import django.db.models.deletion
from django.db import migrations, models

APPEND_ONLY = ["clockcharge", "outage"]
# What never changes in a vacation; it ends once.
FIXED = ["player_id", "days", "started_at", "ends_at"]


def _sqlite():
    for table in APPEND_ONLY:
        for action in ("UPDATE", "DELETE"):
            yield (
                f"CREATE TRIGGER {table}_no_{action.lower()} BEFORE {action} ON tournaments_{table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            )
    fixed = " OR ".join(f"NEW.{column} IS NOT OLD.{column}" for column in FIXED)
    yield (
        "CREATE TRIGGER vacation_no_delete BEFORE DELETE ON tournaments_vacation "
        "BEGIN SELECT RAISE(ABORT, 'vacation is append-only'); END"
    )
    yield (
        "CREATE TRIGGER vacation_ended_once BEFORE UPDATE ON tournaments_vacation "
        f"WHEN OLD.ended_at IS NOT NULL OR {fixed} "
        "BEGIN SELECT RAISE(ABORT, 'a vacation ends once'); END"
    )


def _postgresql():
    for table in APPEND_ONLY:
        yield (
            f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE ON tournaments_{table} "
            "FOR EACH ROW EXECUTE FUNCTION rayuela_append_only()"
        )
    new, old = (", ".join(f"{row}.{column}" for column in FIXED) for row in ("NEW", "OLD"))
    yield (
        "CREATE TRIGGER vacation_no_delete BEFORE DELETE ON tournaments_vacation "
        "FOR EACH ROW EXECUTE FUNCTION rayuela_append_only()"
    )
    yield (
        "CREATE TRIGGER vacation_ended_once BEFORE UPDATE ON tournaments_vacation FOR EACH ROW "
        f"WHEN (OLD.ended_at IS NOT NULL OR ({new}) IS DISTINCT FROM ({old})) "
        "EXECUTE FUNCTION rayuela_append_only()"
    )


def add(apps, schema_editor):
    make = {"sqlite": _sqlite, "postgresql": _postgresql}[schema_editor.connection.vendor]
    for statement in make():
        schema_editor.execute(statement, params=None)


def remove(apps, schema_editor):
    """The way back: triggers go with their table."""


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0022_clocks'),
    ]

    operations = [
        migrations.CreateModel(
            name='ClockCharge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.PositiveIntegerField()),
                ('attempt', models.PositiveSmallIntegerField()),
                ('ply', models.PositiveSmallIntegerField()),
                ('side', models.CharField(choices=[('first', 'first'), ('second', 'second')], max_length=6)),
                ('reason', models.CharField(choices=[('outage', 'the service was away'), ('vacation', 'on vacation'), ('delay', 'free at the start of the turn'), ('lag', "the move's way to us"), ('floor', 'beyond the end of the clock'), ('spent', 'thinking'), ('increment', 'added after the ply'), ('cap', 'no room for more'), ('gift', 'given by the opponent'), ('takeback', 'plies taken back'), ('flag', 'the clock had run down')], max_length=9)),
                ('ms', models.BigIntegerField()),
                ('remaining_ms', models.BigIntegerField()),
                ('at', models.DateTimeField()),
            ],
            options={
                'ordering': ['game', 'seq'],
            },
        ),
        migrations.CreateModel(
            name='Heartbeat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('beat_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='Outage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('started_at', models.DateTimeField(unique=True)),
                ('ended_at', models.DateTimeField()),
            ],
            options={
                'ordering': ['-started_at'],
            },
        ),
        migrations.CreateModel(
            name='Vacation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('days', models.PositiveSmallIntegerField()),
                ('started_at', models.DateTimeField()),
                ('ends_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ['player', '-started_at'],
            },
        ),
        migrations.AddField(
            model_name='clockcharge',
            name='game',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='charges', to='tournaments.game'),
        ),
        migrations.AddConstraint(
            model_name='heartbeat',
            constraint=models.CheckConstraint(condition=models.Q(('pk', 1)), name='heartbeat_one'),
        ),
        migrations.AddConstraint(
            model_name='outage',
            constraint=models.CheckConstraint(condition=models.Q(('ended_at__gt', models.F('started_at'))), name='outage_has_a_length'),
        ),
        migrations.AddField(
            model_name='vacation',
            name='player',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='vacations', to='tournaments.player'),
        ),
        migrations.AddConstraint(
            model_name='clockcharge',
            constraint=models.UniqueConstraint(fields=('game', 'seq'), name='charge_seq_once'),
        ),
        migrations.AddConstraint(
            model_name='clockcharge',
            constraint=models.CheckConstraint(condition=models.Q(('remaining_ms__gte', 0)), name='charge_leaves_no_debt'),
        ),
        migrations.AddConstraint(
            model_name='clockcharge',
            constraint=models.CheckConstraint(condition=models.Q(('ply__gte', 1), ('seq__gte', 1), ('side__in', ['first', 'second']), ('reason__in', ['outage', 'vacation', 'delay', 'lag', 'floor', 'spent', 'increment', 'cap', 'gift', 'takeback', 'flag'])), name='charge_words_known'),
        ),
        migrations.AddConstraint(
            model_name='vacation',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('player',), name='vacation_one_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='vacation',
            constraint=models.CheckConstraint(condition=models.Q(('days__gte', 1), ('days__lte', 366), ('ends_at__gt', models.F('started_at')), models.Q(('ended_at__isnull', True), ('ended_at__gte', models.F('started_at')), _connector='OR')), name='vacation_days_in_order'),
        ),
        migrations.RunPython(add, remove),
    ]
