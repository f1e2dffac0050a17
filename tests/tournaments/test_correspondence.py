"""Games over days: replies in advance, notes, whose turn it is, reminders, notices and mail."""

from __future__ import annotations

import re
from datetime import timedelta
from smtplib import SMTPRecipientsRefused
from typing import TYPE_CHECKING

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone

import games
from games import variations
from tests.tournaments import visits
from tournaments.models import Conditional, Game, Inbox, Mail, NewsItem, Note, Reminder
from tournaments.services import (
    beginnings,
    clocks,
    conditionals,
    inboxes,
    mails,
    notes,
    play,
    players,
    reminders,
    studies,
    turns,
)
from tournaments.services.errors import NotAllowedError, RefusedError, StaleError

if TYPE_CHECKING:
    from django.test import Client

    from tournaments.models import Player, User

BANK = clocks.Clock.read("604800+86400<1209600")
RULESET = "morelli(size=5)"


def _over_days(first: Player, second: Player, clock: clocks.Clock = BANK) -> Game:
    return beginnings.create_game(
        ruleset=RULESET,
        setup=beginnings.draw_setup(RULESET, 11),
        first=first,
        second=second,
        clock=clock,
        is_rated=True,
    )


@pytest.fixture
def game(ana: User, ben: User) -> Game:
    """Ana, who begins, and Ben, with days to think."""
    return _over_days(ana.player, ben.player)


def _legal(game: Game, *played: str) -> list[str]:
    position = games.load(game.ruleset).parse(game.position)
    for move in played:
        position = position.play(move)
    return position.legal_moves()


def _planned(game: Game, player: Player, *lines: tuple[str, ...]) -> Conditional:
    """Lines after the position on the board, as the analysis board sends them."""
    tree = studies.of_game(game, player).tree
    record = tree.moves(tree.end())
    for line in lines:
        at = variations.ROOT
        for move in [*record, *line]:
            edit = variations.add(tree, at, move)
            tree, at = edit.tree, edit.at
    return conditionals.keep(game_id=game.pk, player=player, tree=tree)


def _play(game: Game, move: str) -> Game:
    game.refresh_from_db()
    return play.play_move(
        game_id=game.pk, player=game.player_on(game.side_to_move), ply=game.ply, move=move
    )


def test_a_line_is_played_as_far_as_the_opponent_follows_it(
    game: Game, ana: User, ben: User
) -> None:
    a1 = _legal(game)[0]
    b1 = _legal(game, a1)[0]
    a2 = _legal(game, a1, b1)[0]
    b2 = _legal(game, a1, b1, a2)[0]
    other = _legal(game)[-1]
    _planned(game, ben.player, (a1, b1, a2, b2), (other, _legal(game, other)[0]))
    after = _play(game, a1)
    assert (after.ply, after.side_to_move) == (2, "first")
    kept = Conditional.objects.get()
    assert conditionals.lines(kept) == [[a2, b2]]
    assert conditionals.of_player(after, ben.player) == kept
    assert conditionals.of_player(after, ana.player) is None
    after = _play(game, a2)
    assert [ply.move for ply in game.plies.order_by("number")] == [a1, b1, a2, b2]
    assert not Conditional.objects.exists()
    assert after.second_ms == BANK.initial_ms + 2 * 86_400_000  # no time was taken, two days came


def test_something_else_is_answered_by_oneself(game: Game, ben: User) -> None:
    foreseen, played = _legal(game)[:2]
    _planned(game, ben.player, (foreseen, _legal(game, foreseen)[0]))
    after = _play(game, played)
    assert after.ply == 1
    assert not Conditional.objects.exists()


def test_both_can_have_planned_ahead(game: Game, ana: User, ben: User) -> None:
    a1 = _legal(game)[0]
    b1 = _legal(game, a1)[0]
    a2 = _legal(game, a1, b1)[0]
    _play(game, a1)
    game.refresh_from_db()
    _planned(game, ana.player, (b1, a2))
    b2 = _legal(game, b1, a2)[0]
    _play(game, b1)
    game.refresh_from_db()
    assert (game.ply, game.side_to_move) == (3, "second")
    _play(game, b2)
    assert game.plies.count() == 4


