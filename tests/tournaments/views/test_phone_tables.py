"""Tables that are cards on a phone: without their head, each value has the words of its column."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments import large_events, pages
from tournaments.models import User

_HEAD = re.compile(r"<th\b[^>]*>(.*?)</th>", re.S)
_CELL = re.compile(r"<t[dh]\b([^>]*)>", re.S)
_TAG = re.compile(r"<[^>]+>")
_LABEL = re.compile(r'data-label="([^"]*)"')


def _labels_beside_heads(page: str, name: str) -> list[tuple[str, str]]:
    """Return the label and the column's head of each labelled cell of the table with this class."""
    table = page.partition(f'<table class="{name} stacked">')[2].partition("</table>")[0]
    head, _, body = table.partition("</thead>")
    heads = [html.unescape(_TAG.sub("", words)) for words in _HEAD.findall(head)]
    pairs = []
    for row in re.findall(r"<tr\b.*?</tr>", body, re.S):
        for words, attributes in zip(heads, _CELL.findall(row), strict=True):
            pairs += [(html.unescape(label), words) for label in _LABEL.findall(attributes)]
    return pairs


def test_each_number_of_the_rating_history_has_its_label(ana: User, ben: User) -> None:
    pages.finished_game(ana.player, ben.player, "first")
    page = Client().get(ana.player.get_absolute_url()).content.decode()
    pairs = _labels_beside_heads(page, "rating-history numbers")
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


@pytest.mark.parametrize(
    ("name", "arguments", "kind", "labels"),
    [
        ("players", [], "ranks", {"Games"}),
        ("player", ["ana"], "numbers", {"Rating", "Best", "Games", "Won", "Drawn", "Lost"}),
        ("head-to-head", ["ana", "ben"], "numbers", {"Games", "Score", "With the first side"}),
        ("leaderboard", [], "ranks", {"Best", "Games", "Won", "Drawn", "Lost"}),
    ],
)
def test_no_number_of_a_player_is_left_out_on_a_phone(
    ana: User, ben: User, name: str, arguments: list[str], kind: str, labels: set[str]
) -> None:
    pages.finished_game(ana.player, ben.player, "first")
    players = {"ana": ana.player.pk, "ben": ben.player.pk}
    address = reverse(name, args=[players[each] for each in arguments])
    page = Client().get(address).content.decode()
    pairs = _labels_beside_heads(page, kind)
    assert labels <= {label for label, _ in pairs}
    assert all(label == head for label, head in pairs)
    assert "wide-only" not in page


def test_standings_have_the_labels_of_all_values_on_a_phone(db: None) -> None:
    event = large_events.published(4, "Large")
    page = Client().get(reverse("event-standings", args=[event.slug])).content.decode()
    pairs = _labels_beside_heads(page, "ranks")
    assert {"Rating", "Wins", "BH"} <= {label for label, _ in pairs}
    assert all(label == head for label, head in pairs)
