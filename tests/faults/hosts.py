"""Hosts on one machine: network namespaces with addresses of their own, joined by a switch, each with a cable to pull."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence

import pytest

_NET = "10.83.0"


def require_hosts() -> None:
    """Skip if the machine does not allow making a network."""
    if os.geteuid() or shutil.which("ip") is None:
        pytest.skip("needs root and ip (Debian package iproute2)")
    probe = f"rayuela-{os.getpid()}-probe"
    if not _is_done("netns", "add", probe):
        pytest.skip("this machine refuses network namespaces")
    _ip("netns", "del", probe)


class Hosts:
    """Hosts by name. The first has the address .1, and so on."""

    def __init__(self, names: Sequence[str]) -> None:
        self._prefix = f"rayuela-{os.getpid()}"
        self._numbers = {name: number for number, name in enumerate(names, 1)}

    def address(self, name: str) -> str:
        return f"{_NET}.{self._numbers[name]}"

    def on(self, name: str) -> list[str]:
        """Return the prefix of a command that runs it on that host."""
        return ["ip", "netns", "exec", self._space(name)]

    def pull(self, name: str) -> None:
        """Pull the cable of the host."""
        self._plug(name, "down")

    def plug_in(self, name: str) -> None:
        self._plug(name, "up")

    def _plug(self, name: str, state: str) -> None:
        _ip("-n", self._space("switch"), "link", "set", f"port{self._numbers[name]}", state)

    def _space(self, name: str) -> str:
        return f"{self._prefix}-{name}"

    @contextlib.contextmanager
    def up(self) -> Iterator[None]:
        """Have the hosts meanwhile."""
        switch = self._space("switch")
        with contextlib.ExitStack() as stack:
            for space in (switch, *map(self._space, self._numbers)):
                _ip("netns", "add", space)
                stack.callback(_ip, "netns", "del", space)
            _ip("-n", switch, "link", "add", "switch", "type", "bridge")
            _ip("-n", switch, "link", "set", "switch", "up")
            for name, number in self._numbers.items():
                self._join(name, f"port{number}")
            yield

    def _join(self, name: str, port: str) -> None:
        switch, space = self._space("switch"), self._space(name)
        peer = ("peer", "name", "net", "netns", space)
        _ip("-n", switch, "link", "add", port, "type", "veth", *peer)
        _ip("-n", switch, "link", "set", port, "master", "switch")
        _ip("-n", switch, "link", "set", port, "up")
        _ip("-n", space, "addr", "add", f"{self.address(name)}/24", "dev", "net")
        for device in ("lo", "net"):
            _ip("-n", space, "link", "set", device, "up")


def _ip(*arguments: str) -> None:
    command = ["ip", *arguments]
    subprocess.run(command, check=True, capture_output=True)


def _is_done(*arguments: str) -> bool:
    command = ["ip", *arguments]
    return subprocess.run(command, check=False, capture_output=True).returncode == 0
