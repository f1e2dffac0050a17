"""The pages of ratings: predictions held against outcomes, the spread of a pool, opponents, and the calculator."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

import pytest
from django.db import transaction
from django.urls import reverse

from tests.tournaments import visits
from tournaments.models import Event, Game, Player, Pool, Rating
from tournaments.services import (
    calibrations,
    corrections,
    distributions,
    opponents,
    play,
    players,
)
from tournaments.services.pools import pool_of
from tournaments.views import diagrams, graphs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from django.test import Client

    from tournaments.models import User

_RULESET = "morelli(size=5)"


def _play(first: Player, second: Player, result: str, ruleset: str = _RULESET) -> Game:
    game = visits.new_game(first, second, ruleset)
    with transaction.atomic():
        play.finish_game(game, result=result, ending=Game.Ending.RULES)
    return game


def _pool() -> Pool:
    return pool_of(_RULESET)


def _text(page: bytes) -> str:
    """What a reader reads: no tags, one blank between words."""
    shown = re.sub(r"<[^>]+>", " ", page.decode())
    return " ".join(html.unescape(shown).split())


# --- calibration ----------------------------------------------------------------------------------


def test_predictions_are_held_against_the_games_they_were_made_for(ana: User, ben: User) -> None:
    assert calibrations.pool_calibration(_pool()) is None
    games = [_play(ana.player, ben.player, result) for result in ("first", "draw", "second")]
    _play(ana.player, ben.player, "void")
    _play(ana.player, ben.player, "first", "morlox(size=5)")
    visits.new_game(ana.player, ben.player)  # goes on
    found = calibrations.pool_calibration(_pool())
    assert found is not None
    assert (found.games, found.draws) == (3, 1 / 3)
    predicted = [Game.objects.get(pk=game.pk).predicted_millionths or 0 for game in games]
    misses = [score - p / 1_000_000 for score, p in zip((1, 0.5, 0), predicted, strict=True)]
    assert found.brier == pytest.approx(sum(miss * miss for miss in misses) / 3)


def test_games_from_before_there_were_predictions_do_not_count(ana: User, ben: User) -> None:
    _play(ana.player, ben.player, "first")
    start = visits.new_game(ana.player, ben.player)
    start.pk, start.predicted_millionths, start.predicted_by = None, None, None
    start.save()
    with transaction.atomic():
        play.finish_game(start, result="second", ending=Game.Ending.RULES)
    found = calibrations.pool_calibration(_pool())
    assert found is not None
    assert found.games == 1


def test_a_corrected_result_is_what_the_prediction_is_held_against(ana: User, ben: User) -> None:
    ana.is_superuser = True
    ana.save()
    game = _play(ana.player, ben.player, "first")
    corrections.correct(game_id=game.pk, actor=ana, result="second", reason="the score sheet")
    found = calibrations.pool_calibration(_pool())
    assert found is not None
    assert found.bias == -0.5


def test_the_page_of_predictions_says_when_there_are_too_few_games(
    ana: User, ben: User, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = reverse("leaderboard-calibration", args=[_pool().key])
    assert "No game with a prediction has ended here yet." in _text(client.get(address).content)
    _play(ana.player, ben.player, "first")
    shown = _text(client.get(address).content)
    assert "Only 1 game has been predicted so far" in shown
    assert "0.50–0.55 1 0.500 1.000 0.207–1.000 within" in shown
    _play(ana.player, ben.player, "first")
    assert "Only 2 games have been predicted so far" in _text(client.get(address).content)
    monkeypatch.setattr(calibrations, "ENOUGH", 2)
    assert "predicted so far" not in _text(client.get(address).content)


def test_the_page_says_that_the_first_side_scores_more_than_expected(
    bots: Sequence[Player], client: Client
) -> None:
    for one in bots:
        for other in bots:
            if one != other:
                _play(one, other, "first")
    page = _text(client.get(reverse("leaderboard-calibration", args=[_pool().key])).content)
    assert "The first side scored more than expected" in page


def test_dots_lie_where_prediction_and_outcome_meet() -> None:
    nothing = calibrations.Bin(0, 0, None, None, None, None)
    even = calibrations.Bin(500_000, 100, 0.5, 0.5, 0.4, 0.6)
    high = calibrations.Bin(900_000, 25, 0.9, 0.5, 0.3, 0.7)
    diagram = diagrams.calibration_diagram([nothing, even, high])
    assert len(diagram.dots) == 2
    middle, wrong = diagram.dots
    assert middle.x == (diagram.left + diagram.right) / 2
    assert middle.y == (diagram.top + diagram.bottom) / 2
    assert middle.high_y < middle.y < middle.low_y  # upwards is less in SVG
    assert wrong.x > middle.x
    assert wrong.radius == middle.radius / 2  # a quarter of the games, a quarter of the area
    assert (middle.is_right, wrong.is_right) == (True, False)


def test_one_entry_of_the_main_menu_is_marked(ana: User, ben: User, client: Client) -> None:
    _play(ana.player, ben.player, "first")
    for name in ("leaderboard-pool", "leaderboard-bots", "leaderboard-calibration"):
        page = client.get(reverse(name, args=[_pool().key])).content.decode()
        menu = page[page.index('class="site-nav"') : page.index('class="account"')]
        assert re.findall(r'aria-current="page">([^<]+)<', menu) == ["Ratings"]
    menu = client.get(reverse("bots")).content.decode()
    assert 'aria-current="page">Bots<' in menu


# --- the spread of a pool -------------------------------------------------------------------------


def _rate(player: Player, centielo: int) -> None:
    Rating.objects.create(pool=_pool(), player=player, centielo=centielo, peak_centielo=centielo)


def test_the_spread_counts_everybody_once_and_knows_who_is_below(
    bots: Sequence[Player], ana: User, ben: User
) -> None:
    for number, bot in enumerate(bots):
        _rate(bot, 1400_00 + 20_00 * number)
    _rate(ana.player, 1449_99)
    spread = distributions.distribution(_pool(), ana.player)
    assert spread.players == len(bots) + 1
    assert dict(spread.steps) == {1400: 4, 1450: 2, 1500: 1}
    assert spread.place == distributions.Place(1449_99, 3)
    assert distributions.distribution(_pool(), ben.player).place is None
    assert distributions.distribution(_pool(), None).place is None


@pytest.mark.parametrize(
    "steps",
    [{1500: 1}, {0: 1, 4000: 3}, {1450: 2, 1500: 40, 1800: 1}],
    ids=["one", "far-apart", "few"],
)
def test_columns_hold_everybody_and_stay_in_the_picture(steps: dict[int, int]) -> None:
    spread = distributions.Distribution(sum(steps.values()), steps, None)
    picture = diagrams.histogram(spread)
    assert picture is not None
    assert sum(column.players for column in picture.columns) == sum(steps.values())
    assert len(picture.columns) <= 41
    for column in picture.columns:
        assert 0 <= column.x <= column.x + column.width <= picture.width
        assert column.y + column.height == pytest.approx(picture.floor)
    assert {label.text for label in picture.labels} <= {str(e) for e in range(0, 4250, 50)}


def test_nobody_rated_is_no_picture() -> None:
    assert diagrams.histogram(distributions.Distribution(0, {}, None)) is None


def test_you_are_here_is_said_to_the_rated_only(ana: User, ben: User, client: Client) -> None:
    _rate(ana.player, 1600_00)
    cleo = players.sign_up(name="Cleo", password="rayuela-73")
    _rate(cleo.player, 1500_00)
    address = reverse("leaderboard-pool", args=[_pool().key])
    mine = visits.member(ana).get(address).content
    assert "You are here: 1600, above 1 of 2 players." in _text(mine)
    assert b'class="here"' in mine
    for other in (client, visits.member(ben)):
        page = other.get(address).content
        assert "You are here" not in _text(page)
        assert b'class="here"' not in page


@pytest.mark.parametrize("count", [0, 3, 203], ids=str)
def test_the_leaderboard_with_no_few_and_many_rows(
    db: None, client: Client, django_assert_max_num_queries: Callable[..., object], count: int
) -> None:
    for number in range(count):
        _rate(players.add_bot(name=f"Bot {number}", engine="random"), 1200_00 + 300 * number)
    pool = _pool()
    with django_assert_max_num_queries(8):  # type: ignore[attr-defined]
        page = client.get(reverse("leaderboard-pool", args=[pool.key])).content.decode()
    assert page.count('<th scope="row"') == min(count, 200)
    assert ("No rated game has ended yet." in page) == (count == 0)
    assert ("The first 200 of 203 players." in page) == (count == 203)


# --- opponents ------------------------------------------------------------------------------------


def test_opponents_are_counted_from_the_ledger_as_it_stands(ana: User, ben: User) -> None:
    ana.is_superuser = True
    ana.save()
    cleo = players.sign_up(name="Cleo", password="rayuela-73").player
    _play(ana.player, ben.player, "first")
    wrong = _play(ben.player, ana.player, "first")
    _play(ana.player, ben.player, "draw")
    _play(cleo, ana.player, "second")
    _play(ana.player, cleo, "first", "morlox(size=5)")
    corrections.correct(game_id=wrong.pk, actor=ana, result="second", reason="the score sheet")
    met = opponents.opponents(ana.player, _pool(), most=5)
    assert [(o.player.name, o.games, o.wins, o.draws, o.losses, o.score_halves) for o in met] == [
        ("Ben", 3, 2, 1, 0, 5),
        ("Cleo", 1, 1, 0, 0, 2),
    ]
    ledger = ana.player.ledger.standing().filter(pool=_pool())
    against_ben = [
        e.opponent_centielo for e in ledger if ben.player in (e.game.first, e.game.second)
    ]
    assert met[0].average_centielo == round(sum(against_ben) / 3)
    assert len(opponents.opponents(ana.player, _pool(), most=1)) == 1


def test_head_to_head_counts_pools_and_sides_from_the_view_of_one(ana: User, ben: User) -> None:
    _play(ana.player, ben.player, "first")
    _play(ana.player, ben.player, "second")
    _play(ben.player, ana.player, "draw")
    _play(ben.player, ana.player, "second", "morlox(size=5)")
    _play(ben.player, ana.player, "void")
    mine = opponents.head_to_head(ana.player, ben.player)
    total = mine.together.total
    assert (total.wins, total.draws, total.losses, total.score_halves) == (2, 1, 1, 5)
    assert [(row.pool, row.total.games) for row in mine.by_pool] == [
        ("Morelli 5×5", 3),
        ("Morlox 5×5", 1),
    ]
    five = mine.by_pool[0]
    assert (five.as_first.games, five.as_first.score_halves) == (2, 2)
    assert (five.as_second.games, five.as_second.score_halves) == (1, 1)
    theirs = opponents.head_to_head(ben.player, ana.player)
    assert theirs.together.total.score_halves == total.lost_halves
    assert theirs.by_pool[0].as_second.score_halves == five.as_first.lost_halves


def test_the_head_to_head_page_lists_the_games_and_needs_two(
    ana: User, ben: User, client: Client
) -> None:
    address = reverse("head-to-head", args=[ana.player.pk, ben.player.pk])
    assert "have not finished a game against each other" in _text(client.get(address).content)
    game = _play(ana.player, ben.player, "first")
    _play(ben.player, ana.player, "draw")
    page = client.get(address).content
    assert "1½ : ½ in 2 games" in _text(page)
    assert f'href="{game.get_absolute_url()}"'.encode() in page
    myself = reverse("head-to-head", args=[ana.player.pk, ana.player.pk])
    assert client.get(myself).status_code == 404


def test_the_player_page_leads_to_the_games_against_each_opponent(
    ana: User, ben: User, client: Client
) -> None:
    _play(ana.player, ben.player, "first")
    page = client.get(ana.player.get_absolute_url()).content.decode()
    assert reverse("head-to-head", args=[ana.player.pk, ben.player.pk]) in page
    theirs = visits.member(ben).get(ana.player.get_absolute_url()).content.decode()
    assert reverse("head-to-head", args=[ben.player.pk, ana.player.pk]) in theirs


def test_events_are_marked_where_their_first_game_is_on_the_history(
    ana: User,
    ben: User,
    bots: list[Player],
    new_event: Callable[..., Event],
    enter: Callable[..., None],
    client: Client,
) -> None:
    _play(ben.player, ana.player, "first")
    event = visits.running_event(ana, ben, bots, new_event, enter)
    visits.play_out(Game.objects.ongoing().get(pairing__event=event))
    page = client.get(ben.player.get_absolute_url()).content.decode()
    assert f'<a href="{event.get_absolute_url()}" class="mark"><title>{event.name}</title>' in page
    graph = graphs.rating_graph([150000, 151000, 150500], [graphs.Began(2, "test", "Test")])
    assert graph is not None
    assert [mark.x for mark in graph.marks] == [graph.last_x]


# --- the calculator -------------------------------------------------------------------------------


def _calculate(client: Client, **told: str) -> str:
    return _text(client.get(reverse("rating-calculator"), told).content)


def _ledger(client: Client, **changes: str) -> str:
    told = {"rating": "1500", "opponent": "1650", "result": "2", "k": "20"} | changes
    return _calculate(client, **{f"ledger-{name}": value for name, value in told.items()})


def _fide(client: Client, **changes: str) -> str:
    told = {"rating": "2000", "k": "20", "time_class": "standard", "games": "2100 1\n1950 0.5"}
    return _calculate(client, **{f"fide-{name}": value for name, value in (told | changes).items()})


def test_the_calculator_shows_every_step_of_the_ledgers_formula(client: Client, db: None) -> None:
    shown = _ledger(client)
    assert "1500 → 1514.07 (+14.07)" in shown
    assert "Difference of the ratings: −150" in shown
    assert "= 0.297" in shown
    assert "Score beyond it: 1 − 0.297 = +0.703" in shown
    assert "Change: 20 × (+0.703) = +14.07" in shown


def test_the_calculator_agrees_with_the_ledger(ana: User, ben: User, client: Client) -> None:
    _play(ana.player, ben.player, "first")
    _play(ben.player, ana.player, "first")
    entry = ben.player.ledger.last()
    assert entry is not None
    shown = _ledger(
        client,
        rating=f"{entry.before_centielo / 100:.2f}",
        opponent=f"{entry.opponent_centielo / 100:.2f}",
        k=str(entry.k_factor),
    )
    assert f"(+{entry.delta_centielo / 100:.2f}".removesuffix(".00") in shown


def test_a_large_difference_counts_as_400(client: Client, db: None) -> None:
    shown = _ledger(client, rating="2000", opponent="1000", result="0")
    assert "Difference of the ratings: +1000; it counts as +400" in shown
    assert "= 0.909" in shown


def test_the_calculator_rounds_a_fide_period_once(client: Client, db: None) -> None:
    # PD(-100) = .36 and PD(50) = .57: +.64 - .07 = +.57, times 20 = 11.4 (B.02 8.1.2, 8.3.4).
    shown = _fide(client)
    assert "2000 → 2011 (+11)" in shown
    assert "Sum of ΔR: +0.57" in shown
    assert "Change: 20 × (+0.57) = +11.40, rounded +11" in shown
    # 75 % of the points: dp = 193 above an average of 2025.
    assert "Performance (TPR) 2218" in shown
    assert "fide-standard-2025" in shown


def test_many_games_lower_k(client: Client, db: None) -> None:
    shown = _fide(client, k="40", games="2000 1\n" * 20)
    assert "K is 35 instead of 40" in shown


@pytest.mark.parametrize(
    ("games", "message"),
    [
        ("", "This field is required."),
        ("2100", "Line 1 is not a rating and a result."),
        ("2100 1\n\nabc 1", "Line 3 is not a rating and a result."),
        ("2100 2", "Line 1: the result is 1, ½ (or 0.5) or 0."),
        ("9999 1", "Line 1: no rating is above 4000."),
        ("-100 1", "Line 1 is not a rating and a result."),
        ("٢١٠٠ 1", "Line 1 is not a rating and a result."),
        ("2100 1\n" * 101, "These are more than 100 games."),
    ],
    ids=["none", "no-result", "a-word", "score", "too-high", "negative", "digits", "too-many"],
)
def test_games_that_make_no_sense_are_told_by_their_line(
    client: Client, db: None, games: str, message: str
) -> None:
    shown = _fide(client, games=games)
    assert message in shown
    assert "→" not in shown


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rating": ""}, "This field is required."),
        ({"rating": "abc"}, "Enter a number."),
        ({"rating": "NaN"}, "Enter a number."),
        ({"rating": "1e400"}, "Ensure"),
        ({"opponent": "-1"}, "Ensure this value is greater than or equal to 0."),
        ({"opponent": "4001"}, "Ensure this value is less than or equal to 4000."),
        ({"opponent": "1500.123"}, "Ensure that there are no more than 2 decimal places."),
        ({"result": "3"}, "Select a valid choice."),
        ({"k": "33"}, "Select a valid choice."),
    ],
    ids=lambda value: (
        "-".join(value.items().__iter__().__next__()) if isinstance(value, dict) else ""
    ),
)
def test_numbers_that_make_no_sense_are_told_beside_their_field(
    client: Client, db: None, changes: dict[str, str], message: str
) -> None:
    shown = _ledger(client, **changes)
    assert message in shown
    assert "→" not in shown


def test_one_form_is_answered_without_the_other(client: Client, db: None) -> None:
    page = client.get(reverse("rating-calculator")).content
    assert b'class="errors"' not in page
    assert b"answer" not in page
    only = client.get(
        reverse("rating-calculator"),
        {f"ledger-{k}": v for k, v in {"rating": 1, "opponent": 2, "result": 1, "k": 10}.items()},
    ).content
    assert b'id="ledger-answer"' in only
    assert b'id="fide-answer"' not in only
    assert b'class="errors"' not in only
