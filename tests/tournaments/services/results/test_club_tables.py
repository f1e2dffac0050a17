"""The table of clubs: the best players count, and nothing else moves a club."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments import over_board, pages
from tests.tournaments.conftest import event_of
from tournaments.models import Entry, User
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.queries.results import club_tables
from tournaments.queries.results.standings import EventRow
from tournaments.services.events import listed_players
from tournaments.services.rounds import lifecycle


def rows(*players: tuple[str, int]) -> list[EventRow]:
    """Return a table of players by club and half points, best first."""
    ranked = sorted(players, key=lambda player: -player[1])
    return [
        EventRow(Entry(pk=n, club=club), n, halves, 0) for n, (club, halves) in enumerate(ranked, 1)
    ]


@pytest.mark.parametrize(
    ("players", "count", "table"),
    [
        pytest.param(
            [("Sur", 8), ("Norte", 7), ("Norte", 6), ("Sur", 2)],
            2,
            [(1, "Norte", 13), (2, "Sur", 10)],
            id="the best two",
        ),
        pytest.param(
            [("Sur", 8), ("Norte", 7), ("Norte", 6), ("Sur", 2)],
            1,
            [(1, "Sur", 8), (2, "Norte", 7)],
            id="the best one",
        ),
        pytest.param(
            [("Sur", 6), ("Norte", 5), ("norte", 5), ("Sur", 4)],
            2,
            [(1, "Norte", 10), (1, "Sur", 10)][::-1],
            id="equal points and places: the better best place",
        ),
        pytest.param(
            [("Sur", 6), ("Norte", 4), ("Norte", 2), ("", 9), ("Este", 1)],
            2,
            [(1, "Norte", 6), (2, "Sur", 6), (3, "Este", 1)],
            id="a missing player is behind all others",
        ),
    ],
)
def test_clubs_rank_by_points_then_by_places(
    players: Sequence[tuple[str, int]], count: int, table: Sequence[tuple[int, str, int]]
) -> None:
    ranked = club_tables.of_rows(rows(*players), count)
    assert [(row.club, row.points_halves) for row in ranked] == [
        (club, halves) for _, club, halves in table
    ]


@given(
    players=st.lists(st.tuples(st.sampled_from(["A", "B", "C"]), st.integers(0, 12)), max_size=9),
    count=st.integers(1, 4),
)
def test_no_choice_of_players_would_give_a_club_more(
    players: list[tuple[str, int]], count: int
) -> None:
    for row in club_tables.of_rows(rows(*players), count):
        own = [halves for club, halves in players if club == row.club]
        size = min(count, len(own))
        assert row.points_halves == max(map(sum, combinations(own, size)))
        assert len(row.counting) + len(row.others) == len(own)


def test_the_page_has_the_clubs_of_the_event(ana: User) -> None:
    event = over_board.event_of(ana, club_players=2, rounds_total=3)
    players = [ListedPlayer(f"P{n}", club="Sur" if n % 2 else "Norte") for n in range(6)]
    listed_players.enter_all(event_id=event.pk, actor=ana, players=players)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    text = pages.text_of(Client().get(f"/events/{event.slug}/club-table/").content)
    assert "Sur" in text
    assert "The best 2 players of each club count." in text
    clubs = Client().get(f"/api/v1/events/{event.slug}/clubs").json()
    assert {each["club"]: (len(each["counting"]), len(each["others"])) for each in clubs} == {
        "Norte": (2, 1),
        "Sur": (2, 1),
    }


def test_an_event_without_the_setting_has_no_such_page(ana: User) -> None:
    event = event_of(ana)
    assert Client().get(f"/events/{event.slug}/club-table/").status_code == 404
