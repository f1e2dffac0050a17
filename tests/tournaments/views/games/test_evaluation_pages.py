"""The evaluations of bots on the page of their game: beside the board, as a graph, and as a table."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from django.test import Client

import games
from engine.protocol import Info
from tests.tournaments import pages, remote_players
from tournaments.models import Game, Player, User
from tournaments.queries.records import evaluations, game_plies
from tournaments.services.games import play
from tournaments.views.games import evaluation_graph

RULESET = "morlox(size=5)"


def _played(game: Game, *infos: Info | None) -> Game:
    """Return the game after a ply for each, with the evaluation of its bot."""
    for info in infos:
        pages.move(game)
        _save(game, info)
    return Game.objects.with_players().get(pk=game.pk)


def _save(game: Game, info: Info | None) -> None:
    thought = evaluations.of_last_ply(game, info)
    if thought is not None:
        thought.save()


def _cp(score_cp: int, *pv: str) -> Info:
    return Info(depth=3, score_cp=score_cp, pv=pv)


@pytest.fixture
def bot_game(bots: Sequence[Player]) -> Game:
    return pages.new_game(bots[0], bots[1], RULESET)


def _panel(game: Game, shown_ply: int) -> evaluation_graph.EvaluationPanel | None:
    plies = game_plies.of_game(game)
    ruleset = games.load(game.ruleset)
    position = ruleset.initial()
    for ply in plies[:shown_ply]:
        position = position.play(ply.move)
    return evaluation_graph.panel(game, plies, shown_ply, position)


def test_scores_are_shown_from_the_first_side(bot_game: Game) -> None:
    game = _played(bot_game, _cp(150), _cp(-40), None, _cp(70))
    panel = _panel(game, 2)
    assert panel is not None
    assert [(each.side, each.score_cp, each.ply) for each in panel.opinions] == [
        ("first", 150, 1),
        ("second", 40, 2),
    ]
    later = _panel(game, 4)
    assert later is not None
    assert [(each.score_cp, each.ply) for each in later.opinions] == [(150, 1), (-70, 4)]
    start = _panel(game, 0)
    assert start is not None
    assert start.opinions == []


def test_what_is_better_for_the_first_side_is_drawn_higher(bot_game: Game) -> None:
    game = _played(bot_game, _cp(100), _cp(-50), _cp(-300), _cp(300), _cp(999_999))
    panel = _panel(game, 5)
    assert panel is not None
    lines = re.findall(r'class="evaluation (\w+)" points="([^"]+)"', panel.graph)
    heights = {
        side: [float(point.split(",")[1]) for point in points.split()] for side, points in lines
    }
    first, second = heights["first"], heights["second"]
    middle = evaluation_graph.HEIGHT / 2
    assert first[1] > middle > second[0] > first[0] > first[2]
    assert second[1] == first[1]  # of one opinion
    assert all(0 < height < evaluation_graph.HEIGHT for height in first + second)


def test_each_line_has_a_stroke_and_a_marker_of_its_own(bot_game: Game) -> None:
    panel = _panel(_played(bot_game, _cp(10), _cp(10), _cp(10)), 1)
    assert panel is not None
    assert panel.graph.count("<circle") == 1
    assert '<rect class="marker second"' not in panel.graph  # it has said nothing yet
    assert panel.graph.count("data-step=") == 3


def test_the_expected_line_follows_the_move_as_far_as_it_is_legal(bot_game: Game) -> None:
    pages.move(bot_game)
    own = bot_game.plies.get(number=1).move
    info = _cp(5, own, "e5", "d4", "e5", "b1")  # e5 is taken by then
    _save(bot_game, info)
    panel = _panel(Game.objects.with_players().get(pk=bot_game.pk), 1)
    assert panel is not None
    assert panel.line == ["e5", "d4"]


def test_a_line_of_another_move_is_not_shown(bot_game: Game) -> None:
    panel = _panel(_played(bot_game, _cp(5, "nonsense", "e5")), 1)
    assert panel is not None
    assert panel.line == []


def test_the_page_has_values_graph_and_table(client: Client, bot_game: Game) -> None:
    game = _played(bot_game, _cp(150), _cp(-40))
    page = client.get(f"{game.get_absolute_url()}?ply=1").content.decode()
    assert "+1.50" in page
    assert "Evaluations by the bots" in page
    rows = re.findall(r'<tr><th scope="row"><a href="\?ply=(\d)" data-step="\d">', page)
    assert rows == ["1", "2"]


def test_depth_alone_has_no_graph(client: Client, bot_game: Game) -> None:
    game = _played(bot_game, Info(depth=4))
    page = client.get(game.get_absolute_url()).content.decode()
    assert "depth 4" in page
    assert 'data-part="graph"' not in page


def test_a_bot_of_people_is_silent_until_the_game_is_over(
    client: Client, ana: User, ben: User
) -> None:
    game = remote_players.game(remote_players.bot(ana), ben.player)
    pages.move(game, info="info depth 9 score cp 777")
    for visitor in (client, pages.member(ben)):
        assert b"+7.77" not in visitor.get(game.get_absolute_url()).content
    assert b"score_cp" not in client.get(f"/game/{game.pk}/record.json").content
    play.resign(game_id=game.pk, player=ben.player)
    assert b"+7.77" in client.get(game.get_absolute_url()).content
    assert b'"score_cp": 777' in client.get(f"/game/{game.pk}/record.json").content


def test_games_of_people_have_no_such_part(client: Client, people: Sequence[Player]) -> None:
    game = pages.new_game(people[0], people[1], RULESET)
    pages.move(game)
    assert b"Evaluations" not in client.get(game.get_absolute_url()).content


def test_names_and_moves_are_escaped(
    client: Client, bot_game: Game, bots: Sequence[Player]
) -> None:
    bots[0].name = "<b>Bot"
    bots[0].save(update_fields=["name"])
    game = _played(bot_game, _cp(1, "<i>"), _cp(1))
    page = client.get(game.get_absolute_url()).content.decode()
    assert "<b>Bot" not in page
    assert "<i>" not in page
