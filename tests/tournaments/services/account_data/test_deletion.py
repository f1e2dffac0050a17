"""The end of an account: it leaves all games and events, and only history remains."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.db import models

from tests.tournaments import pages
from tests.tournaments.conftest import enter, event_of, play_due
from tournaments import database_time
from tournaments.errors import RefusedError, TooManyError
from tournaments.models import (
    AuditEntry,
    Bot,
    Challenge,
    ChatLine,
    Entry,
    Event,
    Game,
    Inbox,
    Invitation,
    LedgerEntry,
    Mute,
    Offer,
    Player,
    Seek,
    SprtTest,
    User,
)
from tournaments.services import sprt_tests
from tournaments.services.account_data import deletion
from tournaments.services.accounts import introductions, players
from tournaments.services.games import chat, notes, offers
from tournaments.services.lobby import challenges, invitations, seeks
from tournaments.services.notifications import email, inbox
from tournaments.services.rounds import lifecycle

PASSWORD = "rayuela-1963"
RULESET = "morelli(size=5)"


@pytest.fixture
def zoe(db: None) -> User:
    """Return a user with a name that is in no other text of the site."""
    return players.sign_up(name="Zoe Xylander", password=PASSWORD)


def _delete(user: User) -> Player:
    deletion.delete_account(user=user, password=PASSWORD)
    user.refresh_from_db()
    user.player.refresh_from_db()
    return user.player


def _columns_with(text: str) -> set[str]:
    """Return every column of text or JSON that contains the text, of the site and of Django."""
    kinds = (models.CharField, models.TextField, models.JSONField)
    return {
        f"{model.__name__}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, kinds)
        for value in model._default_manager.values_list(field.name, flat=True)
        if text.casefold() in str(value).casefold()
    }


@pytest.mark.long
def test_games_and_ratings_stay_under_another_name(zoe: User, ben: User) -> None:
    game = pages.new_game(zoe.player, ben.player)
    pages.play_out(game)
    ledger = list(LedgerEntry.objects.values_list("after_centielo", flat=True))
    player = _delete(zoe)
    assert player.name == f"Deleted player {player.pk}"
    game.refresh_from_db()
    assert game.first == player
    assert list(LedgerEntry.objects.values_list("after_centielo", flat=True)) == ledger
    assert pages.member(ben).get(game.get_absolute_url()).status_code == 200
    assert pages.member(ben).get(player.get_absolute_url()).status_code == 200


def test_nobody_can_sign_in_any_more(zoe: User) -> None:
    session = pages.member(zoe)
    assert session.get("/account/").status_code == 200
    _delete(zoe)
    assert session.get("/account/").status_code == 302
    assert not zoe.is_active
    assert not zoe.has_usable_password()


def test_running_games_are_resigned(zoe: User, ben: User, bots: list[Player]) -> None:
    first, second = pages.new_game(zoe.player, ben.player), pages.new_game(ben.player, zoe.player)
    with_bot, of_others = pages.new_game(zoe.player, bots[0]), pages.new_game(ben.player, bots[1])
    _delete(zoe)
    for game, result in ((first, "second"), (second, "first"), (with_bot, "second")):
        game.refresh_from_db()
        assert (game.result, game.ending) == (result, Game.Ending.RESIGNATION)
    of_others.refresh_from_db()
    assert of_others.result is None


def test_a_game_that_begins_meanwhile_is_resigned_too(
    zoe: User, ben: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    close = deletion._close
    game: list[Game] = []

    def close_later(user: User) -> None:
        game.append(pages.new_game(zoe.player, ben.player))
        close(user)

    monkeypatch.setattr(deletion, "_close", close_later)
    _delete(zoe)
    game[0].refresh_from_db()
    assert game[0].ending == Game.Ending.RESIGNATION


@pytest.mark.long
def test_a_running_event_goes_on_without_the_player(
    zoe: User, ana: User, bots: list[Player]
) -> None:
    event = event_of(ana, rounds_total=3)
    enter(event, zoe.player, *bots[:4])
    open_event = event_of(ana, name="Later")
    enter(open_event, zoe.player)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    play_due(event)
    _delete(zoe)
    entries = Entry.objects.filter(player=zoe.player)
    assert set(entries.values_list("state", flat=True)) == {Entry.State.WITHDRAWN}
    assert not Game.objects.ongoing().of(zoe.player).exists()
    lifecycle.advance_event(event.pk)
    play_due(event)
    last_round = event.rounds.order_by("-number")[0]
    assert last_round.number == 2
    seats = Game.objects.filter(pairing__round=last_round)
    assert zoe.player.pk not in {*seats.values_list("first", flat=True)}
    assert zoe.player.pk not in {*seats.values_list("second", flat=True)}


def test_who_organises_an_open_event_must_end_it_first(ana: User, ben: User) -> None:
    event = event_of(ana)
    enter(event, ana.player)
    game = pages.new_game(ana.player, ben.player)
    with pytest.raises(RefusedError, match="organises-events"):
        _delete(ana)
    game.refresh_from_db()
    assert game.result is None
    assert event.entries.active().exists()
    Event.objects.update(state=Event.State.CANCELLED)
    assert _delete(ana).name.startswith("Deleted player")


@pytest.mark.long
def test_bots_of_the_account_are_retired_and_leave_events(zoe: User, ana: User) -> None:
    ready, checking = (pages.version_of(zoe, name, 1) for name in ("Nilo", "Hexer"))
    Bot.objects.filter(pk=checking.pk).update(
        state=Bot.State.CHECKING, is_active=False, takes_over=True
    )
    event = event_of(ana)
    Entry.objects.create(event=event, player=ready.player, entered_at=database_time.now())
    house = players.add_bot(name="House", engine="random").bot
    plan = sprt_tests.Plan(ready, house, RULESET, pages.CLOCK)
    sprt_test = sprt_tests.start(zoe, plan)
    _delete(zoe)
    for bot in (ready, checking):
        bot.refresh_from_db()
        assert (bot.state, bot.is_active, bot.takes_over) == (Bot.State.RETIRED, False, False)
    assert event.entries.get().state == Entry.State.WITHDRAWN
    sprt_test.refresh_from_db()
    assert sprt_test.state == SprtTest.State.STOPPED
    house.refresh_from_db()
    assert house.is_active


def test_the_lobby_is_left(zoe: User, ben: User) -> None:
    for challenger, opponent in ((zoe, None), (zoe, ben), (ben, zoe)):
        challenges.challenge(
            challenger=challenger.player,
            opponent=opponent.player if opponent else None,
            ruleset=RULESET,
            clock=pages.CLOCK,
        )
    seeks.create(player=zoe.player, ruleset=RULESET, clock=pages.CLOCK)
    invitations.invite(host=zoe.player, ruleset=RULESET, clock=pages.CLOCK)
    for_others = invitations.invite(
        host=ben.player, ruleset=RULESET, clock=pages.CLOCK, is_player=False
    )
    invitations.join(token=for_others.token, player=zoe.player)
    game = pages.finished_game(zoe.player, ben.player, "first")
    offers.offer_rematch(game_id=game.pk, player=zoe.player)
    _delete(zoe)
    assert not Challenge.objects.open().exists()
    assert not Seek.objects.waiting().exists()
    assert not Offer.objects.open().exists()
    assert Invitation.objects.get(host=zoe.player).state == Invitation.State.WITHDRAWN
    for_others.refresh_from_db()
    assert (for_others.state, for_others.player) == (Invitation.State.OPEN, None)
    with pytest.raises(RefusedError, match="player-deleted"):
        challenges.challenge(
            challenger=ben.player, opponent=zoe.player, ruleset=RULESET, clock=pages.CLOCK
        )
    with pytest.raises(RefusedError, match="player-deleted"):
        offers.offer_rematch(game_id=game.pk, player=ben.player)


@pytest.mark.long
def test_no_column_keeps_the_name_or_the_address(zoe: User, ben: User) -> None:
    email.ask_to_confirm(zoe, "zoe@xylander.example", language="en")
    token = inbox.ask_address(zoe, "zoe@xylander.example", language="en")
    inbox.confirm_address(token)
    game = pages.new_game(zoe.player, ben.player)
    notes.keep(game=game, player=zoe.player, text="Call Xylander")
    chat.say(game_id=game.pk, player=zoe.player, text="Hello")
    chat.mute(player=ben.player, muted=zoe.player)
    introductions.write(player=zoe.player, text="Xylander plays here", federation="")
    pages.play_out(game)
    assert {
        "Player.name",
        "User.username",
        "Inbox.address",
        "Email.body",
        "Note.text",
        "Introduction.text",
    } <= (_columns_with("xylander"))
    _delete(zoe)
    assert _columns_with("xylander") == set()
    assert not Inbox.objects.filter(user=zoe).exists()
    assert not Mute.objects.exists()
    assert ChatLine.objects.get().is_hidden


@pytest.mark.long
def test_only_published_reports_keep_the_name(zoe: User, ana: User, bots: list[Player]) -> None:
    event = event_of(ana, format=Event.Format.DUTCH)
    enter(event, zoe.player, *bots[:3])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    _delete(zoe)
    assert _columns_with("xylander") == {"Round.report"}


def test_an_entry_keeps_no_rating_of_a_list_beside_that_of_the_event(zoe: User, ana: User) -> None:
    event = event_of(ana)
    enter(event, zoe.player)
    lists = {"source_list": "FIDE, 2026-11-01", "start_list": "FIDE, 2026-11-01"}
    ratings = {"source_centielo": 187_300, "start_centielo": 187_300, "listed_centielo": 180_000}
    event.entries.update(**lists, **ratings)
    _delete(zoe)
    entry = event.entries.get()
    assert (entry.official_list, entry.official_centielo) == ("", None)
    assert (entry.source_centielo, entry.start_centielo) == (None, None)
    assert entry.listed_centielo == 180_000


def test_a_wrong_password_deletes_nothing(zoe: User, ben: User) -> None:
    game = pages.new_game(zoe.player, ben.player)
    for _ in range(10):
        with pytest.raises(RefusedError, match="password-wrong"):
            deletion.delete_account(user=zoe, password="wrong")
    with pytest.raises(TooManyError, match="password-by-account"):
        deletion.delete_account(user=zoe, password=PASSWORD)
    game.refresh_from_db()
    zoe.refresh_from_db()
    assert game.result is None
    assert zoe.is_active


def test_an_administrator_leaves_without_rights(zoe: User) -> None:
    User.objects.filter(pk=zoe.pk).update(is_staff=True, is_superuser=True, email="z@example.org")
    zoe.refresh_from_db()
    _delete(zoe)
    assert (zoe.is_staff, zoe.is_superuser, zoe.email) == (False, False, "")


def test_the_deletion_is_on_the_audit_log(zoe: User) -> None:
    player = _delete(zoe)
    entry = AuditEntry.objects.get(action="account-delete")
    assert (entry.actor, entry.detail) == (zoe, {"player": player.pk})


def test_the_name_is_free_again_and_that_of_deleted_players_is_not(zoe: User) -> None:
    _delete(zoe)
    assert players.sign_up(name="Zoe Xylander", password=PASSWORD).is_active
    for name in ("Deleted player 12", "deleted PLAYER", "Deleted players"):
        with pytest.raises(RefusedError, match="name-bad"):
            players.sign_up(name=name, password=PASSWORD)


def test_an_account_without_a_player_can_be_deleted(db: None) -> None:
    user = User.objects.create_user("root", password=PASSWORD)
    deletion.delete_account(user=user, password=PASSWORD)
    user.refresh_from_db()
    assert user.username == f"deleted-{user.pk}"
    assert not user.is_active
