"""Staff who play in the event that they run (docs/decisions/0026)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.tournaments import over_board, pages
from tests.tournaments.conftest import enter, event_of
from tournaments.errors import NotAllowedError
from tournaments.models import Event, Game, LedgerEntry, Player, User
from tournaments.services.arbiter import corrections, game_acts, results, undo
from tournaments.services.events import staff_members
from tournaments.services.games import play
from tournaments.services.rounds import edits, interruptions, lifecycle, publication, rounds
from tournaments.text import audit_log

ACTS: dict[str, Callable[[int, User], object]] = {
    "decide": lambda game, user: game_acts.decide(
        game_id=game, actor=user, result="first", reason="I win"
    ),
    "add time": lambda game, user: game_acts.add_time(
        game_id=game, actor=user, side="first", added_s=60, reason="late"
    ),
    "stop": lambda game, user: game_acts.stop_clocks(game_id=game, actor=user, reason="tea"),
    "resume": lambda game, user: game_acts.resume_clocks(game_id=game, actor=user),
    "replay": lambda game, user: game_acts.replay(game_id=game, actor=user, reason="again"),
    "correct": lambda game, user: corrections.correct(
        game_id=game, actor=user, result="first", reason="I win"
    ),
}


@pytest.fixture
def drafted(people: list[Player], ana: User) -> Event:
    """A draft of the first round, in which the organiser sits at a board."""
    event = event_of(ana, is_automatic=False, admits=Event.Admits.PEOPLE)
    enter(event, ana.player, *people[:3])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    rounds.draft_round(event_id=event.pk, actor=ana)
    event.refresh_from_db()
    return event


@pytest.fixture
def running(drafted: Event, ana: User) -> Event:
    """The round of `draft`, published and being played."""
    publication.publish_round(event_id=drafted.pk, actor=ana)
    drafted.refresh_from_db()
    return drafted


@pytest.fixture
def board_event(people: list[Player], ana: User) -> Event:
    """A club evening over the board in which the organiser plays."""
    event = over_board.event_of(ana, rounds_total=3)
    enter(event, ana.player, *people[:3])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    rounds.draft_round(event_id=event.pk, actor=ana)
    publication.publish_round(event_id=event.pk, actor=ana)
    return event


def _game_of(event: Event, player: Player) -> Game:
    return Game.objects.filter(pairing__event=event).of(player).with_players().get()


def _other_game(event: Event, player: Player) -> Game:
    return Game.objects.filter(pairing__event=event).not_of(player).with_players().get()


def _end(game: Game) -> None:
    pages.move(game)
    play.resign(game_id=game.pk, player=game.second)


@pytest.mark.parametrize("role", ["organiser", "deputy", "results"])
@pytest.mark.parametrize("act", ACTS)
def test_nobody_has_an_arbiters_powers_in_their_own_game(
    running: Event, ana: User, people: list[Player], act: str, role: str
) -> None:
    actor = ana
    if role != "organiser":
        staff_members.add(event_id=running.pk, actor=ana, player=people[0], role=role)
        assert people[0].user is not None
        actor = people[0].user
    game = _game_of(running, actor.player)
    if act in {"replay", "correct"}:
        _end(game)
    with pytest.raises(NotAllowedError, match="own-game"):
        ACTS[act](game.pk, actor)


def test_the_author_of_a_bot_has_no_arbiters_powers_in_its_game(
    running: Event, ana: User, ben: User
) -> None:
    game = _other_game(running, ana.player)
    bot = pages.version_of(ana, "Mine", 1)
    Game.objects.filter(pk=game.pk).update(first=bot.player)
    with pytest.raises(NotAllowedError, match="own-game"):
        game_acts.decide(game_id=game.pk, actor=ana, result="first", reason="mine wins")


def test_an_administrator_cannot_correct_their_own_casual_game(ana: User, ben: User) -> None:
    ana.is_superuser = True
    ana.save()
    game = pages.new_game(ana.player, ben.player)
    _end(game)
    with pytest.raises(NotAllowedError, match="own-game"):
        corrections.correct(game_id=game.pk, actor=ana, result="second", reason="I win")


def test_another_member_of_the_staff_decides_the_organisers_game(
    running: Event, ana: User, ben: User
) -> None:
    staff_members.add(event_id=running.pk, actor=ana, player=ben.player, role="results")
    game = _game_of(running, ana.player)
    decided = game_acts.decide(game_id=game.pk, actor=ben, result="draw", reason="power cut")
    assert decided.result == "draw"


def test_nobody_undoes_a_correction_of_their_own_game(running: Event, ana: User, ben: User) -> None:
    staff_members.add(event_id=running.pk, actor=ana, player=ben.player, role="results")
    game = _game_of(running, ana.player)
    _end(game)
    corrections.correct(game_id=game.pk, actor=ben, result="draw", reason="agreed")
    entry = running.audit.get(action="correct")
    with pytest.raises(NotAllowedError, match="own-game"):
        undo.undo(event_id=running.pk, actor=ana, entry_id=entry.pk, reason="no")


def test_nobody_cancels_an_event_while_they_play_in_it(running: Event, ana: User) -> None:
    game = _game_of(running, ana.player)
    pages.move(game)
    with pytest.raises(NotAllowedError, match="own-game-open"):
        interruptions.cancel(event_id=running.pk, actor=ana, reason="I am losing")
    play.resign(game_id=game.pk, player=ana.player)
    interruptions.cancel(event_id=running.pk, actor=ana, reason="the hall is closed")


def test_nobody_changes_their_own_board_of_a_draft_on_line(drafted: Event, ana: User) -> None:
    own = drafted.entries.get(player=ana.player)
    board = drafted.pairings.get(seats__entry=own)
    other_board = drafted.pairings.exclude(pk=board.pk).get()
    opponent = board.second if board.first_id == own.pk else board.first
    with pytest.raises(NotAllowedError, match="own-game"):
        edits.flip(event_id=drafted.pk, actor=ana, board=board.board)
    with pytest.raises(NotAllowedError, match="own-game"):
        edits.swap(
            event_id=drafted.pk,
            actor=ana,
            tpn=opponent.tpn or 0,
            other=other_board.first.tpn or 0,
        )
    edits.flip(event_id=drafted.pk, actor=ana, board=other_board.board)


@pytest.mark.parametrize(("plies", "is_rated"), [(0, False), (1, False), (2, True)])
def test_a_decision_is_rated_only_if_both_have_moved(
    running: Event, ana: User, plies: int, is_rated: bool
) -> None:
    game = _other_game(running, ana.player)
    for _ in range(plies):
        pages.move(game)
        game.refresh_from_db()
    game_acts.decide(game_id=game.pk, actor=ana, result="first", reason="ill")
    assert LedgerEntry.objects.filter(game=game).exists() is is_rated


@pytest.mark.parametrize("decision", ["first-forfeit", "void", "draw"])
def test_no_correction_rates_a_game_that_nobody_played(
    running: Event, ana: User, decision: str
) -> None:
    game = _other_game(running, ana.player)
    game_acts.decide(game_id=game.pk, actor=ana, result=decision, reason="not there")
    corrections.correct(game_id=game.pk, actor=ana, result="first", reason="a friend")
    assert not LedgerEntry.objects.filter(game=game).exists()


def test_an_organiser_over_the_board_types_their_own_result_unrated_under_a_mark(
    board_event: Event, ana: User
) -> None:
    own = board_event.pairings.get(seats__entry__player=ana.player)
    for pairing in board_event.pairings.all():
        results.enter_result(
            event_id=board_event.pk,
            actor=ana,
            round_number=1,
            board=pairing.board,
            result="first",
        )
    results.close_round(event_id=board_event.pk, actor=ana, round_number=1)
    game = _game_of(board_event, ana.player)
    corrections.correct(game_id=game.pk, actor=ana, result="draw", reason="agreed")
    assert not LedgerEntry.objects.exists()
    assert _remarks(board_event, "result") == {
        own.board: "in a game of their own",
        3 - own.board: "plays in this event",
    }
    (correction,) = board_event.audit.filter(action="correct")
    words = audit_log.Words.of(board_event, [correction])
    assert words.conflict(correction) == "in a game of their own"


def test_the_log_marks_decisions_of_staff_only_while_they_take_part(
    running: Event, ana: User, ben: User
) -> None:
    staff_members.add(event_id=running.pk, actor=ana, player=ben.player, role="results")
    game = _other_game(running, ana.player)
    game_acts.add_time(game_id=game.pk, actor=ana, side="first", added_s=60, reason="noise")
    game_acts.decide(game_id=game.pk, actor=ben, result="draw", reason="power cut")
    entries = list(running.audit.filter(action__in=["add-time", "decide"]).order_by("pk"))
    words = audit_log.Words.of(running, entries)
    assert [words.conflict(each) for each in entries] == ["plays in this event", ""]


def _remarks(event: Event, action: str) -> dict[int, str]:
    entries = list(event.audit.filter(action=action))
    words = audit_log.Words.of(event, entries)
    return {entry.detail["board"]: words.conflict(entry) for entry in entries}
