"""Hostile bots in real games: each loses by the name of its fault and leaves no process."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import games
from engine import referee
from engine.clock import PerMove
from engine.match import BotSpec, MatchSpec
from engine.process import Launcher
from tests.engine.bots import bot_that, write_bot

GAME = "morlox(size=5)"


@dataclass(frozen=True)
class Hostile:
    """The difference from a good bot, and the expected ending and sentence.

    `patience_ms` is its time for a move: short only if its end is that it runs out of it.
    """

    body: str
    ending: str
    detail: str = ""
    ending_in_bwrap: str = ""
    patience_ms: int = 10_000

    def ending_in(self, isolator: str) -> str:
        return (isolator == "bwrap" and self.ending_in_bwrap) or self.ending


# The output to one pipe is copied to another without being read: `tee` and `splice`.
_DOUBLES = bot_that(
    "import ctypes, fcntl\n"
    "kernel = ctypes.CDLL(None)\n"
    "reading, writing = os.pipe()\n"
    "os.write(writing, b'info depth 1\\n' * 1000)\n"
    "while True:\n"
    "    kernel.tee(reading, 1, 13_000, 0)\n"
    "    inner, outer = os.pipe()\n"
    "    kernel.tee(reading, outer, 13_000, 0)\n"
    "    kernel.splice(inner, None, 1, None, 13_000, 0)\n"
    "    os.close(inner)\n"
    "    os.close(outer)"
)

HOSTILE = {
    "spins": Hostile(bot_that("while True: pass"), "time", patience_ms=200),
    "sleeps": Hostile(bot_that("time.sleep(60)"), "time", patience_ms=200),
    "ignores every signal": Hostile(
        "for number in range(1, 65):\n"
        "    try: signal.signal(number, signal.SIG_IGN)\n"
        "    except (OSError, ValueError): pass\n" + bot_that("while True: pass"),
        "time",
        patience_ms=200,
    ),
    "floods with lines": Hostile(bot_that("while True: say('x' * 1000)"), "flood"),
    "floods without a line": Hostile(
        bot_that("while True: sys.stdout.write('x' * 1000)"), "flood", "a line of over"
    ),
    "floods its errors": Hostile(bot_that("while True: sys.stderr.write('x' * 1000)"), "flood"),
    "answers before it is asked": Hostile(
        "def ready():\n    say('readyok')\n    say('bestmove a1')\n    time.sleep(60)", "protocol"
    ),
    "answers twice": Hostile(bot_that("say('bestmove a1\\nbestmove b1')"), "protocol"),
    # Bubblewrap's own processes keep the output open.
    "closes its output": Hostile(
        bot_that("os.close(1)\ntime.sleep(60)"), "crash", ending_in_bwrap="time", patience_ms=1000
    ),
    "writes no UTF-8": Hostile(
        bot_that("os.write(1, b'\\xff\\xfe\\n')\ntime.sleep(60)"), "protocol"
    ),
    "writes NUL": Hostile(bot_that("os.write(1, b'bestmove\\0a1\\n')\ntime.sleep(60)"), "protocol"),
    "writes a line of 10 MB": Hostile(bot_that("say('x' * 10_000_000)\ntime.sleep(60)"), "flood"),
    "colours the terminal": Hostile(
        bot_that("say('info string \\x1b[2J\\x1b]0;x\\x07')\ntime.sleep(60)"), "protocol"
    ),
    "takes all memory": Hostile(bot_that("bytearray(960 << 20)"), "crash"),
    # The exit code of a bubblewrap that could not make its sandbox: the box reports on a separate
    # pipe that it is complete.
    "ends like a broken box": Hostile(bot_that("os._exit(125)"), "crash", "status 125"),
    "begins like a broken box": Hostile("os._exit(125)", "crash", "status 125"),
    "gets ready for seconds": Hostile(
        "calls = []\n"
        "def ready():\n    calls.append(1)\n    if len(calls) == 1: time.sleep(2.5)\n    say('readyok')",
        "time",
        patience_ms=1000,
    ),
    "forks to think": Hostile(bot_that("os.fork()"), "crash"),
    "reads random bytes": Hostile(
        bot_that("with open('/dev/urandom', 'rb', 0) as file:\n    while True: file.read(1 << 20)"),
        "time",
        patience_ms=200,
    ),
    "writes a byte each 100 ms": Hostile(
        bot_that("while True:\n    os.write(1, b'b')\n    time.sleep(0.1)"), "time", patience_ms=300
    ),
    # It is its own end: the signal of this timer cannot be chosen, and no SIGALRM wakes who is stopped.
    "orders an alarm": Hostile(
        bot_that("signal.setitimer(signal.ITIMER_REAL, 0.01)\ntime.sleep(60)"), "crash"
    ),
    "reads where nothing is": Hostile(bot_that("import ctypes\nctypes.string_at(0)"), "crash"),
    "leaves in the middle": Hostile(
        bot_that("if 'moves' in position: os._exit(0)\nsay('bestmove a1')"), "crash", "status 0"
    ),
    "recurses without end": Hostile(
        bot_that(
            "sys.setrecursionlimit(10**9)\nnested = []\n"
            "for _ in range(10**6): nested = [nested]\nrepr(nested)"
        ),
        "crash",
    ),
    "floods through a large pipe": Hostile(
        bot_that(
            "import fcntl\nfcntl.fcntl(1, fcntl.F_SETPIPE_SZ, 1 << 20)\n"
            "while True: os.write(1, b'info depth 1\\n' * 80_000)"
        ),
        "flood",
    ),
    "doubles its own pipes": Hostile(_DOUBLES, "flood"),
}

# Not forbidden, but every page that shows it must escape it.
MARKUP = "<script>alert(1)</script>"
_SPEAKS_MARKUP = (
    "def go(position):\n"
    "    if 'moves' in position: say('bestmove resign')\n"
    f"    say('info string {MARKUP}')\n"
    "    say('bestmove a1')"
)

# A bot that continues to think after its move, and reports on the next one the seconds of processor
# time that it could use.
_THINKS_ON = (
    "import threading\n"
    "def burn():\n"
    "    while True: pass\n"
    "def new():\n    threading.Thread(target=burn, daemon=True).start()\n"
    "def go(position):\n"
    "    global answered\n"
    "    if 'moves' in position:\n"
    "        say(f'info string {time.process_time() - answered:.3f}')\n"
    "        say('bestmove b1')\n"
    "    else: say('bestmove a1')\n"
    "    answered = time.process_time()\n"
)
# Lets threads compete for the processor while it waits, and says how much processor time they all
# took.
_HURRIES_ITSELF = (
    "import hashlib, threading\n"
    "def burn(until):\n"
    "    while time.monotonic() < until: hashlib.sha256(bytes(1 << 20))\n"
    "def go(position):\n"
    "    began, until = time.process_time(), time.monotonic() + 0.5\n"
    "    burners = [threading.Thread(target=burn, args=(until,)) for _ in range(6)]\n"
    "    for burner in burners: burner.start()\n"
    "    for burner in burners: burner.join()\n"
    "    say(f'info string {time.process_time() - began:.3f}')\n"
    "    say('bestmove b1' if 'moves' in position else 'bestmove a1')\n"
)


# One packet a byte (`O_DIRECT`).
_WRITES_PACKETS = (
    "import fcntl\n"
    "def go(position):\n"
    "    fcntl.fcntl(1, fcntl.F_SETFL, os.O_DIRECT)\n"
    "    text = 'bestmove resign' if 'moves' in position else 'info string packets\\nbestmove a1'\n"
    "    for byte in f'{text}\\n'.encode(): os.write(1, bytes([byte]))\n"
)


_LAWFUL = {
    "writes packets": _WRITES_PACKETS,
    "speaks markup": _SPEAKS_MARKUP,
    "thinks on": _THINKS_ON,
    "hurries itself": _HURRIES_ITSELF,
}


def play_all(launcher: Launcher, directory: Path, mark: str) -> dict[str, dict[str, object]]:
    """Return the results of each hostile bot against one of ours, as JSON."""
    ours = write_bot(directory, "ours", bot_that("say('bestmove c1')"))
    slow = write_bot(directory, "slow", bot_that("time.sleep(1)\nsay('bestmove c1')"))
    results = {
        name: _play(launcher, ours, _bot(directory, name, hostile.body, mark), hostile.patience_ms)
        for name, hostile in HOSTILE.items()
    }
    for name, body in _LAWFUL.items():
        opponent = slow if name == "thinks on" else ours
        results[name] = _play(launcher, opponent, _bot(directory, name, body, mark), 10_000)
    return results


def _bot(directory: Path, name: str, body: str, mark: str) -> BotSpec:
    tree = directory / name.replace(" ", "-")
    tree.mkdir()
    program = write_bot(tree, "main", body).argv[-1]
    assert program == str(tree / "main.py")
    for path in (tree, tree / "main.py"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    return BotSpec(name, ("python", "/bot/main.py", mark), str(tree))


def _play(
    launcher: Launcher, ours: BotSpec, hostile: BotSpec, patience_ms: int
) -> dict[str, object]:
    ruleset = games.load(GAME)
    setup = ruleset.setup_text(ruleset.initial(seed=1))
    spec = MatchSpec(GAME, setup, (hostile, ours), PerMove(patience_ms), games=1)
    (game,) = referee.play_match(spec, launcher=launcher).games
    return {
        "ending": game.ending.value,
        "loser": game.loser,
        "detail": game.detail,
        "charged_ms": [ply.charged_ms for ply in game.plies if ply.info],
        "wall_ms": [ply.wall_ms for ply in game.plies if ply.info],
        "texts": [ply.info.text for ply in game.plies if ply.info],
    }
