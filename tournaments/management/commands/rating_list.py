"""`manage.py rating_list NAME FILE`: stores a rating list, in place of the earlier one of that name."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from tournaments.errors import RefusedError
from tournaments.models import RatingList
from tournaments.services.events import rating_lists


class Command(BaseCommand):
    help = "Store a rating list of FIDE (text, XML) or of a federation (CSV), also in a ZIP file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the name of the list, such as FIDE")
        parser.add_argument("file", type=Path)
        parser.add_argument("--kind", choices=RatingList.Kind.values, default="standard")

    def handle(self, *args: object, **options: object) -> None:
        path = options["file"]
        assert isinstance(path, Path), "argparse has made it one"
        try:
            with path.open("rb") as stream:
                upload = rating_lists.replace(
                    name=str(options["name"]), kind=str(options["kind"]), stream=stream
                )
        except OSError as error:
            raise CommandError(str(error)) from error
        except RefusedError as error:
            raise CommandError(f"{path}: {error}") from error
        for each in upload.lists:
            self.stdout.write(f"{each.name}: {each.count} players stored")
        self.stdout.write(f"{upload.faults} lines left out")
