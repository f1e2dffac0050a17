"""A player's statistics in a pool, and the ledger as a file."""

from __future__ import annotations

import csv
import io

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments import pages
from tests.tournaments.frozen_clock import FrozenClock
from tests.tournaments.pages import finished_game
from tournaments.models import LedgerEntry, Player, Pool, User
from tournaments.queries.ratings import insights
from tournaments.queries.ratings.head_to_head import Tally
from tournaments.services.arbiter import corrections
from tournaments.views.players import insights as views


def _pool() -> Pool:
    return pages.pool_of(Pool.Kind.PEOPLE)


def _insights(player: Player, clock: FrozenClock) -> insights.Insights:
    return insights.of_player(player, _pool(), clock.now)


@given(st.lists(st.sampled_from([0, 1, 2])))
def test_the_longest_run_of_wins_is_the_longest_slice_without_another_result(
    scores: list[int],
) -> None:
    slices = (scores[i:j] for i in range(len(scores) + 1) for j in range(i, len(scores) + 1))
    assert insights._runs(scores)[1] == max(len(s) for s in slices if set(s) <= {2})


@given(st.lists(st.sampled_from([0, 1, 2])))
def test_the_run_at_the_end_is_the_longest_end_of_wins_alone(scores: list[int]) -> None:
    ends = (scores[i:] for i in range(len(scores) + 1))
    assert insights._runs(scores)[0] == max(len(s) for s in ends if set(s) <= {2})


def test_results_are_counted_by_side_and_by_strength_as_the_ledger_stands(
    ana: User, ben: User, administrator: User, clock: FrozenClock
) -> None:
    finished_game(ana.player, ben.player, "first")
    wrong = finished_game(ben.player, ana.player, "first")
    finished_game(ben.player, ana.player, "draw")
    corrections.correct(
        game_id=wrong.pk, actor=administrator, result="second", reason="the score sheet"
    )
    own = _insights(ana.player, clock)
    assert own.total == Tally(wins=2, draws=1)
    assert own.sides == (Tally(wins=1), Tally(wins=1, draws=1))
    rows = list(ana.player.ledger.standing())
    assert sum(tally.games for _name, tally in own.bands) == len(rows) == 3
    gaps = [row.opponent_centielo - row.before_centielo for row in rows]
    weaker = sum(gap <= -200_00 for gap in gaps)
    assert own.bands[0][1].games == weaker > 0
    assert own.bands[2][1].games == sum(-50_00 < gap <= 50_00 for gap in gaps) > 0
    assert own.opponents_centielo == round(sum(row.opponent_centielo for row in rows) / 3)


def test_runs_of_wins_end_with_another_result(ana: User, ben: User, clock: FrozenClock) -> None:
    for result in ("first", "first", "first", "draw", "first", "first"):
        finished_game(ana.player, ben.player, result)
    own = _insights(ana.player, clock)
    assert (own.run, own.longest_run) == (2, 3)
    assert _insights(ben.player, clock).longest_run == 0


def test_a_change_is_known_once_the_rating_was_no_guess_at_its_beginning(
    ana: User, ben: User, clock: FrozenClock
) -> None:
    for _ in range(16):
        finished_game(ana.player, ben.player, "draw")
    clock.wait(days=20)
    before = ana.player.ledger.order_by("-seq")[0]
    finished_game(ana.player, ben.player, "first")
    last = ana.player.ledger.order_by("-seq")[0]
    own = _insights(ana.player, clock)
    known = {change.days: change.centielo for change in own.changes}
    assert known == {7: last.after_centielo - before.after_centielo, 30: None, 90: None}
    assert (known[7] or 0) > 0
    assert own.peak == last


def test_the_highest_rating_is_that_of_all_games(ana: User, ben: User, clock: FrozenClock) -> None:
    for _ in range(16):
        finished_game(ana.player, ben.player, "draw")
    finished_game(ana.player, ben.player, "first")
    best = ana.player.ledger.order_by("-seq")[0]
    finished_game(ana.player, ben.player, "second")
    assert _insights(ana.player, clock).peak == best


def test_the_page_has_the_best_wins_that_the_visitor_may_see(ana: User, ben: User) -> None:
    game = finished_game(ana.player, ben.player, "first")
    address = reverse("player-statistics", args=[ana.player.pk])
    content = Client().get(address).content.decode()
    assert f'href="{game.get_absolute_url()}"' in content
    assert "With the first side 1 1 0 0 1" in pages.text_of(content.encode())
    assert Client().get(address, {"pool": "no-such"}).status_code == 200


def test_a_player_without_a_rated_game_has_no_statistics(ana: User) -> None:
    for name in ("player-statistics", "player-ledger"):
        assert Client().get(reverse(name, args=[ana.player.pk])).status_code == 404
        assert Client().get(reverse(name, args=[10**9])).status_code == 404


def _lines(player: Player) -> list[dict[str, str]]:
    answer = Client().get(reverse("player-ledger", args=[player.pk]))
    assert answer["Content-Disposition"].startswith("attachment")
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


def test_the_file_has_every_line_of_the_ledger(
    ana: User, ben: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for result in ("first", "draw", "second"):
        finished_game(ana.player, ben.player, result)
    lines = _lines(ana.player)
    rows = list(LedgerEntry.objects.filter(player=ana.player).order_by("-seq"))
    assert [line["digest"] for line in lines] == [row.digest for row in rows]
    assert [line["score"] for line in lines] == ["0", "0.5", "1"]
    assert {line["opponent"] for line in lines} == {"Ben"}
    assert [float(line["after"]) * 100 for line in lines] == [row.after_centielo for row in rows]
    monkeypatch.setattr(views, "MOST_LINES", 2)
    assert len(_lines(ana.player)) == 2


def test_the_chart_has_the_days_of_the_first_and_the_last_game(
    ana: User, ben: User, client: Client, clock: FrozenClock
) -> None:
    finished_game(ana.player, ben.player, "first")
    address = reverse("player-statistics", args=[ana.player.pk])
    assert 'class="rating-graph"' not in client.get(address).content.decode()
    clock.wait(days=9)
    finished_game(ana.player, ben.player, "first")
    page = client.get(address).content.decode()
    chart = page.partition('class="rating-graph"')[2].partition("</svg>")[0]
    assert ">10 March 2026</text>" in chart
    assert ">19 March 2026</text>" in chart
    assert chart.count("<polyline") == 1
