"""Tables that are cards on a phone: without their head, each value has the words of its column."""

from __future__ import annotations

import html
import re

from django.test import Client
from django.urls import reverse

from tests.tournaments import large_events, pages
from tournaments.models import User

_HEAD = re.compile(r"<th\b[^>]*>(.*?)</th>", re.S)
_CELL = re.compile(r"<t[dh]\b([^>]*)>", re.S)
_LABEL = re.compile(r'data-label="([^"]*)"')


def _labels_beside_heads(page: str, name: str) -> list[tuple[str, str]]:
    """Return the label and the column's head of each labelled cell of the table with this class."""
    table = page.partition(f'<table class="{name} stacked">')[2].partition("</table>")[0]
    head, _, body = table.partition("</thead>")
    heads = [html.unescape(words) for words in _HEAD.findall(head)]
    pairs = []
    for row in re.findall(r"<tr\b.*?</tr>", body, re.S):
        for words, attributes in zip(heads, _CELL.findall(row), strict=True):
            pairs += [(html.unescape(label), words) for label in _LABEL.findall(attributes)]
    return pairs


def test_each_number_of_the_rating_history_has_its_label(ana: User, ben: User) -> None:
    pages.finished_game(ana.player, ben.player, "first")
    page = Client().get(ana.player.get_absolute_url()).content.decode()
    pairs = _labels_beside_heads(page, "rating-history")
    assert [label for label, _ in pairs] == [
        "Before",
        "Opponent",
        "Expected",
        "Score",
        "Change",
        "After",
    ]
    assert all(label == head for label, head in pairs)


def test_both_players_of_a_pairing_have_the_name_of_their_side(db: None) -> None:
    event = large_events.published(4, "Large")
    page = Client().get(reverse("event-pairings", args=[event.slug])).content.decode()
    pairs = _labels_beside_heads(page, "pairings")
    assert len(pairs) >= 2
    assert all(label == head for label, head in pairs)
    assert {label for label, _ in pairs} == {"Black", "White"}
