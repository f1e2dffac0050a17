"""`manage.py check_data`: proves every invariant of the data, and names what does not hold.

Ends with 0 when everything holds, with 1 when something does not.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser

from django.core.management.base import BaseCommand

from tournaments.services.operations import data_checks

_MOST_LINES = 20


class Command(BaseCommand):
    help = "Prove every invariant of the data on a live database. Changes nothing."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--all", action="store_true", help="play every game again by the rules")
        parser.add_argument(
            "--replays", type=int, default=1000, help="how many of the latest games to play again"
        )

    def handle(self, *args: object, **options: object) -> None:
        replays = options["replays"]
        assert isinstance(replays, int), "argparse has made it one"
        count = 0
        for report in data_checks.run(replays=None if options["all"] else replays):
            count += len(report.offences)
            verdict = f"{len(report.offences)} do not hold" if report.offences else "in order"
            self.stdout.write(f"{report.name}: {verdict}")
            for offence in report.offences[:_MOST_LINES]:
                line = f"  {offence.place}: {offence.what}"
                self.stdout.write("".join(c if c.isprintable() else "?" for c in line))
        if count:
            sys.exit(1)
