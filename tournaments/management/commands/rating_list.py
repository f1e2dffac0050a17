"""`manage.py rating_list`: stores a rating list of a file, or the address of a list, or downloads all lists."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from tournaments.errors import RefusedError
from tournaments.models import RatingList, RatingSource
from tournaments.services.events import rating_lists, rating_sources


class Command(BaseCommand):
    help = "Store a rating list of FIDE (text, XML) or of a federation (CSV), also in a ZIP file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "name", nargs="?", default="", help="the name of the list, such as FIDE"
        )
        parser.add_argument("file", type=Path, nargs="?")
        parser.add_argument("--kind", choices=RatingList.Kind.values, default="standard")
        parser.add_argument("--address", help="download the list from this address every day")
        parser.add_argument(
            "--refresh", action="store_true", help="download all lists with an address now"
        )

    def handle(
        self,
        *args: object,
        name: str,
        file: Path | None,
        kind: str,
        address: str | None,
        refresh: bool,
        **options: object,
    ) -> None:
        if [file is not None, address is not None, refresh].count(True) != 1 or refresh == bool(
            name
        ):
            raise CommandError("Give a name with a file or with --address, or --refresh alone.")
        if file is not None:
            self._store(name, kind, file)
        elif address is not None:
            self._store_address(name, kind, address)
        else:
            self._refresh()

    def _store(self, name: str, kind: str, path: Path) -> None:
        try:
            with path.open("rb") as stream:
                upload = rating_lists.replace(name=name, kind=kind, stream=stream)
        except OSError as error:
            raise CommandError(str(error)) from error
        except RefusedError as error:
            raise CommandError(f"{path}: {error}") from error
        self._write(upload.lists)
        self.stdout.write(f"{upload.faults} lines left out")

    def _store_address(self, name: str, kind: str, address: str) -> None:
        try:
            source = rating_sources.store(name=name, kind=kind, address=address)
        except RefusedError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{source.name}: a worker will download {source.address} every day")

    def _refresh(self) -> None:
        for source_id in rating_sources.make_due():
            rating_sources.refresh(source_id)
        sources = RatingSource.objects.all()
        self._write(RatingList.objects.filter(source__in=sources.filter(failure="")))
        if failed := [f"{each}: {each.failure} {each.detail}" for each in sources if each.failure]:
            raise CommandError("\n".join(failed))

    def _write(self, lists: Iterable[RatingList]) -> None:
        for each in lists:
            self.stdout.write(f"{each.name}: {each.count} players stored")
