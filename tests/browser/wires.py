"""A wire to the site that can be cut or made slow. Chromium's own way of going offline leaves open streams as they are."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit


class Wire:
    """Connections to `address` are led through a port of this machine while the wire is whole."""

    def __init__(self, address: str) -> None:
        there = urlsplit(address)
        self._there = (there.hostname or "", there.port or 80)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._ends: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._is_cut = False
        self._delay_s = 0.0
        self._closed = threading.Event()
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def cut(self) -> None:
        """End all connections, and allow no new ones."""
        with self._lock:
            self._is_cut = True
            for end in self._ends:
                _end(end)
            self._ends.clear()

    def reconcile(self) -> None:
        """Allow connections again."""
        with self._lock:
            self._is_cut = False

    def slow_down(self, delay_s: float) -> None:
        """Delay all data by this time, or by 0 for immediate arrival."""
        self._delay_s = delay_s

    def listen(self) -> None:
        """Lead connections on until `close`."""
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                led = threading.Thread(target=self._lead_on, args=(near,), daemon=True)
                led.start()
                self._threads.append(led)

    def close(self) -> None:
        """End everything."""
        self._closed.set()
        self.cut()
        # Only this wakes a thread that waits for the next connection.
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for led in self._threads:
            led.join()

    def _lead_on(self, near: socket.socket) -> None:
        try:
            far = socket.create_connection(self._there)
        except OSError:  # nobody is there at this time
            near.close()
            return
        with near, far:
            with self._lock:
                if self._is_cut:
                    return
                self._ends += [near, far]
            back = threading.Thread(target=_carry, args=(far, near), daemon=True)
            back.start()
            # A visitor's request waits once. The answer, which comes in many parts, does not.
            self._carry_late(near, far)
            back.join()

    def _carry_late(self, start: socket.socket, end: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := start.recv(65536):
                if self._delay_s:
                    self._closed.wait(self._delay_s)
                end.sendall(data)
        _end(start)
        _end(end)


def _carry(start: socket.socket, end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := start.recv(65536):
            end.sendall(data)
    _end(start)
    _end(end)


def _end(one: socket.socket) -> None:
    with contextlib.suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def wire_to(address: str) -> Iterator[Wire]:
    """Yield a wire, and a thread that serves it."""
    wire = Wire(address)
    served = threading.Thread(target=wire.listen, daemon=True)
    served.start()
    try:
        yield wire
    finally:
        wire.close()
        served.join()
