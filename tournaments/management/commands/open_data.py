"""`manage.py open_data`: builds the files of a month, in place of earlier ones."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from datetime import date

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from tournaments import database_time
from tournaments.queries.open_data import DATASETS, month_of
from tournaments.services import open_data


def _month(text: str) -> date:
    try:
        return date.fromisoformat(f"{text}-01")
    except ValueError:
        raise ArgumentTypeError("a month is written like 2026-10") from None


class Command(BaseCommand):
    help = "Build the files of open data of a month that is over, in the formats of OPEN_DATA."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("month", type=_month, help="such as 2026-10")

    def handle(self, *args: object, month: date, **options: object) -> None:
        if not settings.OPEN_DATA:
            raise CommandError("OPEN_DATA names no format.")
        if month >= month_of(database_time.now()):
            raise CommandError("This month is not over.")
        for dataset in DATASETS.values():
            files = open_data.build(dataset, month)
            if not files:
                raise CommandError(f"A worker builds {dataset.name} now.")
            for file in files:
                self.stdout.write(
                    f"{file.sha256}  {file.name}  {file.rows} rows, {file.size} bytes"
                )
