"""Server-sent events: no loss and no doubling after any cut."""

from __future__ import annotations

import asyncio
import http.client
import json
import random
from collections.abc import Sequence
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import transaction

from tests.processes import until
from tests.tournaments import pages
from tournaments import live
from tournaments.edges import streams as edge
from tournaments.models import Game, Inbox, NewsItem, User
from tournaments.services.accounts import players
from tournaments.services.games import game_creation
from tournaments.services.lobby import challenges
from tournaments.services.notifications import inbox, news

pytestmark = pytest.mark.engines


class Listener:
    """A small model of a browser's event source: it reads events, remembers the last id, and reconnects from there."""

    def __init__(self, url: str, query: str, headers: dict[str, str] | None = None) -> None:
        self._host = urlsplit(url).netloc
        self._query = query
        self._headers = headers or {}
        self.last_id = ""
        self.status = 0
        self.connect()

    def connect(self) -> None:
        self._connection = http.client.HTTPConnection(self._host, timeout=30)
        headers = {**self._headers, **({"Last-Event-ID": self.last_id} if self.last_id else {})}
        self._connection.request("GET", f"/stream/{self._query}", headers=headers)
        self._response = self._connection.getresponse()
        self.status = self._response.status

    def next(self) -> tuple[str, dict]:
        """The next event: its kind and data."""
        kind, data = "", ""
        while True:
            line = self._response.readline().decode().rstrip("\n")
            field, _, value = line.partition(": ")
            if field == "id":
                self.last_id = value
            elif field == "event":
                kind = value
            elif field == "data":
                data = value
            elif not line and kind:
                return kind, json.loads(data)

    def cut(self) -> None:
        self._response.close()
        self._connection.close()

    def __enter__(self) -> Listener:
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()


@pytest.fixture
def game(ana: User, ben: User) -> Game:
    return pages.new_game(
        ana.player, ben.player, "morelli(size=7)", clock=game_creation.Clock(60_000), seed=1
    )


def _announce(topic: str, number: int) -> None:
    with transaction.atomic():
        news.announce(topic, "ply", {"n": number})


@pytest.mark.django_db(transaction=True)
def test_a_listener_cut_at_random_hears_everything_once(
    erasable: None, game: Game, site: str
) -> None:
    topic = news.of_game(game.pk)
    rng = random.Random(5)
    with Listener(site, f"?t={topic}") as listener:
        assert listener.next()[0] == "open"
        seqs: list[int] = []
        for number in range(40):
            _announce(topic, number)
            if rng.random() < 0.3:
                listener.cut()
                listener.connect()
            if rng.random() < 0.5:
                kind, data = listener.next()
                if kind == "ply":
                    seqs.append(data["n"])
        while len(seqs) < 40:
            kind, data = listener.next()
            if kind == "ply":
                seqs.append(data["n"])
    assert seqs == list(range(40))


@pytest.mark.django_db(transaction=True)
def test_news_between_the_page_and_its_stream_are_not_missed(
    erasable: None, game: Game, site: str
) -> None:
    topic = news.of_game(game.pk)
    drawn_from = news.last_seq(topic)
    _announce(topic, 1)
    query = f"?t={topic}&after={topic}={drawn_from}"
    with Listener(site, query) as listener:
        assert [listener.next()[0] for _ in range(2)] == ["open", "ply"]


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_a_lost_wake_up_is_healed_by_the_next(
    erasable: None, game: Game, site: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    topic = news.of_game(game.pk)
    with Listener(site, f"?t={topic}") as listener:
        listener.next()
        with monkeypatch.context() as patch:
            patch.setattr(live.bus, "publish", lambda *_: None)
            _announce(topic, 1)
        _announce(topic, 2)
        assert [listener.next()[1]["n"] for _ in range(2)] == [1, 2]


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_who_may_not_listen_is_refused(erasable: None, game: Game, ana: User, site: str) -> None:
    for query, status in [
        ("", 400),
        ("?t=", 400),
        ("?" + "&".join(f"t=game:{n}" for n in range(11)), 400),
        ("?t=game:999999", 404),
        ("?t=game:x", 404),
        ("?t=cats:1", 404),
        ("?t=game:" + "9" * 30, 404),
        (f"?t=user:{ana.pk}", 403),
        (f"?t=game:{game.pk}", 200),
    ]:
        with Listener(site, query) as listener:
            assert listener.status == status, query


def test_a_session_of_an_older_password_hears_nothing(ana: User) -> None:
    topics, key = [news.of_user(ana.pk)], str(pages.member(ana).session.session_key)
    assert edge.access_to(topics, key) == edge.Access.GRANTED
    ana.set_password("cronopio-62")
    ana.save()
    assert edge.access_to(topics, key) == edge.Access.FORBIDDEN
    key = str(pages.member(ana).session.session_key)
    assert edge.access_to(topics, key) == edge.Access.GRANTED
    ana.is_active = False
    ana.save()
    assert edge.access_to(topics, key) == edge.Access.FORBIDDEN


def test_a_later_reader_takes_no_news_from_an_earlier_one() -> None:
    """The second stream opens after the news is written and before its wake-up is heard."""
    items = [live.Item("site", seq, "x", {}) for seq in (1, 2)]

    async def read_after(topic: str, seq: int) -> Sequence[live.Item]:
        return [item for item in items if item.seq > seq]

    async def heard_by_the_first() -> list[int]:
        hub = live.Hub(read_after)
        first, second = live.Reader({"site": 1}), live.Reader({"site": 2})
        hub.add(first)
        hub.add(second)
        hub.wake("site", 2)
        await asyncio.sleep(0.05)
        return [first.waiting.get_nowait().seq for _ in range(first.waiting.qsize())]

    assert asyncio.run(heard_by_the_first()) == [2]


def test_a_rolled_back_change_makes_no_news(db: None) -> None:
    with transaction.atomic():
        news.announce("site", "seek")
        transaction.set_rollback(True)
    assert not NewsItem.objects.exists()


def test_players_hear_of_their_own_games_only(ana: User, ben: User) -> None:
    carl = players.sign_up(name="Carl", password="rayuela-1963")
    challenge = challenges.challenge(
        challenger=ana.player,
        opponent=ben.player,
        ruleset="morlox(size=5)",
        clock=game_creation.Clock(60_000),
    )
    challenges.accept(challenge_id=challenge.pk, player=ben.player)
    counts = {user: len(news.after(news.of_user(user.pk), 0)) for user in (ana, ben, carl)}
    assert counts == {ana: 1, ben: 2, carl: 0}  # Ben heard of the challenge too


@pytest.mark.django_db(transaction=True)
def test_the_start_of_a_live_game_counts_as_received_when_a_page_gets_it(
    erasable: None, game: Game, ana: User, ben: User, site: str
) -> None:
    inboxes = [inbox.of_user(user) for user in (ana, ben)]
    topic = news.of_user(ana.pk)
    cookie = f"{settings.SESSION_COOKIE_NAME}={pages.member(ana).session.session_key}"
    with Listener(site, f"?t={topic}", {"Cookie": cookie}) as listener:
        listener.next()
        with transaction.atomic():
            game_creation.tell_players([game])
        assert listener.next()[0] == "game"
        until(lambda: Inbox.objects.filter(user=ana, received_seq__gt=0).exists())
    assert Inbox.objects.get(pk=inboxes[1].pk).received_seq == 0
