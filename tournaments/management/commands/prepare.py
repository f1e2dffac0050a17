"""Bring the database up to date, ratings included, and, when it is empty, load the demo.

`manage.py up` serves between the two, so that visitors need not wait for games of bots:
`--demo-later` ends with DEMO_WANTED if a second call has a demo to load.
"""

import sys
from argparse import ArgumentParser

from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import transaction

from tournaments.services import demo
from tournaments.services.matches import leases
from tournaments.services.ratings import recompute

DEMO_WANTED = 3


class Command(BaseCommand):
    help = (
        "Migrate, give back what a stopped worker held, and load the demo into an empty database."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--no-demo", action="store_true", help="leave an empty database empty")
        parser.add_argument(
            "--demo-later",
            action="store_true",
            help=f"load no demo; end with {DEMO_WANTED} for one",
        )

    def handle(self, *args: object, **options: object) -> None:
        call_command("migrate", verbosity=0, interactive=False)
        leases.release_orphans()
        with transaction.atomic():
            recompute.rebuild()
        if options["no_demo"] or not demo.is_wanted():
            return
        if options["demo_later"]:
            sys.exit(DEMO_WANTED)
        self.stdout.write("Rayuela: loading the demo")
        for part in demo.load():
            self.stdout.write(f"  {part}")
            self.stdout.flush()  # loading takes a while, and the reader may be a pipe
        self.stdout.write("Rayuela: the demo is complete")
