"""`manage.py ratings`: compares the ratings with the games.

`verify` names the differences, and whatever else has been changed that ratings rest on; `recompute` enters rows that
settle them.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser

from django.core.management.base import BaseCommand
from django.db import connection, transaction

from tournaments.models import LedgerEntry, Pool
from tournaments.services.operations import data_checks
from tournaments.services.ratings import recomputations, recompute


class Command(BaseCommand):
    help = "Compute every rating again from the games. verify: say where the ledger differs; recompute: correct it there."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", choices=["verify", "recompute"])
        parser.add_argument(
            "--pool", help="the key of one pool, such as morelli-revised-large-rapid-events"
        )

    def handle(self, *args: object, **options: object) -> None:
        pools = Pool.objects.order_by("key")
        if options["pool"]:
            pools = pools.filter(key=options["pool"])
            if not pools.exists():
                self.stderr.write(f"there is no pool {options['pool']}")
                sys.exit(2)
        fault_count = sum(self._verify(pool) for pool in pools)
        if options["what"] == "verify" and not options["pool"]:
            fault_count += self._verify_beside()
        if options["what"] == "recompute":
            for pool in pools:
                self._reconcile(pool)
        elif fault_count:
            sys.exit(1)

    def _verify(self, pool: Pool) -> int:
        # Games go on meanwhile: all is read as of one moment.
        is_first = not connection.in_atomic_block
        with transaction.atomic():
            if connection.vendor == "postgresql" and is_first:
                with connection.cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            faults = list(recompute.verify(pool))
        for fault in faults:
            self.stdout.write(f"{fault.pool} player {fault.player} row {fault.seq}: {fault.what}")
        recomputation = recomputations.current(pool.pk)
        if recomputation is not None:
            done, total = recomputation.games_done, recomputation.games_total
            self.stdout.write(f"{pool.key}: a worker computes it again, {done} of {total} games")
        elif not faults:
            rows = LedgerEntry.objects.filter(pool=pool).count()
            self.stdout.write(f"{pool.key}: {rows} rows, all as the games have it")
        return len(faults)

    def _verify_beside(self) -> int:
        """Name what is wrong with results, corrections, predictions and moments, which no row of a pool shows."""
        offences = [
            (report.name, offence)
            for report in data_checks.beside_ratings()
            for offence in report.offences
        ]
        for name, offence in offences:
            line = f"{name}: {offence.place}: {offence.what}"
            self.stdout.write("".join(c if c.isprintable() else "?" for c in line))
        return len(offences)

    def _reconcile(self, pool: Pool) -> None:
        with transaction.atomic():
            row_count = recompute.reconcile(pool)
        if row_count:
            self.stdout.write(f"{pool.key}: {row_count} rows added to set it right")
