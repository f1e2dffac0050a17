"""Errors of report files."""

from __future__ import annotations


class TrfError(Exception):
    """Base of everything this package raises."""

    code = "trf"


class BadReportError(TrfError):
    """The text breaks the format.

    `line` and `column` count from 1 (column 0: the whole line, line 0: the whole file).
    """

    code = "bad-report"

    def __init__(self, line: int, column: int, reason: str) -> None:
        place = f"line {line}" + (f", column {column}" if column else "") if line else "file"
        super().__init__(f"{place}: {reason}")
        self.line = line
        self.column = column
        self.reason = reason


class UnpairableReportError(TrfError):
    """The file is well-formed, but says too little or too much for its next round to be paired."""

    code = "unpairable-report"


class UnrankableReportError(TrfError):
    """The file is well-formed, but has scores that do not follow from its results."""

    code = "unrankable-report"
