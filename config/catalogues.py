"""Translations: the project holds the `.po` of each language, and the `.mo` that Django reads is made from it here.

Every process of the site calls this at its start: a host of workers alone runs no command of `manage.py`. If its
user may not write the folder, `python -m config.catalogues` compiles them at the installation.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

LOCALE = Path(__file__).resolve().parent.parent / "tournaments" / "locale"


def renew() -> None:
    """Compile each catalogue whose compiled form is of another version, by the time of the file.

    A message without a translation stays out, so that Django shows it in English. If the folder
    cannot be written, a line on standard error says it.
    """
    for source in sorted(LOCALE.glob("*/LC_MESSAGES/*.po")):
        compiled = source.with_suffix(".mo")
        # Equal, and not merely later: a release may be replaced by the one before.
        if not compiled.exists() or compiled.stat().st_mtime_ns != source.stat().st_mtime_ns:
            try:
                _compile(source, compiled)
            except OSError as error:
                sys.stderr.write(f"Rayuela: {compiled} is not renewed: {error.strerror}.\n")


def _compile(source: Path, compiled: Path) -> None:
    # Not at the top: a tenth of a second, and needed after a change only.
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    changed_ns = source.stat().st_mtime_ns
    with source.open("rb") as file:
        catalogue = read_po(file, locale=source.parent.parent.name, abort_invalid=True)
    # Several processes may start simultaneously: each puts a whole file in place.
    with tempfile.NamedTemporaryFile(dir=compiled.parent, delete=False) as fresh:
        write_mo(fresh, catalogue)
    Path(fresh.name).chmod(0o644)
    os.utime(fresh.name, ns=(changed_ns, changed_ns))
    os.replace(fresh.name, compiled)


if __name__ == "__main__":
    renew()
