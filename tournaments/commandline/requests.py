"""Common parts of the command lines that read report files: exit codes, invalid arguments, reading with a limit."""

from __future__ import annotations

import argparse
from enum import IntEnum
from typing import TYPE_CHECKING, NoReturn

from tournaments.trf.reading import decoded, read

if TYPE_CHECKING:
    from pathlib import Path

    from tournaments.trf.report import Report

# Larger files are not read into memory. `read` has its own limits.
_MOST_BYTES = 10_000_000


class Exit(IntEnum):
    """Exit codes, those of bbpPairings, and one for requests that it does not have."""

    DONE = 0
    NO_PAIRING = 1
    BAD_REQUEST = 3
    TOO_LARGE = 4
    FILE = 5
    INCONSISTENT = 6


class RequestError(Exception):
    """The arguments make no sense."""


def _unmeasured(prog: str) -> argparse.HelpFormatter:
    return argparse.HelpFormatter(prog, width=80)


class Parser(argparse.ArgumentParser):
    """An argument parser that raises RequestError where others end the program.

    It measures the screen only when it writes help or a usage. `argparse` measures it for each
    argument that is added, and loads `shutil` for that, a twentieth of the start.
    """

    def __init__(self, prog: str, epilog: str | None = None) -> None:
        super().__init__(prog, epilog=epilog, allow_abbrev=False, formatter_class=_unmeasured)

    def format_usage(self) -> str:
        """Return the usage in lines of the screen's width."""
        self.formatter_class = argparse.HelpFormatter
        return super().format_usage()

    def format_help(self) -> str:
        """Return the help in lines of the screen's width."""
        self.formatter_class = argparse.HelpFormatter
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        """Raise RequestError with the message and the usage."""
        raise RequestError(f"{message}\n{self.format_usage()}")


def read_bytes(source: Path | str) -> bytes:
    """Return the content of the file, which may be a pipe or a device without a size.

    Raises RequestError beyond the limit, and OSError.
    """
    with open(source, "rb") as file:
        data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise RequestError(f"{source} has more than {_MOST_BYTES} bytes")
    return data


def read_report(source: Path | str) -> Report:
    """Return the report in the file. Raises BadReportError, RequestError, OSError."""
    return read(decoded(read_bytes(source)))
