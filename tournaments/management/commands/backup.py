"""`manage.py backup FILE`: the database in one file, as of one moment, while the site runs."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from tournaments.services.operations import backups


class Command(BaseCommand):
    help = "Write the database to a file, as of one moment, while the site runs."
    requires_system_checks = []
    work = staticmethod(backups.backup)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: object, **options: object) -> None:
        path = options["file"]
        assert isinstance(path, Path), "argparse has made it one"
        try:
            manifest = self.work(path)
        except backups.BackupError as error:
            raise CommandError(str(error)) from error
        rows = sum(manifest.counts.values())
        self.stdout.write(f"{manifest.vendor}, {manifest.made_at}: {rows} rows in {path}")
