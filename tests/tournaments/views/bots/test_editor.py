"""The editor of bots in JavaScript, TypeScript and Python: its samples, its visitors and the program it opens."""

from __future__ import annotations

import gzip
import html
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.urls import reverse

from engine import pyodide
from tests.tournaments import pages, uploads
from tournaments.queries.bots import practice

if TYPE_CHECKING:
    from tournaments.models import Bot, User

pytestmark = pytest.mark.django_db

SCRIPT = 'print("id name <Ana>");\n'
EDITOR = "/bots/editor/"


@pytest.fixture
def script(ana: User) -> Bot:
    """A bot of Ana's in JavaScript."""
    return uploads.line(
        ana, data=SCRIPT.encode(), filename="ana.js", name="Guion", families=["morlox"]
    )


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ("", "Plays Morelli without our rules"),
        ("?rules=morlox(size=7)", "Plays Morlox without our rules"),
        ("?rules=perfect()", "Plays The Perfect Game? without our rules"),
        ("?rules=morlox(size=7)&language=ts", "interface Choices"),
        ("?rules=perfect()&language=ts", "Plays The Perfect Game? without our rules"),
    ],
    ids=["morelli", "morlox", "perfect", "typescript", "typescript-without-sample"],
)
def test_a_guest_begins_with_a_sample(client: Client, rules: str, words: str) -> None:
    answer = client.get(EDITOR + rules)
    page = html.unescape(answer.content.decode())
    assert words in page
    assert "A bot belongs to an account." in page
    assert "data-upload" not in page
    assert "'wasm-unsafe-eval'" in answer["Content-Security-Policy"]


def test_an_unknown_language_is_not_found(client: Client) -> None:
    assert client.get(EDITOR, {"language": "c"}).status_code == 404


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of Python for browsers, which is not installed."""
    monkeypatch.setattr(practice, "_INTERPRETER", tmp_path)
    return tmp_path


@pytest.fixture
def interpreter(folder: Path) -> None:
    """An installation of Python for browsers, whose files have their names as content."""
    for name in set(pyodide.FILES) - {pyodide.PACKAGES}:
        (folder / f"{name}.gz").write_bytes(gzip.compress(name.encode()))
    (folder / "secret.gz").write_bytes(b"")


def _file(name: str, version: str = "") -> str:
    return reverse("bot-editor-python", args=[version or pyodide.version(), name])


@pytest.mark.usefixtures("interpreter")
def test_a_site_with_its_interpreter_offers_python(client: Client, ana: User) -> None:
    page = client.get(EDITOR, {"language": "py"}).content.decode()
    assert "from rayuela_sdk import" in page
    assert f'data-interpreter="{_file(pyodide.MODULE)}"' in page
    bot = uploads.line(ana, name="Nilo", filename="main.py", data=b"print(1)\n")
    member = pages.member(ana)
    editor = reverse("bot-version-editor", args=[bot.pk])
    assert editor in member.get(reverse("bot-version", args=[bot.pk])).content.decode()
    assert "print(1)" in member.get(editor).content.decode()


@pytest.mark.usefixtures("interpreter")
@pytest.mark.parametrize("encoding", ["gzip, br", ""], ids=["gzip", "plain"])
def test_files_of_python_are_stored_by_browsers(client: Client, encoding: str) -> None:
    for name, content_type in pyodide.FILES.items():
        answer = client.get(_file(name), headers={"accept-encoding": encoding})
        body = answer.content
        assert answer.headers.get("Content-Encoding", "") == ("gzip" if encoding else "")
        content = gzip.decompress(body) if encoding else body
        assert content == name.encode() or name == pyodide.PACKAGES
        assert answer["Content-Type"] == content_type
        assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
        assert "Accept-Encoding" in answer["Vary"]


@pytest.mark.usefixtures("interpreter")
@pytest.mark.parametrize(
    ("name", "version"),
    [(pyodide.MODULE, "0" * 12), ("secret", ""), ("..", ""), ("pyodide.mjs.gz", "")],
    ids=["version", "other", "folder", "compressed"],
)
def test_no_other_file_of_the_folder_is_served(client: Client, name: str, version: str) -> None:
    assert client.get(_file(name, version)).status_code == 404
    assert client.get(f"{_file('x')[:-1]}..%2F{name}").status_code == 404


def test_a_site_without_the_interpreter_has_no_python(client: Client) -> None:
    assert client.get(EDITOR, {"language": "py"}).status_code == 404
    assert "Python runs on the site only" in client.get(EDITOR).content.decode()
    for name in pyodide.FILES:
        assert client.get(_file(name)).status_code == 404


def test_an_unknown_game_is_refused(client: Client) -> None:
    answer = client.get(EDITOR, {"rules": "chess(size=8)"})
    assert answer.status_code == 422
    assert "chess" in answer.content.decode()


def test_a_start_that_is_drawn_differs_each_time(client: Client) -> None:
    starts = {
        client.get(EDITOR, {"rules": "morelli(size=13)"}).context["game"].start.text()
        for _ in range(3)
    }
    assert len(starts) > 1


def test_an_author_opens_their_script_for_the_next_version(ana: User, script: Bot) -> None:
    answer = pages.member(ana).get(reverse("bot-version-editor", args=[script.pk]))
    assert answer.context["code"] == SCRIPT
    page = answer.content.decode()
    assert html.escape(SCRIPT) in page
    assert f'action="{reverse("bot-upload", args=[script.line_id])}"' in page
    assert answer.context["game"].family == "morlox"


def test_a_version_in_typescript_is_opened_as_that(ana: User) -> None:
    bot = uploads.line(
        ana, data=b"const x: number = 1;\n", filename="ana.ts", name="Tipos", families=["morlox"]
    )
    page = pages.member(ana).get(reverse("bot-version-editor", args=[bot.pk])).content.decode()
    assert "const x: number = 1;" in page
    assert 'data-file="bot.ts"' in page
    assert "sucrase" in page


@pytest.mark.long
def test_the_page_of_a_script_leads_to_the_editor(ana: User, script: Bot) -> None:
    python = uploads.line(ana, name="Nilo")
    member = pages.member(ana)
    for bot, is_offered in ((script, True), (python, False)):
        page = member.get(reverse("bot-version", args=[bot.pk])).content.decode()
        assert (reverse("bot-version-editor", args=[bot.pk]) in page) == is_offered


def test_other_programs_are_not_opened(ana: User, ben: User, script: Bot) -> None:
    python = uploads.line(ana, name="Nilo")
    for user, bot in ((ben, script), (ana, python)):
        answer = pages.member(user).get(reverse("bot-version-editor", args=[bot.pk]))
        assert answer.status_code == 404
