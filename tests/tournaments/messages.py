"""Every message of the site, extracted from modules and templates, for the catalogue and its tests.

`python -m tests.tournaments.messages` adds new messages to the Japanese catalogue and drops old
ones. It lists those without a translation, which pages show in English. With `--release` it exits
with 1 when there are any.
"""

from __future__ import annotations

import ast
import functools
import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parent.parent.parent
PO = ROOT / "tournaments/locale/ja/LC_MESSAGES/django.po"
# Nothing in it changes with the day, so that the file changes only with the messages.
_HEADER = r"""# Rayuela in Japanese.
msgid ""
msgstr ""
"Project-Id-Version: Rayuela\n"
"POT-Creation-Date: 2026-11-21 12:00+0000\n"
"PO-Revision-Date: 2026-11-21 12:00+0000\n"
"Last-Translator: Rayuela\n"
"Language-Team: Rayuela\n"
"Language: ja\n"
"Plural-Forms: nplurals=1; plural=0;\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=utf-8\n"
"Content-Transfer-Encoding: 8bit\n"

"""
Message = str | tuple[str, str]

_KEYWORDS: dict[str, tuple[int, ...] | None] = dict.fromkeys(
    ("_", "gettext", "gettext_lazy", "gettext_noop")
) | {"ngettext": (1, 2), "ngettext_lazy": (1, 2)}
# Markers of messages in pure code (`games.presentation`), without Django.
_KEYWORDS_OF_GAMES: dict[str, tuple[int, ...] | None] = {"message": None, "plural": (1, 2)}
# A module without one of these calls need not be read word by word, which takes a hundredth of a second each.
_CALL = re.compile(rb"\b(?:_|n?gettext(?:_lazy|_noop)?|message|plural)\(")
# Output of Django's own extraction for a template: calls among characters that replace the rest.
_STRING = r"""(u?'(?:[^'\\]|\\.)*'|u?"(?:[^"\\]|\\.)*")"""
_ONE = re.compile(rf"\b(?:_|gettext)\({_STRING}\)")
_TWO = re.compile(rf"\bngettext\({_STRING},\s*{_STRING},")


@functools.cache
def messages() -> dict[Message, list[str]]:
    """Return every message, or pair of singular and plural, with its files, as of the first call."""
    files_of_message: dict[Message, list[str]] = {}
    for folder, keywords in (
        ("games", _KEYWORDS_OF_GAMES),
        ("engine/programs", _KEYWORDS_OF_GAMES),
        ("tournaments", _KEYWORDS),
    ):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for message in _of_module(path, keywords):
                files_of_message.setdefault(message, []).append(str(path.relative_to(ROOT)))
    templates = [*(ROOT / "templates").rglob("*.html"), *(ROOT / "templates").rglob("*.txt")]
    for path in sorted(templates):
        for message in _of_template(path):
            files_of_message.setdefault(message, []).append(str(path.relative_to(ROOT)))
    return files_of_message


def _of_module(path: Path, keywords: dict[str, tuple[int, ...] | None]) -> Iterator[Message]:
    code = path.read_bytes()
    if not _CALL.search(code):
        return
    for _line, message, _comments, _context in extract(
        "python", io.BytesIO(code), keywords=keywords
    ):
        if isinstance(message, str) and not message:
            continue  # a string inside the call that is no message
        yield message if isinstance(message, str) else (message[0], message[1])


def _of_template(path: Path) -> Iterator[Message]:
    code = templatize(path.read_text(), origin=str(path))
    for one in _ONE.finditer(code):
        yield ast.literal_eval(one[1])
    for two in _TWO.finditer(code):
        yield ast.literal_eval(two[1]), ast.literal_eval(two[2])


def catalogue() -> Catalog:
    """The Japanese catalogue as it is kept."""
    with PO.open("rb") as file:
        return read_po(file, locale="ja")


def untranslated() -> list[str]:
    """The messages of the Japanese catalogue that pages show in English."""
    return [
        message.id if isinstance(message.id, str) else message.id[0]
        for message in catalogue()
        if message.id and not (message.string and all(message.string))
    ]


def main() -> None:
    """Update the catalogue. New messages are left empty."""
    catalogue_before = catalogue() if PO.exists() else Catalog()
    fresh = Catalog(locale="ja")
    for message, files in messages().items():
        known = catalogue_before.get(message[0] if isinstance(message, tuple) else message)
        string = known.string if known is not None and known.id == message else None
        fresh.add(message, string, [(file, 0) for file in sorted(set(files))])
    PO.parent.mkdir(parents=True, exist_ok=True)
    text = io.BytesIO()
    write_po(text, fresh, width=0, sort_output=True, omit_header=True)
    PO.write_bytes(_HEADER.encode() + text.getvalue())


if __name__ == "__main__":
    main()
    missing = untranslated()
    sys.stdout.writelines(f"not translated: {each}\n" for each in missing)
    sys.exit(1 if missing and "--release" in sys.argv else 0)
