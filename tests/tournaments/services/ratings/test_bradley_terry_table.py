"""The strengths of a pool's bots: from all their games, fitted again after results and corrections, and how they are shown."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.tournaments import pages
from tests.tournaments.pages import finished_game
from tournaments.models import Game, Pool
from tournaments.queries.ratings import bradley_terry_table
from tournaments.ratings import bradley_terry
from tournaments.services.accounts import players
from tournaments.services.arbiter import corrections
from tournaments.services.games import game_end

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pytest
    from django.test import Client

    from tournaments.models import Player, User

_RULESET = "morelli(size=5)"


def _pool() -> Pool:
    return pages.pool_of(Pool.Kind.BOTS)


def _strengths() -> bradley_terry_table.Strengths:
    strengths = bradley_terry_table.strengths(_pool())
    assert strengths is not None
    return strengths


def _centielo() -> dict[int, int]:
    return {row.player: row.centielo for row in _strengths().rows}


def test_nothing_is_said_before_two_bots_have_played(bots: Sequence[Player], ana: User) -> None:
    assert bradley_terry_table.strengths(_pool()) is None
    finished_game(ana.player, bots[0], "first")
    assert bradley_terry_table.strengths(_pool()) is None
    finished_game(bots[0], bots[1], "void")
    assert bradley_terry_table.strengths(_pool()) is None
    finished_game(bots[0], bots[1], "first")
    assert len(_strengths().rows) == 2


@pytest.mark.long
def test_the_strengths_are_those_of_the_fit_to_the_pair_counts(bots: Sequence[Player]) -> None:
    rng = random.Random(5)
    counts = []
    for _ in range(40):
        first, second = rng.sample(list(bots), 2)
        result = rng.choice(["first", "second", "draw"])
        finished_game(first, second, result)
        win, draw, loss = (int(result == each) for each in ("first", "draw", "second"))
        counts.append(bradley_terry.PairCount(str(first.pk), str(second.pk), win, draw, loss))
    fit = bradley_terry.fit_pairs(bradley_terry.pair_table(counts))
    expected = {int(r.player): r for r in fit.ratings(centre_centielo=1500_00)}
    strengths = _strengths()
    for row in strengths.rows:
        right = expected[row.player]
        assert abs(row.centielo - right.rating_centielo) <= 1
        assert abs(row.error_centielo - right.error_centielo) <= 1
        assert (row.games, row.score_halves) == (right.games, right.score_halves)
    assert (strengths.games, strengths.draws) == (40, sum(count.draws for count in counts))
    assert strengths.first_halves == sum(2 * count.wins + count.draws for count in counts)
    assert [row.rank for row in strengths.rows] == list(range(1, len(bots) + 1))
    centielo = [row.centielo for row in strengths.rows]
    assert centielo == sorted(centielo, reverse=True)


def test_the_chance_against_the_next_is_that_of_the_table(bots: Sequence[Player]) -> None:
    for one, other in itertools.pairwise(bots):
        for result in ("first", "first", "draw"):
            finished_game(one, other, result)
    strengths = _strengths()
    for number, row in enumerate(strengths.rows[:-1]):
        assert row.los_next == strengths.superiority[number][number + 1]
        assert 500 < row.los_next < 1000
        assert abs(row.los_next + strengths.superiority[number + 1][number] - 1000) <= 1
    assert strengths.rows[-1].los_next is None


def test_games_of_people_other_pools_and_unrated_ones_do_not_count(
    bots: Sequence[Player], ana: User
) -> None:
    finished_game(bots[0], bots[1], "first")
    before = _centielo()
    finished_game(bots[1], bots[0], "first", "morelli(size=13)")
    finished_game(bots[1], bots[0], "first", "morlox(size=5)")
    finished_game(ana.player, bots[0], "first")
    unrated = pages.new_game(bots[1], bots[0])
    Game.objects.filter(pk=unrated.pk).update(is_rated=False)
    unrated.refresh_from_db()
    with transaction.atomic():
        game_end.finish_game(unrated, result="first", ending=Game.Ending.RULES)
    assert _centielo() == before
    assert _strengths().games == 1


def test_a_result_is_fitted_at_once_and_the_same_games_never_twice(
    bots: Sequence[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    starts: list[bradley_terry.Fit | None] = []

    def fit(
        table: bradley_terry.PairTable, *, start: bradley_terry.Fit | None
    ) -> bradley_terry.Fit:
        starts.append(start)
        return bradley_terry.fit_pairs(table, start=start)

    monkeypatch.setattr(bradley_terry_table, "fit_pairs", fit)
    finished_game(bots[0], bots[1], "first")
    first = _centielo()
    assert _centielo() == first
    assert starts == [None]
    finished_game(bots[1], bots[0], "first")
    second = _centielo()
    assert second != first
    assert len(starts) == 2
    # The second fit began at the end of the first.
    assert starts[1] is not None
    assert len(starts[1].strengths) == 2


def test_a_corrected_result_is_fitted_again(bots: Sequence[Player], ana: User) -> None:
    ana.is_superuser = True
    ana.save()
    game = finished_game(bots[0], bots[1], "first")
    before = _centielo()
    corrections.correct(game_id=game.pk, actor=ana, result="second", reason="the clock")
    after = _centielo()
    assert before[bots[0].pk] > 1500_00 > after[bots[0].pk]
    corrections.correct(game_id=game.pk, actor=ana, result="void", reason="not played at all")
    assert bradley_terry_table.strengths(_pool()) is None
    corrections.correct(game_id=game.pk, actor=ana, result="first", reason="right after all")
    assert _centielo() == before


def test_the_order_of_the_games_plays_no_part(bots: Sequence[Player]) -> None:
    results = ["first", "first", "second", "draw", "first", "second"]
    for result in results:
        finished_game(bots[0], bots[1], result)
    for result in reversed(results):
        finished_game(bots[2], bots[3], result)
    centielo = _centielo()
    assert centielo[bots[0].pk] == centielo[bots[2].pk]
    assert centielo[bots[1].pk] == centielo[bots[3].pk]


@pytest.mark.long
def test_the_counts_are_read_by_one_query(bots: Sequence[Player]) -> None:
    for one in bots:
        for other in bots:
            if one != other:
                finished_game(one, other, "first")
    pool = _pool()
    with CaptureQueriesContext(connection) as caught:
        bradley_terry_table.strengths(pool)
    assert len(caught) == 2
    with CaptureQueriesContext(connection) as caught:
        bradley_terry_table.strengths(pool)
    assert len(caught) == 1  # whether anything has changed


def test_bots_that_no_game_connects_are_said_to_be_apart(
    bots: Sequence[Player], client: Client
) -> None:
    finished_game(bots[0], bots[1], "first")
    address = reverse("leaderboard-strengths", args=[_pool().key])
    assert "that no game connects" not in client.get(address).content.decode()
    finished_game(bots[2], bots[3], "first")
    assert {row.group for row in _strengths().rows} == {1, 2}
    assert "2 groups that no game connects" in client.get(address).content.decode()
    finished_game(bots[1], bots[2], "draw")
    assert {row.group for row in _strengths().rows} == {1}
    assert "that no game connects" not in client.get(address).content.decode()


def test_the_page_shows_rank_strength_interval_and_chances(
    bots: Sequence[Player], client: Client
) -> None:
    address = reverse("leaderboard-strengths", args=[_pool().key])
    assert "No two players have finished a rated game" in client.get(address).content.decode()
    for result in ("first", "first", "draw"):
        finished_game(bots[0], bots[1], result)
    page = client.get(address).content.decode()
    best, other = _strengths().rows
    assert f"<strong>{round(best.centielo / 100)}</strong>" in page
    assert f"± {round(best.error_centielo / 100)}</span>" in page
    assert page.count('class="error-bar"') == 2
    assert f"{(best.los_next or 0) / 10:.1f} %" in page
    percent = round((best.los_next or 0) / 10)
    assert f'heat-{round((best.los_next or 0) / 100)}">{percent}<' in page
    assert page.index(bots[0].name) < page.index(bots[1].name)
    assert (
        "The first player scored 83.3 % of the points, and 33.3 % of the games were drawn." in page
    )
    assert other.los_next is None


@pytest.mark.long
def test_more_bots_than_are_compared_have_a_table_of_the_first(db: None, client: Client) -> None:
    many = [players.add_bot(name=f"Bot {n:03}", engine="random") for n in range(34)]
    for one, other in itertools.pairwise(many):
        finished_game(one, other, "first")
    page = client.get(reverse("leaderboard-strengths", args=[_pool().key])).content.decode()
    assert page.count('class="error-bar"') == 34
    table = page[page.index("Who is stronger?") : page.index("Who beats whom?")]
    assert table.count('class="number heat-') == bradley_terry_table.LOS_MATRIX_SIZE**2


@pytest.mark.long
def test_only_the_page_of_the_strengths_pays_for_numpy() -> None:
    code = (
        "import os, sys; os.environ['DJANGO_SETTINGS_MODULE'] = 'config.settings'\n"
        "import django; django.setup()\n"
        "import config.urls, tournaments.urls, tournaments.views.ratings.leaderboard\n"
        "sys.exit(sum(name in sys.modules for name in ('numpy', 'scipy')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
