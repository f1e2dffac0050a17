"""`manage.py verify ARCHIVE`: compute an event or a series again from its archive, without a database.

Ends with 0 when everything is as it was computed, with 1 when something differs, with 2 when the
file is no archive.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

from django.core.management.base import BaseCommand

from tournaments.queries.archives import (
    archive_file,
    festival_archive,
    series_archive,
    verification,
)
from tournaments.queries.archives.archive_data import ArchiveError

_DIFFERS, _UNREADABLE = 1, 2
# The limit for one check, since a wrong result makes many others wrong.
_MOST_LINES = 50


class Command(BaseCommand):
    help = "Compute an event, a festival or a series again from its archive alone, and name what differs."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("archive", type=Path, help="the file that the page offers")
        parser.add_argument(
            "events",
            type=Path,
            nargs="*",
            help="of a series, archives of events whose standings are compared",
        )

    def handle(self, *args: object, **options: object) -> None:
        path, paths = options["archive"], options["events"]
        assert isinstance(path, Path), "argparse has made it one"
        assert isinstance(paths, list), "argparse has made it one"
        try:
            title, checks = _checked(_bytes(path), [_bytes(each) for each in paths])
        except ArchiveError as error:
            self.stderr.write(f"{path}: {error}")
            sys.exit(_UNREADABLE)
        self.stdout.write(title)
        for check in checks:
            self._write(check)
        if any(check.differences for check in checks):
            sys.exit(_DIFFERS)

    def _write(self, check: verification.Check) -> None:
        differs = len(check.differences)
        verdict = f"{differs} differ" if differs else "as computed"
        self.stdout.write(f"{check.name}: {check.count}, {verdict}")
        for each in check.differences[:_MOST_LINES]:
            line = f"  {each.place}: computed {each.computed}, archived {each.archived}"
            self.stdout.write("".join(c if c.isprintable() else "?" for c in line))
        if differs > _MOST_LINES:
            self.stdout.write(f"  and {differs - _MOST_LINES} more")


def _checked(data: bytes, events: Sequence[bytes]) -> tuple[str, Sequence[verification.Check]]:
    """Return the title of an archive with its checks. Raises ArchiveError."""
    if series_archive.is_series(data):
        series = series_archive.read(data)
        checks = series_archive.verify(series, [archive_file.unpacked(each) for each in events])
        return f"{series.name}, {series.url}", checks
    if events:
        raise ArchiveError("file", "only a series is compared with archives of events")
    if festival_archive.is_festival(data):
        festival, archives = festival_archive.read(data)
        return f"{festival.name}, {festival.url}", festival_archive.verify(festival, archives)
    archive = archive_file.unpacked(data)
    return f"{archive.event.name}, {archive.event.url}", verification.verify(archive)


def _bytes(path: Path) -> bytes:
    """The file, or a little more of it than an archive may have. Raises ArchiveError."""
    try:
        with path.open("rb") as file:
            return file.read(archive_file.MAX_FILE_BYTES + 1)
    except OSError as error:
        raise ArchiveError("file", error.strerror or str(error)) from error
