"""The pages of ratings: predictions held against outcomes, the spread of a pool, and opponents."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from tests.tournaments import pages, uploads
from tests.tournaments.pages import finished_game, text_of
from tournaments import database_time
from tournaments.models import Game, LedgerEntry, Player, Pool, Rating, User
from tournaments.queries.ratings import calibrations, comparison, distribution, head_to_head
from tournaments.services.accounts import players
from tournaments.services.arbiter import corrections
from tournaments.services.games import game_end
from tournaments.views.players import for_all
from tournaments.views.ratings.charts import courses, rating_history
from tournaments.views.ratings.charts import pool as pool_charts

_RULESET = "morelli(size=5)"


def _pool() -> Pool:
    return pages.pool_of(Pool.Kind.PEOPLE)


# --- calibration ----------------------------------------------------------------------------------


def test_predictions_are_held_against_the_games_they_were_made_for(ana: User, ben: User) -> None:
    assert calibrations.pool_calibration(_pool()) is None
    games = [
        finished_game(ana.player, ben.player, result) for result in ("first", "draw", "second")
    ]
    finished_game(ana.player, ben.player, "void")
    finished_game(ana.player, ben.player, "first", "morlox(size=5)")
    pages.new_game(ana.player, ben.player)  # goes on
    report = calibrations.pool_calibration(_pool())
    assert report is not None
    assert (report.games, report.draws) == (3, 1 / 3)
    predicted = [Game.objects.get(pk=game.pk).predicted_millionths or 0 for game in games]
    misses = [score - p / 1_000_000 for score, p in zip((1, 0.5, 0), predicted, strict=True)]
    assert report.brier == pytest.approx(sum(miss * miss for miss in misses) / 3)


def test_games_from_before_there_were_predictions_do_not_count(ana: User, ben: User) -> None:
    finished_game(ana.player, ben.player, "first")
    start = pages.new_game(ana.player, ben.player)
    start.pk, start.predicted_millionths, start.predicted_by = None, None, None
    start.save()
    with transaction.atomic():
        game_end.finish_game(start, result="second", ending=Game.Ending.RULES)
    report = calibrations.pool_calibration(_pool())
    assert report is not None
    assert report.games == 1


def test_a_corrected_result_is_what_the_prediction_is_held_against(
    ana: User, ben: User, administrator: User
) -> None:
    game = finished_game(ana.player, ben.player, "first")
    corrections.correct(
        game_id=game.pk, actor=administrator, result="second", reason="the score sheet"
    )
    report = calibrations.pool_calibration(_pool())
    assert report is not None
    assert report.bias == -0.5


def test_the_page_of_predictions_says_when_there_are_too_few_games(
    ana: User, ben: User, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = reverse("leaderboard-calibration", args=[_pool().key])
    assert "No game with a prediction has ended here yet." in text_of(client.get(address).content)
    finished_game(ana.player, ben.player, "first")
    text = text_of(client.get(address).content)
    assert "Only 1 game has been predicted so far" in text
    assert "0.50–0.55 1 0.500 1.000 0.207–1.000 within" in text
    finished_game(ana.player, ben.player, "first")
    assert "Only 2 games have been predicted so far" in text_of(client.get(address).content)
    monkeypatch.setattr(calibrations, "ENOUGH", 2)
    assert "predicted so far" not in text_of(client.get(address).content)


@pytest.mark.long
def test_the_page_says_that_the_first_side_scores_more_than_expected(
    bots: Sequence[Player], client: Client
) -> None:
    for one in bots:
        for other in bots:
            if one != other:
                finished_game(one, other, "first")
    page = text_of(
        client.get(
            reverse("leaderboard-calibration", args=[pages.pool_of(Pool.Kind.BOTS).key])
        ).content
    )
    assert "The first player scored more than expected" in page


def test_dots_lie_where_prediction_and_outcome_meet() -> None:
    nothing = calibrations.Bin(0, 0, None, None, None, None)
    even = calibrations.Bin(500_000, 100, 0.5, 0.5, 0.4, 0.6)
    high = calibrations.Bin(900_000, 25, 0.9, 0.5, 0.3, 0.7)
    diagram = pool_charts.calibration_diagram([nothing, even, high])
    assert len(diagram.dots) == 2
    middle, wrong = diagram.dots
    assert middle.x == (diagram.left + diagram.right) / 2
    assert middle.y == (diagram.top + diagram.bottom) / 2
    assert middle.high_y < middle.y < middle.low_y  # upwards is less in SVG
    assert wrong.x > middle.x
    assert wrong.radius == middle.radius / 2  # a quarter of the games, a quarter of the area
    assert (middle.is_right, wrong.is_right) == (True, False)


@pytest.mark.long
def test_one_entry_of_the_main_menu_is_marked(ana: User, ben: User, client: Client) -> None:
    finished_game(ana.player, ben.player, "first")
    version = uploads.ready(uploads.line(ana))
    client.force_login(ana)
    ratings = ("leaderboard-pool", "leaderboard-strengths", "leaderboard-calibration")
    pages_of = {
        "Ratings": [reverse(name, args=[_pool().key]) for name in ratings],
        "Bots": [
            *map(reverse, ("bots", "sprt", "suites", "gauntlets", "gauntlet-new")),
            reverse("bot-games", args=[version.pk]),
        ],
        "Rules": [reverse("games")],
    }
    for entry, addresses in pages_of.items():
        for address in addresses:
            page = client.get(address).content.decode()
            menu = page[page.index('class="site-nav"') : page.index('class="account"')]
            assert re.findall(r'aria-current="page">([^<]+)<', menu) == [entry], address


# --- the spread of a pool -------------------------------------------------------------------------


def _rate(player: Player, centielo: int) -> None:
    Rating.objects.create(
        pool=_pool(), player=player, centielo=centielo, peak_centielo=centielo, games=1
    )


def _spread(player: Player | None) -> distribution.Distribution:
    return distribution.distribution(_pool(), player, database_time.now())


def test_the_spread_counts_everybody_once_and_knows_who_is_below(
    bots: Sequence[Player], ana: User, ben: User
) -> None:
    for number, bot in enumerate(bots):
        _rate(bot, 1400_00 + 20_00 * number)
    _rate(ana.player, 1449_99)
    spread = _spread(ana.player)
    assert spread.players == len(bots) + 1
    assert dict(spread.steps) == {1400: 4, 1450: 2, 1500: 1}
    assert spread.place == distribution.Place(1449_99, 3, is_provisional=True)
    assert _spread(ben.player).place is None
    assert _spread(None).place is None


@pytest.mark.parametrize(
    "steps",
    [{1500: 1}, {0: 1, 4000: 3}, {1450: 2, 1500: 40, 1800: 1}],
    ids=["one", "far-apart", "few"],
)
def test_columns_hold_everybody_and_stay_in_the_picture(steps: dict[int, int]) -> None:
    spread = distribution.Distribution(sum(steps.values()), steps, None)
    picture = pool_charts.histogram(spread)
    assert picture is not None
    assert sum(column.players for column in picture.columns) == sum(steps.values())
    assert len(picture.columns) <= 41
    for column in picture.columns:
        assert 0 <= column.x <= column.x + column.width <= picture.width
        assert column.y + column.height == pytest.approx(picture.floor)
    assert {label.text for label in picture.labels} <= {str(e) for e in range(0, 4250, 50)}


def test_nobody_rated_is_no_picture() -> None:
    assert pool_charts.histogram(distribution.Distribution(0, {}, None)) is None


@pytest.mark.parametrize(
    ("players_in_pool", "below", "percent"), [(1, 0, None), (2, 1, 100), (4, 2, 67), (101, 64, 64)]
)
def test_the_share_of_the_others_that_are_below_is_in_percent(
    players_in_pool: int, below: int, percent: int | None
) -> None:
    place = distribution.Place(1500_00, below)
    spread = distribution.Distribution(players_in_pool, {1500: players_in_pool}, place)
    assert spread.percent_below == percent


def test_a_pool_of_people_comes_before_a_larger_one_of_bots(
    ana: User, client: Client, bots: list[Player]
) -> None:
    _rate(ana.player, 1500_00)
    of_bots = pages.pool_of(Pool.Kind.BOTS)
    for bot in bots[:2]:
        Rating.objects.create(
            player=bot, pool=of_bots, centielo=1500_00, peak_centielo=1500_00, games=1
        )
    assert client.get(reverse("leaderboard")).context["pool"] == _pool()


def test_you_are_here_is_said_to_the_rated_only(ana: User, ben: User, client: Client) -> None:
    _rate(ana.player, 1600_00)
    cleo = players.sign_up(name="Cleo", password="rayuela-1963")
    _rate(cleo.player, 1500_00)
    address = reverse("leaderboard-pool", args=[_pool().key])
    mine = pages.member(ana).get(address).content
    assert "You are here: 1600?" in text_of(mine)
    assert "better than" not in text_of(mine)  # the rating is provisional
    assert b'class="here"' in mine
    for other in (client, pages.member(ben)):
        page = other.get(address).content
        assert "You are here" not in text_of(page)
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


def test_the_graph_of_a_busy_player_shows_the_latest_games(
    ana: User, ben: User, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(for_all, "_GRAPH_ROWS", 3)
    for _ in range(3):
        finished_game(ana.player, ben.player, "first")
    address = reverse("player", args=[ana.player.pk])
    assert "earlier games are not shown" not in client.get(address).content.decode()
    finished_game(ana.player, ben.player, "second")
    text = client.get(address).content.decode()
    assert "earlier games are not shown" in text
    last = ana.player.ledger.order_by("seq").last()
    assert last is not None
    assert f"over 3 games, now {round(last.after_centielo / 100)}</title>" in text


# --- opponents ------------------------------------------------------------------------------------


def test_opponents_are_counted_from_the_ledger_as_it_stands(
    ana: User, ben: User, administrator: User
) -> None:
    cleo = players.sign_up(name="Cleo", password="rayuela-1963").player
    finished_game(ana.player, ben.player, "first")
    wrong = finished_game(ben.player, ana.player, "first")
    finished_game(ana.player, ben.player, "draw")
    finished_game(cleo, ana.player, "second")
    finished_game(ana.player, cleo, "first", "morlox(size=5)")
    corrections.correct(
        game_id=wrong.pk, actor=administrator, result="second", reason="the score sheet"
    )
    met = head_to_head.opponents(ana.player, _pool(), most=5)
    assert [(o.player.name, o.tally) for o in met] == [
        ("Ben", head_to_head.Tally(wins=2, draws=1, losses=0)),
        ("Cleo", head_to_head.Tally(wins=1)),
    ]
    ledger = ana.player.ledger.standing().filter(pool=_pool())
    against_ben = [
        e.opponent_centielo
        for e in ledger
        if e.game is not None and ben.player in (e.game.first, e.game.second)
    ]
    assert met[0].average_centielo == round(sum(against_ben) / 3)
    assert len(head_to_head.opponents(ana.player, _pool(), most=1)) == 1


def test_head_to_head_counts_pools_and_sides_from_the_view_of_one(ana: User, ben: User) -> None:
    finished_game(ana.player, ben.player, "first")
    finished_game(ana.player, ben.player, "second")
    finished_game(ben.player, ana.player, "draw")
    finished_game(ben.player, ana.player, "second", "morlox(size=5)")
    finished_game(ben.player, ana.player, "void")
    mine = head_to_head.head_to_head(ana.player, ben.player)
    total = mine.together.total
    assert (total.wins, total.draws, total.losses, total.score_halves) == (2, 1, 1, 5)
    assert [(row.game, row.total.games) for row in mine.by_game] == [
        ("Morelli, up to 9×9", 3),
        ("Morlox, up to 9×9", 1),
    ]
    five = mine.by_game[0]
    assert (five.as_first.games, five.as_first.score_halves) == (2, 2)
    assert (five.as_second.games, five.as_second.score_halves) == (1, 1)
    theirs = head_to_head.head_to_head(ben.player, ana.player)
    assert theirs.together.total.score_halves == total.lost_halves
    assert theirs.by_game[0].as_second.score_halves == five.as_first.lost_halves


def test_the_head_to_head_page_lists_the_games_and_needs_two(
    ana: User, ben: User, client: Client
) -> None:
    address = reverse("head-to-head", args=[ana.player.pk, ben.player.pk])
    assert "have not finished a game against each other" in text_of(client.get(address).content)
    game = finished_game(ana.player, ben.player, "first")
    finished_game(ben.player, ana.player, "draw")
    page = client.get(address).content
    assert "1½ : ½ in 2 games" in text_of(page)
    assert f'href="{game.get_absolute_url()}"'.encode() in page
    myself = reverse("head-to-head", args=[ana.player.pk, ana.player.pk])
    assert client.get(myself).status_code == 404


def test_the_player_page_leads_to_the_games_against_each_opponent(
    ana: User, ben: User, client: Client
) -> None:
    finished_game(ana.player, ben.player, "first")
    page = client.get(ana.player.get_absolute_url()).content.decode()
    assert reverse("head-to-head", args=[ana.player.pk, ben.player.pk]) in page
    theirs = pages.member(ben).get(ana.player.get_absolute_url()).content.decode()
    assert reverse("head-to-head", args=[ben.player.pk, ana.player.pk]) in theirs


@pytest.mark.long
def test_events_are_marked_where_their_first_game_is_on_the_history(
    ana: User, ben: User, bots: list[Player], client: Client
) -> None:
    finished_game(ben.player, ana.player, "first")
    event = pages.running_event(ana, ben, bots)
    pages.play_out(Game.objects.ongoing().get(pairing__event=event))
    finished_game(ben.player, bots[0], "first")  # the history of one game has no graph
    pool = pages.pool_of(Pool.Kind.MIXED)
    address = f"{ben.player.get_absolute_url()}?pool={pool.key}"
    page = client.get(address).content.decode()
    assert f'<a href="{event.get_absolute_url()}" class="mark"><title>{event.name}</title>' in page
    graph = rating_history.rating_chart(
        [150000, 151000, 150500], [rating_history.EventStart(2, "test", "Test", "morelli(size=5)")]
    )
    assert graph is not None
    assert [mark.x for mark in graph.marks] == [graph.last_x]


def test_a_profile_draws_a_history_of_two_games_at_least(
    client: Client, ana: User, ben: User
) -> None:
    finished_game(ana.player, ben.player, "first")
    address = ana.player.get_absolute_url()
    page = client.get(address).content.decode()
    assert "Rating history" in page
    assert 'class="rating-graph"' not in page
    # Games of people are rated by Glicko-2, which has no K.
    assert ">K</th>" not in page
    finished_game(ana.player, ben.player, "second")
    assert 'class="rating-graph"' in client.get(address).content.decode()


@pytest.mark.parametrize(("kind", "has_best"), [(Pool.Kind.PEOPLE, True), (Pool.Kind.BOTS, False)])
def test_the_best_rating_is_shown_on_the_scale_of_the_others(
    client: Client, ana: User, ben: User, bots: list[Player], kind: Pool.Kind, has_best: bool
) -> None:
    """The ratings of bots are fitted to all games. The best of the ledger is on another scale."""
    pair = (ana.player, ben.player) if kind == Pool.Kind.PEOPLE else (bots[0], bots[1])
    for result in ("first", "second", "draw"):
        finished_game(*pair, result)
    page = client.get(reverse("leaderboard-pool", args=[pages.pool_of(kind).key]))
    assert page.status_code == 200
    assert (">Best</th>" in page.content.decode()) == has_best
    assert "small under" not in page.content.decode(), "one number for a rating"


def test_the_calculator_opens_with_a_row_of_the_ledger_and_comes_to_its_rating(
    ana: User, ben: User, client: Client
) -> None:
    pages.finished_game(ana.player, ben.player, "first")
    page = client.get(ana.player.get_absolute_url()).content.decode()
    [address] = re.findall(r'href="(/ratings/calculator/\?casual-[^"]+)"', page)
    answer = client.get(html.unescape(address)).content.decode()
    after = LedgerEntry.objects.get(player=ana.player).after_centielo
    assert f"→ {after / 100:.2f}".removesuffix(".00") in answer


def test_two_players_are_compared_in_the_pools_of_both(
    ana: User, ben: User, people: list[Player], client: Client
) -> None:
    pages.finished_game(ana.player, ben.player, "first")
    pages.finished_game(ana.player, ben.player, "first")
    alone = pages.finished_game(ana.player, people[0], "first", ruleset="morlox(size=5)")
    address = reverse("head-to-head", args=[ana.player.pk, ben.player.pk])
    page = client.get(address).content.decode()
    [shared] = comparison.shared_pools(ana.player, ben.player)
    assert shared.pool.key in page
    assert alone.pool is not None
    assert alone.pool.key not in page
    lines = re.findall(r'<polyline class="line[^"]*" points="([^"]+)"', page)
    assert [len(points.split()) for points in lines] == [3, 3]
    assert comparison.shared_pools(people[0], ben.player) == []


def test_a_course_begins_with_the_rating_before_the_first_game(
    ana: User, ben: User, client: Client
) -> None:
    game = pages.finished_game(ana.player, ben.player, "first")
    for player in (ana.player, ben.player):
        row = LedgerEntry.objects.get(player=player)
        assert comparison.course(player, _pool()) == [
            comparison.Moment(game.created_at, row.before_centielo),
            comparison.Moment(row.entered_at, row.after_centielo),
        ]
    page = client.get(reverse("head-to-head", args=[ana.player.pk, ben.player.pk])).content.decode()
    assert page.count("<polyline") == 2, "one game of each is a line"


@pytest.mark.long
def test_a_profile_draws_the_pools_of_one_game_over_time(
    ana: User, ben: User, client: Client
) -> None:
    others = ("morelli(size=13)", "morlox(size=5)")
    address = ana.player.get_absolute_url()
    pages.finished_game(ana.player, ben.player, "first")
    for ruleset in others:
        pages.finished_game(ana.player, ben.player, "first", ruleset)
    pages.finished_game(ana.player, ben.player, "draw")
    page = client.get(address).content.decode()
    start = page.index("in all pools of Morelli over time")
    figure = page[start : page.index("</figure>", start)]
    lines = re.findall(r'<polyline class="line of-\d" points="([^"]+)"', figure)
    assert [len(points.split()) for points in lines] == [3, 2], "most games first"
    assert _pool().key in figure
    other = pages.pool_of(Pool.Kind.PEOPLE, others[1])
    assert other.key not in figure
    assert f"?pool={other.key}" in page, "the other game is one click away"
    assert "in all pools of" not in client.get(f"{address}?pool={other.key}").content.decode()


def test_the_courses_of_several_pools_are_those_of_each(ana: User, ben: User) -> None:
    for ruleset in ("morelli(size=5)", "morlox(size=5)", "morelli(size=5)"):
        pages.finished_game(ana.player, ben.player, "first", ruleset)
    ratings = list(Rating.objects.filter(player=ana.player).order_by("pool"))
    single = [comparison.course(ana.player, each.pool) for each in ratings]
    assert comparison.courses(ratings) == single
    assert comparison.courses([]) == []


def test_the_course_of_two_ratings_lies_on_one_scale_of_time() -> None:
    def moments(*values: tuple[int, int]) -> list[comparison.Moment]:
        day = datetime(2026, 3, 1, tzinfo=UTC)
        return [comparison.Moment(day + timedelta(days=at), 100 * elo) for at, elo in values]

    chart = courses.courses_chart([moments((0, 1500), (10, 1600)), moments((5, 1550))])
    assert chart is not None
    assert chart.lines == ["44.0,176.0 628.0,14.0", "336.0,95.0"]
    assert [tick.elo for tick in chart.ticks] == [1500, 1550, 1600]
    assert courses.courses_chart([moments((0, 1500)), moments((0, 1500))]) is None
    assert courses.courses_chart([[], []]) is None
