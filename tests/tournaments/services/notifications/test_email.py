"""News for an absent user: notices on the site, and e-mails."""

from __future__ import annotations

import re
from datetime import timedelta
from smtplib import SMTPRecipientsRefused

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from tests.tournaments import pages
from tests.tournaments.correspondence import begin, legal, play_move
from tournaments import database_time
from tournaments.errors import RefusedError
from tournaments.models import Email, Game, Inbox, User
from tournaments.services.games import game_creation, play
from tournaments.services.notifications import email, news
from tournaments.services.notifications import inbox as inboxes
from tournaments.services.notifications.kinds import Choice


@pytest.fixture
def game(ana: User, ben: User) -> Game:
    """Ana, who begins, and Ben, with days to think."""
    return begin(ana.player, ben.player)


def test_notices_are_read_once_they_are_seen(game: Game, ana: User, ben: User) -> None:
    game_creation.tell_players([game])
    play.resign(game_id=game.pk, player=ana.player)
    of_ben = pages.member(ben)
    assert inboxes.unread(ben) == 2
    waiting = inboxes.waiting(ben, ben.player)
    topic = news.of_user(ben.pk)
    assert (waiting.notices, waiting.last_seq) == (2, news.last_seq(topic))
    assert inboxes.waiting(ana, None).messages == 0
    assert 'class="chip">2<' in of_ben.get("/").content.decode()
    page = of_ben.get(reverse("notices")).content.decode()
    assert "A game has ended: Ana - Ben" in page
    assert page.count('class="notice unread"') == 2
    assert inboxes.unread(ben) == 0
    assert 'class="notice unread"' not in of_ben.get(reverse("notices")).content.decode()


def test_who_looks_at_a_game_has_read_what_is_about_it(game: Game, ana: User, ben: User) -> None:
    game_creation.tell_players([game])
    other = begin(ana.player, ben.player)
    game_creation.tell_players([other])
    pages.member(ben).get(other.get_absolute_url())
    assert inboxes.unread(ben) == 2  # what came before is about another game
    pages.member(ben).get(game.get_absolute_url())
    assert inboxes.unread(ben) == 1
    pages.member(ben).get(other.get_absolute_url())
    assert inboxes.unread(ben) == 0
    assert inboxes.unread(ana) == 2


def test_a_live_game_is_news_for_open_pages_and_no_notice(game: Game, ana: User, ben: User) -> None:
    live_game = pages.new_game(ana.player, ben.player)
    game_creation.tell_players([live_game])
    play.resign(game_id=live_game.pk, player=ana.player)
    topic = news.of_user(ben.pk)
    assert [item.kind for item in news.after(topic, 0)][-2:] == ["game", "end"]
    assert inboxes.unread(ben) == 0
    game_creation.tell_players([game])
    assert [notice.game for notice in inboxes.notices(ben)] == [game]


def test_guests_have_no_notices(client: Client, db: None) -> None:
    assert client.get(reverse("notices"))["Location"] == "/sign-in/?next=/notices/"


@pytest.fixture
def inbox(ben: User) -> Inbox:
    """Ben's, with an address he has confirmed."""
    of_ben = pages.member(ben)
    of_ben.post(reverse("email-set"), {"address": "ben@example.org"})
    email.send_due(database_time.now())
    (letter,) = mail.outbox
    match = re.search(r"http\S+(/notices/mail/confirm/\S+)", str(letter.body))
    assert match is not None
    assert of_ben.get(match[1]).status_code == 200
    assert not Inbox.objects.get().is_confirmed  # looking at the link confirms nothing
    of_ben.post(match[1])
    mail.outbox.clear()
    return Inbox.objects.get(is_confirmed=True)


def _letters(minutes: int = 6) -> list[str]:
    now = database_time.now() + timedelta(minutes=minutes)
    email.write_due(now)
    email.send_due(now)
    return [str(letter.body) for letter in mail.outbox]


def test_who_is_away_gets_one_letter(inbox: Inbox, game: Game, ana: User) -> None:
    play_move(game, legal(game)[0])
    other = begin(ana.player, inbox.user.player)
    game_creation.tell_players([other])
    assert _letters(minutes=1) == []
    (letter,) = _letters()
    assert "It is your turn: Ana - Ben" in letter
    assert "A game has started: Ana - Ben" in letter
    assert f"http://127.0.0.1:8000{game.get_absolute_url()}" in letter
    assert len(_letters()) == 1
    assert mail.outbox[0].to == ["ben@example.org"]


