"""`manage.py restore FILE`: an empty database filled from a backup."""

from __future__ import annotations

from tournaments.management.commands import backup
from tournaments.services.operations import backups


class Command(backup.Command):
    help = "Fill an empty database from a backup."
    work = staticmethod(backups.restore)
