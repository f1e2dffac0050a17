"""Evaluations: the last line of a bot before its ply is kept within bounds, and shown when it cannot help a player."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from django.db import IntegrityError, connection, transaction

from engine.protocol import Info
from tests.tournaments import pages, remote_players
from tournaments.models import Evaluation, Game, Player, User
from tournaments.models.evaluations import MAX_LINE, MAX_SCORE_CP, MAX_TEXT
from tournaments.queries.records import evaluations, exports, game_records
from tournaments.services.accounts import players
from tournaments.services.games import game_creation, play, takebacks
from tournaments.services.matches import matches, replies

RULESET = "morlox(size=5)"
CLOCK = game_creation.Clock(60_000, 100)


def _pair(*engines: str) -> tuple[Player, Player]:
    one, two = (players.add_bot(name=f"Sila {n}", engine=e) for n, e in enumerate(engines, 1))
    return one, two


def _casual(first: Player, second: Player) -> Game:
    return game_creation.create_game(
        ruleset=RULESET, setup="", first=first, second=second, clock=CLOCK, is_rated=False
    )


@pytest.fixture
def remote_game(ana: User, ben: User) -> Game:
    """A game of a remote bot, which is to move, against a person."""
    return remote_players.game(remote_players.bot(ana), ben.player)


def _says(game: Game, info: str, **more: object) -> Evaluation | None:
    """The evaluation of a ply that comes with such a line."""
    pages.move(game, info=info, **more)
    return Evaluation.objects.filter(game=game, attempt=game.attempt, number=game.ply).first()


@pytest.mark.engine
def test_each_ply_of_a_match_has_what_its_bot_said_last(db: None) -> None:
    match = matches.schedule(
        ruleset=RULESET, setup="", players=_pair("greedy", "random"), clock=CLOCK, games_count=2
    )
    assert matches.play_match(match.pk)
    for game in match.games.select_related("first__bot"):
        greedy = "first" if game.first.bot.engine == "greedy" else "second"
        thoughts = evaluations.of_game(game)
        own = {ply.number: ply for ply in game.plies.filter(side=greedy)}
        assert set(thoughts) == set(own)  # the other one says nothing
        for number, thought in thoughts.items():
            assert thought.depth == 1
            assert thought.score_cp is not None
            assert thought.nodes
            assert thought.line == [own[number].move]


@pytest.mark.engine
def test_a_reply_to_a_person_keeps_its_evaluation_and_hides_it_until_the_end(ana: User) -> None:
    bot = players.add_bot(name="Sila", engine="greedy")
    game = _casual(bot, ana.player)
    assert replies.reply(game.pk)
    row = Evaluation.objects.get(game=game)
    assert (row.attempt, row.number, row.depth) == (1, 1, 1)
    game = Game.objects.with_players().get(pk=game.pk)
    assert evaluations.of_game(game) == {}
    assert all(ply.evaluation is None for ply in game_records.document_of(game).plies)
    play.resign(game_id=game.pk, player=ana.player)
    game = Game.objects.with_players().get(pk=game.pk)
    assert set(evaluations.of_game(game)) == {1}
    (ply,) = json.loads(game_records.document_of(game).text())["plies"]
    assert ply["evaluation"]["depth"] == 1


def test_evaluations_are_open_while_two_boxed_bots_play_and_no_others(
    ana: User, ben: User, bots: Sequence[Player]
) -> None:
    remote, other = (remote_players.bot(ana, name).player for name in ("Fama", "Fima"))
    assert evaluations.are_open(Game(first=bots[0], second=bots[1]))
    assert not evaluations.are_open(Game(first=remote, second=other))
    assert not evaluations.are_open(Game(first=bots[0], second=remote))
    assert not evaluations.are_open(Game(first=ana.player, second=bots[0]))
    assert evaluations.are_open(Game(first=ana.player, second=remote, result="draw"))


def test_a_remote_bot_sends_its_info_line_with_the_move(remote_game: Game) -> None:
    line = "info depth 7 score cp -35 nodes 1200 time 80 pv a1 b2 string a_b quite even"
    row = _says(remote_game, line)
    assert row is not None
    assert (row.depth, row.score_cp, row.nodes, row.time_ms) == (7, -35, 1200, 80)
    assert (row.line, row.text) == ("a1 b2", "a_b quite even")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "bestmove a1",
        "info",
        "info depth x",
        "info score mate 3",
        "information depth 3",
        "info depth 3\x00",
        "info string \x1b[31m",
        "🂡" * 5_000,
    ],
)
def test_what_is_no_evaluation_is_left_out_and_the_move_counts(
    remote_game: Game, line: str
) -> None:
    assert _says(remote_game, line) is None
    assert remote_game.ply == 1


def test_what_is_too_large_is_cut(remote_game: Game) -> None:
    line = f"info depth {10**30} score cp {-(10**30)} nodes {10**40} time {10**30}"
    row = _says(remote_game, f"{line} pv {'a' * 150} {'b' * 150} {'c' * 150} string {'x' * 900}")
    assert row is not None
    assert row.score_cp == -MAX_SCORE_CP
    assert (row.depth, row.nodes, row.time_ms) == (10_000, 2**63 - 1, 2**31 - 1)
    # Whole moves only.
    assert row.line == f"{'a' * 150} {'b' * 150}"
    assert len(row.text) == MAX_TEXT


def test_negative_depth_and_signs_that_turn_the_text_are_taken_out() -> None:
    game = Game(attempt=1, ply=1)
    row = evaluations.of_last_ply(game, Info(depth=-4, nodes=-1, text="a\u202eb", pv=("a\u200f1",)))
    assert row is not None
    assert (row.depth, row.nodes, row.text, row.line) == (0, 0, "ab", "a1")
    long = evaluations.of_last_ply(game, Info(pv=("D12-G9 xF8H8",) * 100))
    assert long is not None
    assert len(long.line) <= MAX_LINE
    assert long.line.split()[0] == "D12-G9_xF8H8"
    assert evaluations.of_last_ply(game, Info()) is None
    assert evaluations.of_last_ply(game, None) is None


def test_of_people_nothing_is_kept(remote_game: Game) -> None:
    assert _says(remote_game, "info depth 1") is not None
    assert _says(remote_game, "info depth 2") is None
    assert Evaluation.objects.count() == 1


def test_a_move_without_info_asks_for_no_more_than_before(
    remote_game: Game,
) -> None:
    with connection.execute_wrapper(_no_evaluations):
        pages.move(remote_game)
        pages.move(remote_game, info="info depth 3")  # a person's


def _no_evaluations(execute, sql, params, many, context):
    assert "tournaments_evaluation" not in sql
    return execute(sql, params, many, context)


def test_a_repeated_request_is_one_evaluation(remote_game: Game) -> None:
    move = pages.legal(remote_game)
    for _ in range(2):
        play.play_move(
            game_id=remote_game.pk,
            player=remote_game.first,
            ply=0,
            move=move,
            client_key="one",
            info="info depth 1",
        )
    assert Evaluation.objects.count() == 1


def test_a_takeback_copies_the_evaluations_that_still_stand(ana: User, ben: User) -> None:
    game = remote_players.game(remote_players.bot(ana), ben.player)
    for depth in (1, 0, 3, 0):
        pages.move(game, info=f"info depth {depth}")
    takebacks.offer_takeback(game_id=game.pk, player=ben.player)
    takebacks.offer_takeback(game_id=game.pk, player=game.first)
    game.refresh_from_db()
    assert (game.attempt, game.ply) == (2, 3)
    play.resign(game_id=game.pk, player=ben.player)
    game = Game.objects.with_players().get(pk=game.pk)
    assert {n: each.depth for n, each in evaluations.of_game(game).items()} == {1: 1, 3: 3}


def test_exports_have_the_evaluations_of_plies_that_have_one(remote_game: Game) -> None:
    _says(remote_game, "info score cp 12 pv a1 b2")
    pages.move(remote_game)
    assert list(exports.game_lines(exports.games_of())) == []
    play.resign(game_id=remote_game.pk, player=remote_game.second)
    (line,) = exports.game_lines(exports.games_of())
    first, second = json.loads(line)["plies"]
    assert first["evaluation"]["score_cp"] == 12
    assert first["evaluation"]["line"] == ["a1", "b2"]
    assert "evaluation" not in second


@pytest.mark.engines
def test_an_evaluation_is_one_a_ply_and_never_changes(remote_game: Game) -> None:
    row = _says(remote_game, "info depth 1")
    assert row is not None
    with pytest.raises(IntegrityError), transaction.atomic():
        Evaluation.objects.create(game=remote_game, attempt=1, number=1, depth=2)
    with pytest.raises(IntegrityError), transaction.atomic():
        Evaluation.objects.filter(pk=row.pk).update(depth=2)
    with pytest.raises(IntegrityError), transaction.atomic():
        row.delete()
    with pytest.raises(IntegrityError), transaction.atomic():
        Evaluation.objects.create(game=remote_game, attempt=1, number=2, score_cp=MAX_SCORE_CP + 1)
