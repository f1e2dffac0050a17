"""Reports of workers about their sandboxes: versions of Python, compilers, and machines without a sandbox."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePath

from engine import toolchain
from tournaments import database_time
from tournaments.models import SandboxReport
from tournaments.queues import Queue


@dataclass(frozen=True, slots=True)
class BuiltLanguages:
    """The languages of one kind of compiler, for people.

    Attributes:
        languages: their names.
        compilers: those of workers that check versions. Empty if no worker builds the languages.
        takes_archives: whether a program may have several files.
    """

    languages: Sequence[str]
    compilers: Sequence[str]
    takes_archives: bool


def built_languages() -> Sequence[BuiltLanguages]:
    """Return the languages that need an installed compiler."""
    here = _compilers()
    suffixes: dict[str, list[str]] = {}
    for suffix, kind in toolchain.COMPILERS.items():
        suffixes.setdefault(kind, []).append(suffix)
    return [
        BuiltLanguages(
            languages=[toolchain.LANGUAGES[suffix] for suffix in ends if suffix in toolchain.TEXTS],
            compilers=_of_kind(kind, here),
            takes_archives=toolchain.ARCHIVE in ends,
        )
        for kind, ends in suffixes.items()
    ]


def compilers(kind: str) -> Sequence[str]:
    """Return the compilers of a kind, such as `clang`, of workers that check versions."""
    return _of_kind(kind, _compilers())


def builds(filename: str) -> bool:
    """Return whether a worker that checks versions builds a source of that name."""
    needed = toolchain.COMPILERS.get(PurePath(filename).suffix)
    return needed is None or bool(compilers(needed))


def reports_of(queue: str) -> Sequence[SandboxReport]:
    """The reports of the workers that serve `queue`."""
    return list(SandboxReport.objects.in_use(database_time.now()).filter(queue=queue))


def reports_without() -> list[SandboxReport]:
    """The reports of workers of each queue that no worker can serve.

    Empty when each queue with a report has a worker whose sandbox holds.
    """
    by_queue: dict[str, list[SandboxReport]] = {}
    for row in SandboxReport.objects.in_use(database_time.now()):
        by_queue.setdefault(row.queue, []).append(row)
    return [
        row for rows in by_queue.values() if not any(each.isolator for each in rows) for row in rows
    ]


def boxes(now: datetime) -> Sequence[SandboxReport]:
    """The latest report of each combination of versions in the sandboxes in use, the latest first."""
    in_use = SandboxReport.objects.in_use(now).exclude(python="")
    by_versions: dict[tuple[str, str, str], SandboxReport] = {}
    for row in in_use.order_by("-checked_at", "pk"):
        by_versions.setdefault((row.python, row.numpy, row.compiler), row)
    return list(by_versions.values())


def _of_kind(kind: str, names: Collection[str]) -> Sequence[str]:
    return sorted(name for name in names if name.partition(" ")[0] == kind)


def _compilers() -> Collection[str]:
    in_use = SandboxReport.objects.in_use(database_time.now()).exclude(isolator="")
    names = (
        in_use.filter(queue=Queue.CHECKS).exclude(compiler="").values_list("compiler", flat=True)
    )
    return {name for row in names for name in row.split(", ")}
