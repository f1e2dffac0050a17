"""Compiled translations are those of the text, as far as it is translated."""

from __future__ import annotations

import gettext
import os
from pathlib import Path

import pytest

from config import catalogues

_HEADER = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n'


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a Japanese catalogue with one of two messages translated."""
    monkeypatch.setattr(catalogues, "LOCALE", tmp_path)
    path = tmp_path / "ja" / "LC_MESSAGES" / "django.po"
    path.parent.mkdir(parents=True)
    path.write_text(f'{_HEADER}\nmsgid "Bye"\nmsgstr "不戦勝"\n\nmsgid "Draw"\nmsgstr ""\n')
    return path


def _compiled(source: Path) -> gettext.GNUTranslations:
    with source.with_suffix(".mo").open("rb") as file:
        return gettext.GNUTranslations(file)


def test_a_new_catalogue_is_compiled_and_lacks_what_is_not_translated(source: Path) -> None:
    catalogues.renew()
    assert _compiled(source).gettext("Bye") == "不戦勝"
    assert _compiled(source).gettext("Draw") == "Draw"


def test_only_a_catalogue_that_has_changed_is_compiled_again(source: Path) -> None:
    catalogues.renew()
    compiled = source.with_suffix(".mo")
    before = compiled.stat()
    catalogues.renew()
    assert compiled.stat().st_ino == before.st_ino
    source.write_text(source.read_text().replace('"Draw"\nmsgstr ""', '"Draw"\nmsgstr "引き分け"'))
    earlier = before.st_mtime - 1  # as after a step back to the release before
    os.utime(source, (earlier, earlier))
    catalogues.renew()
    assert _compiled(source).gettext("Draw") == "引き分け"
    assert [
        path.name for path in source.parent.iterdir() if path.suffix not in {".po", ".mo"}
    ] == []


def test_a_folder_that_cannot_be_written_is_told(
    source: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.NamedTemporaryFile", refuse)
    catalogues.renew()
    assert "django.mo is not renewed: Permission denied." in capsys.readouterr().err