def test_the_first_reply_counts_and_moves_without_one_are_left_out(game: Game, ben: User) -> None:
    a, unanswered = _legal(game)[:2]
    first, second = _legal(game, a)[:2]
    kept = _planned(game, ben.player, (a, first), (a, second), (unanswered,))
    assert conditionals.lines(kept) == [[a, first]]


def test_what_cannot_be_planned_is_refused_by_name(game: Game, ana: User, ben: User) -> None:
    a1 = _legal(game)[0]
    b1 = _legal(game, a1)[0]
    cleo = players.sign_up(name="Cleo", password="rayuela-73").player
    for player, lines, error, code in (
        (ben.player, [], RefusedError, "conditional-empty"),
        (ben.player, [(a1,)], RefusedError, "conditional-empty"),
        (ana.player, [(a1, b1)], StaleError, "conditional-your-turn"),
        (cleo, [(a1, b1)], NotAllowedError, "not-your-game"),
    ):
        with pytest.raises(error, match=code):
            _planned(game, player, *lines)
    tree = variations.line([a1, b1])
    _play(game, _legal(game)[1])
    _play(game, _legal(Game.objects.get())[0])
    with pytest.raises(StaleError, match="moved-on"):
        conditionals.keep(game_id=game.pk, player=ben.player, tree=tree)
    illegal = variations.line(
        [*studies.of_game(Game.objects.get(), ben.player).base, "Z9-Z8", "A1"]
    )
    with pytest.raises(RefusedError, match="bad-record"):
        conditionals.keep(game_id=game.pk, player=ben.player, tree=illegal)
    play.resign(game_id=game.pk, player=ana.player)
    with pytest.raises(StaleError, match="game-over"):
        conditionals.keep(game_id=game.pk, player=ben.player, tree=tree)


def test_nobody_agrees_for_both(game: Game, ben: User) -> None:
    a1 = _legal(game)[0]
    with pytest.raises(RefusedError, match="agree-alone"):
        _planned(game, ben.player, (a1, "agree"))
    assert _play(game, a1).result is None


