"""A fourth thing to offer: that plies are taken back."""

from importlib import import_module

from django.db import migrations, models

_guards = import_module("tournaments.migrations.0021_offers")


TRIGGERS = ["offer_no_delete", "offer_answered_once"]


def unguard(apps, schema_editor):
    """A column cannot change while a trigger reads it (PostgreSQL); SQLite makes the table anew and drops them itself."""
    for name in TRIGGERS:
        on = " ON tournaments_offer" if schema_editor.connection.vendor == "postgresql" else ""
        schema_editor.execute(f"DROP TRIGGER {name}{on}", params=None)


def guard(apps, schema_editor):
    make = {"sqlite": _guards._sqlite, "postgresql": _guards._postgresql}[schema_editor.connection.vendor]
    for statement in make():
        schema_editor.execute(statement, params=None)


def require_none(apps, schema_editor):
    """The way back is closed once somebody has asked for a ply: offers are never deleted."""
    if apps.get_model("tournaments", "Offer").objects.filter(kind="takeback").exists():
        raise RuntimeError("plies were asked back: there is no way back from that")


def unguard_again(apps, schema_editor):
    require_none(apps, schema_editor)
    unguard(apps, schema_editor)


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0023_clock_ledger'),
    ]

    operations = [
        migrations.RunPython(unguard, guard),
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
        migrations.RunPython(guard, unguard_again),
    ]
