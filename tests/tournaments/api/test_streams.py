"""Streams of programs: every event once, from the state on, after any cut.

Events of others are hidden.
"""

from __future__ import annotations

import http.client
import json
import random
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import transaction

from tests.tournaments import remote_players
from tests.tournaments.api.conftest import program_of
from tournaments import database_time
from tournaments.edges.streams import HEADER
from tournaments.models import Game, NewsItem, Player, Topic, User
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.services import retention
from tournaments.services.accounts import tokens
from tournaments.services.games import play, takebacks
from tournaments.services.lobby import challenges
from tournaments.services.notifications import news


class Listener:
    """A program that listens, and connects again with the last number it has."""

    def __init__(self, url: str, path: str, token: str, *, wants_events: bool = False) -> None:
        self._host, self._path, self._token = urlsplit(url).netloc, path, token
        self._wants_events = wants_events
        self.seq: int | None = None
        self.connect()

    def connect(self) -> None:
        self._connection = http.client.HTTPConnection(self._host, timeout=60)
        headers = {"Authorization": f"Bearer {self._token}", "Accept-Encoding": "gzip"}
        path = f"/api/v1{self._path}"
        if self._wants_events:
            headers["Accept"] = "text/event-stream"
            if self.seq is not None:
                headers["Last-Event-ID"] = str(self.seq)
        elif self.seq is not None:
            path += f"?after={self.seq}"
        self._connection.request("GET", path, headers=headers)
        self._response = self._connection.getresponse()
        self.status = self._response.status

    def next(self) -> dict[str, Any]:
        """The next line that says something."""
        while True:
            line = self._response.readline().decode()
            assert line, "the stream has ended"
            text = line.removeprefix("data: ") if self._wants_events else line
            if text.startswith("{"):
                item: dict[str, Any] = json.loads(text)
                self.seq = item["seq"]
                return item

    def cut(self) -> None:
        self._response.close()
        self._connection.close()


def _announce(topic: str, number: int) -> None:
    with transaction.atomic():
        news.announce(topic, "chat", {"n": number})


@pytest.mark.long
@pytest.mark.engines
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("wants_events", [False, True], ids=["lines", "events"])
def test_a_program_cut_at_random_hears_everything_once(
    erasable: None, people: list[Player], game: Game, site: str, wants_events: bool
) -> None:
    topic = news.of_game(game.pk)
    rng = random.Random(7)
    token = program_of(people[0].user).token  # a spectator: a player's arrival is news
    items: list[tuple[int, int]] = []
    listener = Listener(site, f"/games/{game.pk}/stream", token, wants_events=wants_events)
    first = listener.next()
    assert (first["kind"], first["game"]["id"]) == ("state", game.pk)
    for number in range(40):
        _announce(topic, number)
        if rng.random() < 0.3:
            listener.cut()
            listener.connect()
        if rng.random() < 0.5:
            item = listener.next()
            items.append((item["seq"], item["n"]))
    while len(items) < 40:
        item = listener.next()
        items.append((item["seq"], item["n"]))
    listener.cut()
    assert items == [(first["seq"] + 1 + number, number) for number in range(40)]


@pytest.mark.long
@pytest.mark.engines
@pytest.mark.django_db(transaction=True)
def test_a_game_is_its_state_and_then_its_changes(
    erasable: None, ana: User, ben: User, people: list[Player], game: Game, site: str
) -> None:
    spectator = program_of(people[0].user)
    listener = Listener(site, f"/games/{game.pk}/stream", spectator.token)
    assert listener.next()["game"]["moves"] == []
    play.play_move(game_id=game.pk, player=ana.player, ply=0, move="a1")
    item = listener.next()
    takebacks.offer_takeback(game_id=game.pk, player=ana.player)
    offer = listener.next()
    play.resign(game_id=game.pk, player=ben.player)
    end = listener.next()
    listener.cut()
    assert (item["kind"], item["ply"], item["side"], item["move"]) == ("ply", 1, "first", "a1")
    assert item["remaining_ms"] > 0
    assert (offer["kind"], offer["side"], offer["offer"]) == ("offer", "first", "takeback")
    assert (end["kind"], end["result"]) == ("end", "first")
    assert item["seq"] < offer["seq"] < end["seq"]


