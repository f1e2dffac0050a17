"""Web Push on the wire: the example of RFC 8291, hostile endpoints, keys of browsers."""

from __future__ import annotations

import socket
import time
from threading import Event, Thread
from types import SimpleNamespace
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import LazySettings

from tests.tournaments.push_service import Browser, bytes_of, text_of
from tournaments import public_hosts
from tournaments.public_hosts import Answer, PublicConnection
from tournaments.services.notifications import web_push
from tournaments.services.notifications.web_push import Keys, Message

pytestmark = pytest.mark.usefixtures("push_key")

MESSAGE = Message(body=b"{}", topic="test", urgency="high", ttl_s=60)
_PATIENCE = 100  # of the service, in bytes
KEYS = Browser("https://push.example/1").subscription.keys


def test_the_example_of_rfc_8291_appendix_a_is_encrypted_to_its_octets() -> None:
    sender = bytes_of("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
    encrypted = web_push.encrypted(
        b"When I grow up, I want to be a watermelon",
        Keys(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "BTBZMqHH6r4Tts7J_aSIgg",
        ),
        sender=ec.derive_private_key(int.from_bytes(sender, "big"), ec.SECP256R1()),
        salt=bytes_of("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert text_of(encrypted) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAm"
        "S6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_"
        "Qulcy4a-fN"
    )


def test_two_messages_of_the_same_words_differ() -> None:
    assert web_push.encrypted(b"turn", KEYS) != web_push.encrypted(b"turn", KEYS)


@pytest.mark.parametrize(
    "endpoint",
    [
        "",
        "http://push.example/1",
        "HTTPS://push.example/1",
        "ftp://push.example/1",
        "https:///1",
        "https://user:word@push.example/1",
        "https://[2001:db8::1]/1",
        "https://push.example:0/1",
        "https://push.example:port/1",
        "https://push.example/1 HTTP/1.1",
        "https://push.example/1\r\nHost: inner",
        "https://push.example\\@inner/1",
        "https://püsh.example/1",
        "https://push.example/" + "x" * 500,
    ],
)
def test_an_endpoint_that_is_no_plain_https_address_is_refused(endpoint: str) -> None:
    with pytest.raises(web_push.BadSubscriptionError):
        web_push.checked_endpoint(endpoint)


@pytest.mark.parametrize(
    "keys",
    [
        Keys("", ""),
        Keys(KEYS.p256dh, ""),
        Keys(KEYS.p256dh, "A" * 23),
        Keys(KEYS.p256dh[:-1], KEYS.auth),
        Keys("B" + "A" * 86, KEYS.auth),  # no point of the curve
        Keys(KEYS.p256dh, "é" * 22),
        Keys(KEYS.p256dh, KEYS.auth + "="),
    ],
)
def test_keys_that_no_message_can_be_encrypted_for_are_refused(keys: Keys) -> None:
    with pytest.raises(web_push.BadSubscriptionError):
        web_push.check_keys(keys)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.0.0.7",
        "169.254.169.254",
        "::1",
        "fd00::1",
        "64:ff9b::a00:1",
        "2002:a00:1::1",
        "::127.0.0.1",
        "fec0::1",
    ],
)
def test_a_host_of_the_inner_network_is_not_connected_to(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_kwargs: rows)
    tries: list[object] = []
    monkeypatch.setattr(socket, "create_connection", lambda *args: tries.append(args))
    assert web_push.deliver("https://push.example/1", KEYS, MESSAGE) == Answer(0)
    assert tries == []


@pytest.mark.parametrize("host", ["a..b", f"{'a' * 64}.example"])
def test_a_host_without_a_valid_name_is_not_reached(host: str) -> None:
    assert web_push.deliver(f"https://{host}/1", KEYS, MESSAGE) == Answer(0)


@pytest.mark.parametrize("text", ["", "soon", "Mon, 1 Jan 99999999999999 00:00:00 GMT"])
def test_a_time_to_wait_that_is_no_time_is_ignored(text: str) -> None:
    assert public_hosts._seconds_of(text) is None


def test_an_address_that_takes_all_the_time_is_the_last_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (f"9.9.9.{n}", 443)) for n in range(1, 9)]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_kwargs: rows)
    moments = iter(range(0, 100, 6))
    monkeypatch.setattr(public_hosts, "time", SimpleNamespace(monotonic=lambda: next(moments)))
    tries: list[object] = []

    def connect(*args: object) -> None:
        tries.append(args)
        raise TimeoutError

    monkeypatch.setattr(socket, "create_connection", connect)
    assert web_push.deliver("https://push.example/1", KEYS, MESSAGE) == Answer(0)
    assert len(tries) == 1


@pytest.mark.parametrize("is_late", [False, True])
def test_a_service_that_never_ends_its_handshake_is_left(
    monkeypatch: pytest.MonkeyPatch, *, is_late: bool
) -> None:
    """A late connection is made after the time of the whole exchange."""
    monkeypatch.setattr(public_hosts, "_MAX_S", 0.2)
    near, far = socket.socketpair()
    near.settimeout(120)
    cut, is_too_late = public_hosts._cut, Event()

    def cut_and_tell(*arguments: Any) -> None:
        is_too_late.set()
        cut(*arguments)

    def connected(_self: PublicConnection) -> socket.socket:
        assert not is_late or is_too_late.wait(60)
        return near

    monkeypatch.setattr(public_hosts, "_cut", cut_and_tell)
    monkeypatch.setattr(PublicConnection, "_connected", connected)
    began = time.monotonic()
    with far:
        assert web_push.deliver("https://push.example/1", KEYS, MESSAGE) == Answer(0)
    assert time.monotonic() - began < 60


def test_a_service_that_answers_a_byte_at_a_time_is_left(
    settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(public_hosts, "_MAX_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as server:
        netloc = f"127.0.0.1:{server.getsockname()[1]}"
        settings.PUSH_TEST_HOSTS = [netloc]

        parts: list[bytes] = []

        def drip() -> None:
            connection, _ = server.accept()
            with connection:
                try:
                    for _ in range(_PATIENCE):
                        parts.append(b"H")
                        connection.sendall(parts[-1])
                        time.sleep(0.02)
                except OSError:
                    return  # the client has left

        thread = Thread(target=drip)
        thread.start()
        assert web_push.deliver(f"http://{netloc}/1", KEYS, MESSAGE) == Answer(0)
        thread.join(10)
        assert len(parts) < _PATIENCE


def test_the_contact_of_the_signature_is_the_site(settings: LazySettings) -> None:
    settings.SITE_URL = "https://club.example:8443"
    headers = web_push._headers("https://push.example", MESSAGE)
    assert headers["Authorization"].startswith("vapid t=")
