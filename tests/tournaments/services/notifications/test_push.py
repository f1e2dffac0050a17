"""Messages to devices: a push service of this machine decrypts them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from email.utils import formatdate

import pytest
from django.conf import LazySettings

from tests.tournaments import pages, push_service
from tests.tournaments.conftest import enter, event_of
from tests.tournaments.correspondence import begin, legal, play_move
from tests.tournaments.frozen_clock import FrozenClock
from tests.tournaments.push_service import Browser, Delivery, PushService
from tournaments import database_time
from tournaments.errors import RefusedError
from tournaments.models import Game, Inbox, Player, PushDevice, PushMessage, Session, User
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.services import sessions
from tournaments.services.accounts import passwords
from tournaments.services.events import announcements
from tournaments.services.games import game_creation, play, private_messages
from tournaments.services.lobby import challenges
from tournaments.services.notifications import inbox as inboxes
from tournaments.services.notifications import (
    push_devices,
    push_messages,
    reminders,
    web_push,
)
from tournaments.services.notifications.kinds import Choice
from tournaments.services.rounds import lifecycle

pytestmark = pytest.mark.usefixtures("push_key")


@pytest.fixture(scope="module")
def running() -> Iterator[PushService]:
    with push_service.serving() as service:
        yield service


@pytest.fixture
def service(running: PushService, settings: LazySettings) -> PushService:
    settings.PUSH_TEST_HOSTS = [running.netloc]
    vars(running).update(vars(PushService(netloc=running.netloc)))
    return running


@pytest.fixture
def game(ana: User, ben: User, clock: FrozenClock) -> Game:
    return begin(ana.player, ben.player)


def _add(user: User, browser: Browser, language: str = "en") -> PushDevice:
    """Return a device whose browser is signed in."""
    device = push_devices.add(
        user=user, subscription=browser.subscription, name="Phone", language=language
    )
    session = pages.member(user).session
    session[sessions.DEVICE] = device.pk
    session.save()
    return device


@pytest.fixture
def phone(service: PushService, ben: User, clock: FrozenClock) -> PushDevice:
    return _add(ben, service.subscribe())


def _sent(service: PushService, clock: FrozenClock, **wait: float) -> list[Delivery]:
    now = clock.wait(**(wait or {"seconds": 11}))
    push_messages.write_due(now)
    push_messages.send_due(now)
    return service.take()


def test_a_turn_arrives_in_words_that_only_the_browser_can_read(
    service: PushService, phone: PushDevice, game: Game, clock: FrozenClock
) -> None:
    play_move(game, legal(game)[0])
    assert _sent(service, clock, seconds=5) == []  # a reader at the page would have seen it
    (delivery,) = _sent(service, clock)
    assert delivery.content == {
        "words": "It is your turn: Ana - Ben",
        "path": game.get_absolute_url(),
        "isOnPages": True,
        "topic": f"game-{game.pk}",
    }
    assert delivery.claims["aud"] == f"http://{service.netloc}"
    assert delivery.claims["sub"] == "http://127.0.0.1:8000"
    assert delivery.site_key == web_push.site_key()
    headers = delivery.headers
    assert (headers["topic"], headers["urgency"]) == (f"game-{game.pk}", "normal")
    assert headers["ttl"] == str(3 * 24 * 3600)
    assert _sent(service, clock) == []
    phone.refresh_from_db()
    assert phone.reached_at is not None


def test_news_that_were_read_or_answered_are_not_sent(
    service: PushService, phone: PushDevice, game: Game, ben: User, clock: FrozenClock
) -> None:
    play_move(game, legal(game)[0])
    play_move(game, legal(Game.objects.get())[0])
    assert _sent(service, clock) == []  # Ben has moved: his turn is over
    game_creation.tell_players([game])
    pages.member(ben).get(game.get_absolute_url())
    assert _sent(service, clock) == []


def test_news_from_before_the_first_device_are_not_sent(
    service: PushService, game: Game, ben: User, clock: FrozenClock
) -> None:
    game_creation.tell_players([game])
    _add(ben, service.subscribe())
    assert _sent(service, clock) == []


@pytest.mark.parametrize("refused", list(Choice))
def test_each_choice_stops_its_own_kinds(
    service: PushService,
    phone: PushDevice,
    game: Game,
    ben: User,
    ana: User,
    clock: FrozenClock,
    refused: Choice,
) -> None:
    inboxes.choose(ben, pushes=set(Choice) - {refused}, language="en")
    event = event_of(ana)
    enter(event, ben.player)
    play_move(game, legal(game)[0])
    topics = {delivery.content["words"] for delivery in _sent(service, clock)}
    clock.wait(hours=167)
    reminders.remind_due(clock.now)
    challenges.challenge(
        challenger=ana.player, opponent=ben.player, ruleset="morelli(size=5)", clock=Clock(600_000)
    )
    announcements.announce(event_id=event.pk, actor=ana, text="Soup")
    private_messages.write(author=ana.player, recipient=ben.player, text="Hello")
    topics |= {delivery.content["words"] for delivery in _sent(service, clock)}
    sentences = {
        Choice.TURNS: "It is your turn",
        Choice.REMINDERS: "left for your move",
        Choice.GAMES: "Ana challenges you",
        Choice.EVENTS: "Test: Soup",
        Choice.MESSAGES: "Message from Ana: Hello",
    }
    arrivals = {choice for choice, words in sentences.items() if words in "".join(topics)}
    assert arrivals == set(Choice) - {refused}


def test_the_words_are_in_the_language_of_the_device(
    service: PushService, phone: PushDevice, game: Game, ben: User, clock: FrozenClock
) -> None:
    _add(ben, service.subscribe(), language="ja")
    play_move(game, legal(game)[0])
    english, japanese = sorted(each.content["words"] for each in _sent(service, clock))
    assert english.isascii()
    assert not japanese.isascii()


@pytest.mark.parametrize("status", [404, 410])
def test_a_subscription_that_is_gone_is_removed(
    service: PushService, phone: PushDevice, game: Game, clock: FrozenClock, status: int
) -> None:
    service.answers = [(status, {})]
    play_move(game, legal(game)[0])
    _sent(service, clock)
    assert not PushDevice.objects.exists()
    assert not PushMessage.objects.exists()


@pytest.mark.parametrize("form", ["seconds", "moment"])
def test_a_service_that_asks_to_wait_is_left_alone_for_that_time(
    service: PushService, phone: PushDevice, game: Game, clock: FrozenClock, form: str
) -> None:
    moment = formatdate(time.time() + 601, usegmt=True)
    service.answers = [(429, {"Retry-After": "600" if form == "seconds" else moment})]
    play_move(game, legal(game)[0])
    _sent(service, clock)
    assert _sent(service, clock, minutes=9) == []
    assert service.requests == 1
    assert len(_sent(service, clock, minutes=2)) == 1


@pytest.mark.parametrize(
    ("answer", "requests"),
    [
        ((500, {}), 5),
        ((429, {}), 5),
        ((302, {"Location": "http://127.0.0.1:1/inner"}), 1),
        ((413, {}), 1),
        ((403, {}), 1),
    ],
)
def test_a_message_is_tried_five_times_unless_the_answer_is_final(
    service: PushService,
    phone: PushDevice,
    game: Game,
    clock: FrozenClock,
    answer: tuple[int, dict[str, str]],
    requests: int,
) -> None:
    service.answers = [answer] * 10
    play_move(game, legal(game)[0])
    for _ in range(8):
        _sent(service, clock, minutes=10)
    assert service.requests == requests
    assert not PushMessage.objects.exists()
    assert PushDevice.objects.exists()


def test_newer_words_about_a_game_replace_those_that_wait(
    service: PushService, phone: PushDevice, game: Game, clock: FrozenClock
) -> None:
    service.answers = [(503, {})]
    play_move(game, legal(game)[0])
    _sent(service, clock)
    play_move(game, legal(Game.objects.get())[0])
    play_move(game, legal(Game.objects.get())[0])
    (delivery,) = _sent(service, clock)
    assert delivery.content["topic"] == f"game-{game.pk}"


def test_the_start_of_a_live_game_is_sent_unless_a_page_received_it(
    service: PushService, phone: PushDevice, ana: User, ben: User, clock: FrozenClock
) -> None:
    game_creation.tell_players([pages.new_game(ana.player, ben.player)])
    (delivery,) = _sent(service, clock)
    assert delivery.content["words"] == "A game has started: Ana - Ben"
    second = pages.new_game(ana.player, ben.player)
    game_creation.tell_players([second])
    pages.member(ben).get(second.get_absolute_url())
    assert _sent(service, clock) == []
    play_move(second, legal(second)[0])
    assert _sent(service, clock) == []  # its turns are for those who sit at the board
    play.resign(game_id=second.pk, player=ana.player)
    assert _sent(service, clock) == []


def test_the_start_of_a_round_is_one_notification_that_leads_to_the_board(
    service: PushService,
    phone: PushDevice,
    ben: User,
    bots: list[Player],
    clock: FrozenClock,
    ana: User,
) -> None:
    event = event_of(ana)
    enter(event, ben.player, *bots[:3])
    lifecycle.start_event(event_id=event.pk, actor=event.organiser)
    (delivery,) = _sent(service, clock)
    assert delivery.content["path"] == Game.objects.of(ben.player).get().get_absolute_url()


def test_a_turn_without_a_clock_is_sent(
    service: PushService, phone: PushDevice, ana: User, ben: User, clock: FrozenClock
) -> None:
    game = begin(ana.player, ben.player, Clock.read("unlimited"))
    play_move(game, legal(game)[0])
    (delivery,) = _sent(service, clock)
    assert "It is your turn" in delivery.content["words"]


def test_a_device_of_a_former_key_of_the_site_is_removed(
    service: PushService, phone: PushDevice, clock: FrozenClock, settings: LazySettings
) -> None:
    settings.PUSH_KEY = push_service.text_of(b"k" * 32)
    _sent(service, clock)
    assert not PushDevice.objects.exists()


def test_an_account_has_ten_devices_at_most(service: PushService, ben: User) -> None:
    for _ in range(push_devices.MOST_DEVICES):
        _add(ben, service.subscribe())
    with pytest.raises(RefusedError, match="push-devices-many"):
        _add(ben, service.subscribe())
    again = next(iter(service.browsers.values()))
    _add(ben, again)  # the same browser


def test_a_browser_has_one_account_and_no_other_takes_it_without_its_secret(
    service: PushService, ana: User, ben: User
) -> None:
    browser = service.subscribe()
    _add(ben, browser)
    thief = Browser(browser.endpoint, secret=b"another secret..")
    with pytest.raises(RefusedError, match="push-device"):
        _add(ana, thief)
    _add(ana, browser)
    assert PushDevice.objects.get().user == ana


def test_a_changed_subscription_replaces_the_former_by_its_secret(
    service: PushService, phone: PushDevice, ben: User
) -> None:
    fresh = service.subscribe()
    with pytest.raises(RefusedError, match="push-device"):
        push_devices.replace(
            former_endpoint=phone.endpoint,
            former_auth=push_service.text_of(b"0" * 16),
            subscription=fresh.subscription,
        )
    push_devices.replace(
        former_endpoint=phone.endpoint,
        former_auth=phone.auth,
        subscription=fresh.subscription,
    )
    assert PushDevice.objects.get().endpoint == fresh.endpoint


def test_without_a_key_nothing_is_sent(
    service: PushService, phone: PushDevice, game: Game, clock: FrozenClock, settings: LazySettings
) -> None:
    settings.PUSH_KEY = ""
    play_move(game, legal(game)[0])
    assert _sent(service, clock) == []
    assert PushDevice.objects.exists()
    assert Inbox.objects.get(user=phone.user).pushed_seq == 0


def test_a_message_that_waits_longer_than_it_is_worth_is_dropped(
    service: PushService, phone: PushDevice, ben: User, clock: FrozenClock
) -> None:
    push_messages.test(user=ben, device_id=phone.pk)
    assert _sent(service, clock, minutes=6) == []
    assert not PushMessage.objects.exists()
    push_messages.test(user=ben, device_id=phone.pk)
    (delivery,) = _sent(service, clock)
    assert delivery.content["isTest"]
    assert PushMessage.objects.count() == 0
    assert PushDevice.objects.get().reached_at == clock.now
    assert clock.now - phone.made_at > timedelta(minutes=6)


def _sign_out(user: User) -> None:
    Session.objects.filter(user=user).delete()


def _sign_out_everywhere(user: User) -> None:
    passwords.end_other_sessions(user=user, password="rayuela-1963")


def _set_password(user: User) -> None:
    user.set_password("pedrecita-y-cielo-9")
    user.save()


def _let_expire(user: User) -> None:
    Session.objects.filter(user=user).update(expire_date=database_time.now())


@pytest.mark.parametrize("end", [_sign_out, _sign_out_everywhere, _set_password, _let_expire])
def test_a_browser_whose_session_ended_elsewhere_gets_no_message_any_more(
    service: PushService,
    phone: PushDevice,
    ben: User,
    clock: FrozenClock,
    end: Callable[[User], None],
) -> None:
    clock.wait(minutes=2)
    push_messages.test(user=ben, device_id=phone.pk)
    end(ben)
    assert push_devices.of(ben) == []
    push_messages.send_due(clock.now)
    assert not service.deliveries
    assert not PushDevice.objects.exists()


def test_a_device_is_kept_in_the_moment_before_its_session_is_stored(
    service: PushService, phone: PushDevice, ben: User, clock: FrozenClock
) -> None:
    clock.wait(minutes=2)
    push_messages.test(user=ben, device_id=phone.pk)
    fresh = push_devices.add(
        user=ben, subscription=service.subscribe().subscription, name="New", language="en"
    )
    push_messages.send_due(clock.now)
    assert push_devices.of(ben) == [phone, fresh]
