"""A push service of this machine and the browsers that subscribe to it, for tests of Web Push.

It checks the signature of the site, and decrypts each message by the steps of RFC 8291 as a browser does.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from tournaments.services.notifications.push_devices import Subscription
from tournaments.services.notifications.web_push import Keys


def text_of(value: bytes) -> str:
    return urlsafe_b64encode(value).rstrip(b"=").decode()


def bytes_of(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=SHA256(), length=length, salt=salt, info=info).derive(secret)


@dataclass
class Browser:
    """A browser with its keys, and its subscription at `endpoint`."""

    endpoint: str
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    secret: bytes = b"sixteen secrets."

    @property
    def subscription(self) -> Subscription:
        point = _point(self.key.public_key())
        return Subscription(self.endpoint, Keys(text_of(point), text_of(self.secret)))

    @property
    def fields(self) -> dict[str, str]:
        """The fields of the form that subscribes."""
        keys = self.subscription.keys
        return {"endpoint": self.endpoint, "p256dh": keys.p256dh, "auth": keys.auth}

    def decrypt(self, message: bytes) -> bytes:
        salt, size, length = message[:16], int.from_bytes(message[16:20], "big"), message[20]
        sender, record = message[21 : 21 + length], message[21 + length :]
        assert len(message) <= size
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        info = b"WebPush: info\0" + _point(self.key.public_key()) + sender
        material = _derive(self.key.exchange(ec.ECDH(), public), self.secret, info, 32)
        key = _derive(material, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = _derive(material, salt, b"Content-Encoding: nonce\0", 12)
        body, _, padding = AESGCM(key).decrypt(nonce, record, None).rpartition(b"\2")
        assert not padding.strip(b"\0")
        return body


@dataclass
class Delivery:
    """A message that arrived: headers, its text and the claims that the site signed."""

    headers: dict[str, str]
    content: dict[str, Any]
    claims: dict[str, Any]
    site_key: str


@dataclass
class PushService:
    """The service: `answers` are the statuses and headers of the next answers, then 201."""

    netloc: str = ""
    browsers: dict[str, Browser] = field(default_factory=dict)
    answers: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    deliveries: list[Delivery] = field(default_factory=list)
    requests: int = 0

    def subscribe(self) -> Browser:
        path = f"/send/{len(self.browsers)}"
        self.browsers[path] = Browser(f"http://{self.netloc}{path}")
        return self.browsers[path]

    def receive(
        self, path: str, headers: dict[str, str], body: bytes
    ) -> tuple[int, dict[str, str]]:
        self.requests += 1
        if self.answers:
            return self.answers.pop(0)
        assert headers["content-encoding"] == "aes128gcm"
        assert Vapid02.verify(headers["authorization"])
        token, _, site_key = headers["authorization"].removeprefix("vapid t=").partition(",k=")
        content = json.loads(self.browsers[path].decrypt(body))
        claims = json.loads(bytes_of(token.split(".")[1]))
        self.deliveries.append(Delivery(headers, content, claims, site_key))
        return 201, {}

    def take(self) -> list[Delivery]:
        """The deliveries since the last call."""
        deliveries, self.deliveries = self.deliveries, []
        return deliveries


@contextmanager
def serving() -> Iterator[PushService]:
    service = PushService()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            status, answer_headers = service.receive(self.path, headers, body)
            self.send_response(status)
            for name, value in {"Content-Length": "0", **answer_headers}.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        service.netloc = f"127.0.0.1:{server.server_port}"
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield service
        server.shutdown()
        thread.join()
