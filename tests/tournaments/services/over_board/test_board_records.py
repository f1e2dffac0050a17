"""Records of games over the board, which come after their results."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

import games
from tests.tournaments import over_board
from tests.tournaments.conftest import enter
from tests.tournaments.over_board import close, enter_listed, event_of, next_round, type_results
from tests.tournaments.pages import member, text_of
from tournaments.errors import NotAllowedError, RefusedError
from tournaments.models import AuditEntry, Event, Game, Player, User
from tournaments.queries.archives import event_archive, verification
from tournaments.queries.records import exports, game_records
from tournaments.services.arbiter import board_records


@pytest.fixture
def event(ana: User, ben: User) -> Event:
    """Return an event of four players, Ben with an account.

    In round 1 the first side has won at each board.
    """
    event = event_of(ana)
    enter_listed(event, "Alba", "Bruno", "Celia")
    enter(event, ben.player)
    next_round(event)
    type_results(event, rest="first")
    close(event)
    return event


@pytest.fixture
def game(event: Event, ben: User) -> Game:
    """Ben's game."""
    games_of_event = Game.objects.filter(pairing__event=event)
    return games_of_event.of(ben.player).get()


def _moves(game: Game, count: int) -> list[str]:
    """The first legal moves, one after the other."""
    position, moves = games.load(game.ruleset).start(game.setup), []
    for _ in range(count):
        moves.append(position.legal_moves()[0])
        position = position.play(moves[-1])
    return moves


@pytest.mark.long
def test_a_player_adds_the_moves_and_the_game_is_like_any_other(
    event: Event, game: Game, ben: User
) -> None:
    moves = _moves(game, 4)
    board_records.add(game_id=game.pk, actor=ben, text="\n".join(moves))
    game.refresh_from_db()
    assert (game.ply, game.attempt, game.result, game.ending) == (4, 1, "first", "over-board")
    record = game_records.record_of(game)
    assert list(record.moves) == moves
    assert games.parse_record(game_records.text_of(game)).moves == tuple(moves)
    page = member(ben).get(game.get_absolute_url() + "?ply=2")
    assert page.status_code == 200
    assert moves[3] in text_of(page.content)
    assert any(moves[0] in line for line in exports.game_lines(exports.games_of(event=event)))
    archive = event_archive.archive_of(event)
    assert [each.plies for each in archive.games if each.id == game.pk] == [tuple(moves)]
    assert [each for check in verification.verify(archive) for each in check.differences] == []


@pytest.mark.long
def test_a_whole_record_is_taken_with_its_end_by_the_rules(game: Game, ana: User) -> None:
    moves = over_board.finished(game, games.Outcome.FIRST)
    text = games.Record(game.ruleset, game.setup, tuple(moves), games.Outcome.FIRST, "rules").text()
    board_records.add(game_id=game.pk, actor=ana, text=text)
    game.refresh_from_db()
    record = game_records.record_of(game)
    assert (record.moves, record.ending) == (tuple(moves), "rules")


def test_a_record_with_another_result_is_refused(game: Game, ana: User) -> None:
    moves = over_board.finished(game, games.Outcome.SECOND)
    with pytest.raises(RefusedError) as refused:
        board_records.add(game_id=game.pk, actor=ana, text="\n".join(moves))
    assert refused.value.code == "record-contradicts"
    resigned = games.Record(
        game.ruleset, game.setup, tuple(_moves(game, 2)), games.Outcome.SECOND, "resignation"
    )
    with pytest.raises(RefusedError) as refused:
        board_records.add(game_id=game.pk, actor=ana, text=resigned.text())
    assert refused.value.code == "record-contradicts"
    assert not game.plies.exists()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "bad-record"),
        ("A1-A1", "bad-record"),
        ("[Game", "bad-record"),
        ("{}", "bad-record"),
    ],
)
def test_what_is_no_record_is_refused(game: Game, ana: User, text: str, code: str) -> None:
    with pytest.raises(RefusedError) as refused:
        board_records.add(game_id=game.pk, actor=ana, text=text)
    assert refused.value.code == code


