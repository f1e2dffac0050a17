"""The log of an event of a schedule may go with the event, if it was cancelled before a person came."""

from django.db import migrations

from tournaments.migrations import _triggers

_EMPTY = (
    "EXISTS (SELECT 1 FROM tournaments_event e"
    " JOIN tournaments_occurrence o ON o.event_id = e.id"
    " WHERE e.id = OLD.event_id AND e.state = 'cancelled')"
    " AND NOT EXISTS (SELECT 1 FROM tournaments_entry n"
    " JOIN tournaments_player p ON p.id = n.player_id"
    " WHERE n.event_id = OLD.event_id AND p.kind NOT IN ('bot', 'remote'))"
    " AND NOT EXISTS (SELECT 1 FROM tournaments_pairing b WHERE b.event_id = OLD.event_id)"
)
_PERMANENT = [_triggers.AppendOnly("auditentry")]
GUARDS = [_triggers.Removable("auditentry", _EMPTY, "rayuela_log_of_an_event")]


def guard(apps, schema_editor):
    _triggers.recreate(schema_editor, GUARDS)


def guard_all(apps, schema_editor):
    _triggers.recreate(schema_editor, _PERMANENT)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0044_occurrence_field")]

    operations = [migrations.RunPython(guard, guard_all)]
