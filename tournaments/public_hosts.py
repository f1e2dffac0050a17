"""Connections by TLS to hosts of the public network, for addresses that come from outside."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Sequence
from http.client import HTTPSConnection
from ipaddress import ip_address


class NotPublicError(OSError):
    """A host with an IP address that is not of the public network."""


def is_public(address: str) -> bool:
    """Return whether an IP address is one of the public network, not of this host or its neighbours."""
    ip = ip_address(address)
    return ip.is_global and not ip.is_multicast


class PublicConnection(HTTPSConnection):
    """A connection to a host of which every IP address is public.

    It connects to these addresses: a second look-up of the name could have another answer. `connect`
    raises `NotPublicError`.
    """

    def connect(self) -> None:
        """Connect to the first address that answers, and begin TLS."""
        context = ssl.create_default_context()
        self.sock = context.wrap_socket(
            self._connected(), server_hostname=self.host, suppress_ragged_eofs=False
        )

    def _connected(self) -> socket.socket:
        failure: OSError | None = None
        for address in _public_addresses(self.host, self.port):
            try:
                return socket.create_connection((address, self.port), self.timeout)
            except OSError as error:
                failure = error
        raise failure or OSError("no address")


def _public_addresses(host: str, port: int) -> Sequence[str]:
    rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(row[4][0]) for row in rows]
    if not all(is_public(each) for each in addresses):
        raise NotPublicError(f"{host} is not public")
    return addresses
