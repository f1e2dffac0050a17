"""The first rows of a pool are those of the whole order, whichever other rows are read."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest

from tests.tournaments import pages
from tournaments import database_time
from tournaments.models import Pool, Rating
from tournaments.queries.ratings import certainty, leaderboard
from tournaments.services.accounts import players

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("kind", [Pool.Kind.PEOPLE, Pool.Kind.EVENTS, Pool.Kind.BOTS])
@pytest.mark.parametrize("most", [1, 7, 30, 60])
@pytest.mark.part(0.3)
def test_the_first_rows_are_those_of_the_whole_order(kind: Pool.Kind, most: int) -> None:
    lots, now = random.Random(most), database_time.now()
    pool = pages.pool_of(kind)
    everybody = [players.add_bot(name=f"Bot {n}", engine="random") for n in range(40)]
    Rating.objects.bulk_create(
        Rating(
            pool=pool,
            player=player,
            centielo=lots.choice([150_000, 160_000, 170_000]),
            peak_centielo=170_000,
            games=lots.choice([0, 5, 60]),
            last_at=now - timedelta(days=lots.choice([1, 400, 2_000])),
            deviation_centielo=lots.choice([5_000, 10_900, 11_000, 30_000]),
            volatility_billionths=60_000_000,
            listed_elo=lots.choice([None, 1500, 1700]),
        )
        for player in everybody
    )
    figures = leaderboard.figures_of(pool)
    rows = list(Rating.objects.filter(pool=pool, games__gt=0).select_related("player", "pool"))
    assert set(figures) == {row.player_id for row in rows}

    def is_provisional(row: Rating) -> bool:
        return certainty.of_rating(row, now).is_provisional

    rows.sort(key=lambda r: (is_provisional(r), -figures[r.player_id], r.player.canonical))
    published = leaderboard.published(pool, now, most)
    assert [row.rating for row in published] == rows[:most]
    ranked = [row for row in rows if not is_provisional(row)][:most]
    assert [row.rank for row in published if row.rank] == list(range(1, len(ranked) + 1))
    for row in published:
        assert leaderboard.place_of(row.rating.player, pool, now) == (
            row.centielo,
            row.is_provisional,
        )
