"""A receiver of webhooks on this machine, for tests. It verifies signatures as docs/bots/webhooks.md shows."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from tests.processes import ROOT
from tournaments import database_time, tasks
from tournaments.models import Event, User, Webhook, WebhookDelivery
from tournaments.services.accounts import webhooks
from tournaments.services.notifications import webhook_deliveries

PASSWORD = "rayuela-1963"
_EXAMPLE = re.compile(r"```python\n(.+?)```\n", re.DOTALL)


def _is_genuine() -> Callable[[str, dict[str, str], bytes], bool]:
    """Return the function of the guide."""
    example = _EXAMPLE.search((ROOT / "docs/bots/webhooks.md").read_text())
    assert example is not None
    names: dict[str, Any] = {}
    exec(textwrap.dedent(example[1]), names)  # noqa: S102 - our own page
    function: Callable[[str, dict[str, str], bytes], bool] = names["is_genuine"]
    return function


is_genuine = _is_genuine()


def delivered(user: User) -> WebhookDelivery:
    """Return a delivery of a new webhook, which waits."""
    new = webhooks.create(
        user=user, password=PASSWORD, address="https://hook.example/", kinds=["turn"]
    )
    return webhook_deliveries.write(new.webhook, "turn", {"game": 1}, database_time.now())


@dataclass(frozen=True)
class Message:
    """A request that arrived."""

    headers: dict[str, str]
    body: bytes

    @property
    def content(self) -> dict[str, Any]:
        content: dict[str, Any] = json.loads(self.body)
        return content


@dataclass
class Receiver:
    """The receiver: `answers` are the next statuses with their headers and bodies, then 200 `ok`."""

    netloc: str = ""
    answers: list[tuple[int, dict[str, str], bytes]] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    # An act instead of an answer, which gets a function that sends bytes.
    misbehaviour: Callable[[Callable[[bytes], object]], object] | None = None

    @property
    def address(self) -> str:
        return f"http://{self.netloc}/hook?of=ana"

    def hook(
        self, user: User, kinds: Sequence[str] = (), event: Event | None = None
    ) -> webhooks.NewWebhook:
        return webhooks.create(
            user=user, password=PASSWORD, address=self.address, kinds=kinds, event=event
        )


def run() -> None:
    """Do what the worker does every ten seconds."""
    tasks.call_webhooks()


def latest(webhook: Webhook) -> WebhookDelivery:
    """Return the latest delivery of a webhook."""
    return webhook.deliveries.latest("pk")


@contextmanager
def serving() -> Iterator[Receiver]:
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            receiver.messages.append(Message(headers, body))
            if receiver.misbehaviour is not None:
                receiver.misbehaviour(self.wfile.write)
                return
            status, more, answer = receiver.answers.pop(0) if receiver.answers else (200, {}, b"ok")
            self.send_response(status)
            for name, value in {"Content-Length": str(len(answer)), **more}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer)

        def handle_one_request(self) -> None:
            try:
                super().handle_one_request()
            except OSError:
                self.close_connection = True  # the sender has left

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        receiver.netloc = f"127.0.0.1:{server.server_port}"
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield receiver
        finally:
            server.shutdown()
            thread.join()
