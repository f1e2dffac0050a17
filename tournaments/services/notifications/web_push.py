"""Web Push on the wire: encrypted messages (RFC 8291), the signature of the site (RFC 8292), delivery (RFC 8030).

`py-vapid` signs and `cryptography` encrypts. `http-ece` would encrypt too, but has no wheel
(docs/decisions/0001).
"""

from __future__ import annotations

import functools
import os
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from dataclasses import dataclass
from urllib.parse import SplitResult

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from py_vapid import Vapid02

from tournaments import public_hosts
from tournaments.models.push import ENDPOINT_LENGTH
from tournaments.public_hosts import Answer, parts_of

# The record size of RFC 8188, in which every message fits. Push services accept 4096 bytes.
_RECORD_BYTES = 4096
_POINT_BYTES = 65
_SECRET_BYTES = 16
_SIGNED_S = 12 * 3600


class BadSubscriptionError(ValueError):
    """An endpoint or a key of a browser that cannot be used."""


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of a browser: a public key of P-256 and a secret of 16 bytes, in base64url."""

    p256dh: str
    auth: str


@dataclass(frozen=True, slots=True)
class Message:
    """A message for one browser.

    Attributes:
        topic: a waiting message of the same topic is replaced by the push service.
        urgency: of RFC 8030: `high` wakes a device that saves its battery.
        ttl_s: the time for which the push service keeps the message for a device that is off.
    """

    body: bytes
    topic: str
    urgency: str
    ttl_s: int


def is_possible() -> bool:
    """Return whether this installation has a key for Web Push."""
    return bool(settings.PUSH_KEY)


@functools.cache
def _vapid(key: str) -> Vapid02:
    secret = int.from_bytes(urlsafe_b64decode(key + "="), "big")
    # A strict signer refuses the address of a site with a port as the contact.
    return Vapid02(ec.derive_private_key(secret, ec.SECP256R1()), conf={"no-strict": True})


def site_key() -> str:
    """Return the public key of the site, to which browsers bind their subscriptions."""
    return _text(_point(_vapid(settings.PUSH_KEY).public_key))


def checked_endpoint(endpoint: str) -> SplitResult:
    """Return the parts of an endpoint. Raise BadSubscriptionError without https or a host name."""
    try:
        parts = parts_of(endpoint)
    except ValueError as error:
        raise BadSubscriptionError(endpoint[:80]) from error
    is_named = ":" not in (parts.hostname or "")
    is_allowed = endpoint.startswith("https://") or _is_for_tests(parts)
    if not (is_named and is_allowed and len(endpoint) <= ENDPOINT_LENGTH):
        raise BadSubscriptionError(endpoint[:80])
    return parts


def _is_for_tests(parts: SplitResult) -> bool:
    return parts.scheme == "http" and parts.netloc in settings.PUSH_TEST_HOSTS


def check_keys(keys: Keys) -> None:
    """Raise BadSubscriptionError for keys that no message can be encrypted for."""
    try:
        point, secret = _bytes(keys.p256dh), _bytes(keys.auth)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except (ValueError, Base64Error) as error:
        raise BadSubscriptionError(keys.p256dh[:80]) from error
    is_canonical = (_text(point), _text(secret)) == (keys.p256dh, keys.auth)
    if len(point) != _POINT_BYTES or len(secret) != _SECRET_BYTES or not is_canonical:
        raise BadSubscriptionError(keys.p256dh[:80])


def encrypted(
    body: bytes,
    keys: Keys,
    *,
    sender: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """Return the body as one record of `aes128gcm` (RFC 8188) by the key of RFC 8291 3.4.

    The key of the sender and the salt are new for each message.
    """
    sender = sender or ec.generate_private_key(ec.SECP256R1())
    salt = salt or os.urandom(16)
    receiver = _bytes(keys.p256dh)
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), receiver)
    own = _point(sender.public_key())
    shared = sender.exchange(ec.ECDH(), public)
    material = _derived(shared, _bytes(keys.auth), b"WebPush: info\0" + receiver + own, 32)
    key = _derived(material, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(material, salt, b"Content-Encoding: nonce\0", 12)
    # The last record ends with 2 (RFC 8188 2).
    record = AESGCM(key).encrypt(nonce, body + b"\2", None)
    header = salt + _RECORD_BYTES.to_bytes(4, "big") + bytes([len(own)]) + own
    assert len(header) + len(record) <= _RECORD_BYTES, "bodies are short"
    return header + record


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=SHA256(), length=length, salt=salt, info=info).derive(secret)


def deliver(endpoint: str, keys: Keys, message: Message) -> Answer:
    """Hand a message to the push service of a browser, and return its answer. No redirect is followed.

    A host of the private network counts as one that cannot be reached.
    """
    parts = checked_endpoint(endpoint)
    headers = _headers(f"{parts.scheme}://{parts.netloc}", message)
    is_plain = _is_for_tests(parts)
    return public_hosts.post(parts, encrypted(message.body, keys), headers, is_plain=is_plain)


def _headers(origin: str, message: Message) -> dict[str, str]:
    claims = {"aud": origin, "exp": int(time.time()) + _SIGNED_S, "sub": settings.SITE_URL}
    return {
        **_vapid(settings.PUSH_KEY).sign(claims),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(message.ttl_s),
        "Urgency": message.urgency,
        "Topic": message.topic,
    }


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _text(value: bytes) -> str:
    return urlsafe_b64encode(value).rstrip(b"=").decode()


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
