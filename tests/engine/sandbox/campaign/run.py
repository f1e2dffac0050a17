"""A worker under attack: plays the attacks in one sandbox and reports on each."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import socket
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from engine import sandbox
from engine.errors import BotFailedError
from engine.match import BotSpec
from engine.process import BotProcess, Launcher
from engine.sandbox.choice import ISOLATORS
from tests.engine.sandbox.campaign import matches
from tests.engine.sandbox.campaign.table import ALONE, ATTACKS, TWICE

_PATIENCE_NS = 30_000_000_000
_AT_ONCE = 6
# A slot that no test uses and hardly another campaign. Some run simultaneously, and the kernel
# counts all threads of a user.
_SLOT_ALONE = 100 + os.getpid() % 800
_HERE = Path(__file__).parent
_DEVICES = ("/dev/vda", "/dev/sda", "/dev/kmsg", "/dev/mem", "/dev/ptmx", "/dev/zero")
_SWITCH = Path("/proc/sys/kernel/core_pattern")


@dataclass
class Bait:
    """Places of the worker's things.

    Everything is open to every user: only the sandbox protects it.
    """

    settings: str
    database: str
    other_tree: str
    open_directory: str
    unix_path: str
    unix_abstract: str
    tcp_port: int
    devices: list[str]
    worker: int
    sibling: int
    mark: str


@dataclass
class Result:
    """The results: `replies` by attack, `matches` by hostile bot, then the state of the machine."""

    outputs: dict[str, str] = field(default_factory=dict)
    matches: dict[str, dict[str, object]] = field(default_factory=dict)
    written: list[str] = field(default_factory=list)
    survivors: list[str] = field(default_factory=list)
    connections: int = 0
    is_sibling_alive: bool = False
    is_switch_unchanged: bool = False
    is_database_unchanged: bool = False
    bot_uids: list[int] = field(default_factory=list)


def run(isolator: str) -> Result:
    """Everything under `isolator`."""
    result = Result()
    mark = f"mark-{secrets.token_hex(8)}"
    launcher = ISOLATORS[isolator]().launcher()
    switch = _SWITCH.read_text()
    with _ground(mark) as ground, _listeners(ground, mark) as listeners:
        bait = ground.bait(mark, listeners.port)
        with BotProcess(launcher(ground.attack("sleep", bait))) as sibling:
            sibling.receive(deadline_ns=time.monotonic_ns() + _PATIENCE_NS)
            bait.sibling = sibling.pid
            result.bot_uids = sorted({os.stat(f"/proc/{pid}").st_uid for pid in _pids_with(mark)})
            _attack(result, launcher, ground, bait)
            brief = ISOLATORS[isolator]().launcher(sandbox.Limits(cpu_s=1))
            alone = ISOLATORS[isolator]().launcher(slot=_SLOT_ALONE)
            for name in ALONE:
                attacker = BotProcess(alone(ground.attack(name, bait)))
                result.outputs[name] = _last_reply(attacker)
            result.outputs["spin"] = _last_reply(BotProcess(brief(ground.attack("spin", bait))))
            result.is_sibling_alive = _is_silent(sibling)
        result.connections = listeners.accepted()
        result.matches = matches.play_all(launcher, ground.directory, mark)
        result.written = ground.written(mark)
        result.is_database_unchanged = ground.is_database_unchanged()
        result.survivors = _survivors(mark)
    result.is_switch_unchanged = _SWITCH.read_text() == switch
    return result


def hold(isolator: str) -> None:
    """Start a bot that will not die with its worker, print its processes, and wait to be killed."""
    mark = f"mark-{secrets.token_hex(8)}"
    launcher = ISOLATORS[isolator]().launcher()
    with _ground(mark) as ground:
        bait = ground.bait(mark, 0)
        with BotProcess(launcher(ground.attack("disarm_and_stay", bait))) as bot:
            bot.receive(deadline_ns=time.monotonic_ns() + _PATIENCE_NS)
            print(json.dumps([str(ground.directory), *_pids_with(mark)]), flush=True)  # noqa: T201
            time.sleep(600)


def _attack(result: Result, launcher: Launcher, ground: Ground, bait: Bait) -> None:
    names = list(ATTACKS)
    for at in range(0, len(names), _AT_ONCE):
        batch = names[at : at + _AT_ONCE]
        running = [BotProcess(launcher(ground.attack(name, bait))) for name in batch]
        for name, process in zip(batch, running, strict=True):
            result.outputs[name] = _last_reply(process)
    for name in TWICE:
        for _ in range(2):
            result.outputs[name] = _last_reply(BotProcess(launcher(ground.attack(name, bait))))


def _last_reply(process: BotProcess) -> str:
    """Return the bot's line, or how it ended without one."""
    with process:
        try:
            return process.receive(deadline_ns=time.monotonic_ns() + _PATIENCE_NS).text
        except BotFailedError as error:
            process.close()
            return f"{error.detail} {process.stderr_text[-300:]}".strip()


