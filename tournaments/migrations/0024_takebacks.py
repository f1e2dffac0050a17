"""A fourth thing to offer: that plies are taken back."""

from importlib import import_module

from django.db import migrations, models

_guards = import_module("tournaments.migrations.0021_offers")


def nothing(apps, schema_editor):
    """The other direction has its own step."""


def guard(apps, schema_editor):
    """SQLite has made the table of offers anew and dropped its triggers with the old one."""
    if schema_editor.connection.vendor == "sqlite":
        for statement in _guards._sqlite():
            schema_editor.execute(statement, params=None)


def require_none(apps, schema_editor):
    """The way back is closed once somebody has asked for a ply: offers are never deleted."""
    if apps.get_model("tournaments", "Offer").objects.filter(kind="takeback").exists():
        raise RuntimeError("plies were asked back: there is no way back from that")



class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0023_clock_ledger'),
    ]

    operations = [
        migrations.RunPython(nothing, guard),
        migrations.RemoveConstraint(
            model_name='offer',
            name='offer_words_known',
        ),
        migrations.AlterField(
            model_name='offer',
            name='kind',
            field=models.CharField(choices=[('end', 'to end the game now'), ('draw', 'a draw'), ('time', 'more time'), ('rematch', 'a rematch'), ('takeback', 'to take a ply back')], max_length=8),
        ),
        migrations.AddConstraint(
            model_name='offer',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['end', 'draw', 'time', 'rematch', 'takeback']), ('side__in', ['first', 'second'])), name='offer_words_known'),
        ),
        migrations.RunPython(guard, require_none),
    ]