def _lines(response: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in response.content.decode().splitlines()]


def test_the_state_of_an_account_is_its_games_and_challenges(
    ana: User, ben: User, game: Game
) -> None:
    row = challenges.challenge(
        challenger=ben.player, opponent=ana.player, ruleset="morlox", clock=Clock(300_000)
    )
    [state] = _lines(program_of(ana)("GET", "/stream"))
    assert [each["id"] for each in state["games"]] == [game.pk]
    assert [each["id"] for each in state["challenges"]] == [row.pk]
    assert state["seq"] == news.last_seq(news.of_user(ana.pk))


def test_a_bots_stream_is_its_own_and_not_its_authors(ana: User, ben: User) -> None:
    from tests.tournaments.api.conftest import Program

    bot = remote_players.bot(ana)
    challenges.challenge(
        challenger=ben.player, opponent=bot.player, ruleset="morlox", clock=Clock(300_000)
    )
    [state] = _lines(Program(remote_players.token(bot))("GET", "/stream"))
    assert state["player"]["id"] == bot.player_id
    assert state["player"]["kind"] == "remote"
    assert len(state["challenges"]) == 1
    assert not news.after(news.of_user(ana.pk), 0)
    assert [item.kind for item in news.after(news.of_bot(bot.player_id), 0)] == ["challenge"]


@pytest.mark.parametrize("after", ["x", "-1", "1.5", "99", "9" * 30, "\u0661"])
def test_a_bad_cursor_is_refused(ana: User, game: Game, after: str) -> None:
    response = program_of(ana)("GET", f"/games/{game.pk}/stream?after={after}")
    assert response.status_code == 400
    assert response.json()["code"] == "cursor-bad"


def test_a_cursor_whose_news_are_forgotten_is_refused(ana: User, game: Game) -> None:
    topic, now = news.of_game(game.pk), database_time.now()
    row = Topic.objects.create(name=topic, seq=3)
    for seq, days in ((1, 200), (2, 200), (3, 0)):
        happened_at = now - timedelta(days=days)
        NewsItem.objects.create(
            topic=row, seq=seq, kind="chat", payload={}, happened_at=happened_at
        )
    program = program_of(ana)
    assert program("GET", f"/games/{game.pk}/stream?after=1").content == b""
    assert retention.prune(now)["news"] == 2
    assert program("GET", f"/games/{game.pk}/stream?after=1").status_code == 400
    assert program("GET", f"/games/{game.pk}/stream?after=2").status_code == 200


@pytest.mark.parametrize(("path", "status"), [("/games/999999/stream", 404), ("/streams", 404)])
def test_what_is_not_there_is_not_found(ana: User, path: str, status: int) -> None:
    assert program_of(ana)("GET", path).status_code == status


def test_a_token_is_living_until_it_is_revoked(ana: User) -> None:
    new = tokens.create(user=ana, password="rayuela-1963", name="x", scopes=["read"], days=30)
    assert tokens.is_living(new.token.pk)
    tokens.revoke(user=ana, token_id=new.token.pk)
    assert not tokens.is_living(new.token.pk)


@pytest.mark.parametrize(("who", "side"), [("ana", "first"), ("spectator", None)])
def test_a_person_with_a_seat_is_at_the_table_by_the_stream(
    ana: User, people: list[Player], game: Game, who: str, side: str | None
) -> None:
    program = program_of(ana if who == "ana" else people[0].user)
    header = json.loads(program("GET", f"/games/{game.pk}/stream")[HEADER])
    assert (header["game_id"], header["side"]) == (game.pk if side else None, side)
