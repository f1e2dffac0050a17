"""The tutorials are followed step by step in a browser, which takes their pictures.

`WRITE_PICTURES=1 python3 manage.py test --all tests/browser/test_tutorials.py` writes the pictures to `docs/img`.
"""

import os
import re
import textwrap
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from playwright.sync_api import Page

from tests.browser.tutorials import PICTURES, WRITES, Follower, Tutorial, overview
from tests.processes import ROOT
from tests.tournaments import uploads

IN_THE_BROWSER = ["first-swiss", "first-game", "first-bot"]
_CATALOGUE = ROOT / "tournaments/locale/ja/LC_MESSAGES/django.po"
# Labels that are no messages: names of games, boards and bots, and words that the log of a check prints.
_NOT_MESSAGES = {"Morelli 7×7", "Morlox", "Nilo 1", "Play Pola"}


@pytest.mark.slow
@pytest.mark.parametrize("name", IN_THE_BROWSER)
def test_a_tutorial_can_be_followed(page: Page, name: str, tmp_path: Path) -> None:
    tutorial = Tutorial.named(name)
    if name == "first-bot":
        uploads.require_box()
        (source,) = re.findall(r" +```python\n(.*?)```", tutorial.text, re.DOTALL)
        (tmp_path / "main.py").write_text(textwrap.dedent(source))
    follower = Follower(tutorial, page, tmp_path)
    follower.follow()
    assert follower.pictures == tutorial.pictures()
    if os.environ.get(WRITES):
        (PICTURES / "overview.png").write_bytes(overview())


@pytest.mark.parametrize("name", IN_THE_BROWSER)
def test_a_tutorial_names_labels_that_the_site_has(name: str) -> None:
    """A changed label is found here, before the long test that follows the steps."""
    with _CATALOGUE.open("rb") as file:
        messages = [
            message
            for entry in read_po(file, locale="ja")
            for message in ([entry.id] if isinstance(entry.id, str) else entry.id)
            if message
        ]
    strange = {
        label
        for label in Tutorial.named(name).labels() - _NOT_MESSAGES
        if not any(label in message or _is_of(label, message) for message in messages)
    }
    assert strange == set()


def _is_of(label: str, message: str) -> bool:
    """Return whether the label is the message with something in its places."""
    pattern = re.sub(r"%\\\(\w+\\\)s", r"[\\w ]+", re.escape(message))
    return re.fullmatch(pattern, label) is not None


def test_pictures_are_small_and_each_is_on_a_page() -> None:
    pages = "".join(path.read_text() for path in (ROOT / "docs").rglob("*.md"))
    pages += (ROOT / "README.md").read_text()
    assert [path.name for path in PICTURES.iterdir() if path.name not in pages] == []
    assert max(path.stat().st_size for path in PICTURES.iterdir()) <= 100_000
    assert sum(path.stat().st_size for path in PICTURES.iterdir()) < 2_000_000
