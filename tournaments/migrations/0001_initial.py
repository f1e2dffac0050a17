import django.contrib.auth.models
import django.contrib.auth.validators
import django.db.models.deletion
import django.db.models.expressions
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='Player',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('person', 'person'), ('guest', 'guest'), ('listed', 'without an account'), ('bot', 'bot'), ('remote', 'remote bot')], max_length=6)),
                ('name', models.CharField(max_length=40)),
                ('canonical', models.CharField(editable=False, max_length=80)),
                ('created_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='BotLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40)),
                ('canonical', models.CharField(max_length=80, unique=True)),
                ('description', models.CharField(blank=True, max_length=300)),
                ('created_at', models.DateTimeField()),
            ],
            options={
                'ordering': ['canonical'],
            },
        ),
        migrations.CreateModel(
            name='Game',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('clock_kind', models.CharField(choices=[('fischer', 'increment after each move'), ('delay', 'delay: the first seconds of each turn are free'), ('bank', 'correspondence bank'), ('unlimited', 'no clock')], default='fischer', max_length=9)),
                ('clock_initial_ms', models.PositiveIntegerField()),
                ('clock_increment_ms', models.PositiveIntegerField(default=0)),
                ('clock_cap_ms', models.PositiveIntegerField(blank=True, null=True)),
                ('ruleset', models.CharField(max_length=120)),
                ('setup', models.CharField(blank=True, max_length=4105)),
                ('number', models.PositiveSmallIntegerField(default=1)),
                ('is_rated', models.BooleanField(default=True)),
                ('moves_digest', models.CharField(blank=True, max_length=32)),
                ('predicted_millionths', models.PositiveIntegerField(blank=True, null=True)),
                ('predicted_by', models.CharField(blank=True, max_length=20, null=True)),
                ('attempt', models.PositiveSmallIntegerField(default=1)),
                ('ply', models.PositiveSmallIntegerField(default=0)),
                ('opening_plies', models.PositiveSmallIntegerField(default=0)),
                ('position', models.CharField(max_length=4096)),
                ('side_to_move', models.CharField(choices=[('first', 'first'), ('second', 'second')], default='first', max_length=6)),
                ('fuel', models.PositiveBigIntegerField(blank=True, null=True)),
                ('fuel_meter', models.CharField(blank=True, max_length=60, null=True)),
                ('first_ms', models.PositiveIntegerField()),
                ('second_ms', models.PositiveIntegerField()),
                ('turn_started_at', models.DateTimeField(blank=True, null=True)),
                ('deadline_at', models.DateTimeField(blank=True, null=True)),
                ('allows_vacation', models.BooleanField(default=False)),
                ('paused_at', models.DateTimeField(blank=True, null=True)),
                ('stopped_at', models.DateTimeField(blank=True, null=True)),
                ('resumes_at', models.DateTimeField(blank=True, null=True)),
                ('first_present_at', models.DateTimeField(blank=True, null=True)),
                ('second_present_at', models.DateTimeField(blank=True, null=True)),
                ('waits_for_both', models.BooleanField(default=False)),
                ('no_show_at', models.DateTimeField(blank=True, null=True)),
                ('outage_ms', models.PositiveBigIntegerField(default=0)),
                ('vacation_ms', models.PositiveBigIntegerField(default=0)),
                ('grace_ms', models.PositiveIntegerField(default=0)),
                ('reply_lease_until', models.DateTimeField(blank=True, null=True)),
                ('reply_attempts', models.PositiveSmallIntegerField(default=0)),
                ('agreement_offered_by', models.CharField(blank=True, choices=[('first', 'first'), ('second', 'second')], max_length=6, null=True)),
                ('result', models.CharField(blank=True, choices=[('first', 'first player won'), ('second', 'second player won'), ('draw', 'draw'), ('first-forfeit', 'first player won by forfeit'), ('second-forfeit', 'second player won by forfeit'), ('double-forfeit', 'both lost by forfeit'), ('void', 'not counted')], max_length=14, null=True)),
                ('ending', models.CharField(blank=True, choices=[('rules', 'on the board'), ('agreement', 'by agreement'), ('resignation', 'by resignation'), ('draw-agreed', 'agreed by both'), ('time', 'on time'), ('no-show', 'by forfeit'), ('forfeit', "forfeited by the arbiter's decision"), ('adjudication', 'adjudicated'), ('over-board', 'over the board'), ('aborted', 'aborted before it began'), ('crash', 'the bot crashed'), ('illegal-move', 'by an illegal move'), ('flood', 'the bot sent too much output'), ('protocol', 'the bot broke the protocol'), ('fault', 'by a fault of the service')], max_length=12, null=True)),
                ('ending_detail', models.CharField(blank=True, max_length=200)),
                ('created_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ['-created_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='Topic',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60, unique=True)),
                ('seq', models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('username', models.CharField(error_messages={'unique': 'A user with that username already exists.'}, help_text='Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.', max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()], verbose_name='username')),
                ('first_name', models.CharField(blank=True, max_length=150, verbose_name='first name')),
                ('last_name', models.CharField(blank=True, max_length=150, verbose_name='last name')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'user',
                'verbose_name_plural': 'users',
                'permissions': [('moderate', 'Can judge reports about chat and players'), ('read_programs', 'Can read the private programs and transcripts of authors')],
                'abstract': False,
            },
            managers=[
                ('objects', django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name='Annulment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(max_length=200)),
                ('made_at', models.DateTimeField()),
                ('actor', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-made_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='AuditEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('action', models.CharField(max_length=40)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('detail', models.JSONField(default=dict)),
                ('done_at', models.DateTimeField()),
                ('actor', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('undoes', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='undone_by', to='tournaments.auditentry')),
            ],
            options={
                'verbose_name_plural': 'audit entries',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='AwardList',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('currency', models.CharField(max_length=3)),
                ('made_at', models.DateTimeField()),
                ('taken_back_at', models.DateTimeField(blank=True, null=True)),
                ('log_entry', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.auditentry')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Bot',
            fields=[
                ('player', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='bot', serialize=False, to='tournaments.player')),
                ('engine', models.CharField(blank=True, max_length=60)),
                ('version', models.PositiveIntegerField(blank=True, null=True)),
                ('state', models.CharField(choices=[('checking', 'being checked'), ('refused', 'refused'), ('ready', 'ready'), ('retired', 'retired'), ('suspended', 'suspended'), ('annulled', 'annulled')], default='ready', max_length=9)),
                ('state_code', models.CharField(blank=True, max_length=30)),
                ('state_reason', models.CharField(blank=True, max_length=300)),
                ('state_parts', models.JSONField(blank=True, default=dict)),
                ('check_log', models.TextField(blank=True, max_length=100000)),
                ('check_lease_until', models.DateTimeField(blank=True, null=True)),
                ('check_attempts', models.PositiveSmallIntegerField(default=0)),
                ('check_ms', models.PositiveIntegerField(default=0)),
                ('checked_at', models.DateTimeField(blank=True, null=True)),
                ('takes_over', models.BooleanField(default=False)),
                ('passes_on', models.BooleanField(default=False)),
                ('faults_counted_from', models.DateTimeField(blank=True, null=True)),
                ('upload_key', models.CharField(blank=True, max_length=40, null=True)),
                ('families', models.JSONField(blank=True, default=list)),
                ('created_at', models.DateTimeField(blank=True, null=True)),
                ('description', models.CharField(blank=True, max_length=300)),
                ('is_active', models.BooleanField(default=True)),
            ],
            options={
                'ordering': ['player__name'],
            },
        ),
        migrations.AddField(
            model_name='player',
            name='user',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='player', to=settings.AUTH_USER_MODEL),
        ),
        migrations.CreateModel(
            name='BotConsent',
            fields=[
                ('line', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='consent', serialize=False, to='tournaments.botline')),
                ('takes_casual', models.BooleanField(default=True)),
                ('takes_rated', models.BooleanField(default=True)),
                ('takes_matches', models.BooleanField(default=True)),
                ('open_formats', models.JSONField(blank=True, default=list)),
                ('takes_requests', models.BooleanField(default=True)),
                ('least_ms', models.PositiveIntegerField(default=1000)),
                ('most_ms', models.PositiveIntegerField(default=2073600000)),
                ('least_increment_ms', models.PositiveIntegerField(default=0)),
                ('most_increment_ms', models.PositiveIntegerField(default=2073600000)),
                ('takes_unlimited', models.BooleanField(default=True)),
                ('rulesets', models.JSONField(blank=True, default=list)),
                ('opponents', models.CharField(choices=[('everybody', 'everybody'), ('people', 'people only'), ('bots', 'bots only')], default='everybody', max_length=9)),
                ('max_games', models.PositiveSmallIntegerField(default=64)),
            ],
        ),
        migrations.AddField(
            model_name='botline',
            name='owner',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='bot_lines', to=settings.AUTH_USER_MODEL),
        ),
        migrations.CreateModel(
            name='AccessToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('password_digest', models.CharField(max_length=64)),
                ('scopes', models.CharField(blank=True, max_length=120)),
                ('created_at', models.DateTimeField()),
                ('expires_at', models.DateTimeField()),
                ('last_used_at', models.DateTimeField(blank=True, null=True)),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='access_tokens', to=settings.AUTH_USER_MODEL)),
                ('line', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='access_tokens', to='tournaments.botline')),
            ],
            options={
                'ordering': ['-created_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='ChatLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('room', models.CharField(choices=[('players', 'players'), ('spectators', 'spectators')], max_length=10)),
                ('text', models.CharField(max_length=300)),
                ('is_hidden', models.BooleanField(default=False)),
                ('made_at', models.DateTimeField()),
                ('author', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='chat_lines', to='tournaments.player')),
            ],
            options={
                'ordering': ['game', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='ChatReport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('made_at', models.DateTimeField()),
                ('verdict', models.CharField(blank=True, choices=[('dismissed', 'kept'), ('hidden', 'hidden'), ('silenced', 'hidden, and its author muted')], max_length=9, null=True)),
                ('resolved_at', models.DateTimeField(blank=True, null=True)),
                ('line', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reports', to='tournaments.chatline')),
                ('reporter', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.player')),
                ('resolver', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['made_at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Email',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address', models.EmailField(max_length=254)),
                ('subject', models.CharField(max_length=200)),
                ('body', models.TextField(max_length=20000)),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('sent', 'Sent'), ('failed', 'Failed')], default='waiting', max_length=7)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('due_at', models.DateTimeField()),
                ('made_at', models.DateTimeField()),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='emails', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['due_at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Entry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('active', 'playing'), ('requested', 'waits for approval'), ('waiting', 'on the waiting list'), ('withdrawn', 'withdrawn')], default='active', max_length=10)),
                ('tpn', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('joined_round', models.PositiveSmallIntegerField(default=1)),
                ('left_round', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('seed_centielo', models.IntegerField(blank=True, null=True)),
                ('listed_centielo', models.IntegerField(blank=True, null=True)),
                ('listed_seed', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('federation', models.CharField(blank=True, max_length=3)),
                ('club', models.CharField(blank=True, max_length=60)),
                ('fide_id', models.CharField(blank=True, max_length=11)),
                ('category', models.CharField(blank=True, max_length=20)),
                ('entered_at', models.DateTimeField()),
                ('checked_in_at', models.DateTimeField(blank=True, null=True)),
                ('withdrawn_at', models.DateTimeField(blank=True, null=True)),
                ('is_expelled', models.BooleanField(default=False)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='tournaments.player')),
            ],
            options={
                'verbose_name_plural': 'entries',
                'ordering': ['tpn', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='ByeRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('round_number', models.PositiveSmallIntegerField()),
                ('kind', models.CharField(choices=[('half', 'half-point bye'), ('zero', 'zero-point bye'), ('full', 'full-point bye')], max_length=4)),
                ('requested_at', models.DateTimeField()),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='bye_requests', to='tournaments.entry')),
            ],
        ),
        migrations.CreateModel(
            name='Award',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField()),
                ('kind', models.CharField(choices=[('overall', 'overall'), ('rating', 'by rating'), ('unrated', 'without a rating'), ('people', 'people'), ('bots', 'bots'), ('club', 'of a club'), ('federation', 'of a federation'), ('label', 'of a category of the entries')], max_length=10)),
                ('rating_from', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('rating_below', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('text', models.CharField(blank=True, max_length=60)),
                ('place', models.PositiveSmallIntegerField()),
                ('amount', models.PositiveBigIntegerField()),
                ('words', models.CharField(blank=True, max_length=100)),
                ('list', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='awards', to='tournaments.awardlist')),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='awards', to='tournaments.entry')),
            ],
            options={
                'ordering': ['list', 'position'],
            },
        ),
        migrations.CreateModel(
            name='EntryClaim',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('open', 'Open'), ('accepted', 'Accepted'), ('refused', 'Refused')], default='open', max_length=8)),
                ('made_at', models.DateTimeField()),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('answered_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='claims', to='tournaments.entry')),
                ('listed', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.player')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entry_claims', to='tournaments.player')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('clock_kind', models.CharField(choices=[('fischer', 'increment after each move'), ('delay', 'delay: the first seconds of each turn are free'), ('bank', 'correspondence bank'), ('unlimited', 'no clock')], default='fischer', max_length=9)),
                ('clock_initial_ms', models.PositiveIntegerField()),
                ('clock_increment_ms', models.PositiveIntegerField(default=0)),
                ('clock_cap_ms', models.PositiveIntegerField(blank=True, null=True)),
                ('name', models.CharField(max_length=80)),
                ('slug', models.SlugField(max_length=80, unique=True)),
                ('description', models.TextField(blank=True, max_length=2000)),
                ('ruleset', models.CharField(max_length=120)),
                ('format', models.CharField(choices=[('dutch', 'Swiss (FIDE Dutch system)'), ('swiss', 'Swiss (weighted matching)'), ('round-robin', 'Round robin'), ('knockout', 'Single elimination'), ('double-knockout', 'Double elimination'), ('groups-knockout', 'Groups, then knock-out'), ('league', 'League with divisions'), ('arena', 'Arena'), ('ladder', 'Bot ladder')], default='dutch', max_length=16)),
                ('state', models.CharField(choices=[('registration', 'registration open'), ('running', 'running'), ('finished', 'finished'), ('cancelled', 'cancelled')], default='registration', max_length=12)),
                ('admits', models.CharField(choices=[('people', 'people'), ('bots', 'bots'), ('both', 'people and bots')], default='people', max_length=6)),
                ('rounds_total', models.PositiveSmallIntegerField()),
                ('cycles', models.PositiveSmallIntegerField(default=1)),
                ('groups', models.PositiveSmallIntegerField(default=2)),
                ('promotion_places', models.PositiveSmallIntegerField(default=1)),
                ('qualifiers', models.PositiveSmallIntegerField(default=2)),
                ('seasons', models.PositiveSmallIntegerField(default=1)),
                ('duration_s', models.PositiveIntegerField(default=0)),
                ('ends_at', models.DateTimeField(blank=True, null=True)),
                ('win_halves', models.PositiveSmallIntegerField(default=2)),
                ('draw_halves', models.PositiveSmallIntegerField(default=1)),
                ('loss_halves', models.PositiveSmallIntegerField(default=0)),
                ('bye_halves', models.PositiveSmallIntegerField(default=2)),
                ('tie_breaks', models.CharField(blank=True, max_length=80)),
                ('games_per_pairing', models.PositiveSmallIntegerField(default=1)),
                ('is_accelerated', models.BooleanField(default=False)),
                ('accelerated_upto_tpn', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('admits_remote', models.BooleanField(default=False)),
                ('max_entries', models.PositiveSmallIntegerField(default=64)),
                ('standing_pool', models.CharField(blank=True, max_length=60)),
                ('is_over_the_board', models.BooleanField(default=False)),
                ('board_time', models.CharField(blank=True, max_length=60)),
                ('allows_vacation', models.BooleanField(default=True)),
                ('fuel', models.PositiveBigIntegerField(blank=True, null=True)),
                ('is_rated', models.BooleanField(default=True)),
                ('is_automatic', models.BooleanField(default=True)),
                ('pause_s', models.PositiveIntegerField(default=60)),
                ('start_mode', models.CharField(choices=[('publication', 'when the round is published'), ('button', 'when the organiser starts them'), ('presence', 'in each game when both players are there')], default='publication', max_length=11)),
                ('grace_s', models.PositiveIntegerField(blank=True, null=True)),
                ('paused_at', models.DateTimeField(blank=True, null=True)),
                ('min_guests', models.PositiveSmallIntegerField(default=0)),
                ('seed', models.BigIntegerField()),
                ('seed_secret', models.CharField(max_length=64)),
                ('seed_commitment', models.CharField(max_length=64)),
                ('pairing_until', models.DateTimeField(blank=True, null=True)),
                ('pairing_claims', models.PositiveIntegerField(default=0)),
                ('pairing_percent', models.PositiveSmallIntegerField(default=0)),
                ('is_draft_requested', models.BooleanField(default=False)),
                ('next_step_at', models.DateTimeField(blank=True, null=True)),
                ('hold_reason', models.CharField(blank=True, max_length=40)),
                ('starts_at', models.DateTimeField(blank=True, null=True)),
                ('registration_closes_at', models.DateTimeField(blank=True, null=True)),
                ('check_in_opens_at', models.DateTimeField(blank=True, null=True)),
                ('min_centielo', models.IntegerField(blank=True, null=True)),
                ('max_centielo', models.IntegerField(blank=True, null=True)),
                ('min_games', models.PositiveSmallIntegerField(default=0)),
                ('needs_approval', models.BooleanField(default=False)),
                ('has_waiting_list', models.BooleanField(default=False)),
                ('is_private', models.BooleanField(default=False)),
                ('access_code', models.CharField(blank=True, max_length=40)),
                ('most_half_byes', models.PositiveSmallIntegerField(default=1)),
                ('last_half_bye_round', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('last_late_round', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('keeps_clubs_apart', models.BooleanField(default=False)),
                ('forbids_engine', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField()),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('organiser', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='events', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-created_at', '-pk'],
            },
        ),
        migrations.AddField(
            model_name='entry',
            name='event',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='tournaments.event'),
        ),
        migrations.CreateModel(
            name='Computation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=120)),
                ('arguments', models.CharField(max_length=500)),
                ('build', models.CharField(max_length=16)),
                ('mark', models.CharField(blank=True, max_length=64)),
                ('value', models.BinaryField(null=True)),
                ('cost_s', models.FloatField(default=0)),
                ('asked_at', models.DateTimeField()),
                ('wanted_since', models.DateTimeField()),
                ('begun_at', models.DateTimeField(blank=True, null=True)),
                ('computed_at', models.DateTimeField(blank=True, null=True)),
                ('expires_at', models.DateTimeField()),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='computations', to='tournaments.event')),
            ],
        ),
        migrations.AddField(
            model_name='awardlist',
            name='event',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='award_lists', to='tournaments.event'),
        ),
        migrations.AddField(
            model_name='auditentry',
            name='event',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='audit', to='tournaments.event'),
        ),
        migrations.CreateModel(
            name='Announcement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.CharField(max_length=500)),
                ('made_at', models.DateTimeField()),
                ('author', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='announcements', to='tournaments.event')),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='Forecast',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=64, unique=True)),
                ('request', models.JSONField()),
                ('seed', models.BigIntegerField()),
                ('state', models.CharField(choices=[('open', 'being computed'), ('done', 'computed'), ('failed', 'failed')], default='open', max_length=6)),
                ('answer', models.JSONField(blank=True, null=True)),
                ('error', models.CharField(blank=True, max_length=200)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('asked_at', models.DateTimeField()),
                ('woken_at', models.DateTimeField(blank=True, null=True)),
                ('computed_at', models.DateTimeField(blank=True, null=True)),
                ('event', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='forecasts', to='tournaments.event')),
            ],
            options={
                'ordering': ['-asked_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='FormKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('owner', models.CharField(max_length=64)),
                ('key', models.CharField(max_length=40)),
                ('digest', models.CharField(max_length=64)),
                ('location', models.TextField(blank=True, default='')),
                ('made_at', models.DateTimeField(db_index=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('owner', 'key'), name='form_key_once'), models.CheckConstraint(condition=models.Q(('key__length__gte', 1), ('key__length__lte', 40)), name='form_key_has_a_key')],
            },
        ),
        migrations.CreateModel(
            name='FuelCheck',
            fields=[
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='fuel_check', serialize=False, to='tournaments.game')),
                ('verdict', models.CharField(choices=[('open', 'not checked yet'), ('confirmed', 'confirmed'), ('different', 'different'), ('undecided', 'undecided')], default='open', max_length=9)),
                ('plies', models.JSONField(default=list)),
                ('different_plies', models.JSONField(default=list)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('woken_at', models.DateTimeField(blank=True, null=True)),
                ('checked_at', models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.AddField(
            model_name='game',
            name='first',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='games_as_first', to='tournaments.player'),
        ),
        migrations.AddField(
            model_name='game',
            name='second',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='games_as_second', to='tournaments.player'),
        ),
        migrations.CreateModel(
            name='Evaluation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('attempt', models.PositiveSmallIntegerField()),
                ('number', models.PositiveSmallIntegerField()),
                ('score_cp', models.IntegerField(blank=True, null=True)),
                ('depth', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('nodes', models.PositiveBigIntegerField(blank=True, null=True)),
                ('time_ms', models.PositiveIntegerField(blank=True, null=True)),
                ('line', models.CharField(blank=True, max_length=400)),
                ('text', models.CharField(blank=True, max_length=200)),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='evaluations', to='tournaments.game')),
            ],
            options={
                'ordering': ['game', 'attempt', 'number'],
            },
        ),
        migrations.CreateModel(
            name='Correction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.PositiveSmallIntegerField()),
                ('before', models.CharField(choices=[('first', 'first player won'), ('second', 'second player won'), ('draw', 'draw'), ('first-forfeit', 'first player won by forfeit'), ('second-forfeit', 'second player won by forfeit'), ('double-forfeit', 'both lost by forfeit'), ('void', 'not counted')], max_length=14)),
                ('after', models.CharField(choices=[('first', 'first player won'), ('second', 'second player won'), ('draw', 'draw'), ('first-forfeit', 'first player won by forfeit'), ('second-forfeit', 'second player won by forfeit'), ('double-forfeit', 'both lost by forfeit'), ('void', 'not counted')], max_length=14)),
                ('reason', models.CharField(max_length=200)),
                ('made_at', models.DateTimeField()),
                ('actor', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='corrections', to='tournaments.game')),
            ],
            options={
                'ordering': ['game', 'seq'],
            },
        ),
        migrations.CreateModel(
            name='Conditional',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('side', models.CharField(choices=[('first', 'first'), ('second', 'second')], max_length=6)),
                ('attempt', models.PositiveSmallIntegerField()),
                ('ply', models.PositiveSmallIntegerField()),
                ('tree', models.CharField(max_length=20000)),
                ('made_at', models.DateTimeField()),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='conditionals', to='tournaments.game')),
            ],
        ),
        migrations.CreateModel(
            name='ClockCharge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.PositiveIntegerField()),
                ('attempt', models.PositiveSmallIntegerField()),
                ('ply', models.PositiveSmallIntegerField()),
                ('side', models.CharField(choices=[('first', 'first'), ('second', 'second')], max_length=6)),
                ('reason', models.CharField(choices=[('outage', 'the service was away'), ('vacation', 'on vacation'), ('grace', 'grace for the first move of a remote bot'), ('delay', 'delay'), ('lag', 'network lag compensation'), ('floor', 'beyond the end of the clock'), ('spent', 'thinking'), ('increment', 'increment'), ('cap', 'capped'), ('gift', 'added by the opponent'), ('arbiter', 'added by the arbiter'), ('takeback', 'takebacks'), ('flag', 'the clock had run down')], max_length=9)),
                ('ms', models.BigIntegerField()),
                ('remaining_ms', models.BigIntegerField()),
                ('at', models.DateTimeField()),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='charges', to='tournaments.game')),
            ],
            options={
                'ordering': ['game', 'seq'],
            },
        ),
        migrations.AddField(
            model_name='chatline',
            name='game',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='chat_lines', to='tournaments.game'),
        ),
        migrations.CreateModel(
            name='Gauntlet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ruleset', models.CharField(max_length=120)),
                ('clock_initial_ms', models.PositiveIntegerField()),
                ('clock_increment_ms', models.PositiveIntegerField(default=0)),
                ('pairs_each', models.PositiveSmallIntegerField()),
                ('seed', models.BigIntegerField()),
                ('state', models.CharField(choices=[('running', 'running'), ('done', 'played'), ('stopped', 'stopped')], default='running', max_length=7)),
                ('stop_code', models.CharField(blank=True, max_length=30)),
                ('created_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='gauntlets', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-created_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='GauntletOpponent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('stop_code', models.CharField(blank=True, max_length=30)),
                ('gauntlet', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='opponents', to='tournaments.gauntlet')),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='gauntlets_as_opponent', to='tournaments.bot')),
            ],
            options={
                'ordering': ['gauntlet', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Heartbeat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('beat_at', models.DateTimeField()),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('pk', 1)), name='heartbeat_one')],
            },
        ),
        migrations.CreateModel(
            name='Inbox',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('read_seq', models.PositiveBigIntegerField(default=0)),
                ('emailed_seq', models.PositiveBigIntegerField(default=0)),
                ('address', models.EmailField(blank=True, max_length=254)),
                ('is_confirmed', models.BooleanField(default=False)),
                ('wants_turns', models.BooleanField(default=True)),
                ('wants_reminders', models.BooleanField(default=True)),
                ('wants_games', models.BooleanField(default=True)),
                ('wants_events', models.BooleanField(default=True)),
                ('language', models.CharField(default='en', max_length=10)),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='inbox', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='LostWork',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('event', 'Next step of an event'), ('ratings', 'Ratings computed again'), ('annulment', 'Annulment'), ('page', 'Page of a large event')], max_length=9)),
                ('key', models.CharField(max_length=200)),
                ('losses', models.PositiveSmallIntegerField()),
                ('lost_at', models.DateTimeField()),
                ('due_at', models.DateTimeField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('kind', 'key'), name='lost_work_once'), models.CheckConstraint(condition=models.Q(('losses__gte', 1)), name='lost_work_has_losses')],
            },
        ),
        migrations.CreateModel(
            name='Match',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('queued', 'waiting'), ('leased', 'being played'), ('done', 'played'), ('failed', 'given up')], default='queued', max_length=6)),
                ('due_at', models.DateTimeField()),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('woken_at', models.DateTimeField(blank=True, null=True)),
                ('began_at', models.DateTimeField(blank=True, null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('is_charged', models.BooleanField(default=False)),
                ('attempt', models.PositiveSmallIntegerField(default=0)),
                ('losses', models.PositiveSmallIntegerField(default=0)),
                ('waits', models.PositiveSmallIntegerField(default=0)),
                ('is_sandboxed', models.BooleanField(default=False)),
                ('longest_s', models.PositiveIntegerField()),
                ('pace_ms', models.PositiveIntegerField(default=0)),
                ('repeats_left', models.PositiveSmallIntegerField(default=0)),
                ('fault', models.CharField(blank=True, max_length=300)),
                ('created_at', models.DateTimeField()),
                ('event', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.event')),
                ('requester', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'matches',
            },
        ),
        migrations.CreateModel(
            name='GauntletPair',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('score_halves', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('is_repetition', models.BooleanField(default=False)),
                ('opponent', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='pairs', to='tournaments.gauntletopponent')),
                ('match', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='gauntlet_pair', to='tournaments.match')),
            ],
            options={
                'ordering': ['opponent', 'number'],
            },
        ),
        migrations.AddField(
            model_name='game',
            name='match',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='games', to='tournaments.match'),
        ),
        migrations.CreateModel(
            name='Mute',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('made_at', models.DateTimeField()),
                ('muted', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.player')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='mutes', to='tournaments.player')),
            ],
        ),
        migrations.CreateModel(
            name='Note',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.CharField(max_length=5000)),
                ('changed_at', models.DateTimeField()),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notes', to='tournaments.game')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notes', to='tournaments.player')),
            ],
        ),
        migrations.CreateModel(
            name='Offer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('end', 'end the game now'), ('draw', 'a draw'), ('time', 'more time'), ('rematch', 'a rematch'), ('takeback', 'takeback')], max_length=8)),
                ('side', models.CharField(choices=[('first', 'first'), ('second', 'second')], max_length=6)),
                ('attempt', models.PositiveSmallIntegerField()),
                ('ply', models.PositiveSmallIntegerField()),
                ('given_ms', models.PositiveIntegerField(blank=True, null=True)),
                ('answer', models.CharField(blank=True, choices=[('accepted', 'accepted'), ('declined', 'declined'), ('withdrawn', 'withdrawn'), ('lapsed', 'lapsed')], max_length=9, null=True)),
                ('made_at', models.DateTimeField()),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='offers', to='tournaments.game')),
                ('next_game', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='rematch_of', to='tournaments.game')),
            ],
            options={
                'ordering': ['game', 'pk'],
            },
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
                'constraints': [models.CheckConstraint(condition=models.Q(('ended_at__gt', models.F('started_at'))), name='outage_has_a_length')],
            },
        ),
        migrations.CreateModel(
            name='Pairing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('board', models.PositiveSmallIntegerField()),
                ('encounter', models.PositiveSmallIntegerField(default=1)),
                ('entered_result', models.CharField(blank=True, max_length=14)),
                ('entered_second_result', models.CharField(blank=True, max_length=14)),
                ('is_met', models.BooleanField(default=True)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='pairings', to='tournaments.event')),
                ('first', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.entry')),
                ('goes_through', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.entry')),
                ('high', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.entry')),
                ('low', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.entry')),
                ('second', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.entry')),
            ],
            options={
                'ordering': ['round', 'board'],
            },
        ),
        migrations.AddField(
            model_name='game',
            name='pairing',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='games', to='tournaments.pairing'),
        ),
        migrations.CreateModel(
            name='PlayerReport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.CharField(max_length=500)),
                ('made_at', models.DateTimeField()),
                ('resolved_at', models.DateTimeField(blank=True, null=True)),
                ('reported', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reports', to='tournaments.player')),
                ('reporter', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.player')),
                ('resolver', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['made_at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Ply',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('attempt', models.PositiveSmallIntegerField(default=1)),
                ('number', models.PositiveSmallIntegerField()),
                ('side', models.CharField(choices=[('first', 'first'), ('second', 'second')], max_length=6)),
                ('move', models.CharField(max_length=200)),
                ('spent_ms', models.PositiveIntegerField()),
                ('remaining_ms', models.PositiveIntegerField()),
                ('wall_ms', models.PositiveIntegerField(blank=True, null=True)),
                ('cpu_ms', models.PositiveIntegerField(blank=True, null=True)),
                ('made_at', models.DateTimeField()),
                ('client_key', models.CharField(blank=True, max_length=40, null=True)),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='plies', to='tournaments.game')),
            ],
            options={
                'verbose_name_plural': 'plies',
                'ordering': ['game', 'attempt', 'number'],
            },
        ),
        migrations.CreateModel(
            name='Pool',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=60, unique=True)),
                ('family', models.CharField(max_length=20)),
                ('edition', models.CharField(blank=True, max_length=20)),
                ('size_class', models.CharField(blank=True, choices=[('small', 'up to 9×9'), ('large', '10×10 to 13×13'), ('giant', 'giant boards')], max_length=8)),
                ('time_class', models.CharField(blank=True, choices=[('blitz', 'blitz'), ('rapid', 'rapid'), ('standard', 'standard'), ('correspondence', 'correspondence')], max_length=16)),
                ('kind', models.CharField(blank=True, choices=[('events', 'people, events'), ('people', 'people'), ('bots', 'bots'), ('mixed', 'people and bots'), ('remote', 'with remote bots')], max_length=8)),
                ('system', models.CharField(choices=[('lists', 'monthly lists, FIDE B.02'), ('glicko2', 'Glicko-2'), ('running', 'Elo after each game')], default='running', max_length=8)),
                ('closed_until', models.DateField(blank=True, null=True)),
            ],
            options={
                'ordering': ['key'],
                'constraints': [models.CheckConstraint(condition=models.Q(('system__in', ['glicko2', 'running']), models.Q(('closed_until__isnull', False), ('system', 'lists')), _connector='OR'), name='pool_lists_are_closed_until')],
            },
        ),
        migrations.CreateModel(
            name='PendingGame',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.DateTimeField()),
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='pending_rating', to='tournaments.game')),
                ('pool', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='pending_games', to='tournaments.pool')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='PairTally',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('wins', models.PositiveIntegerField(default=0)),
                ('draws', models.PositiveIntegerField(default=0)),
                ('losses', models.PositiveIntegerField(default=0)),
                ('first', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.player')),
                ('second', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.player')),
                ('pool', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='pair_tallies', to='tournaments.pool')),
            ],
            options={
                'ordering': ['pool', 'first', 'second'],
            },
        ),
        migrations.CreateModel(
            name='LedgerEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('side', models.CharField(blank=True, choices=[('first', 'first'), ('second', 'second')], max_length=6)),
                ('period', models.DateField(blank=True, null=True)),
                ('seq', models.PositiveIntegerField()),
                ('kind', models.CharField(choices=[('game', 'game'), ('period', 'month closed'), ('reversal', 'reversal'), ('re-entry', 'entered again')], default='game', max_length=8)),
                ('revision', models.PositiveSmallIntegerField(default=1)),
                ('before_centielo', models.IntegerField()),
                ('delta_centielo', models.IntegerField()),
                ('after_centielo', models.IntegerField()),
                ('opponent_centielo', models.IntegerField()),
                ('k_factor', models.PositiveSmallIntegerField()),
                ('expected_millionths', models.PositiveIntegerField()),
                ('score_halves', models.PositiveSmallIntegerField()),
                ('formula', models.CharField(max_length=20)),
                ('inputs', models.JSONField(blank=True, default=dict)),
                ('entered_at', models.DateTimeField()),
                ('digest', models.CharField(max_length=64)),
                ('correction', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='tournaments.correction')),
                ('game', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='ledger', to='tournaments.game')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ledger', to='tournaments.player')),
                ('reverses', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='reversal', to='tournaments.ledgerentry')),
                ('pool', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='tournaments.pool')),
            ],
            options={
                'verbose_name_plural': 'ledger entries',
                'ordering': ['pool', 'player', 'seq'],
            },
        ),
        migrations.AddField(
            model_name='game',
            name='pool',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='games', to='tournaments.pool'),
        ),
        migrations.CreateModel(
            name='PrizeFund',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('currency', models.CharField(default='EUR', max_length=3)),
                ('sharing', models.CharField(choices=[('none', 'by the order of the standings'), ('equal', 'equal points share equally'), ('hort', 'half by the order, half shared (Hort)')], default='none', max_length=5)),
                ('rounding', models.PositiveIntegerField(default=1)),
                ('is_cumulative', models.BooleanField(default=False)),
                ('least_points_halves', models.PositiveSmallIntegerField(default=0)),
                ('least_games', models.PositiveSmallIntegerField(default=0)),
                ('event', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='prize_fund', to='tournaments.event')),
            ],
        ),
        migrations.CreateModel(
            name='Prize',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField()),
                ('kind', models.CharField(choices=[('overall', 'overall'), ('rating', 'by rating'), ('unrated', 'without a rating'), ('people', 'people'), ('bots', 'bots'), ('club', 'of a club'), ('federation', 'of a federation'), ('label', 'of a category of the entries')], max_length=10)),
                ('rating_from', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('rating_below', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('text', models.CharField(blank=True, max_length=60)),
                ('amount', models.PositiveBigIntegerField(default=0)),
                ('words', models.CharField(blank=True, max_length=100)),
                ('fund', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='prizes', to='tournaments.prizefund')),
            ],
            options={
                'ordering': ['position'],
            },
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
        migrations.CreateModel(
            name='Prohibition',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('first_round', models.PositiveSmallIntegerField(default=1)),
                ('last_round', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('note', models.CharField(blank=True, max_length=100)),
                ('created_at', models.DateTimeField()),
                ('entries', models.ManyToManyField(related_name='prohibitions', to='tournaments.entry')),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='prohibitions', to='tournaments.event')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Rating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('centielo', models.IntegerField()),
                ('games', models.PositiveIntegerField(default=0)),
                ('wins', models.PositiveIntegerField(default=0)),
                ('draws', models.PositiveIntegerField(default=0)),
                ('peak_centielo', models.IntegerField()),
                ('last_at', models.DateTimeField(blank=True, null=True)),
                ('deviation_centielo', models.PositiveIntegerField(blank=True, null=True)),
                ('volatility_billionths', models.PositiveIntegerField(blank=True, null=True)),
                ('listed_elo', models.PositiveIntegerField(blank=True, null=True)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ratings', to='tournaments.player')),
                ('pool', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ratings', to='tournaments.pool')),
            ],
            options={
                'ordering': ['-centielo'],
            },
        ),
        migrations.CreateModel(
            name='Recomputation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('month', models.DateField(blank=True, null=True)),
                ('row', models.BigIntegerField()),
                ('version', models.PositiveIntegerField(default=1)),
                ('games_done', models.PositiveIntegerField(default=0)),
                ('games_total', models.PositiveIntegerField(default=0)),
                ('begun_at', models.DateTimeField()),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('attempts', models.PositiveIntegerField(default=0)),
                ('woken_at', models.DateTimeField(blank=True, null=True)),
                ('correction', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.correction')),
                ('pool', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='recomputations', to='tournaments.pool')),
            ],
            options={
                'ordering': ['-begun_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='Reminder',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('attempt', models.PositiveSmallIntegerField()),
                ('ply', models.PositiveSmallIntegerField()),
                ('hours', models.PositiveSmallIntegerField()),
                ('made_at', models.DateTimeField()),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reminders', to='tournaments.game')),
            ],
        ),
        migrations.CreateModel(
            name='Round',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('state', models.CharField(choices=[('draft', 'draft'), ('published', 'published'), ('closed', 'closed')], default='draft', max_length=10)),
                ('is_continuous', models.BooleanField(default=False)),
                ('report', models.TextField(blank=True)),
                ('problem', models.JSONField()),
                ('evidence', models.JSONField()),
                ('engine', models.CharField(max_length=40)),
                ('setup', models.CharField(blank=True, max_length=300)),
                ('setup_seed', models.CharField(blank=True, max_length=64)),
                ('drafted_at', models.DateTimeField()),
                ('edits', models.JSONField(default=list)),
                ('published_at', models.DateTimeField(blank=True, null=True)),
                ('starts_at', models.DateTimeField(blank=True, null=True)),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('closed_at', models.DateTimeField(blank=True, null=True)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rounds', to='tournaments.event')),
            ],
            options={
                'ordering': ['number'],
            },
        ),
        migrations.AddField(
            model_name='pairing',
            name='round',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='pairings', to='tournaments.round'),
        ),
        migrations.CreateModel(
            name='RoundTime',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('starts_at', models.DateTimeField()),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='round_times', to='tournaments.event')),
            ],
            options={
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='SandboxReport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('host', models.CharField(max_length=200)),
                ('queue', models.CharField(blank=True, max_length=20)),
                ('isolator', models.CharField(blank=True, max_length=20)),
                ('python', models.CharField(blank=True, max_length=40)),
                ('numpy', models.CharField(blank=True, max_length=40)),
                ('report', models.TextField(blank=True, max_length=10000)),
                ('checked_at', models.DateTimeField()),
            ],
            options={
                'ordering': ['host', 'queue'],
                'constraints': [models.UniqueConstraint(fields=('host', 'queue'), name='one_sandbox_report_of_a_host_and_queue')],
            },
        ),
        migrations.CreateModel(
            name='Seat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('first', 'first'), ('second', 'second'), ('pairing-bye', 'bye'), ('half-bye', 'half-point bye'), ('zero-bye', 'absent'), ('full-bye', 'full-point bye'), ('free', 'no opponent in this round'), ('through', 'bye'), ('out', 'eliminated'), ('forfeit-win', 'the opponent has left')], max_length=12)),
                ('absent', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.entry')),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='tournaments.entry')),
                ('pairing', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='tournaments.pairing')),
                ('round', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='tournaments.round')),
            ],
        ),
        migrations.CreateModel(
            name='Seek',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('clock_kind', models.CharField(choices=[('fischer', 'increment after each move'), ('delay', 'delay: the first seconds of each turn are free'), ('bank', 'correspondence bank'), ('unlimited', 'no clock')], default='fischer', max_length=9)),
                ('clock_initial_ms', models.PositiveIntegerField()),
                ('clock_increment_ms', models.PositiveIntegerField(default=0)),
                ('clock_cap_ms', models.PositiveIntegerField(blank=True, null=True)),
                ('ruleset', models.CharField(max_length=120)),
                ('is_rated', models.BooleanField(default=True)),
                ('centielo', models.PositiveIntegerField()),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('paired', 'Paired'), ('left', 'Left')], default='waiting', max_length=7)),
                ('made_at', models.DateTimeField()),
                ('seen_at', models.DateTimeField()),
                ('game', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='seeks', to='tournaments.game')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seeks', to='tournaments.player')),
            ],
            options={
                'ordering': ['made_at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Session',
            fields=[
                ('session_key', models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name='session key')),
                ('session_data', models.TextField(verbose_name='session data')),
                ('expire_date', models.DateTimeField(db_index=True, verbose_name='expire date')),
                ('seen_on', models.DateField(blank=True, null=True)),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='sessions', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'session',
                'verbose_name_plural': 'sessions',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Silence',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('until', models.DateTimeField()),
                ('made_at', models.DateTimeField()),
                ('line', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.chatline')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='silences', to='tournaments.player')),
                ('resolver', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-until'],
            },
        ),
        migrations.CreateModel(
            name='SprtTest',
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
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sprt_tests', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-created_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='SprtPair',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('score_halves', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('place', models.PositiveIntegerField(blank=True, null=True)),
                ('llr_millionths', models.BigIntegerField(blank=True, null=True)),
                ('is_repetition', models.BooleanField(default=False)),
                ('match', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='sprt_pair', to='tournaments.match')),
                ('sprt_test', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='pairs', to='tournaments.sprttest')),
            ],
            options={
                'ordering': ['sprt_test', 'number'],
            },
        ),
        migrations.CreateModel(
            name='StaffMember',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('deputy', 'deputy arbiter'), ('pairings', 'pairings'), ('results', 'results'), ('check-in', 'check-in')], max_length=8)),
                ('added_at', models.DateTimeField()),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='staff', to='tournaments.event')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='staff_roles', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
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
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('clock_kind', models.CharField(choices=[('fischer', 'increment after each move'), ('delay', 'delay: the first seconds of each turn are free'), ('bank', 'correspondence bank'), ('unlimited', 'no clock')], default='fischer', max_length=9)),
                ('clock_initial_ms', models.PositiveIntegerField()),
                ('clock_increment_ms', models.PositiveIntegerField(default=0)),
                ('clock_cap_ms', models.PositiveIntegerField(blank=True, null=True)),
                ('token', models.CharField(max_length=32, unique=True)),
                ('side', models.CharField(blank=True, choices=[('first', 'first'), ('second', 'second')], max_length=6)),
                ('ruleset', models.CharField(max_length=120)),
                ('is_rated', models.BooleanField(default=True)),
                ('state', models.CharField(choices=[('open', 'Open'), ('started', 'Started'), ('withdrawn', 'Withdrawn')], default='open', max_length=9)),
                ('made_at', models.DateTimeField()),
                ('game', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='invitation', to='tournaments.game')),
                ('host', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='invitations', to='tournaments.player')),
                ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='invitations_joined', to='tournaments.player')),
                ('study', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='invitations', to='tournaments.study')),
            ],
            options={
                'ordering': ['-made_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='Challenge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('clock_kind', models.CharField(choices=[('fischer', 'increment after each move'), ('delay', 'delay: the first seconds of each turn are free'), ('bank', 'correspondence bank'), ('unlimited', 'no clock')], default='fischer', max_length=9)),
                ('clock_initial_ms', models.PositiveIntegerField()),
                ('clock_increment_ms', models.PositiveIntegerField(default=0)),
                ('clock_cap_ms', models.PositiveIntegerField(blank=True, null=True)),
                ('ruleset', models.CharField(max_length=120)),
                ('is_rated', models.BooleanField(default=True)),
                ('side', models.CharField(blank=True, choices=[('first', 'first'), ('second', 'second')], max_length=6)),
                ('vote', models.CharField(blank=True, max_length=16)),
                ('state', models.CharField(choices=[('open', 'open'), ('accepted', 'accepted'), ('declined', 'declined'), ('withdrawn', 'withdrawn')], default='open', max_length=10)),
                ('created_at', models.DateTimeField()),
                ('challenger', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='challenges_sent', to='tournaments.player')),
                ('opponent', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='challenges_received', to='tournaments.player')),
                ('game', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='challenge', to='tournaments.game')),
                ('study', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='challenges', to='tournaments.study')),
            ],
            options={
                'ordering': ['-created_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='Suite',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('ruleset', models.CharField(max_length=120)),
                ('setups', models.TextField(max_length=500000)),
                ('count', models.PositiveSmallIntegerField()),
                ('created_at', models.DateTimeField()),
                ('owner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='suites', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['ruleset', 'name', 'pk'],
            },
        ),
        migrations.AddField(
            model_name='sprttest',
            name='suite',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='sprt_tests', to='tournaments.suite'),
        ),
        migrations.AddField(
            model_name='gauntlet',
            name='suite',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='gauntlets', to='tournaments.suite'),
        ),
        migrations.CreateModel(
            name='Throttle',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=90, unique=True)),
                ('tries', models.PositiveIntegerField(default=0)),
                ('until', models.DateTimeField(db_index=True)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('key__length__gte', 1), ('key__length__lte', 90)), name='throttle_has_a_key')],
            },
        ),
        migrations.CreateModel(
            name='NewsItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.PositiveIntegerField()),
                ('kind', models.CharField(max_length=20)),
                ('payload', models.JSONField()),
                ('happened_at', models.DateTimeField()),
                ('topic', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='items', to='tournaments.topic')),
            ],
            options={
                'ordering': ['topic', 'seq'],
            },
        ),
        migrations.CreateModel(
            name='Transcript',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('side', models.CharField(choices=[('first', 'first'), ('second', 'second')], max_length=6)),
                ('attempt', models.PositiveSmallIntegerField(default=1)),
                ('text', models.TextField(max_length=600000)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='transcripts', to='tournaments.game')),
            ],
            options={
                'ordering': ['game', 'attempt', 'side'],
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
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='vacations', to='tournaments.player')),
            ],
            options={
                'ordering': ['player', '-started_at'],
            },
        ),
        migrations.CreateModel(
            name='AnnulmentProgress',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('games_total', models.PositiveIntegerField()),
                ('games_done', models.PositiveIntegerField(default=0)),
                ('games_voided', models.PositiveIntegerField(default=0)),
                ('reached', models.BigIntegerField(default=0)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('woken_at', models.DateTimeField()),
                ('annulment', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='progress', to='tournaments.annulment')),
            ],
            options={
                'verbose_name_plural': 'progress of annulments',
                'ordering': ['-pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('games_voided__lte', models.F('games_done')), ('games_done__lte', models.F('games_total'))), name='annulment_within_total')],
            },
        ),
        migrations.CreateModel(
            name='RemoteBot',
            fields=[
                ('bot', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='remote', serialize=False, to='tournaments.bot')),
                ('seen_at', models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.AddField(
            model_name='sprttest',
            name='base',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sprt_tests_as_base', to='tournaments.bot'),
        ),
        migrations.AddField(
            model_name='sprttest',
            name='candidate',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sprt_tests', to='tournaments.bot'),
        ),
        migrations.AddField(
            model_name='gauntlet',
            name='candidate',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='gauntlets', to='tournaments.bot'),
        ),
        migrations.CreateModel(
            name='BotRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('open', 'waits for an answer'), ('granted', 'granted'), ('declined', 'declined')], default='open', max_length=8)),
                ('requested_at', models.DateTimeField()),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('asker', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='bot_requests', to=settings.AUTH_USER_MODEL)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='bot_requests', to='tournaments.event')),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='requests', to='tournaments.bot')),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.AddField(
            model_name='bot',
            name='line',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='versions', to='tournaments.botline'),
        ),
        migrations.AddField(
            model_name='bot',
            name='owner',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='bots', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='bot',
            name='program',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='bots', to='tournaments.program'),
        ),
        migrations.AddField(
            model_name='annulment',
            name='bot',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='annulments', to='tournaments.bot'),
        ),
        migrations.CreateModel(
            name='Guest',
            fields=[
                ('player', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='guest', serialize=False, to='tournaments.player')),
                ('browser', models.CharField(max_length=64, unique=True)),
                ('seen_at', models.DateTimeField(db_index=True)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('browser__length', 64)), name='guest_browser_is_a_hash')],
            },
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.UniqueConstraint(condition=models.Q(('kind', 'listed'), _negated=True), fields=('canonical',), name='player_name_once'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['person', 'guest', 'listed', 'bot', 'remote'])), name='player_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(('kind', 'person'), ('user__isnull', True), _connector='OR'), name='player_account_of_a_person'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(('name__length__gte', 1), ('name__length__lte', 40)), name='player_name_length'),
        ),
        migrations.AddField(
            model_name='botconsent',
            name='refused_accounts',
            field=models.ManyToManyField(blank=True, related_name='refusing_bots', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddConstraint(
            model_name='accesstoken',
            constraint=models.CheckConstraint(condition=models.Q(('name__length__gte', 1), ('name__length__lte', 60)), name='token_has_a_name'),
        ),
        migrations.AddConstraint(
            model_name='accesstoken',
            constraint=models.CheckConstraint(condition=models.Q(('digest__length', 64)), name='token_has_a_digest'),
        ),
        migrations.AddConstraint(
            model_name='accesstoken',
            constraint=models.CheckConstraint(condition=models.Q(('expires_at__gt', models.F('created_at'))), name='token_expires_after_creation'),
        ),
        migrations.AddConstraint(
            model_name='chatreport',
            constraint=models.UniqueConstraint(fields=('line', 'reporter'), name='chat_report_once'),
        ),
        migrations.AddConstraint(
            model_name='chatreport',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('resolved_at__isnull', True), ('resolver__isnull', True), ('verdict__isnull', True)), models.Q(('resolved_at__isnull', False), ('resolver__isnull', False), ('verdict__in', ['dismissed', 'hidden', 'silenced'])), _connector='OR'), name='chat_report_resolved_by_somebody'),
        ),
        migrations.AddIndex(
            model_name='email',
            index=models.Index(condition=models.Q(('state', 'waiting')), fields=['due_at'], name='email_waiting'),
        ),
        migrations.AddConstraint(
            model_name='byerequest',
            constraint=models.UniqueConstraint(fields=('entry', 'round_number'), name='bye_request_once'),
        ),
        migrations.AddConstraint(
            model_name='byerequest',
            constraint=models.CheckConstraint(condition=models.Q(('round_number__gte', 1), ('round_number__lte', 30)), name='bye_request_round_in_range'),
        ),
        migrations.AddConstraint(
            model_name='byerequest',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['half', 'zero', 'full'])), name='bye_request_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='award',
            constraint=models.UniqueConstraint(fields=('list', 'position'), name='award_position_once'),
        ),
        migrations.AddConstraint(
            model_name='award',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('amount', 0), ('words', ''), _negated=True), ('place__gte', 1)), name='award_is_something'),
        ),
        migrations.AddConstraint(
            model_name='entryclaim',
            constraint=models.UniqueConstraint(fields=('entry', 'player'), name='entry_claim_once'),
        ),
        migrations.AddConstraint(
            model_name='entryclaim',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'accepted')), fields=('entry',), name='entry_claim_accepted_once'),
        ),
        migrations.AddConstraint(
            model_name='entryclaim',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('answered_at__isnull', True), ('answered_by__isnull', True), ('state', 'open')), models.Q(('answered_at__isnull', False), ('answered_by__isnull', False), ('state__in', ['accepted', 'refused'])), _connector='OR'), name='entry_claim_answered_at_a_time'),
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(condition=models.Q(('state', 'registration')), fields=['starts_at'], name='event_starts'),
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(condition=models.Q(('state', 'running')), fields=['next_step_at'], name='event_due'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('rounds_total__lte', 400), models.Q(('rounds_total__gte', 1), ('format__in', ['arena', 'ladder']), _connector='OR')), name='event_rounds_in_range'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('max_entries__gte', 2), ('max_entries__lte', 5000)), name='event_entries_in_range'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('description__length__lte', 2000), ('name__length__gte', 1), ('name__length__lte', 80)), name='event_text_lengths'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['registration', 'running', 'finished', 'cancelled'])), name='event_state_known'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('admits__in', ['people', 'bots', 'both']), ('start_mode__in', ['publication', 'button', 'presence']), ('format__in', ['dutch', 'swiss', 'round-robin', 'knockout', 'double-knockout', 'groups-knockout', 'league', 'arena', 'ladder'])), name='event_words_known'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('cycles__in', [1, 2]), ('groups__gte', 1), ('promotion_places__gte', 0), ('qualifiers__gte', 1), ('seasons__gte', 1), ('seasons__lte', 100)), name='event_options_in_range'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('win_halves__gt', models.F('draw_halves')), ('win_halves__lte', 20), ('bye_halves__lte', models.F('win_halves')), ('draw_halves__gte', models.F('loss_halves'))), name='event_points_in_order'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('seed_commitment__length', 64), ('seed_secret__length', 64)), name='event_seed_is_committed'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('games_per_pairing', 1), models.Q(('format__in', ['dutch', 'swiss']), ('games_per_pairing', 2), ('is_accelerated', False)), _connector='OR'), name='event_mini_matches_in_a_swiss'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('is_over_the_board', False), models.Q(('clock_kind', 'unlimited'), ('is_automatic', False), ('is_rated', False)), _connector='OR'), name='event_over_the_board_by_hand'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('board_time', ''), ('is_over_the_board', True), _connector='OR'), name='event_board_time_over_the_board'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['registration', 'cancelled']), ('started_at__isnull', False), _connector='OR'), name='event_started_when_running'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('finished_at__isnull', False), ('state', 'finished')), models.Q(models.Q(('state', 'finished'), _negated=True), ('finished_at__isnull', True)), _connector='OR'), name='event_finished_when_finished'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('is_private', False), models.Q(('access_code', ''), _negated=True), _connector='OR'), name='event_private_has_a_code'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('min_centielo__isnull', True), ('max_centielo__isnull', True), ('min_centielo__lte', models.F('max_centielo')), _connector='OR'), name='event_rating_band_in_order'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('standing_pool', ''), ('format', 'ladder'), _connector='OR'), name='event_standing_ladder'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.UniqueConstraint(condition=models.Q(models.Q(('standing_pool', ''), _negated=True), ('state__in', ['registration', 'running'])), fields=('standing_pool',), name='event_one_standing_ladder'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('clock_cap_ms__isnull', True), ('clock_kind__in', ['fischer', 'delay', 'unlimited'])), models.Q(('clock_cap_ms__gte', models.F('clock_initial_ms')), ('clock_kind', 'bank'), ('clock_cap_ms__isnull', False)), _connector='OR'), name='event_clock_known'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.CheckConstraint(condition=models.Q(('federation', ''), ('federation__length', 3), _connector='OR'), name='entry_federation_code'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.CheckConstraint(condition=models.Q(('is_expelled', False), ('state', 'withdrawn'), _connector='OR'), name='entry_expelled_is_out'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.UniqueConstraint(fields=('event', 'player'), name='entry_once'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.UniqueConstraint(fields=('event', 'tpn'), name='entry_tpn_once'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state__in', ['active', 'requested', 'waiting']), ('withdrawn_at__isnull', True)), models.Q(('state', 'withdrawn'), ('withdrawn_at__isnull', False)), _connector='OR'), name='entry_withdrawn_at_a_time'),
        ),
        migrations.AddIndex(
            model_name='computation',
            index=models.Index(fields=['expires_at'], name='computation_expiry'),
        ),
        migrations.AddConstraint(
            model_name='computation',
            constraint=models.UniqueConstraint(fields=('event', 'name', 'arguments', 'build'), name='computation_once'),
        ),
        migrations.AddConstraint(
            model_name='computation',
            constraint=models.CheckConstraint(condition=models.Q(('value__isnull', True), ('computed_at__isnull', False), _connector='OR'), name='computation_value_when_computed'),
        ),
        migrations.AddConstraint(
            model_name='awardlist',
            constraint=models.UniqueConstraint(condition=models.Q(('taken_back_at__isnull', True)), fields=('event',), name='award_list_once'),
        ),
        migrations.AddConstraint(
            model_name='announcement',
            constraint=models.CheckConstraint(condition=models.Q(('text__length__gte', 1), ('text__length__lte', 500)), name='announcement_text_length'),
        ),
        migrations.AddIndex(
            model_name='forecast',
            index=models.Index(condition=models.Q(('state', 'open')), fields=['asked_at'], name='forecast_open'),
        ),
        migrations.AddConstraint(
            model_name='forecast',
            constraint=models.CheckConstraint(condition=models.Q(('key__length', 64)), name='forecast_key_of_its_length'),
        ),
        migrations.AddConstraint(
            model_name='forecast',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('answer__isnull', True), ('computed_at__isnull', True), ('state', 'open')), models.Q(('answer__isnull', False), ('computed_at__isnull', False), ('state', 'done')), models.Q(('answer__isnull', True), ('state', 'failed'), models.Q(('error', ''), _negated=True)), _connector='OR'), name='forecast_answer_when_done'),
        ),
        migrations.AddConstraint(
            model_name='fuelcheck',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('checked_at__isnull', True), ('verdict', 'open')), models.Q(('checked_at__isnull', False), ('verdict__in', ['confirmed', 'different', 'undecided'])), _connector='OR'), name='fuel_check_has_a_moment'),
        ),
        migrations.AddConstraint(
            model_name='evaluation',
            constraint=models.UniqueConstraint(fields=('game', 'attempt', 'number'), name='evaluation_once'),
        ),
        migrations.AddConstraint(
            model_name='evaluation',
            constraint=models.CheckConstraint(condition=models.Q(('attempt__gte', 1), ('number__gte', 1)), name='evaluation_of_a_ply'),
        ),
        migrations.AddConstraint(
            model_name='evaluation',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('score_cp__isnull', True), models.Q(('score_cp__gte', -1000000), ('score_cp__lte', 1000000)), _connector='OR'), models.Q(('depth__isnull', True), ('depth__lte', 10000), _connector='OR'), ('line__length__lte', 400), ('text__length__lte', 200)), name='evaluation_within_bounds'),
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
        migrations.AddConstraint(
            model_name='conditional',
            constraint=models.UniqueConstraint(fields=('game', 'side'), name='conditional_once_a_side'),
        ),
        migrations.AddConstraint(
            model_name='conditional',
            constraint=models.CheckConstraint(condition=models.Q(('side__in', ['first', 'second']), ('tree__length__gte', 1), ('tree__length__lte', 20000)), name='conditional_in_bounds'),
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
            constraint=models.CheckConstraint(condition=models.Q(('ply__gte', 1), ('seq__gte', 1), ('side__in', ['first', 'second']), ('reason__in', ['outage', 'vacation', 'grace', 'delay', 'lag', 'floor', 'spent', 'increment', 'cap', 'gift', 'arbiter', 'takeback', 'flag'])), name='charge_words_known'),
        ),
        migrations.AddIndex(
            model_name='chatline',
            index=models.Index(fields=['author', '-made_at'], name='chat_of_author'),
        ),
        migrations.AddConstraint(
            model_name='chatline',
            constraint=models.CheckConstraint(condition=models.Q(('room__in', ['players', 'spectators']), ('text__length__gte', 1), ('text__length__lte', 300)), name='chat_line_in_bounds'),
        ),
        migrations.AddConstraint(
            model_name='inbox',
            constraint=models.CheckConstraint(condition=models.Q(('is_confirmed', False), models.Q(('address', ''), _negated=True), _connector='OR'), name='inbox_confirmed_address'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(models.F('due_at'), condition=models.Q(('state__in', ['queued', 'leased'])), name='match_due'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(models.F('id'), condition=models.Q(('repeats_left__gt', 0), ('state', 'done')), name='match_to_repeat'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(models.F('ended_at'), condition=models.Q(('ended_at__isnull', False)), name='match_ended'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.CheckConstraint(condition=models.Q(('losses__lte', 3), ('losses__lte', models.F('attempt'))), name='match_losses_bounded'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['queued', 'leased', 'done', 'failed'])), name='match_state_known'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('lease_until__isnull', False), ('state', 'leased')), models.Q(models.Q(('state', 'leased'), _negated=True), ('lease_until__isnull', True)), _connector='OR'), name='match_leased_until'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.CheckConstraint(condition=models.Q(('ended_at__isnull', True), ('began_at__lte', models.F('ended_at')), _connector='OR'), name='match_begins_before_it_ends'),
        ),
        migrations.AddConstraint(
            model_name='gauntletpair',
            constraint=models.UniqueConstraint(fields=('opponent', 'number'), name='gauntlet_pair_once'),
        ),
        migrations.AddConstraint(
            model_name='gauntletpair',
            constraint=models.CheckConstraint(condition=models.Q(('score_halves__isnull', True), ('score_halves__lte', 4), _connector='OR'), name='gauntlet_pair_score'),
        ),
        migrations.AddConstraint(
            model_name='mute',
            constraint=models.UniqueConstraint(fields=('player', 'muted'), name='mute_once'),
        ),
        migrations.AddConstraint(
            model_name='mute',
            constraint=models.CheckConstraint(condition=models.Q(('player', models.F('muted')), _negated=True), name='mute_not_oneself'),
        ),
        migrations.AddConstraint(
            model_name='note',
            constraint=models.UniqueConstraint(fields=('game', 'player'), name='note_once_a_game'),
        ),
        migrations.AddConstraint(
            model_name='note',
            constraint=models.CheckConstraint(condition=models.Q(('text__length__gte', 1), ('text__length__lte', 5000)), name='note_in_bounds'),
        ),
        migrations.AddConstraint(
            model_name='offer',
            constraint=models.UniqueConstraint(fields=('game', 'attempt', 'kind', 'side', 'ply'), name='offer_once_a_ply'),
        ),
        migrations.AddConstraint(
            model_name='offer',
            constraint=models.UniqueConstraint(condition=models.Q(('answer__isnull', True)), fields=('game',), name='offer_open_once'),
        ),
        migrations.AddConstraint(
            model_name='offer',
            constraint=models.UniqueConstraint(condition=models.Q(('next_game__isnull', False)), fields=('game',), name='offer_one_rematch_a_game'),
        ),
        migrations.AddConstraint(
            model_name='offer',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['end', 'draw', 'time', 'rematch', 'takeback']), ('side__in', ['first', 'second'])), name='offer_words_known'),
        ),
        migrations.AddConstraint(
            model_name='offer',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('answer__isnull', True), ('answered_at__isnull', True)), models.Q(('answer__in', ['accepted', 'declined', 'withdrawn', 'lapsed']), ('answered_at__isnull', False)), _connector='OR'), name='offer_answered_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='offer',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('answer', 'accepted'), ('given_ms__gte', 1), ('kind', 'time')), models.Q(models.Q(('kind', 'time'), _negated=True), ('given_ms__isnull', True)), _connector='OR'), name='offer_time_is_given_at_once'),
        ),
        migrations.AddConstraint(
            model_name='offer',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('answer', 'accepted'), ('kind', 'rematch'), ('next_game__isnull', False)), models.Q(models.Q(('answer', 'accepted'), ('kind', 'rematch'), _negated=True), ('next_game__isnull', True)), models.Q(('answer__isnull', True), ('next_game__isnull', True)), _connector='OR'), name='offer_rematch_is_a_game'),
        ),
        migrations.AddConstraint(
            model_name='playerreport',
            constraint=models.UniqueConstraint(condition=models.Q(('resolved_at__isnull', True)), fields=('reported', 'reporter'), name='player_report_open_once'),
        ),
        migrations.AddConstraint(
            model_name='playerreport',
            constraint=models.CheckConstraint(condition=models.Q(('reported', models.F('reporter')), _negated=True), name='player_report_not_oneself'),
        ),
        migrations.AddConstraint(
            model_name='playerreport',
            constraint=models.CheckConstraint(condition=models.Q(('text__length__gte', 1), ('text__length__lte', 500)), name='player_report_in_bounds'),
        ),
        migrations.AddConstraint(
            model_name='playerreport',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('resolved_at__isnull', True), ('resolver__isnull', True)), models.Q(('resolved_at__isnull', False), ('resolver__isnull', False)), _connector='OR'), name='player_report_resolved_by_somebody'),
        ),
        migrations.AddConstraint(
            model_name='ply',
            constraint=models.UniqueConstraint(fields=('game', 'attempt', 'number'), name='ply_once'),
        ),
        migrations.AddConstraint(
            model_name='ply',
            constraint=models.UniqueConstraint(fields=('game', 'client_key'), name='ply_client_key_once'),
        ),
        migrations.AddConstraint(
            model_name='ply',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='ply_counts_from_one'),
        ),
        migrations.AddConstraint(
            model_name='ply',
            constraint=models.CheckConstraint(condition=models.Q(('side__in', ['first', 'second'])), name='ply_side_known'),
        ),
        migrations.AddConstraint(
            model_name='ply',
            constraint=models.CheckConstraint(condition=models.Q(('move__length__gte', 1), ('move__length__lte', 200)), name='ply_move_length'),
        ),
        migrations.AddConstraint(
            model_name='pairtally',
            constraint=models.UniqueConstraint(fields=('pool', 'first', 'second'), name='pair_counted_once'),
        ),
        migrations.AddIndex(
            model_name='ledgerentry',
            index=models.Index(condition=models.Q(('kind', 'reversal')), fields=['pool', 'player', 'seq'], name='ledger_reversals'),
        ),
        migrations.AddConstraint(
            model_name='ledgerentry',
            constraint=models.UniqueConstraint(condition=models.Q(('kind', 'reversal'), _negated=True), fields=('game', 'side', 'revision'), name='ledger_once_a_game_and_side'),
        ),
        migrations.AddConstraint(
            model_name='ledgerentry',
            constraint=models.UniqueConstraint(condition=models.Q(('game__isnull', True), models.Q(('kind', 'reversal'), _negated=True)), fields=('pool', 'player', 'period', 'revision'), name='ledger_once_a_month'),
        ),
        migrations.AddConstraint(
            model_name='ledgerentry',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind__in', ['game', 'period']), ('reverses__isnull', True), ('revision', 1)), models.Q(('kind', 'reversal'), ('reverses__isnull', False)), models.Q(('kind', 're-entry'), ('reverses__isnull', True), ('revision__gte', 2)), _connector='OR'), name='ledger_kind_and_revision'),
        ),
        migrations.AddConstraint(
            model_name='ledgerentry',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('game__isnull', False), ('side__in', ['first', 'second']), models.Q(('kind', 'period'), _negated=True)), models.Q(('game__isnull', True), ('period__isnull', False), ('side', ''), models.Q(('kind', 'game'), _negated=True)), _connector='OR'), name='ledger_of_a_game_or_month'),
        ),
        migrations.AddConstraint(
            model_name='ledgerentry',
            constraint=models.UniqueConstraint(fields=('pool', 'player', 'seq'), name='ledger_seq_once'),
        ),
        migrations.AddConstraint(
            model_name='ledgerentry',
            constraint=models.CheckConstraint(condition=models.Q(('after_centielo', django.db.models.expressions.CombinedExpression(models.F('before_centielo'), '+', models.F('delta_centielo')))), name='ledger_adds_up'),
        ),
        migrations.AddConstraint(
            model_name='ledgerentry',
            constraint=models.CheckConstraint(condition=models.Q(('score_halves__in', [0, 1, 2])), name='ledger_score_known'),
        ),
        migrations.AddConstraint(
            model_name='ledgerentry',
            constraint=models.CheckConstraint(condition=models.Q(('expected_millionths__lte', 1000000)), name='ledger_expectation_in_range'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('result__isnull', True)), fields=['deadline_at'], name='game_deadlines'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('no_show_at__isnull', False), ('result__isnull', True)), fields=['no_show_at'], name='game_no_shows'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(fields=['first', '-ended_at'], name='game_of_first'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(fields=['second', '-ended_at'], name='game_of_second'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('result__isnull', False)), fields=['-ended_at'], name='game_latest_results'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('first', models.F('second')), _negated=True), name='game_two_players'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at__isnull', True), ('ending__isnull', True), ('result__isnull', True)), models.Q(('ended_at__isnull', False), ('ending__isnull', False), ('result__in', ['first', 'second', 'draw', 'void', 'first-forfeit', 'second-forfeit', 'double-forfeit'])), _connector='OR'), name='game_result_with_its_ending'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('result__isnull', True), ('deadline_at__isnull', True), _connector='OR'), name='game_finished_has_no_deadline'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('attempt__gte', 1)), name='game_attempts_count_from_one'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('side_to_move__in', ['first', 'second'])), name='game_side_known'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('position__length__lte', 4096), ('setup__length__lte', 4105)), name='game_text_lengths'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1), ('number__lte', 9)), name='game_number_in_pairing'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('predicted_by__isnull', True), ('predicted_millionths__isnull', True)), models.Q(('predicted_by__isnull', False), ('predicted_millionths__isnull', False), ('predicted_millionths__lte', 1000000)), _connector='OR'), name='game_prediction_in_range'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('is_rated', False), ('pool__isnull', False), _connector='OR'), name='game_rated_in_a_pool'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('opening_plies', 0), models.Q(('is_rated', False), ('ply__gte', models.F('opening_plies'))), _connector='OR'), name='game_after_an_opening_is_casual'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('is_rated', False), models.Q(('setup__startswith', 'position='), _negated=True), _connector='OR'), name='game_from_a_position_is_casual'),
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
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('resumes_at__isnull', True), ('stopped_at__isnull', True)), models.Q(('deadline_at__isnull', True), ('result__isnull', True), ('stopped_at__isnull', False)), _connector='OR'), name='game_stopped_has_no_deadline'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('clock_cap_ms__isnull', True), ('clock_kind__in', ['fischer', 'delay', 'unlimited'])), models.Q(('clock_cap_ms__gte', models.F('clock_initial_ms')), ('clock_kind', 'bank'), ('clock_cap_ms__isnull', False)), _connector='OR'), name='game_clock_known'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('clock_kind', 'unlimited'), _negated=True), models.Q(('deadline_at__isnull', True), ('is_rated', False)), _connector='OR'), name='game_unlimited_is_casual'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.UniqueConstraint(fields=('pairing', 'number'), name='game_once_a_pairing'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.UniqueConstraint(fields=('match', 'number'), name='game_once_a_match'),
        ),
        migrations.AddConstraint(
            model_name='prizefund',
            constraint=models.CheckConstraint(condition=models.Q(('sharing__in', ['none', 'equal', 'hort'])), name='prize_sharing_known'),
        ),
        migrations.AddConstraint(
            model_name='prizefund',
            constraint=models.CheckConstraint(condition=models.Q(('currency__length', 3), ('rounding__gte', 1)), name='prize_money_counts'),
        ),
        migrations.AddConstraint(
            model_name='prize',
            constraint=models.UniqueConstraint(fields=('fund', 'position'), name='prize_position_once'),
        ),
        migrations.AddConstraint(
            model_name='prize',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('amount', 0), ('words', ''), _negated=True), ('amount__lte', 1000000000000)), name='prize_is_something'),
        ),
        migrations.AddConstraint(
            model_name='prize',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind__in', ['overall', 'unrated', 'people', 'bots']), ('rating_below__isnull', True), ('rating_from__isnull', True), ('text', '')), models.Q(('kind', 'rating'), ('text', ''), models.Q(('rating_from__isnull', False), ('rating_below__isnull', False), _connector='OR')), models.Q(('kind__in', ['club', 'federation', 'label']), ('rating_below__isnull', True), ('rating_from__isnull', True), models.Q(('text', ''), _negated=True)), _connector='OR'), name='prize_category_known'),
        ),
        migrations.AddConstraint(
            model_name='prohibition',
            constraint=models.CheckConstraint(condition=models.Q(('first_round__gte', 1), models.Q(('last_round__isnull', True), ('last_round__gte', models.F('first_round')), _connector='OR')), name='prohibition_rounds_in_order'),
        ),
        migrations.AddConstraint(
            model_name='rating',
            constraint=models.UniqueConstraint(fields=('pool', 'player'), name='rating_once'),
        ),
        migrations.AddConstraint(
            model_name='rating',
            constraint=models.CheckConstraint(condition=models.Q(('games__gte', django.db.models.expressions.CombinedExpression(models.F('wins'), '+', models.F('draws')))), name='rating_counts_add_up'),
        ),
        migrations.AddConstraint(
            model_name='recomputation',
            constraint=models.UniqueConstraint(condition=models.Q(('finished_at', None)), fields=('pool',), name='recomputation_one_a_pool'),
        ),
        migrations.AddConstraint(
            model_name='recomputation',
            constraint=models.CheckConstraint(condition=models.Q(('games_total', 0), ('games_done__lte', models.F('games_total')), _connector='OR'), name='recomputation_within_total'),
        ),
        migrations.AddConstraint(
            model_name='reminder',
            constraint=models.UniqueConstraint(fields=('game', 'attempt', 'ply', 'hours'), name='reminder_once_a_threshold'),
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.UniqueConstraint(fields=('event', 'number'), name='round_number_once'),
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.UniqueConstraint(condition=models.Q(models.Q(('state', 'closed'), _negated=True), ('is_continuous', False)), fields=('event',), name='round_one_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1), models.Q(('number__lte', 400), ('is_continuous', True), _connector='OR')), name='round_number_in_range'),
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('closed_at__isnull', True), ('published_at__isnull', True), ('state', 'draft')), models.Q(('closed_at__isnull', True), ('published_at__isnull', False), ('state', 'published')), models.Q(('closed_at__isnull', False), ('published_at__isnull', False), ('state', 'closed')), _connector='OR'), name='round_state_and_times'),
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.CheckConstraint(condition=models.Q(('state', 'published'), models.Q(('started_at__isnull', True), ('state', 'draft')), models.Q(('started_at__isnull', False), ('state', 'closed')), _connector='OR'), name='round_started_when_published'),
        ),
        migrations.AddConstraint(
            model_name='pairing',
            constraint=models.UniqueConstraint(fields=('round', 'board'), name='pairing_board_once'),
        ),
        migrations.AddConstraint(
            model_name='pairing',
            constraint=models.UniqueConstraint(condition=models.Q(('is_met', True)), fields=('event', 'low', 'high', 'encounter'), name='pairing_no_rematch'),
        ),
        migrations.AddConstraint(
            model_name='pairing',
            constraint=models.CheckConstraint(condition=models.Q(('low__lt', models.F('high'))), name='pairing_low_below_high'),
        ),
        migrations.AddConstraint(
            model_name='pairing',
            constraint=models.CheckConstraint(condition=models.Q(('entered_result__in', ['', 'first', 'second', 'draw', 'first-forfeit', 'second-forfeit', 'double-forfeit']), ('entered_second_result__in', ['', 'first', 'second', 'draw', 'first-forfeit', 'second-forfeit', 'double-forfeit'])), name='pairing_entered_result_known'),
        ),
        migrations.AddConstraint(
            model_name='pairing',
            constraint=models.CheckConstraint(condition=models.Q(('goes_through__isnull', True), ('goes_through', models.F('low')), ('goes_through', models.F('high')), _connector='OR'), name='pairing_one_of_two_goes_through'),
        ),
        migrations.AddConstraint(
            model_name='pairing',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('first', models.F('low')), ('second', models.F('high'))), models.Q(('first', models.F('high')), ('second', models.F('low'))), _connector='OR'), name='pairing_same_two'),
        ),
        migrations.AddConstraint(
            model_name='roundtime',
            constraint=models.UniqueConstraint(fields=('event', 'number'), name='round_time_once'),
        ),
        migrations.AddConstraint(
            model_name='roundtime',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='round_time_from_one'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(fields=('round', 'entry'), name='seat_once_a_round'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(fields=('pairing', 'kind'), name='seat_once_a_side'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(condition=models.Q(('kind', 'pairing-bye')), fields=('entry',), name='seat_pairing_bye_once_an_event'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind__in', ['first', 'second']), ('pairing__isnull', False)), models.Q(('kind__in', ['pairing-bye', 'half-bye', 'zero-bye', 'full-bye', 'free', 'through', 'out', 'forfeit-win']), ('pairing__isnull', True)), _connector='OR'), name='seat_at_a_board_or_not'),
        ),
        migrations.AddConstraint(
            model_name='seek',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('clock_cap_ms__isnull', True), ('clock_kind__in', ['fischer', 'delay', 'unlimited'])), models.Q(('clock_cap_ms__gte', models.F('clock_initial_ms')), ('clock_kind', 'bank'), ('clock_cap_ms__isnull', False)), _connector='OR'), name='seek_clock_known'),
        ),
        migrations.AddConstraint(
            model_name='seek',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'waiting')), fields=('player',), name='seek_waits_once'),
        ),
        migrations.AddConstraint(
            model_name='seek',
            constraint=models.UniqueConstraint(fields=('game', 'player'), name='seek_one_seat_a_game'),
        ),
        migrations.AddConstraint(
            model_name='seek',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('game__isnull', False), ('state', 'paired')), models.Q(('game__isnull', True), ('state__in', ['waiting', 'left'])), _connector='OR'), name='seek_paired_is_a_game'),
        ),
        migrations.AddConstraint(
            model_name='sprtpair',
            constraint=models.UniqueConstraint(fields=('sprt_test', 'number'), name='sprt_pair_once'),
        ),
        migrations.AddConstraint(
            model_name='sprtpair',
            constraint=models.UniqueConstraint(fields=('sprt_test', 'place'), name='sprt_pair_ended_in_order'),
        ),
        migrations.AddConstraint(
            model_name='sprtpair',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('place__isnull', True), ('score_halves__isnull', True)), models.Q(('llr_millionths__isnull', False), ('place__gte', 1), ('score_halves__lte', 4)), _connector='OR'), name='sprt_pair_counted_whole'),
        ),
        migrations.AddConstraint(
            model_name='staffmember',
            constraint=models.UniqueConstraint(fields=('event', 'user'), name='staff_member_once'),
        ),
        migrations.AddConstraint(
            model_name='staffmember',
            constraint=models.CheckConstraint(condition=models.Q(('role__in', ['deputy', 'pairings', 'results', 'check-in'])), name='staff_role_known'),
        ),
        migrations.AddIndex(
            model_name='study',
            index=models.Index(fields=['created_at'], name='study_by_day'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(('key__length', 10)), name='study_key_of_its_length'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(('start__length__gte', 1), ('start__length__lte', 4096)), name='study_begins_somewhere'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(('tree__length__lte', 60000)), name='study_tree_length'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('clock_cap_ms__isnull', True), ('clock_kind__in', ['fischer', 'delay', 'unlimited'])), models.Q(('clock_cap_ms__gte', models.F('clock_initial_ms')), ('clock_kind', 'bank'), ('clock_cap_ms__isnull', False)), _connector='OR'), name='invitation_clock_known'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('game__isnull', False), ('player__isnull', False), ('state', 'started')), models.Q(('game__isnull', True), ('state__in', ['open', 'withdrawn'])), _connector='OR'), name='invitation_started_is_a_game'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.CheckConstraint(condition=models.Q(('side__in', ['', 'first', 'second']), ('token__length__gte', 16)), name='invitation_words_known'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.CheckConstraint(condition=models.Q(('study__isnull', True), ('is_rated', False), _connector='OR'), name='invitation_from_a_position_is_casual'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.CheckConstraint(condition=models.Q(('side', ''), ('player', models.F('host')), _connector='OR'), name='invitation_side_of_the_host'),
        ),
        migrations.AddConstraint(
            model_name='challenge',
            constraint=models.CheckConstraint(condition=models.Q(('opponent__isnull', True), models.Q(('challenger', models.F('opponent')), _negated=True), _connector='OR'), name='challenge_not_oneself'),
        ),
        migrations.AddConstraint(
            model_name='challenge',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['open', 'accepted', 'declined', 'withdrawn']), ('side__in', ['', 'first', 'second'])), name='challenge_words_known'),
        ),
        migrations.AddConstraint(
            model_name='challenge',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('game__isnull', False), ('state', 'accepted')), models.Q(models.Q(('state', 'accepted'), _negated=True), ('game__isnull', True)), _connector='OR'), name='challenge_accepted_is_a_game'),
        ),
        migrations.AddConstraint(
            model_name='challenge',
            constraint=models.CheckConstraint(condition=models.Q(('study__isnull', True), models.Q(('is_rated', False), ('vote', '')), _connector='OR'), name='challenge_from_a_position_is_casual'),
        ),
        migrations.AddConstraint(
            model_name='challenge',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('clock_cap_ms__isnull', True), ('clock_kind__in', ['fischer', 'delay', 'unlimited'])), models.Q(('clock_cap_ms__gte', models.F('clock_initial_ms')), ('clock_kind', 'bank'), ('clock_cap_ms__isnull', False)), _connector='OR'), name='challenge_clock_known'),
        ),
        migrations.AddConstraint(
            model_name='suite',
            constraint=models.UniqueConstraint(fields=('owner', 'ruleset', 'name'), name='suite_name_once_an_author'),
        ),
        migrations.AddConstraint(
            model_name='suite',
            constraint=models.UniqueConstraint(condition=models.Q(('owner__isnull', True)), fields=('ruleset', 'name'), name='suite_of_the_house_once'),
        ),
        migrations.AddConstraint(
            model_name='suite',
            constraint=models.CheckConstraint(condition=models.Q(('name__length__gte', 1), ('name__length__lte', 60)), name='suite_has_a_name'),
        ),
        migrations.AddConstraint(
            model_name='suite',
            constraint=models.CheckConstraint(condition=models.Q(('count__gte', 1), ('count__lte', 1000), ('setups__length__gte', 1), ('setups__length__lte', 500000)), name='suite_within_bounds'),
        ),
        migrations.AddConstraint(
            model_name='newsitem',
            constraint=models.UniqueConstraint(fields=('topic', 'seq'), name='news_seq_once'),
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
            model_name='vacation',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('player',), name='vacation_one_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='vacation',
            constraint=models.CheckConstraint(condition=models.Q(('days__gte', 1), ('days__lte', 366), ('ends_at__gt', models.F('started_at')), models.Q(('ended_at__isnull', True), ('ended_at__gte', models.F('started_at')), _connector='OR')), name='vacation_days_in_order'),
        ),
        migrations.AddField(
            model_name='remotebot',
            name='module',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='remote_bots', to='tournaments.program'),
        ),
        migrations.AddConstraint(
            model_name='sprttest',
            constraint=models.CheckConstraint(condition=models.Q(('candidate', models.F('base')), _negated=True), name='sprt_test_of_two_bots'),
        ),
        migrations.AddConstraint(
            model_name='sprttest',
            constraint=models.CheckConstraint(condition=models.Q(('elo0_centielo__lt', models.F('elo1_centielo')), ('alpha_thousandths__gte', 1), ('alpha_thousandths__lt', 500), ('beta_thousandths__gte', 1), ('beta_thousandths__lt', 500), ('max_pairs__gte', 10), ('max_pairs__lte', 20000)), name='sprt_test_bounds_in_order'),
        ),
        migrations.AddConstraint(
            model_name='sprttest',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at__isnull', True), ('state', 'running')), models.Q(models.Q(('state', 'running'), _negated=True), ('ended_at__isnull', False)), _connector='OR'), name='sprt_test_ended_when_over'),
        ),
        migrations.AddConstraint(
            model_name='gauntletopponent',
            constraint=models.UniqueConstraint(fields=('gauntlet', 'bot'), name='gauntlet_opponent_once'),
        ),
        migrations.AddConstraint(
            model_name='gauntlet',
            constraint=models.CheckConstraint(condition=models.Q(('pairs_each__gte', 1), ('pairs_each__lte', 100)), name='gauntlet_pairs_bounded'),
        ),
        migrations.AddConstraint(
            model_name='gauntlet',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at__isnull', True), ('state', 'running')), models.Q(('ended_at__isnull', False), ('state__in', ['done', 'stopped'])), _connector='OR'), name='gauntlet_ended_when_over'),
        ),
        migrations.AddConstraint(
            model_name='botrequest',
            constraint=models.UniqueConstraint(fields=('event', 'bot'), name='bot_request_once'),
        ),
        migrations.AddConstraint(
            model_name='botrequest',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('answered_at__isnull', True), ('state', 'open')), models.Q(('answered_at__isnull', False), ('state__in', ['granted', 'declined'])), _connector='OR'), name='bot_request_has_an_answer'),
        ),
        migrations.AddConstraint(
            model_name='bot',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('line__isnull', True), ('program__isnull', True), ('version__isnull', True), models.Q(('engine', ''), _negated=True)), models.Q(('engine', ''), ('line__isnull', False), ('program__isnull', False), ('version__gte', 1)), models.Q(('engine', ''), ('line__isnull', False), ('program__isnull', True), ('version', 1)), _connector='OR'), name='bot_is_ours_or_a_version'),
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
        migrations.AddConstraint(
            model_name='bot',
            constraint=models.UniqueConstraint(fields=('owner', 'upload_key'), name='bot_uploaded_once'),
        ),
        migrations.AddConstraint(
            model_name='bot',
            constraint=models.CheckConstraint(condition=models.Q(('takes_over', False), ('state__in', ['checking', 'ready']), _connector='OR'), name='bot_takes_over_when_ready'),
        ),
        migrations.AddConstraint(
            model_name='annulment',
            constraint=models.CheckConstraint(condition=models.Q(('reason__length__gte', 1), ('reason__length__lte', 200)), name='annulment_has_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='botconsent',
            constraint=models.CheckConstraint(condition=models.Q(('least_ms__gte', 1000), ('least_ms__lte', models.F('most_ms')), ('least_increment_ms__lte', models.F('most_increment_ms'))), name='bot_consent_clocks_in_order'),
        ),
        migrations.AddConstraint(
            model_name='botconsent',
            constraint=models.CheckConstraint(condition=models.Q(('max_games__gte', 1), ('max_games__lte', 64)), name='bot_consent_games_bounded'),
        ),
        migrations.AddConstraint(
            model_name='botconsent',
            constraint=models.CheckConstraint(condition=models.Q(('opponents__in', ['everybody', 'people', 'bots'])), name='bot_consent_opponents_known'),
        ),
    ]
