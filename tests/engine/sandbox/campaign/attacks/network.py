"""Sockets: of every family, to all addresses."""

from __future__ import annotations

import socket

from .calls import BAIT, call, met, met_all

_LOCAL, _KEY, _NETLINK, _PACKET, _RDS, _CAN, _TIPC, _BLUETOOTH = 1, 15, 16, 17, 21, 29, 30, 31
_ALG, _VSOCK, _QIPCRTR, _SMC, _XDP, _MCTP = 38, 40, 42, 43, 44, 45
_RARE = (
    _KEY,
    _NETLINK,
    _PACKET,
    _RDS,
    _CAN,
    _TIPC,
    _BLUETOOTH,
    _ALG,
    _VSOCK,
    _QIPCRTR,
    _SMC,
    _XDP,
    _MCTP,
)


def connect_tcp():
    def connect(family):
        with socket.socket(family, socket.SOCK_STREAM) as client:
            client.connect(("127.0.0.1", BAIT["tcp_port"]))

    return met_all(connect, [socket.AF_INET, socket.AF_INET6])


def send_udp():
    def send(port):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
            client.sendto(b"x", ("127.0.0.1", port))

    return met_all(send, [53, BAIT["tcp_port"]])


def connect_unix():
    def connect(address):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
            client.connect(address)

    return met_all(connect, [BAIT["unix_path"], "\0" + BAIT["unix_abstract"]])


def datagram_pair():
    return met(lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))


def rare_sockets():
    def make(arguments):
        socket.socket(*arguments).close()

    kinds = (socket.SOCK_DGRAM, socket.SOCK_STREAM, socket.SOCK_SEQPACKET)
    return met_all(make, [(family, kind) for family in _RARE for kind in kinds])


def raw_sockets():
    """Open sockets that would write raw packets: the kinds 3 (raw) and 10 (packet)."""

    def make(family):
        socket.socket(family, socket.SOCK_RAW).close()

    return met_all(make, [socket.AF_INET, socket.AF_INET6, _PACKET])


def sockets_by_high_halves():
    """Pass the number of the call, its family or its kind beyond 32 bits, which a filter may not look at."""
    high = 1 << 32
    calls = [call(41 | high, 198 | high, 2, 1, 0), call(41, 198, 2 | high, 1, 0)]
    calls += [call(41, 198, 2, 1 | high, 0), call(53, 199, _LOCAL | high, 2, 0, 0)]
    return "+".join(sorted(set(calls)))
