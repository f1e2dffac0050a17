"""People who play legal games over HTTP with their own rules, and record the confirmed moves."""

from __future__ import annotations

import contextlib
import http.client
import json
import random
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from urllib.parse import urlencode
from uuid import uuid4

import games
from games import Position

_TIMEOUT_S = 10.0
_PAUSE_S = 0.25
# For answers that say "come again": the service is away, or busy.
_AGAIN = {429, 502, 503, 504}
RULESET = "morelli(size=9)"


def pair(ports: Sequence[int]) -> list[Person]:
    """Return two people with accounts."""
    both = [Person(name, ports) for name in ("Ana", "Ben")]
    for person in both:
        person.sign_up()
    return both


class Person:
    """A browser that is signed in, and asks again until it has an answer."""

    def __init__(self, name: str, ports: Sequence[int], *, patience_s: float = 120.0) -> None:
        self.name = name
        self._ports, self._patience_s = ports, patience_s
        self._cookies: dict[str, str] = {}
        self._draw = random.Random(name)
        self.retries = 0

    def sign_up(self) -> None:
        """Get an account, as the form does."""
        self._once("GET", "/sign-up/", {}, self._ports[0])
        status, _, _ = self.post("/sign-up/", {"name": self.name, "password": "rayuela-1963"})
        assert status == 302, status

    def get(self, path: str) -> str:
        status, _, body = self._until_answered("GET", path, {})
        assert status == 200, (path, status)
        return body

    def post(self, path: str, fields: dict[str, object]) -> tuple[int, str, str]:
        """Return the status, the target of the answer, and its text."""
        return self._until_answered("POST", path, fields)

    def upload(self, path: str, fields: dict[str, str], name: str, content: bytes) -> int:
        """Return the status of the answer to a form with a file, which is sent once."""
        boundary = uuid4().hex
        own = {**fields, "csrfmiddlewaretoken": self._cookies["rayuela_csrf"]}
        parts = [
            f'--{boundary}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'
            for key, value in own.items()
        ]
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        body = "".join([*parts, head]).encode() + content + f"\r\n--{boundary}--\r\n".encode()
        kind = f"multipart/form-data; boundary={boundary}"
        return self._sent("POST", path, body, kind, self._ports[0])[0]

    def _until_answered(
        self, method: str, path: str, fields: dict[str, object]
    ) -> tuple[int, str, str]:
        deadline = time.monotonic() + self._patience_s
        while True:
            with contextlib.suppress(OSError, http.client.HTTPException):
                answer = self._once(method, path, fields, self._draw.choice(self._ports))
                if answer[0] not in _AGAIN:
                    return answer
            assert time.monotonic() < deadline, f"no answer to {method} {path}"
            self.retries += 1
            time.sleep(_PAUSE_S)

    def _once(
        self, method: str, path: str, fields: dict[str, object], port: int
    ) -> tuple[int, str, str]:
        # `Accept` as the page's script sends it. The form has the form key and the mark against
        # forgery.
        body = urlencode({**fields, "csrfmiddlewaretoken": self._cookies.get("rayuela_csrf", "")})
        return self._sent(method, path, body.encode(), "application/x-www-form-urlencoded", port)

    def _sent(
        self, method: str, path: str, body: bytes, kind: str, port: int
    ) -> tuple[int, str, str]:
        headers = {
            "Accept": "application/json",
            "Content-Type": kind,
            "Cookie": "; ".join(f"{k}={v}" for k, v in self._cookies.items()),
        }
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_TIMEOUT_S)
        with contextlib.closing(connection):
            connection.request(method, path, body if method == "POST" else None, headers)
            response = connection.getresponse()
            text = response.read().decode()
            for line in response.headers.get_all("Set-Cookie", []):
                self._cookies.update({k: m.value for k, m in SimpleCookie(line).items()})
            return response.status, response.headers.get("Location", ""), text


@dataclass
class Table:
    """A game of two people, and the answers to them.

    Attributes:
        acknowledged: the moves that were confirmed, in order.
        position: after them, by the players' own rules.
        waits_s: how long each confirmation took.
    """

    pk: int
    people: dict[str, Person]
    position: Position
    acknowledged: list[str] = field(default_factory=list)
    waits_s: list[float] = field(default_factory=list)
    moved_at: float = field(default_factory=time.monotonic)
    refusals: list[str] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        return self.position.outcome() is not None

    def move(self, draw: random.Random) -> None:
        """Make a move of the side to move, sent with one key until it is confirmed."""
        move = draw.choice(self.position.legal_moves())
        fields: dict[str, object] = {
            "move": move,
            "ply": len(self.acknowledged),
            "client_key": uuid4().hex,
        }
        person = self.people[self.position.side_to_move.value]
        since_s = time.monotonic()
        status, _, body = person.post(f"/game/{self.pk}/move/", fields)
        if status != 204:
            self.refusals.append(f"game {self.pk}, ply {fields['ply']}: {status} {body[:200]}")
            return
        self.waits_s.append(time.monotonic() - since_s)
        self.moved_at = time.monotonic()
        self.acknowledged.append(move)
        self.position = self.position.play(move)


def sit_down(host: Person, guest: Person, **clock: object) -> Table:
    """Return a new game of the two, by an invitation: of ten minutes without other fields."""
    fields: dict[str, object] = {
        "ruleset": RULESET,
        **(clock or {"clock": "600+10"}),
        "seats": "mine",
        "form_key": uuid4().hex,
    }
    status, place, body = host.post("/play/invite/", fields)
    assert status == 302, (status, body[:300])
    status, place, body = guest.post(f"{place}join/", {})
    assert status == 302, (status, body[:300])
    assert place.startswith("/game/"), place
    pk = int(place.split("/")[2])
    document = json.loads(host.get(f"/game/{pk}/record.json"))
    start = games.starting_position(games.load(document["ruleset"]), document["setup"])
    people = {p.name: p for p in (host, guest)}
    sides = {side: people[document[side]["name"]] for side in ("first", "second")}
    return Table(pk, sides, start)


@contextlib.contextmanager
def playing(tables: Sequence[Table], *, pace_s: float, threads: int = 4) -> Iterator[None]:
    """Continue the games meanwhile, each with a move every `pace_s` while answers come."""
    is_over = threading.Event()
    failures: list[BaseException] = []

    def play(own: Sequence[Table], number: int) -> None:
        draw = random.Random(number)
        try:
            while not is_over.is_set():
                for table in own:
                    if not table.is_over and not table.refusals and not is_over.is_set():
                        table.move(draw)
                        is_over.wait(pace_s / max(1, len(own)))
                if all(table.is_over or table.refusals for table in own):
                    return
        except BaseException as failure:  # noqa: BLE001 - told by the test's own thread
            failures.append(failure)

    runners = [
        threading.Thread(target=play, args=(tables[n::threads], n), daemon=True)
        for n in range(min(threads, len(tables)))
    ]
    for runner in runners:
        runner.start()
    try:
        yield
    finally:
        is_over.set()
        for runner in runners:
            runner.join(180)
    assert not failures, failures
