"""Games over days: replies in advance, notes, whose turn it is, and reminders."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.urls import reverse

from games import variations
from tests.tournaments import pages
from tests.tournaments.correspondence import BANK, begin, legal, play_move
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import Conditional, Game, NewsItem, Note, Player, Reminder, User
from tournaments.queries.clocks import game_clocks
from tournaments.queries.records import analyses
from tournaments.services.accounts import players
from tournaments.services.games import conditional_moves, notes, play
from tournaments.services.notifications import reminders
from tournaments.views.games import sidebar


@pytest.fixture
def game(ana: User, ben: User) -> Game:
    """Ana, who begins, and Ben, with days to think."""
    return begin(ana.player, ben.player)


def _plan(game: Game, player: Player, *lines: tuple[str, ...]) -> Conditional:
    """Lines after the position on the board, as the analysis board sends them."""
    tree = analyses.of_game(game, player).tree
    record = tree.moves(tree.end())
    for line in lines:
        at = variations.ROOT
        for move in [*record, *line]:
            edit = variations.add(tree, at, move)
            tree, at = edit.tree, edit.at
    return conditional_moves.keep(game_id=game.pk, player=player, tree=tree)


def test_a_line_is_played_as_far_as_the_opponent_follows_it(
    game: Game, ana: User, ben: User
) -> None:
    a1 = legal(game)[0]
    b1 = legal(game, a1)[0]
    a2 = legal(game, a1, b1)[0]
    b2 = legal(game, a1, b1, a2)[0]
    other = legal(game)[-1]
    _plan(game, ben.player, (a1, b1, a2, b2), (other, legal(game, other)[0]))
    after = play_move(game, a1)
    assert (after.ply, after.side_to_move) == (2, "first")
    conditional = Conditional.objects.get()
    assert conditional_moves.lines(conditional) == [[a2, b2]]
    assert conditional_moves.of_player(after, ben.player) == conditional
    assert conditional_moves.of_player(after, ana.player) is None
    after = play_move(game, a2)
    assert [ply.move for ply in game.plies.order_by("number")] == [a1, b1, a2, b2]
    assert not Conditional.objects.exists()
    assert after.second_ms == BANK.initial_ms + 2 * 86_400_000  # no time was taken, two days came


def test_something_else_is_answered_by_oneself(game: Game, ben: User) -> None:
    foreseen, other = legal(game)[:2]
    _plan(game, ben.player, (foreseen, legal(game, foreseen)[0]))
    after = play_move(game, other)
    assert after.ply == 1
    assert not Conditional.objects.exists()


def test_both_can_have_planned_ahead(game: Game, ana: User, ben: User) -> None:
    a1 = legal(game)[0]
    b1 = legal(game, a1)[0]
    a2 = legal(game, a1, b1)[0]
    play_move(game, a1)
    game.refresh_from_db()
    _plan(game, ana.player, (b1, a2))
    b2 = legal(game, b1, a2)[0]
    play_move(game, b1)
    game.refresh_from_db()
    assert (game.ply, game.side_to_move) == (3, "second")
    play_move(game, b2)
    assert game.plies.count() == 4


def test_the_first_reply_counts_and_moves_without_one_are_left_out(game: Game, ben: User) -> None:
    a, without_reply = legal(game)[:2]
    first, second = legal(game, a)[:2]
    conditional = _plan(game, ben.player, (a, first), (a, second), (without_reply,))
    assert conditional_moves.lines(conditional) == [[a, first]]


def test_what_cannot_be_planned_is_refused_by_name(game: Game, ana: User, ben: User) -> None:
    a1 = legal(game)[0]
    b1 = legal(game, a1)[0]
    cleo = players.sign_up(name="Cleo", password="rayuela-1963").player
    for player, lines, error, code in (
        (ben.player, [], RefusedError, "conditional-empty"),
        (ben.player, [(a1,)], RefusedError, "conditional-empty"),
        (ana.player, [(a1, b1)], StaleError, "conditional-your-turn"),
        (cleo, [(a1, b1)], NotAllowedError, "not-your-game"),
    ):
        with pytest.raises(error, match=code):
            _plan(game, player, *lines)
    tree = variations.line([a1, b1])
    play_move(game, legal(game)[1])
    play_move(game, legal(Game.objects.get())[0])
    with pytest.raises(StaleError, match="moved-on"):
        conditional_moves.keep(game_id=game.pk, player=ben.player, tree=tree)
    illegal = variations.line(
        [*analyses.of_game(Game.objects.get(), ben.player).base, "Z9-Z8", "A1"]
    )
    with pytest.raises(RefusedError, match="bad-record"):
        conditional_moves.keep(game_id=game.pk, player=ben.player, tree=illegal)
    play.resign(game_id=game.pk, player=ana.player)
    with pytest.raises(StaleError, match="game-over"):
        conditional_moves.keep(game_id=game.pk, player=ben.player, tree=tree)


def test_nobody_agrees_for_both(game: Game, ben: User) -> None:
    a1 = legal(game)[0]
    with pytest.raises(RefusedError, match="agree-alone"):
        _plan(game, ben.player, (a1, "agree"))
    assert play_move(game, a1).result is None


def test_a_tree_as_large_as_trees_may_be_is_answered_without_ado(game: Game, ben: User) -> None:
    nodes = [variations.Node("", -1)]
    for number in range(variations.MAX_NODES // 2):
        nodes += [variations.Node(f"m{number}", 0), variations.Node("reply", len(nodes))]
    with pytest.raises(RefusedError, match="conditional-large"):
        conditional_moves.keep(
            game_id=game.pk, player=ben.player, tree=variations.Tree(tuple(nodes))
        )


def test_a_rated_game_by_the_minute_is_played_by_oneself(ana: User, ben: User) -> None:
    quick = begin(ana.player, ben.player, game_clocks.Clock(600_000))
    with pytest.raises(NotAllowedError, match="analysis-own-game"):
        conditional_moves.keep(
            game_id=quick.pk, player=ben.player, tree=variations.line(["x", "y"])
        )


def test_replies_are_planned_on_the_analysis_board(game: Game, ana: User, ben: User) -> None:
    a1 = legal(game)[0]
    b1 = legal(game, a1)[0]
    of_ben = pages.member(ben)
    page = of_ben.get(game.get_absolute_url()).content.decode()
    assert "Plan your replies" in page
    board = f"{reverse('analysis')}?game={game.pk}"
    assert "Save as conditional moves" in of_ben.get(board).content.decode()
    assert "Save as conditional moves" not in pages.member(ana).get(board).content.decode()
    form = {"game": game.pk, "at": "2", "tree": variations.line([a1, b1]).text(), "do": "plan"}
    answer = of_ben.post(reverse("analysis"), form)
    assert answer["Location"] == game.get_absolute_url()
    page = of_ben.get(game.get_absolute_url()).content.decode()
    assert f">{a1}</span>" in page
    assert (
        a1
        not in re.sub(
            r"<script.*?</script>",
            "",
            pages.member(ana).get(game.get_absolute_url()).content.decode(),
            flags=re.DOTALL,
        ).partition("sidebar")[2]
    )
    change = re.search(r'href="(/analysis/\?[^"]+)"[^>]*>Change lines', page)
    assert change is not None
    assert of_ben.get(change[1].replace("&amp;", "&")).status_code == 200
    of_ben.post(reverse("game-conditionals-drop", args=[game.pk]))
    assert not Conditional.objects.exists()


def test_a_move_among_days_waits_for_its_button_unless_one_wishes_otherwise(
    game: Game, ana: User
) -> None:
    of_ana = pages.member(ana)
    assert 'data-confirm-moves="on"' in of_ana.get(game.get_absolute_url()).content.decode()
    of_ana.post(reverse("settings"), {"confirm": "off"})
    assert 'data-confirm-moves="off"' in of_ana.get(game.get_absolute_url()).content.decode()


def test_a_note_is_for_its_writer_alone(game: Game, ana: User, ben: User) -> None:
    of_ana = pages.member(ana)
    address = reverse("game-note", args=[game.pk])
    of_ana.post(address, {"text": "Watch D4 <b>\n\x00next"})
    assert notes.of_player(game, ana.player) == "Watch D4 <b>\nnext"
    assert "Watch D4 &lt;b&gt;" in of_ana.get(game.get_absolute_url()).content.decode()
    assert "Watch D4" not in pages.member(ben).get(game.get_absolute_url()).content.decode()
    response = of_ana.post(address, {"text": "x" * 5001}, headers={"accept": "application/json"})
    assert (response.status_code, response.json()["code"]) == (422, "note-long")
    assert notes.of_player(game, ana.player).startswith("Watch")
    of_ana.post(address, {"text": " "})
    assert not Note.objects.exists()


def test_who_only_looks_on_notes_nothing(game: Game) -> None:
    cleo = players.sign_up(name="Cleo", password="rayuela-1963")
    page = pages.member(cleo).post(reverse("game-note", args=[game.pk]), {"text": "C3!"})
    assert page.status_code == 302
    with pytest.raises(NotAllowedError, match="not-your-game"):
        notes.keep(game=game, player=cleo.player, text="C3!")
    assert not Note.objects.exists()


def test_games_that_wait_are_listed_by_the_time_left(ana: User, ben: User) -> None:
    slow, quick = (
        begin(ana.player, ben.player, clock) for clock in (BANK, game_clocks.Clock(600_000))
    )
    begin(ben.player, ana.player)
    assert [turn.game for turn in sidebar.turns_of(ana.player)] == [quick, slow]
    assert [turn.game for turn in sidebar.turns_of(ana.player, but=quick)] == [slow]
    page = pages.member(ana).get(quick.get_absolute_url()).content.decode()
    assert f'href="{slow.get_absolute_url()}">Next game' in page


def test_reminders_come_once_a_threshold_and_not_before_it(game: Game, ana: User) -> None:
    deadline = game.deadline_at
    assert deadline is not None

    def reminder_hours() -> list[int]:
        items = NewsItem.objects.filter(topic__name=f"user:{ana.pk}", kind="reminder")
        return [item.payload["hours"] for item in items.order_by("seq")]

    for hours_left, expected in (
        (timedelta(hours=30), []),
        (timedelta(hours=23), [24]),
        (timedelta(hours=22), [24]),
        (timedelta(hours=7), [24, 8]),
        (timedelta(minutes=50), [24, 8, 1]),
        (timedelta(minutes=10), [24, 8, 1]),
    ):
        reminders.remind_due(deadline - hours_left)
        assert reminder_hours() == expected
    assert Reminder.objects.count() == 3


def test_who_was_away_is_reminded_once_of_what_is_left(game: Game, ana: User) -> None:
    assert game.deadline_at is not None
    reminders.remind_due(game.deadline_at - timedelta(minutes=30))
    reminders.remind_due(game.deadline_at - timedelta(minutes=29))
    assert [row.hours for row in Reminder.objects.all()] == [1]


def test_a_turn_that_begins_at_a_threshold_has_no_reminder_of_it(ana: User, ben: User) -> None:
    game = begin(ana.player, ben.player, game_clocks.Clock(24 * 3600 * 1000))
    assert game.deadline_at is not None
    reminders.remind_due(game.deadline_at - timedelta(hours=23))
    assert not Reminder.objects.exists()


def test_quick_games_remind_nobody(ana: User, ben: User) -> None:
    quick = begin(ana.player, ben.player, game_clocks.Clock(3_000_000))
    assert quick.deadline_at is not None
    reminders.remind_due(quick.deadline_at - timedelta(minutes=10))
    assert not Reminder.objects.exists()
