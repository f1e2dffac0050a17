"""Machines of authors: the reference client with an engine, as processes of their own."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import games
from tests import processes
from tests.servers import free_port
from tests.tournaments import remote_players
from tournaments.models import Bot, Game, Player
from tournaments.services.games import play

CLIENT = processes.ROOT / "engine" / "sdk" / "rayuela_bot.py"
# Plays any legal move. It waits for a file before it answers, and creates another while it thinks.
_ENGINE = """\
import random, sys, time
from pathlib import Path
from rayuela_sdk import info, run

here = Path(__file__).parent

def choose(position, clock):
    (here / f"thinking-{position.ply}").touch()
    while (here / "closed").exists():
        time.sleep(0.02)
    info(depth=position.ply, score=0.25)
    # The same game each time, and not the one that another program would play.
    return position.random_move(random.Random(f"{here.name} {position.ply}"))

run(choose)
"""


@dataclass
class Site:
    """The site's web process at one address, which can be killed and started again."""

    url: str
    _port: int
    _stack: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)

    is_running: bool = False

    def start(self) -> None:
        command = ["manage.py", "serve", "--port", str(self._port)]
        self._stack.enter_context(processes.program(command))
        processes.until(lambda: processes.answers(f"{self.url}/sign-in/"))
        self.is_running = True

    def kill(self) -> None:
        self.is_running = False
        self._stack.close()


@contextlib.contextmanager
def site() -> Iterator[Site]:
    """A site that runs."""
    port = free_port()
    running = Site(f"http://127.0.0.1:{port}", port)
    running.start()
    try:
        yield running
    finally:
        running.kill()


class Home:
    """A client that plays for a bot."""

    def __init__(self, folder: Path, url: str, bot: Bot, *options: str) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)
        (folder / "engine.py").write_text(_ENGINE)
        (folder / "token.txt").write_text(remote_players.token(bot) + "\n")
        self._url, self._options = url, options
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Start the client, which writes on in its log."""
        paths = [str(processes.ROOT), str(processes.ROOT / "engine" / "sdk")]
        command = [
            *(sys.executable, str(CLIENT), "--url", self._url),
            *("--token-file", str(self.folder / "token.txt"), *self._options),
            *("--", sys.executable, str(self.folder / "engine.py")),
        ]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                command,
                cwd=self.folder,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def log(self) -> str:
        """Return the output of the client so far."""
        return (self.folder / "log").read_text()

    def kill(self) -> None:
        """End the client and its engines immediately."""
        assert self.process is not None
        processes.kill_group(self.process)
        self.process.wait()

    def stop(self) -> int:
        """Ask the client to stop. Return its exit code."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)

    def close_gate(self) -> None:
        """Make the engine think until the gate is open."""
        (self.folder / "closed").touch()

    def open_gate(self) -> None:
        """Allow the engine to answer."""
        (self.folder / "closed").unlink(missing_ok=True)

    def await_thinking(self, ply: int) -> None:
        """Return when the engine thinks about the position after this number of plies."""
        processes.until(lambda: (self.folder / f"thinking-{ply}").exists(), otherwise=self.log)

    def forget_thinking(self) -> None:
        """Reset the sign that the engine thinks."""
        for each in self.folder.glob("thinking-*"):
            each.unlink()


@contextlib.contextmanager
def home(folder: Path, url: str, bot: Bot, *options: str) -> Iterator[Home]:
    """A client that plays for a bot until the end."""
    running = Home(folder, url, bot, *options)
    try:
        yield running
    finally:
        running.kill()


def await_turn(game: Game, player: Player, running: Home) -> Game:
    """The game as soon as `player` is to move, or it is over."""

    def is_due() -> bool:
        row = Game.objects.with_players().get(pk=game.pk)
        return row.result is not None or row.player_on(row.side_to_move).pk == player.pk

    processes.until(is_due, otherwise=running.log)
    return Game.objects.with_players().get(pk=game.pk)


def answer(game: Game, player: Player) -> None:
    """Play the first legal move of `player`."""
    position = games.load(game.ruleset).parse(game.position)
    move = sorted(position.legal_moves())[0]
    play.play_move(game_id=game.pk, player=player, ply=game.ply, move=move)
