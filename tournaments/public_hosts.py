"""Addresses that come from outside, and connections by TLS to hosts of the public network."""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Sequence
from http.client import HTTPSConnection
from ipaddress import ip_address, ip_network
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


def _public_addresses(host: str, port: int) -> Sequence[str]:
    rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(row[4][0]) for row in rows]
    if not all(is_public(each) for each in addresses):
        raise NotPublicError(f"{host} is not public")
    return addresses
