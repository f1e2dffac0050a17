"""Small bots for tests, written to a file each: everything one can do wrong."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from engine.launch import Launch
from engine.match import BotSpec

# Plays nim: always takes one stone. `go(position)` is the hook for other bots. `position` is the
# words of the line.
_GOOD = """
import os, signal, subprocess, sys, time

def say(text):
    sys.stdout.write(text + "\\n")
    sys.stdout.flush()

def hello():
    say("id name fake")
    say("ugiok")

def ready():
    say("readyok")

def new():
    pass

def go(position):
    say("bestmove take_1")

{body}

position = []
for line in sys.stdin:
    word = line.split()[0]
    if word == "ugi":
        hello()
    elif word == "uginewgame":
        new()
    elif word == "isready":
        ready()
    elif word == "position":
        position = line.split()
    elif word == "go":
        go(position)
    elif word == "quit":
        break
"""

# Takes each game to begin from the start of its rules.
IGNORES_POSITION = """\
import sys
import games

for line in sys.stdin:
    words = line.split()
    if words[0] == "ugi":
        print("ugiok", flush=True)
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[:3] == ["setoption", "name", "Game"]:
        ruleset = games.load(words[4])
    elif words[0] == "position":
        moves = words[words.index("moves") + 1 :] if "moves" in words else []
    elif words[0] == "go":
        position = ruleset.initial(seed=1)
        for move in moves:
            position = position.play(move)
        print("bestmove", position.legal_moves()[0], flush=True)
"""


def write_bot(directory: Path, name: str, body: str = "") -> BotSpec:
    """Write the bot that differs from a good one by `body`, in its own file."""
    path = directory / f"{name}.py"
    path.write_text(_GOOD.replace("{body}", body))
    return BotSpec(name, (sys.executable, "-I", "-S", str(path)))


def bot_that(action: str) -> str:
    """Return the body of a bot that does `action` when it is asked for a move."""
    return "def go(position):\n    " + action.replace("\n", "\n    ")


def is_running(pid: int) -> bool:
    """Return whether there is a process `pid` that is not dead already."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def is_gone_within(pid: int, seconds: float) -> bool:
    """Return whether process `pid` ends soon enough."""
    deadline = time.monotonic() + seconds
    while is_running(pid):
        if time.monotonic() > deadline:
            return False
    return True


def incomplete_box(argv: tuple[str, ...]) -> Launch:
    """Return a launch of `argv` as a sandbox that never says that it is complete."""
    ours, theirs = os.pipe()
    return Launch(argv, descriptors=(theirs,), readiness=ours)