def _is_silent(process: BotProcess) -> bool:
    """Return whether the bot is still there: alive, and without anything to say."""
    try:
        process.receive(deadline_ns=time.monotonic_ns() + 1)
    except BotFailedError as error:
        return "in time" in error.detail
    return False


def _pids_with(mark: str) -> list[int]:
    """Return the processes of the whole machine whose command line has `mark`."""
    status = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if mark.encode() in path.read_bytes():
                status.append(int(path.parent.name))
    return status


def _survivors(mark: str) -> list[str]:
    """Return the remaining processes of the bots once the kernel has had time to end them."""
    deadline = time.monotonic() + 10
    while (pids := _pids_with(mark)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return [str(pid) for pid in pids]


@dataclass
class Ground:
    """The worker's files, all open to all users."""

    directory: Path

    def attack(self, name: str, bait: Bait) -> BotSpec:
        argv = ("python", "/bot/main.py", name, json.dumps(asdict(bait)))
        return BotSpec(name, argv, str(self.directory / "tree"))

    def bait(self, mark: str, port: int) -> Bait:
        return Bait(
            settings=str(self.directory / "settings.py"),
            database=str(self.directory / "rayuela.sqlite3"),
            other_tree=str(self.directory / "other"),
            open_directory=str(self.directory / "open"),
            unix_path=str(self.directory / "open" / "socket"),
            unix_abstract=mark,
            tcp_port=port,
            devices=[path for path in _DEVICES if os.path.exists(path)],
            worker=os.getpid(),
            sibling=0,
            mark=mark,
        )

    def written(self, mark: str) -> list[str]:
        """Return the files that bots have made, wherever they could."""
        places = [self.directory, *map(Path, ("/tmp", "/var/tmp", "/dev/shm", "/usr/lib", "/"))]
        files = [place / mark for place in (*places, self.directory / "open")]
        files += [place / f"fill{number}" for place in places for number in range(16)]
        files += [place / "state" for place in places]
        return [str(path) for path in files if path.exists()]

    def is_database_unchanged(self) -> bool:
        status = (self.directory / "rayuela.sqlite3").stat()
        program = (self.directory / "tree" / "attacks" / "files.py").read_bytes()
        is_whole = program == (_HERE / "attacks" / "files.py").read_bytes()
        return (status.st_size, status.st_mode & 0o777) == (6, 0o666) and is_whole


@contextlib.contextmanager
def _ground(mark: str) -> Iterator[Ground]:
    with tempfile.TemporaryDirectory(prefix=f"rayuela-{mark}-") as name:
        directory = Path(name)
        for folder in ("tree", "other", "open"):
            (directory / folder).mkdir()
        shutil.copytree(_HERE / "attacks", directory / "tree" / "attacks")
        (directory / "tree" / "main.py").write_text(
            "import runpy\nrunpy.run_module('attacks', run_name='__main__')\n"
        )
        (directory / "tree" / "more.py").write_text("")
        (directory / "other" / "main.py").write_text("secret = 1\n")
        (directory / "settings.py").write_text("SECRET_KEY = 1\n")
        (directory / "rayuela.sqlite3").write_text("SQLite")
        for path in [directory, *directory.rglob("*")]:
            path.chmod(0o777 if path.is_dir() else 0o666)
        shutil.copy("/usr/bin/whoami", directory / "tree" / "whoami")
        (directory / "tree" / "whoami").chmod(0o4755)
        yield Ground(directory)


@dataclass
class Listeners:
    """Servers of the worker's machine, and the number of calls to them."""

    sockets: list[socket.socket]

    @property
    def port(self) -> int:
        return int(self.sockets[0].getsockname()[1])

    def accepted(self) -> int:
        count = 0
        for listening in self.sockets:
            listening.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                while True:
                    listening.accept()[0].close()
                    count += 1
        return count


@contextlib.contextmanager
def _listeners(ground: Ground, mark: str) -> Iterator[Listeners]:
    with contextlib.ExitStack() as stack:
        addresses: list[tuple[int, object]] = [
            (socket.AF_INET, ("127.0.0.1", 0)),
            (socket.AF_UNIX, str(ground.directory / "open" / "socket")),
            (socket.AF_UNIX, "\0" + mark),
        ]
        sockets = []
        for family, address in addresses:
            listening = stack.enter_context(socket.socket(family, socket.SOCK_STREAM))
            listening.bind(address)  # type: ignore[arg-type]  # an address of its family
            listening.listen(8)
            sockets.append(listening)
        (ground.directory / "open" / "socket").chmod(0o777)
        yield Listeners(sockets)
