"""What the sides of a game offer each other, answered once; new causes of an end."""

import django.db.models.deletion
from django.db import migrations, models


# What never changes in an offer; the answer comes once.
FIXED = ["game_id", "kind", "side", "attempt", "ply", "given_ms", "made_at"]


def _sqlite():
    fixed = " OR ".join(f"NEW.{column} IS NOT OLD.{column}" for column in FIXED)
    return [
        "CREATE TRIGGER offer_no_delete BEFORE DELETE ON tournaments_offer "
        "BEGIN SELECT RAISE(ABORT, 'offer is append-only'); END",
        "CREATE TRIGGER offer_answered_once BEFORE UPDATE ON tournaments_offer "
        f"WHEN OLD.answer IS NOT NULL OR {fixed} "
        "BEGIN SELECT RAISE(ABORT, 'an offer is answered once'); END",
    ]


def _postgresql():
    new, old = (", ".join(f"{row}.{column}" for column in FIXED) for row in ("NEW", "OLD"))
    return [
        "CREATE TRIGGER offer_no_delete BEFORE DELETE ON tournaments_offer "
        "FOR EACH ROW EXECUTE FUNCTION rayuela_append_only()",
        "CREATE TRIGGER offer_answered_once BEFORE UPDATE ON tournaments_offer FOR EACH ROW "
        f"WHEN (OLD.answer IS NOT NULL OR ({new}) IS DISTINCT FROM ({old})) "
        "EXECUTE FUNCTION rayuela_append_only()",
    ]


def add(apps, schema_editor):
    make = {"sqlite": _sqlite, "postgresql": _postgresql}[schema_editor.connection.vendor]
    for statement in make():
        schema_editor.execute(statement, params=None)


def remove(apps, schema_editor):
    """The way back: triggers go with their table."""


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0020_fuel_meters'),
    ]

    operations = [
        migrations.AlterField(
            model_name='game',
            name='ending',
            field=models.CharField(blank=True, choices=[('rules', 'by the rules'), ('agreement', 'by agreement'), ('resignation', 'by resignation'), ('draw-agreed', 'agreed by both'), ('time', 'on time'), ('aborted', 'aborted before it began'), ('crash', 'the bot crashed'), ('illegal-move', 'by an illegal move'), ('flood', 'the bot wrote too much'), ('protocol', 'the bot broke the protocol'), ('fault', 'by a fault of the service')], max_length=12, null=True),
        ),
        migrations.CreateModel(
            name='Offer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('end', 'to end the game now'), ('draw', 'a draw'), ('time', 'more time'), ('rematch', 'a rematch')], max_length=7)),
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
                'constraints': [models.UniqueConstraint(fields=('game', 'attempt', 'kind', 'side', 'ply'), name='offer_once_a_ply'), models.UniqueConstraint(condition=models.Q(('answer__isnull', True)), fields=('game',), name='offer_open_once'), models.UniqueConstraint(condition=models.Q(('next_game__isnull', False)), fields=('game',), name='offer_one_rematch_a_game'), models.CheckConstraint(condition=models.Q(('kind__in', ['end', 'draw', 'time', 'rematch']), ('side__in', ['first', 'second'])), name='offer_words_known'), models.CheckConstraint(condition=models.Q(models.Q(('answer__isnull', True), ('answered_at__isnull', True)), models.Q(('answer__in', ['accepted', 'declined', 'withdrawn', 'lapsed']), ('answered_at__isnull', False)), _connector='OR'), name='offer_answered_at_a_time'), models.CheckConstraint(condition=models.Q(models.Q(('answer', 'accepted'), ('given_ms__gte', 1), ('kind', 'time')), models.Q(models.Q(('kind', 'time'), _negated=True), ('given_ms__isnull', True)), _connector='OR'), name='offer_time_is_given_at_once'), models.CheckConstraint(condition=models.Q(models.Q(('answer', 'accepted'), ('kind', 'rematch'), ('next_game__isnull', False)), models.Q(models.Q(('answer', 'accepted'), ('kind', 'rematch'), _negated=True), ('next_game__isnull', True)), models.Q(('answer__isnull', True), ('next_game__isnull', True)), _connector='OR'), name='offer_rematch_is_a_game')],
            },
        ),
        migrations.RunPython(add, remove),
    ]
