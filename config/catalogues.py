"""Translations: the project holds the `.po` of each language, and the `.mo` that Django reads is made from it here.

Not even Django is imported: this is called before it is set up.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

LOCALE = Path(__file__).resolve().parent.parent / "tournaments" / "locale"


def renew() -> None:
    """Compile each catalogue that is newer than its compiled form.

    A message without a translation stays out, so that Django shows it in English. Where the folder cannot be written,
    a line on standard error says so.
    """
    for source in sorted(LOCALE.glob("*/LC_MESSAGES/*.po")):
        compiled = source.with_suffix(".mo")
        if not compiled.exists() or compiled.stat().st_mtime < source.stat().st_mtime:
            try:
                _compile(source, compiled)
            except OSError as error:
                sys.stderr.write(f"Rayuela: {compiled} is not renewed: {error.strerror}.\n")


def _compile(source: Path, compiled: Path) -> None:
    # Not at the top: a tenth of a second, and needed after a change only.
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with source.open("rb") as file:
        catalogue = read_po(file, locale=source.parent.parent.name, abort_invalid=True)
    # Several processes may start at once: each puts a whole file in place.
    with tempfile.NamedTemporaryFile(dir=compiled.parent, delete=False) as fresh:
        write_mo(fresh, catalogue)
    Path(fresh.name).chmod(0o644)
    os.replace(fresh.name, compiled)
