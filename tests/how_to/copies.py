"""A copy of the project, in which a how-to is followed."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from babel.messages.pofile import read_po

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
CATALOGUE = "tournaments/locale/ja/LC_MESSAGES/django.po"
_COPIED = (".ci", "config", "docs", "engine", "games", "templates", "tests", "tournaments")
_FILES = ("manage.py", "pyproject.toml", "README.md")
_LIMIT_S = 300


@dataclass(frozen=True)
class HowTo:
    """The text of a how-to."""

    text: str

    @classmethod
    def named(cls, name: str) -> HowTo:
        """Read the page of that name in `docs/develop`."""
        return cls((ROOT / f"docs/develop/{name}.md").read_text())

    def blocks(self, language: str) -> list[str]:
        """Return the examples of the steps in this language."""
        blocks = re.findall(
            rf"^( *)```{language}\n(.*?)^\1```$", self.text, re.DOTALL | re.MULTILINE
        )
        return [textwrap.dedent(text) for _indent, text in blocks]

    def changes(self) -> Iterator[tuple[str, str, str]]:
        """Yield each change of a file: its path, the lines there, and the lines that replace them."""
        for block in self.blocks("diff"):
            head, *hunks = block.split("@@\n")
            for hunk in hunks:
                lines = hunk.splitlines(keepends=True)
                old = "".join(line[1:] for line in lines if line[0] in " -")
                new = "".join(line[1:] for line in lines if line[0] in " +")
                yield head.removeprefix("--- ").strip(), old, new

    def commands(self) -> list[list[str]]:
        """Return the commands, each as a list of words."""
        return [block.removeprefix("$ ").split() for block in self.blocks("console")]


@dataclass(frozen=True)
class Project:
    """A copy of the project in `root`."""

    root: Path

    @classmethod
    def in_folder(cls, folder: Path) -> Project:
        """Return a fresh copy in `folder`, which does not exist yet. Compiled files are kept."""
        for name in _COPIED:
            shutil.copytree(ROOT / name, folder / name)
        for name in _FILES:
            shutil.copy(ROOT / name, folder / name)
        (folder / ".venv").symlink_to(sys.prefix)
        return cls(folder)

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Return the result of `python ARGUMENTS` there, on SQLite and without servers."""
        outer = ("DATABASE_URL", "REDIS_URL", "PYTEST_ADDOPTS", "PYTEST_CURRENT_TEST")
        inherited = {
            name: value
            for name, value in os.environ.items()
            if name not in outer and not name.startswith("COVERAGE")
        }
        own = {
            "RAYUELA_NO_BOOTSTRAP": "1",
            "RAYUELA_HOME": str(self.root / "var"),
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=self.root,
            env=inherited | own,
            capture_output=True,
            text=True,
            check=False,
            timeout=_LIMIT_S,
        )

    def test(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Return the result of pytest there with these arguments, in one process."""
        return self.run("-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments)

    def replace(self, path: str, old: str, new: str) -> None:
        """Change a file as a person would, in the one place of `old`."""
        file = self.root / path
        text = file.read_text()
        assert text.count(old) == 1, (path, old)
        file.write_text(text.replace(old, new))

    def follow(self, how_to: HowTo) -> None:
        """Make the changes of a how-to, with its translations and its migration."""
        changes = list(how_to.changes())
        to_generated = [change for change in changes if not (self.root / change[0]).exists()]
        for change in changes:
            if change not in to_generated:
                self.replace(*change)
        for messages in how_to.blocks("po"):
            self.translate(messages)
        for _python, *arguments in how_to.commands():
            if "makemigrations" in arguments:
                done = self.run(*arguments)
                assert done.returncode == 0, done.stderr
        for path, old, new in to_generated:
            self.replace(self.numbered(path), old, new)

    def numbered(self, path: str) -> str:
        """Return the path of a migration that a how-to writes as `NNNN_name.py`."""
        folder, _, name = path.rpartition("NNNN")
        (file,) = (self.root / folder).glob(f"[0-9]*{name}")
        return file.relative_to(self.root).as_posix()

    def translate(self, messages: str) -> None:
        """Add new messages to the Japanese catalogue, and fill in those of a catalogue."""
        assert self.run("-m", "tests.tournaments.messages").returncode == 0
        path = self.root / CATALOGUE
        text = path.read_text()
        for known in read_po(io.BytesIO(messages.encode()), locale="ja"):
            first, *_ = [known.id] if isinstance(known.id, str) else known.id
            string, *_ = [known.string] if isinstance(known.string, str) else known.string or [""]
            if first:
                text = _filled_in(text, first, string)
        path.write_text(text)

    def changed_files(self) -> set[str]:
        """Return the files that are new here, or not as in the project, but those which each process makes."""
        files = (
            path.relative_to(self.root)
            for folder in _COPIED
            for path in (self.root / folder).rglob("*")
            if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".mo"
        )
        return {
            str(path)
            for path in files
            if not (ROOT / path).exists()
            or (ROOT / path).read_bytes() != (self.root / path).read_bytes()
        }


def _filled_in(text: str, message: str, string: str) -> str:
    """Return the catalogue with the translation of one message, which is the last line of its entry."""
    pattern = rf'^msgid "{re.escape(message)}"\n.*?(?=\n\n|\Z)'
    (entry,) = re.findall(pattern, text, re.DOTALL | re.MULTILINE)
    return text.replace(entry, entry.removesuffix('""') + f'"{string}"')