def test_a_tree_as_large_as_trees_may_be_is_answered_without_ado(game: Game, ben: User) -> None:
    nodes = [variations.Node("", -1)]
    for number in range(variations.MAX_NODES // 2):
        nodes += [variations.Node(f"m{number}", 0), variations.Node("reply", len(nodes))]
    with pytest.raises(RefusedError, match="conditional-large"):
        conditionals.keep(game_id=game.pk, player=ben.player, tree=variations.Tree(tuple(nodes)))


def test_a_rated_game_by_the_minute_is_played_by_oneself(ana: User, ben: User) -> None:
    quick = _over_days(ana.player, ben.player, clocks.Clock(600_000))
    with pytest.raises(NotAllowedError, match="analysis-own-game"):
        conditionals.keep(game_id=quick.pk, player=ben.player, tree=variations.line(["x", "y"]))


def test_replies_are_planned_on_the_analysis_board(game: Game, ana: User, ben: User) -> None:
    a1 = _legal(game)[0]
    b1 = _legal(game, a1)[0]
    of_ben = visits.member(ben)
    page = of_ben.get(game.get_absolute_url()).content.decode()
    assert "Plan your replies" in page
    board = f"{reverse('analysis')}?game={game.pk}"
    assert "Reply like this" in of_ben.get(board).content.decode()
    assert "Reply like this" not in visits.member(ana).get(board).content.decode()
    sent = {"game": game.pk, "at": "2", "tree": variations.line([a1, b1]).text(), "do": "plan"}
    answer = of_ben.post(reverse("analysis"), sent)
    assert answer["Location"] == game.get_absolute_url()
    page = of_ben.get(game.get_absolute_url()).content.decode()
    assert f">{a1}</span>" in page
    assert (
        a1
        not in re.sub(
            r"<script.*?</script>",
            "",
            visits.member(ana).get(game.get_absolute_url()).content.decode(),
            flags=re.DOTALL,
        ).partition("desk")[2]
    )
    change = re.search(r'href="(/analysis/\?[^"]+)"[^>]*>Change them', page)
    assert change is not None
    assert of_ben.get(change[1].replace("&amp;", "&")).status_code == 200
    of_ben.post(reverse("game-conditionals-drop", args=[game.pk]))
    assert not Conditional.objects.exists()


def test_a_move_among_days_waits_for_its_button_unless_one_wishes_otherwise(
    game: Game, ana: User
) -> None:
    of_ana = visits.member(ana)
    assert 'data-confirm-moves="on"' in of_ana.get(game.get_absolute_url()).content.decode()
    of_ana.post(reverse("settings"), {"confirm": "off"})
    assert 'data-confirm-moves="off"' in of_ana.get(game.get_absolute_url()).content.decode()


def test_a_note_is_for_its_writer_alone(game: Game, ana: User, ben: User) -> None:
    of_ana = visits.member(ana)
    address = reverse("game-note", args=[game.pk])
    of_ana.post(address, {"text": "Watch D4 <b>\n\x00next"})
    assert notes.of_player(game, ana.player) == "Watch D4 <b>\nnext"
    assert "Watch D4 &lt;b&gt;" in of_ana.get(game.get_absolute_url()).content.decode()
    assert "Watch D4" not in visits.member(ben).get(game.get_absolute_url()).content.decode()
    told = of_ana.post(address, {"text": "x" * 5001}, headers={"accept": "application/json"})
    assert (told.status_code, told.json()["code"]) == (422, "note-long")
    assert notes.of_player(game, ana.player).startswith("Watch")
    of_ana.post(address, {"text": " "})
    assert not Note.objects.exists()


def test_who_only_looks_on_notes_nothing(game: Game) -> None:
    cleo = players.sign_up(name="Cleo", password="rayuela-73")
    page = visits.member(cleo).post(reverse("game-note", args=[game.pk]), {"text": "C3!"})
    assert page.status_code == 302
    with pytest.raises(NotAllowedError, match="not-your-game"):
        notes.keep(game=game, player=cleo.player, text="C3!")
    assert not Note.objects.exists()


def test_games_that_wait_are_listed_by_the_time_left(ana: User, ben: User) -> None:
    slow, quick = (
        _over_days(ana.player, ben.player, clock) for clock in (BANK, clocks.Clock(600_000))
    )
    _over_days(ben.player, ana.player)
    assert [turn.game for turn in turns.waiting(ana.player)] == [quick, slow]
    assert [turn.game for turn in turns.waiting(ana.player, but=quick)] == [slow]
    page = visits.member(ana).get(quick.get_absolute_url()).content.decode()
    assert f'href="{slow.get_absolute_url()}">Next game' in page


def test_reminders_come_once_a_threshold_and_not_before_it(game: Game, ana: User) -> None:
    deadline = game.deadline_at
    assert deadline is not None

    def told() -> list[int]:
        items = NewsItem.objects.filter(topic__name=f"user:{ana.pk}", kind="reminder")
        return [item.payload["hours"] for item in items.order_by("seq")]

    for left, expected in (
        (timedelta(hours=30), []),
        (timedelta(hours=23), [24]),
        (timedelta(hours=22), [24]),
        (timedelta(hours=7), [24, 8]),
        (timedelta(minutes=50), [24, 8, 1]),
        (timedelta(minutes=10), [24, 8, 1]),
    ):
        reminders.remind_due(deadline - left)
        assert told() == expected
    assert Reminder.objects.count() == 3


def test_who_was_away_is_reminded_once_of_what_is_left(game: Game, ana: User) -> None:
    assert game.deadline_at is not None
    reminders.remind_due(game.deadline_at - timedelta(minutes=30))
    reminders.remind_due(game.deadline_at - timedelta(minutes=29))
    assert [row.hours for row in Reminder.objects.all()] == [1]


def test_quick_games_remind_nobody(ana: User, ben: User) -> None:
    quick = _over_days(ana.player, ben.player, clocks.Clock(3_000_000))
    assert quick.deadline_at is not None
    reminders.remind_due(quick.deadline_at - timedelta(minutes=10))
    assert not Reminder.objects.exists()


def test_notices_are_read_once_they_are_seen(game: Game, ana: User, ben: User) -> None:
    beginnings.tell_players([game])
    play.resign(game_id=game.pk, player=ana.player)
    of_ben = visits.member(ben)
    assert inboxes.unread(ben) == 2
    assert 'class="chip">2<' in of_ben.get("/").content.decode()
    page = of_ben.get(reverse("notices")).content.decode()
    assert "A game has ended: Ana - Ben" in page
    assert page.count('class="notice unread"') == 2
    assert inboxes.unread(ben) == 0
    assert 'class="notice unread"' not in of_ben.get(reverse("notices")).content.decode()


def test_who_looks_at_a_game_has_read_what_is_about_it(game: Game, ana: User, ben: User) -> None:
    beginnings.tell_players([game])
    other = _over_days(ana.player, ben.player)
    beginnings.tell_players([other])
    visits.member(ben).get(other.get_absolute_url())
    assert inboxes.unread(ben) == 2  # what came before is about another game
    visits.member(ben).get(game.get_absolute_url())
    assert inboxes.unread(ben) == 1
    visits.member(ben).get(other.get_absolute_url())
    assert inboxes.unread(ben) == 0
    assert inboxes.unread(ana) == 2


def test_guests_have_no_notices(client: Client, db: None) -> None:
    assert client.get(reverse("notices"))["Location"] == "/sign-in/?next=/notices/"


@pytest.fixture
def inbox(ben: User) -> Inbox:
    """Ben's, with an address he has confirmed."""
    of_ben = visits.member(ben)
    of_ben.post(reverse("mail-ask"), {"address": "ben@example.org"})
    mails.send_due(timezone.now())
    (letter,) = mail.outbox
    found = re.search(r"http\S+(/notices/mail/confirm/\S+)", str(letter.body))
    assert found is not None
    assert of_ben.get(found[1]).status_code == 200
    assert not Inbox.objects.get().is_confirmed  # looking at the link confirms nothing
    of_ben.post(found[1])
    mail.outbox.clear()
    return Inbox.objects.get(is_confirmed=True)


def _letters(minutes: int = 6) -> list[str]:
    now = timezone.now() + timedelta(minutes=minutes)
    mails.write_due(now)
    mails.send_due(now)
    return [str(letter.body) for letter in mail.outbox]


def test_who_is_away_gets_one_letter(inbox: Inbox, game: Game, ana: User) -> None:
    _play(game, _legal(game)[0])
    other = _over_days(ana.player, inbox.user.player)
    beginnings.tell_players([other])
    assert _letters(minutes=1) == []
    (letter,) = _letters()
    assert "It is your turn: Ana - Ben" in letter
    assert "A game has begun: Ana - Ben" in letter
    assert f"http://127.0.0.1:8000{game.get_absolute_url()}" in letter
    assert len(_letters()) == 1
    assert mail.outbox[0].to == ["ben@example.org"]


def test_what_was_done_or_read_or_not_wanted_is_not_mailed(
    inbox: Inbox, game: Game, ben: User
) -> None:
    _play(game, _legal(game)[0])
    game.refresh_from_db()
    _play(game, _legal(game)[0])  # Ben has moved: his turn is over
    assert _letters() == []
    beginnings.tell_players([game])
    inboxes.read(ben)
    assert _letters() == []
    beginnings.tell_players([game])
    inboxes.choose(ben, turns=True, reminders=True, games=False, language="en")
    assert _letters() == []
    assert not Mail.objects.filter(state=Mail.State.WAITING).exists()


def test_a_letter_that_fails_is_tried_again_and_then_given_up(
    inbox: Inbox, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    beginnings.tell_players([game])
    now = timezone.now() + timedelta(minutes=6)
    mails.write_due(now)

    def broken(*_: object, **__: object) -> int:
        raise ConnectionRefusedError

    with monkeypatch.context() as patch:
        patch.setattr(mails, "send_mail", broken)
        mails.send_due(now)
        mails.send_due(now)  # not due again yet
        assert Mail.objects.get(state="waiting").tries == 1
    mails.send_due(now + timedelta(minutes=11))
    assert len(mail.outbox) == 1
    Mail.objects.update(state="waiting", tries=4, due_at=now)
    with monkeypatch.context() as patch:
        patch.setattr(mails, "send_mail", broken)
        for _letter in range(2):
            mails.send_due(now)
    assert set(Mail.objects.values_list("state", flat=True)) == {"failed"}


def test_letters_are_in_the_readers_language(inbox: Inbox, game: Game, ben: User) -> None:
    inboxes.choose(ben, turns=True, reminders=True, games=True, language="ja")
    _play(game, _legal(game)[0])
    (letter,) = _letters()
    assert "It is your turn" not in letter


@pytest.mark.parametrize(
    "address", ["", "ben", "a@b@c", "b\u00e9n@example.org", "x" * 300 + "@example.org"]
)
def test_what_is_no_address_is_refused(ben: User, address: str) -> None:
    with pytest.raises(RefusedError, match="address-bad"):
        mails.ask_to_confirm(ben, address, language="en")
    assert not Mail.objects.exists()


def test_a_link_confirms_its_own_address_only(ben: User) -> None:
    token = inboxes.ask_address(ben, "ben@example.org", language="en")
    inboxes.ask_address(ben, "other@example.org", language="en")
    for wrong in (token, "nix", ""):
        with pytest.raises(RefusedError, match="token-bad"):
            inboxes.confirm_address(wrong)
    assert not Inbox.objects.get().is_confirmed


def test_nobodys_mailbox_is_filled_by_way_of_us(ben: User) -> None:
    for number in range(5):
        mails.ask_to_confirm(ben, f"victim{number}@example.org", language="en")
    with pytest.raises(RefusedError, match="mails-many"):
        mails.ask_to_confirm(ben, "victim@example.org", language="en")
    assert Mail.objects.count() == 5
    assert Inbox.objects.get().address == "victim4@example.org"
    Mail.objects.update(made_at=timezone.now() - timedelta(days=2))
    mails.ask_to_confirm(ben, "ben@example.org", language="en")


def _sent(broken: Exception, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What becomes of two letters that wait, the first of which fails like this, and of one that was tried for the last time."""
    asked: list[str] = []

    def send(_subject: str, _body: str, _sender: None, to: list[str]) -> None:
        asked.extend(to)
        if len(asked) == 1:
            raise broken

    now = timezone.now()
    Mail.objects.update(due_at=now)
    monkeypatch.setattr(mails, "send_mail", send)
    mails.send_due(now)
    return list(Mail.objects.order_by("pk").values_list("state", flat=True))


@pytest.mark.parametrize(
    ("broken", "states"),
    [
        (TimeoutError(), ["waiting", "waiting", "failed"]),
        (SMTPRecipientsRefused({}), ["waiting", "sent", "failed"]),
        (ValueError("a header with a line break"), ["failed", "sent", "failed"]),
    ],
    ids=["no server", "no such mailbox", "no letter"],
)
def test_one_bad_letter_holds_up_no_other_and_nobody_waits_twice_for_a_server_that_is_away(
    ben: User, monkeypatch: pytest.MonkeyPatch, broken: Exception, states: list[str]
) -> None:
    for number in range(3):
        mails.ask_to_confirm(ben, f"ben{number}@example.org", language="en")
    Mail.objects.filter(address="ben2@example.org").update(tries=5)
    assert _sent(broken, monkeypatch) == states


def test_no_more_mail_means_none(inbox: Inbox, game: Game, ben: User) -> None:
    beginnings.tell_players([game])
    mails.write_due(timezone.now() + timedelta(minutes=6))
    assert Mail.objects.filter(state=Mail.State.WAITING).exists()
    visits.member(ben).post(reverse("mail-forget"))
    _play(game, _legal(game)[0])
    assert _letters() == []
