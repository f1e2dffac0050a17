"""Uploaded programs and the lines they are versions of, transcripts, the laboratory, annulments; uploads and transcripts are final."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


APPEND_ONLY = ["program", "transcript", "annulment"]


def add(apps, schema_editor):
    for table in APPEND_ONLY:
        if schema_editor.connection.vendor == "sqlite":
            statements = [
                f"CREATE TRIGGER {table}_no_{action.lower()} BEFORE {action} ON tournaments_{table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
                for action in ("UPDATE", "DELETE")
            ]
        else:
            statements = [
                f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE ON tournaments_{table} "
                "FOR EACH ROW EXECUTE FUNCTION rayuela_append_only()"
            ]
        for statement in statements:
            schema_editor.execute(statement, params=None)


def remove(apps, schema_editor):
    """The way back: triggers go with their tables, and bots of authors have no program any more."""
    apps.get_model("tournaments", "Bot").objects.filter(engine="").update(
        engine="none", line=None, version=None, program=None, is_active=False
    )


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0017_pools_required'),
    ]

    operations = [
        migrations.CreateModel(
            name='Isolation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('host', models.CharField(max_length=200, unique=True)),
                ('isolator', models.CharField(blank=True, max_length=20)),
                ('report', models.TextField(blank=True, max_length=10000)),
                ('checked_at', models.DateTimeField()),
            ],
            options={
                'ordering': ['host'],
            },
        ),
        migrations.CreateModel(
            name='Transcript',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('side', models.CharField(choices=[('first', 'first'), ('second', 'second')], max_length=6)),
                ('attempt', models.PositiveSmallIntegerField(default=1)),
                ('text', models.TextField(max_length=600000)),
            ],
            options={
                'ordering': ['game', 'attempt', 'side'],
            },
        ),
        migrations.CreateModel(
            name='Trial',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ruleset', models.CharField(max_length=120)),
                ('clock_initial_ms', models.PositiveIntegerField()),
                ('clock_increment_ms', models.PositiveIntegerField(default=0)),
                ('model', models.CharField(choices=[('logistic', 'logistic Elo'), ('normalized', 'normalized Elo')], default='logistic', max_length=10)),
                ('elo0_centielo', models.IntegerField(default=0)),
                ('elo1_centielo', models.IntegerField(default=2000)),
                ('alpha_thousandths', models.PositiveSmallIntegerField(default=50)),
                ('beta_thousandths', models.PositiveSmallIntegerField(default=50)),
                ('max_pairs', models.PositiveIntegerField(default=1000)),
                ('seed', models.BigIntegerField()),
                ('state', models.CharField(choices=[('running', 'running'), ('passed', 'passed: the candidate is stronger'), ('failed', 'failed: it is not'), ('open', 'ended without a verdict'), ('stopped', 'stopped')], default='running', max_length=8)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('created_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ['-created_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='TrialPair',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('score_halves', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('place', models.PositiveIntegerField(blank=True, null=True)),
                ('llr_millionths', models.BigIntegerField(blank=True, null=True)),
            ],
            options={
                'ordering': ['trial', 'number'],
            },
        ),
        migrations.AddField(
            model_name='bot',
            name='check_attempts',
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='bot',
            name='check_lease_until',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='bot',
            name='check_log',
            field=models.TextField(blank=True, max_length=100000),
        ),
        migrations.AddField(
            model_name='bot',
            name='created_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='bot',
            name='state',
            field=models.CharField(choices=[('checking', 'being checked'), ('refused', 'refused'), ('ready', 'ready'), ('retired', 'retired'), ('suspended', 'suspended'), ('annulled', 'annulled')], default='ready', max_length=9),
        ),
        migrations.AddField(
            model_name='bot',
            name='state_reason',
            field=models.CharField(blank=True, max_length=300),
        ),
        migrations.AddField(
            model_name='bot',
            name='version',
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='event',
            name='fuel',
            field=models.PositiveBigIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='game',
            name='fuel',
            field=models.PositiveBigIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='match',
            name='is_boxed',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='ply',
            name='cpu_ms',
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='ply',
            name='wall_ms',
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='bot',
            name='engine',
            field=models.CharField(blank=True, max_length=60),
        ),
        migrations.CreateModel(
            name='Annulment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(max_length=200)),
                ('games', models.PositiveIntegerField()),
                ('made_at', models.DateTimeField()),
                ('actor', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='annulments', to='tournaments.bot')),
            ],
            options={
                'ordering': ['-made_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='BotLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40)),
                ('canonical', models.CharField(max_length=80, unique=True)),
                ('description', models.CharField(blank=True, max_length=300)),
                ('created_at', models.DateTimeField()),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='bot_lines', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['canonical'],
            },
        ),
        migrations.AddField(
            model_name='bot',
            name='line',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='versions', to='tournaments.botline'),
        ),
        migrations.CreateModel(
            name='Program',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('kind', models.CharField(choices=[('python', 'Python'), ('wasm', 'WebAssembly')], max_length=6)),
                ('filename', models.CharField(max_length=120)),
                ('upload', models.BinaryField()),
                ('size_bytes', models.PositiveIntegerField()),
                ('created_at', models.DateTimeField()),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('digest__length', 64)), name='program_has_a_digest')],
            },
        ),
        migrations.AddField(
            model_name='bot',
            name='program',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='bots', to='tournaments.program'),
        ),
        migrations.AddConstraint(
            model_name='bot',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('line__isnull', True), ('program__isnull', True), ('version__isnull', True), models.Q(('engine', ''), _negated=True)), models.Q(('engine', ''), ('line__isnull', False), ('program__isnull', False), ('version__gte', 1)), _connector='OR'), name='bot_is_ours_or_a_version'),
        ),
        migrations.AddConstraint(
            model_name='bot',
            constraint=models.CheckConstraint(condition=models.Q(('is_active', False), ('state', 'ready'), _connector='OR'), name='bot_active_when_ready'),
        ),
        migrations.AddConstraint(
            model_name='bot',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['checking', 'refused', 'ready', 'retired', 'suspended', 'annulled'])), name='bot_state_known'),
        ),
        migrations.AddConstraint(
            model_name='bot',
            constraint=models.UniqueConstraint(fields=('line', 'version'), name='bot_version_once'),
        ),
        migrations.AddConstraint(
            model_name='bot',
            constraint=models.UniqueConstraint(condition=models.Q(('is_active', True)), fields=('line',), name='bot_one_active_a_line'),
        ),
        migrations.AddField(
            model_name='transcript',
            name='game',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='transcripts', to='tournaments.game'),
        ),
        migrations.AddField(
            model_name='trial',
            name='base',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='trials_as_base', to='tournaments.bot'),
        ),
        migrations.AddField(
            model_name='trial',
            name='candidate',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='trials', to='tournaments.bot'),
        ),
        migrations.AddField(
            model_name='trial',
            name='owner',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='trials', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='trialpair',
            name='match',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='trial_pair', to='tournaments.match'),
        ),
        migrations.AddField(
            model_name='trialpair',
            name='trial',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='pairs', to='tournaments.trial'),
        ),
        migrations.AddConstraint(
            model_name='annulment',
            constraint=models.CheckConstraint(condition=models.Q(('reason__length__gte', 1), ('reason__length__lte', 200)), name='annulment_has_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='transcript',
            constraint=models.UniqueConstraint(fields=('game', 'attempt', 'side'), name='transcript_once_a_game_and_side'),
        ),
        migrations.AddConstraint(
            model_name='transcript',
            constraint=models.CheckConstraint(condition=models.Q(('side__in', ['first', 'second'])), name='transcript_side_known'),
        ),
        migrations.AddConstraint(
            model_name='trial',
            constraint=models.CheckConstraint(condition=models.Q(('candidate', models.F('base')), _negated=True), name='trial_of_two_bots'),
        ),
        migrations.AddConstraint(
            model_name='trial',
            constraint=models.CheckConstraint(condition=models.Q(('elo0_centielo__lt', models.F('elo1_centielo')), ('alpha_thousandths__gte', 1), ('alpha_thousandths__lt', 500), ('beta_thousandths__gte', 1), ('beta_thousandths__lt', 500), ('max_pairs__gte', 10), ('max_pairs__lte', 20000)), name='trial_bounds_in_order'),
        ),
        migrations.AddConstraint(
            model_name='trial',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at__isnull', True), ('state', 'running')), models.Q(models.Q(('state', 'running'), _negated=True), ('ended_at__isnull', False)), _connector='OR'), name='trial_ended_when_over'),
        ),
        migrations.AddConstraint(
            model_name='trialpair',
            constraint=models.UniqueConstraint(fields=('trial', 'number'), name='trial_pair_once'),
        ),
        migrations.AddConstraint(
            model_name='trialpair',
            constraint=models.UniqueConstraint(fields=('trial', 'place'), name='trial_pair_ended_in_order'),
        ),
        migrations.AddConstraint(
            model_name='trialpair',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('place__isnull', True), ('score_halves__isnull', True)), models.Q(('llr_millionths__isnull', False), ('place__gte', 1), ('score_halves__lte', 4)), _connector='OR'), name='trial_pair_counted_whole'),
        ),
        migrations.RunPython(add, remove),
    ]
