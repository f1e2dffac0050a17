"""Wakes who waits for a row of a file: a datagram to every waiting process, through sockets in one folder.

Nothing is lost with a datagram: a waiting process looks again after a while anyway.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import select
import socket
import time
from pathlib import Path

# The longest sleep of a process without a datagram.
LONGEST_S = 2.0
# The sleep if a socket cannot be made, as under a path of more than a hundred characters.
_WITHOUT_SOCKET_S = 0.03
_numbers = itertools.count()


def send(folder: Path) -> None:
    """Wake all waiters in `folder`, and remove sockets of processes that have ended."""
    with (
        contextlib.suppress(FileNotFoundError),
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as caller,
    ):
        caller.setblocking(False)
        for place in os.scandir(folder):
            try:
                caller.sendto(b"", place.path)
            except (ConnectionRefusedError, FileNotFoundError):
                Path(place.path).unlink(missing_ok=True)
            except OSError:
                continue  # its queue is full: it has been woken already


class Waiter:
    """Waiting place of one consumer. A process that forks must make another in the child."""

    def __init__(self, folder: Path) -> None:
        self._place = folder / f"{os.getpid()}-{next(_numbers)}"
        self._socket: socket.socket | None = None
        folder.mkdir(parents=True, exist_ok=True)
        receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            self._place.unlink(missing_ok=True)  # of an earlier process of this number
            receiver.bind(str(self._place))
        except OSError:
            receiver.close()
        else:
            receiver.setblocking(False)
            self._socket = receiver

    def wait(self, seconds: float) -> None:
        """Return when a wake-up comes, or after `seconds`, at most after `LONGEST_S`."""
        if self._socket is None:
            time.sleep(min(seconds, _WITHOUT_SOCKET_S))
            return
        select.select([self._socket], [], [], min(seconds, LONGEST_S))
        with contextlib.suppress(BlockingIOError):
            while True:
                self._socket.recv(1)

    def wake(self) -> None:
        """Make `wait` return, now or at its next call. Any thread may call it."""
        with (
            contextlib.suppress(OSError),  # closed meanwhile, or woken already
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as caller,
        ):
            caller.setblocking(False)
            caller.sendto(b"", str(self._place))

    def close(self) -> None:
        """Stop waiting. A second call is safe."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None
            self._place.unlink(missing_ok=True)
