"""Scripts and letters know every kind of news that services announce."""

from __future__ import annotations

import re
from pathlib import Path

from tournaments.services.notifications import inbox

ROOT = Path(__file__).resolve().parent.parent
STATIC = ROOT / "tournaments/static/rayuela"
_ANNOUNCES = re.compile(
    r'news\.(?:announce\(|of_event\([^()]*(?:\(\))?\),?\s*)news\.of_event\([^)]*\),\s*"([\w-]+)"'
)


def _kinds_of_script(path: str) -> set[str]:
    script = (STATIC / path).read_text()
    lists = re.findall(r"\[((?:\"[\w-]+\",? ?)+)[^\]]*\]", script)
    return {kind for each in lists for kind in re.findall(r'"([\w-]+)"', each)}


def test_pages_of_an_event_renew_themselves_for_all_its_news() -> None:
    kinds = {
        kind
        for path in (ROOT / "tournaments/services").rglob("*.py")
        for kind in _ANNOUNCES.findall(path.read_text())
    }
    assert len(kinds) >= 15
    assert kinds <= _kinds_of_script("events/event.js")


def test_open_pages_and_the_list_of_notices_know_the_same_kinds_of_events() -> None:
    assert set(inbox.OF_EVENTS) <= _kinds_of_script("base/account.js")


def test_a_letter_has_a_sentence_for_every_kind() -> None:
    template = (ROOT / "templates/notifications/email/_notice.txt").read_text()
    kinds = set(re.findall(r'kind == "([\w-]+)"', template))
    assert kinds == set(inbox._EMAIL_KINDS)
