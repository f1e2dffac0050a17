"""Events from before get their chain of hashes."""

import hashlib
import secrets

from django.db import migrations

# As many links as tournaments.services.lots takes for events with common rounds.
ROUNDS_LENGTH = 400


def draw(apps, schema_editor):
    """Give events from before a chain of their own; the set-ups of their past rounds stay as they are."""
    event_model = apps.get_model("tournaments", "Event")
    for event in event_model.objects.filter(lot_secret=""):
        link = event.lot_secret = secrets.token_hex(32)
        for _ in range(ROUNDS_LENGTH):
            link = hashlib.sha256(link.encode()).hexdigest()
        event.lot_commitment = link
        event.save(update_fields=["lot_secret", "lot_commitment"])


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0005_lots")]

    operations = [
        migrations.RunPython(draw, migrations.RunPython.noop),
    ]
