"""The table of kinds of news: known codes only, words for every notice, pages that listen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tournaments.models import Challenge, ChatLine, Event, Game, NewsItem, Player
from tournaments.services.notifications import inbox, kinds, news

SERVICES = Path(__file__).resolve().parents[4] / "tournaments/services"
_TO_EVENTS = re.compile(r'news\.announce\(\s*news\.of_event\([^)]*\),\s*"([\w-]+)"')


def test_news_of_an_unknown_kind_are_not_announced(db: None) -> None:
    with pytest.raises(kinds.UnknownKindError, match="tea-break"):
        news.announce(news.SITE, "tea-break")
    with pytest.raises(kinds.UnknownKindError, match="tea-break"):
        news.announce_each([(news.SITE, "tea-break", {})])


@pytest.mark.parametrize("code", [kind.code for kind in kinds.KINDS.values() if kind.words])
def test_a_notice_of_every_kind_has_words_with_its_reason(code: str) -> None:
    payload = {"round": 2, "hours": 8, "minutes": 5, "bot": "Box", "text": "Soup", "words": "a cup"}
    payload |= {"player": "Eva", "team": "Torre", "address": "https://ana.example/"}
    payload |= {"worker": "laptop", "ply": 3, "club_name": "Club Ana"}
    chosen = {"act": "rating" if code == "entry" else "stopped", "answer": "granted"}
    ana, ben = Player(name="Ana"), Player(name="Ben")
    notice = inbox.Notice(
        item=NewsItem(kind=code, payload={**payload, **chosen, "reason": "rain"}),
        game=Game(first=ana, second=ben),
        event=Event(name="Cup"),
        challenge=Challenge(
            challenger=ana, opponent=ben, ruleset="morelli(size=5)", clock_initial_ms=600_000
        ),
        line=ChatLine(author=ana, text="Hello"),
        is_unread=True,
        is_stale=False,
    )
    assert re.search(r"\b(Ana|Ben|Cup|ana)\b", notice.sentence)
    assert notice.sentence.endswith(": rain")


def test_pages_of_an_event_listen_to_all_its_news() -> None:
    announced = {
        code for path in SERVICES.rglob("*.py") for code in _TO_EVENTS.findall(path.read_text())
    }
    assert len(announced) >= 15
    assert announced <= set(kinds.codes_of(kinds.Page.EVENT))