def test_a_record_of_other_rules_or_another_set_up_is_refused(game: Game, ana: User) -> None:
    other = games.load("morelli(size=7)")
    start = other.initial(seed=1)
    text = games.Record(other.key, other.setup_text(start), (start.legal_moves()[0],)).text()
    with pytest.raises(RefusedError) as refused:
        board_records.add(game_id=game.pk, actor=ana, text=text)
    assert refused.value.code == "record-rules"
    rules = games.load(game.ruleset)
    setups = (rules.setup_text(rules.initial(seed=seed)) for seed in range(50))
    setup = next(each for each in setups if each != game.setup)
    move = rules.start(setup).legal_moves()[0]
    with pytest.raises(RefusedError) as refused:
        board_records.add(
            game_id=game.pk, actor=ana, text=games.Record(game.ruleset, setup, (move,)).text()
        )
    assert refused.value.code == "record-setup"


def test_only_the_players_and_the_staff_add_and_only_the_staff_replaces(
    event: Event, game: Game, ana: User, ben: User, people: list[Player]
) -> None:
    stranger = next(each.user for each in people if each.user not in {ana, ben, None})
    assert stranger is not None
    text = "\n".join(_moves(game, 2))
    with pytest.raises(NotAllowedError, match="record-not-yours"):
        board_records.add(game_id=game.pk, actor=stranger, text=text)
    board_records.add(game_id=game.pk, actor=ben, text=text)
    longer = "\n".join(_moves(game, 3))
    with pytest.raises(NotAllowedError, match="record-there"):
        board_records.add(game_id=game.pk, actor=ben, text=longer)
    with pytest.raises(RefusedError, match="reason-bad"):
        board_records.add(game_id=game.pk, actor=ana, text=longer)
    board_records.add(game_id=game.pk, actor=ana, text=longer, reason="a move was missing")
    game.refresh_from_db()
    assert (game.ply, game.attempt) == (3, 2)
    assert game.plies.filter(attempt=1).count() == 2
    entries = AuditEntry.objects.filter(event=event, action__startswith="record")
    assert [(each.action, each.reason) for each in entries.order_by("pk")] == [
        ("record", ""),
        ("record-replace", "a move was missing"),
    ]


@pytest.mark.long
def test_games_that_were_not_played_on_a_board_take_no_record(event: Event, ana: User) -> None:
    next_round(event)
    type_results(event, rest="first-forfeit")
    close(event)
    forfeit = Game.objects.filter(pairing__round__number=2).first()
    assert forfeit is not None
    with pytest.raises(RefusedError, match="record-no-board"):
        board_records.add(game_id=forfeit.pk, actor=ana, text="\n".join(_moves(forfeit, 1)))


@pytest.mark.long
@pytest.mark.engines
def test_the_database_lets_a_record_come_once_and_another_as_an_attempt(
    game: Game, ana: User
) -> None:
    row = Game.objects.filter(pk=game.pk)
    board_records.add(game_id=game.pk, actor=ana, text="\n".join(_moves(game, 2)))
    for change in ({"ply": 1}, {"attempt": 3}, {"attempt": 0}, {"ending": "time"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            row.update(**change)
    forfeit = Game.objects.exclude(pk=game.pk).first()
    assert forfeit is not None


@pytest.mark.long
def test_the_page_offers_it_and_says_what_is_refused(
    game: Game, ben: User, people: list[Player]
) -> None:
    client = member(ben)
    assert "Add the record of the game" in text_of(client.get(game.get_absolute_url()).content)
    url = reverse("game-record-add", args=[game.pk])
    answer = client.post(url, {"record": "nonsense"}, follow=True)
    assert game.ply == 0
    assert "move 1" in text_of(answer.content)
    answer = client.post(url, {"record": "\n".join(_moves(game, 2))}, follow=True)
    page = text_of(answer.content)
    assert "The record was added." in page
    assert "Replace the record" not in page


def test_a_line_longer_than_any_move_is_refused(game: Game, ben: User) -> None:
    with pytest.raises(RefusedError) as refusal:
        board_records.add(game_id=game.pk, actor=ben, text="0" * 201)
    assert refusal.value.code == "bad-record"
    assert "longer than 200" in str(refusal.value)