def test_what_was_done_or_read_or_not_wanted_is_not_mailed(
    inbox: Inbox, game: Game, ben: User
) -> None:
    play_move(game, legal(game)[0])
    game.refresh_from_db()
    play_move(game, legal(game)[0])  # Ben has moved: his turn is over
    assert _letters() == []
    game_creation.tell_players([game])
    inboxes.mark_read(ben)
    assert _letters() == []
    game_creation.tell_players([game])
    inboxes.choose(ben, emails=[Choice.TURNS, Choice.REMINDERS], language="en")
    assert _letters() == []
    assert not Email.objects.filter(state=Email.State.WAITING).exists()


def test_a_letter_that_fails_is_tried_again_and_then_given_up(
    inbox: Inbox, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_creation.tell_players([game])
    now = database_time.now() + timedelta(minutes=6)
    email.write_due(now)

    def broken(*_: object, **__: object) -> int:
        raise ConnectionRefusedError

    with monkeypatch.context() as patch:
        patch.setattr(email, "send_mail", broken)
        email.send_due(now)
        email.send_due(now)  # not due again yet
        assert Email.objects.get(state="waiting").tries == 1
    email.send_due(now + timedelta(minutes=11))
    assert len(mail.outbox) == 1
    Email.objects.update(state="waiting", tries=4, due_at=now)
    with monkeypatch.context() as patch:
        patch.setattr(email, "send_mail", broken)
        for _letter in range(2):
            email.send_due(now)
    assert set(Email.objects.values_list("state", flat=True)) == {"failed"}


def test_letters_are_in_the_readers_language(inbox: Inbox, game: Game, ben: User) -> None:
    inboxes.choose(ben, language="ja")
    play_move(game, legal(game)[0])
    (letter,) = _letters()
    assert "It is your turn" not in letter


@pytest.mark.parametrize(
    "address", ["", "ben", "a@b@c", "b\u00e9n@example.org", "x" * 300 + "@example.org"]
)
def test_what_is_no_address_is_refused(ben: User, address: str) -> None:
    with pytest.raises(RefusedError, match="address-bad"):
        email.ask_to_confirm(ben, address, language="en")
    assert not Email.objects.exists()


def test_a_link_confirms_its_own_address_only(ben: User) -> None:
    token = inboxes.ask_address(ben, "ben@example.org", language="en")
    inboxes.ask_address(ben, "other@example.org", language="en")
    for wrong in (token, "nix", ""):
        with pytest.raises(RefusedError, match="token-bad"):
            inboxes.confirm_address(wrong)
    assert not Inbox.objects.get().is_confirmed


def test_nobodys_mailbox_is_filled_by_way_of_us(ben: User) -> None:
    for number in range(5):
        email.ask_to_confirm(ben, f"victim{number}@example.org", language="en")
    with pytest.raises(RefusedError, match="emails-many"):
        email.ask_to_confirm(ben, "victim@example.org", language="en")
    assert Email.objects.count() == 5
    assert Inbox.objects.get().address == "victim4@example.org"
    Email.objects.update(made_at=database_time.now() - timedelta(days=2))
    email.ask_to_confirm(ben, "ben@example.org", language="en")


def _send(error: Exception, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the states of two waiting e-mails, the first of which fails with this error, and of one after its last try."""
    addresses: list[str] = []

    def send(_subject: str, _body: str, _sender: None, to: list[str]) -> None:
        addresses.extend(to)
        if len(addresses) == 1:
            raise error

    now = database_time.now()
    Email.objects.update(due_at=now)
    monkeypatch.setattr(email, "send_mail", send)
    email.send_due(now)
    return list(Email.objects.order_by("pk").values_list("state", flat=True))


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
        email.ask_to_confirm(ben, f"ben{number}@example.org", language="en")
    Email.objects.filter(address="ben2@example.org").update(tries=5)
    assert _send(broken, monkeypatch) == states


def test_a_slow_mail_server_gets_the_rest_from_the_next_run(
    ben: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Runs of ten seconds a letter would occupy every process of the queue, in which devices wait too."""
    elapsed_s = [0.0]

    def send(*_: object) -> None:
        elapsed_s[0] += 10

    monkeypatch.setattr("time.monotonic", lambda: elapsed_s[0])
    monkeypatch.setattr(email, "send_mail", send)
    for number in range(2):
        email.ask_to_confirm(ben, f"ben{number}@example.org", language="en")
    states = Email.objects.order_by("pk").values_list("state", flat=True)
    email.send_due(database_time.now())
    assert list(states.all()) == ["sent", "waiting"]
    email.send_due(database_time.now())
    assert list(states.all()) == ["sent", "sent"]


def test_no_more_mail_means_none(inbox: Inbox, game: Game, ben: User) -> None:
    game_creation.tell_players([game])
    email.write_due(database_time.now() + timedelta(minutes=6))
    assert Email.objects.filter(state=Email.State.WAITING).exists()
    pages.member(ben).post(reverse("email-remove"))
    play_move(game, legal(game)[0])
    (letter,) = _letters()  # the last one says that the address was removed
    assert "The e-mail address was changed or removed." in letter
