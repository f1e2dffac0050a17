"""Addresses that come from outside, and connections by TLS to hosts of the public network."""

from __future__ import annotations

import contextlib
import socket
import ssl
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from ipaddress import ip_address, ip_network
from threading import Event, Timer
from typing import Final
from urllib.parse import SplitResult, urlsplit

# Forms of IPv6 in which a gateway finds an IPv4 address, which may be an inner one, and the former
# inner addresses: RFC 4291 2.5.5.1, RFC 2765, RFC 6052, RFC 8215, RFC 3056, RFC 3879.
_NOT_PUBLIC = [
    ip_network(text)
    for text in (
        *("::/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48"),
        *("2002::/16", "fec0::/10"),
    )
]


# The time of a whole exchange, and the time without a byte.
_MAX_S = 15
_SILENCE_S = 5
# Interval between two checks for a late connection.
_STEP_S = 0.1
_LAST_STATUS_OF_SUCCESS = 299
# A longer time to wait in seconds is longer than a message is worth delivering.
_MOST_DIGITS = 6
_LONGEST_WAIT_S: Final = 1_000_000


class NotPublicError(OSError):
    """A host with an IP address that is not of the public network."""


def is_public(address: str) -> bool:
    """Return whether an IP address is one of the public network, not of this host or its neighbours."""
    ip = ip_address(address)
    return ip.is_global and not ip.is_multicast and not any(ip in each for each in _NOT_PUBLIC)


def parts_of(address: str) -> SplitResult:
    """Return the parts of an address that every program splits alike.

    Raise ValueError for one with invisible characters, blanks, backslashes, a user or no host.
    """
    parts = urlsplit(address)
    is_plain = address.isascii() and address.isprintable() and not {" ", "\\", "@"} & set(address)
    if not (is_plain and parts.hostname and parts.port != 0):
        raise ValueError(address[:80])
    return parts


class PublicConnection(HTTPSConnection):
    """A connection to a host of which every IP address is public.

    It connects to these addresses: a second look-up of the name could have another answer. `connect`
    raises `NotPublicError`.
    """

    def connect(self) -> None:
        """Connect to the first address that answers, and begin TLS."""
        context = ssl.create_default_context()
        wrapped = context.wrap_socket(
            self._connected(),
            server_hostname=self.host,
            suppress_ragged_eofs=False,
            do_handshake_on_connect=False,
        )
        # Callers with a limit of time can end a slow handshake.
        self.sock = wrapped
        wrapped.do_handshake()

    def _connected(self) -> socket.socket:
        failure: OSError | None = None
        # A name may have many addresses that do not answer.
        until = time.monotonic() + (self.timeout or 0)
        for address in _public_addresses(self.host, self.port):
            try:
                return socket.create_connection((address, self.port), self.timeout)
            except OSError as error:
                failure = error
                if time.monotonic() > until:
                    break
        raise failure or OSError("no address")


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a message.

    Attributes:
        status: of HTTP, or 0 if the host could not be reached.
        retry_after_s: the time that it asks to wait, or None.
        start: the first bytes of the body.
    """

    status: int
    retry_after_s: int | None = None
    start: bytes = b""

    @property
    def is_success(self) -> bool:
        """Return whether the host accepted the message."""
        return 200 <= self.status <= _LAST_STATUS_OF_SUCCESS

    @property
    def is_gone(self) -> bool:
        """Return whether the address does not exist any more."""
        return self.status in {404, 410}

    @property
    def is_final(self) -> bool:
        """Return whether the same message would be refused again."""
        return 300 <= self.status < 500 and self.status not in {408, 429}


def post(
    parts: SplitResult,
    body: bytes,
    headers: Mapping[str, str],
    *,
    is_plain: bool = False,
    read_bytes: int = 0,
) -> Answer:
    """Send a body to an address, and return the answer. No redirect is followed.

    A host of the private network counts as one that cannot be reached. `is_plain` allows every host,
    without TLS: it is for tests.
    """
    connect = HTTPConnection if is_plain else PublicConnection
    connection = connect(parts.hostname or "", parts.port, timeout=_SILENCE_S)
    sockets: list[socket.socket] = []
    is_over = Event()
    end = Timer(_MAX_S, _cut, [connection, sockets, is_over])
    end.start()
    try:
        connection.connect()
        # `connection` forgets its socket at an answer with `Connection: close`, before the body is read.
        sockets.append(connection.sock)
        path = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
        connection.request("POST", path, body, dict(headers))
        response = connection.getresponse()
        retry_after_s = _seconds_of(response.headers.get("Retry-After", "").strip())
        return Answer(response.status, retry_after_s, _start_of(response, read_bytes))
    # UnicodeError: a host name with an empty or a long label.
    except (OSError, HTTPException, UnicodeError):
        return Answer(0)
    finally:
        end.cancel()
        is_over.set()
        connection.close()


def _start_of(response: HTTPResponse, read_bytes: int) -> bytes:
    """Return the first bytes of a body, or none if they do not come in time: the status has arrived."""
    try:
        return response.read(read_bytes) if read_bytes else b""
    except (OSError, HTTPException):
        return b""


def _seconds_of(text: str) -> int | None:
    """Return a time to wait that is given in seconds or as a moment."""
    if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS:
        return int(text)
    try:
        wait_s = parsedate_to_datetime(text).timestamp() - time.time()
    except (ValueError, OverflowError):
        return None
    return min(max(int(wait_s), 0), _LONGEST_WAIT_S)


def _cut(connection: HTTPConnection, sockets: Sequence[socket.socket], is_over: Event) -> None:
    """End an exchange that exceeds its time. Wait for its socket if the name is still being looked up."""
    while not (sock := sockets[0] if sockets else connection.sock):
        if is_over.wait(_STEP_S):
            return
    # The other thread may have closed the socket. The method of TLS would also change its state.
    with contextlib.suppress(OSError):
        socket.socket.shutdown(sock, socket.SHUT_RDWR)


def _public_addresses(host: str, port: int) -> Sequence[str]:
    rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(row[4][0]) for row in rows]
    if not all(is_public(each) for each in addresses):
        raise NotPublicError(f"{host} is not public")
    return addresses
