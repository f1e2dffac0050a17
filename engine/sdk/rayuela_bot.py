"""Connect a program on this machine to a Rayuela site: one file, only Python 3.9 or later.

    python rayuela_bot.py --url https://SITE --token-file token.txt -- ./my_engine --its-options

The program speaks the line protocol of bots (docs/reference/protocol.md), one process a game. This
client accepts the challenges that its rules let through, and plays them and the games of events.
After a cut, a restart of the site, or its own restart it continues from its last state, because the
site stores all decisions. Ctrl-C or SIGTERM stops it. The games wait, and their clocks run.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import http.client
import json
import logging
import queue
import random
import shlex
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

log = logging.getLogger("rayuela_bot")

VERSION = "1"
# A stream says every 8 s that it lives.
SILENCE_S = 25.0
REQUEST_S = 20.0
LONGEST_WAIT_S = 30.0
# Pause before a new start after an error that is neither a cut nor a refusal.
PAUSE_S = 5.0
GREETING_S = 30.0
# Kept back of the clock for the way to the site.
OVERHEAD_MS = 150
MAX_STARTS = 3
# The length of a line that the site reads.
MAX_INFO = 4096
_NOT_LET_IN = "the token is wrong, has expired or was revoked: make another one at /account/tokens/"
_BUSY = {429, 500, 502, 503, 504}
_DEAD = (OSError, http.client.HTTPException)


class StopError(Exception):
    """The client was asked to stop, or its token is no longer valid."""


class EngineError(Exception):
    """The engine does not answer as the protocol says."""


@dataclass(frozen=True)
class Rules:
    """Rules for accepting challenges. `families` is empty for every game."""

    families: frozenset[str]
    least_s: float
    most_s: float
    kinds: str

    def accept(self, challenge: dict[str, Any]) -> bool:
        """Return whether the challenge is one of those."""
        family = challenge["ruleset"].partition("(")[0]
        clock = challenge["clock"]
        is_timed = clock["kind"] != "unlimited"
        return (
            (not self.families or family in self.families)
            and is_timed
            and self.least_s <= clock["initial_ms"] / 1000 <= self.most_s
            and self.kinds in {"both", "rated" if challenge["is_rated"] else "casual"}
        )


@dataclass(frozen=True)
class Commands:
    """Commands to start for a game: `clock` for most, `fuel` for a game by fuel, empty without a command."""

    clock: Sequence[str]
    fuel: Sequence[str] = ()


@dataclass(frozen=True)
class Answer:
    """An answer of the site."""

    status: int
    body: Any
    retry_after_s: float | None = None

    @property
    def code(self) -> str:
        """Return the code of a problem, or an empty text for any other answer."""
        return str(self.body.get("code", "")) if isinstance(self.body, dict) else ""


class Site:
    """The API of the site, for one thread: a connection that is kept, and replaced when it breaks."""

    def __init__(self, url: str, token: str, stop: threading.Event) -> None:
        self._url, self._token, self.stop = urlsplit(url), token, stop
        self._connection: http.client.HTTPConnection | None = None

    def clone(self) -> Site:
        """Return this site for another thread."""
        return Site(self._url.geturl(), self._token, self.stop)

    def ask(self, method: str, path: str, body: object = None, key: str = "") -> Answer:
        """Return the answer, with repetitions if necessary. Raises StopError.

        A busy or absent site is asked again, later each time. A POST has a key, by which it counts
        once.
        """
        tries = 0
        while True:
            try:
                answer = self._ask_once(method, path, body, key)
            except _DEAD as error:
                self.close()
                log.warning("away method=%s path=%s why=%r", method, path, error)
                answer = Answer(503, {})
            if answer.status == 401:
                raise StopError(_NOT_LET_IN)
            if answer.status not in _BUSY:
                return answer
            tries += 1
            self.wait(tries, answer)

    def wait(self, tries: int, answer: Answer) -> None:
        """Wait as long as the site asks for, else longer each time. Raises StopError."""
        pause_s = min(LONGEST_WAIT_S, 0.25 * 2 ** min(tries, 10)) * random.uniform(0.5, 1)
        if answer.retry_after_s is not None:
            pause_s = max(pause_s, answer.retry_after_s)
        if self.stop.wait(pause_s):
            raise StopError

    def lines(self, path: str, after: int | None) -> Iterator[dict[str, Any] | None]:
        """Yield the lines of a stream until it ends, and None for each empty one.

        Raises a connection's errors.
        """
        connection = self._connect(SILENCE_S)
        try:
            query = "" if after is None else f"?after={after}"
            connection.request("GET", f"{self._path(path)}{query}", headers=self._headers(""))
            response = connection.getresponse()
            if response.status != 200:
                content = _json(response.read())
                raise _RefusedError(Answer(response.status, content, _retry_after_s(response)))
            while line := response.readline():
                yield json.loads(line) if line.strip() else None
        finally:
            connection.close()

    def close(self) -> None:
        """Hang up."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _ask_once(self, method: str, path: str, body: object, key: str) -> Answer:
        data = None if body is None else json.dumps(body).encode()
        is_reused = self._connection is not None and self._connection.sock is not None
        try:
            response = self._send(method, path, data, key)
        except ConnectionError:
            # A site closes a connection that was idle for a while, before it reads the request. It
            # is no cut: a repeated request counts once, so it goes out again on a fresh one.
            if not is_reused or not (method == "GET" or key):
                raise
            self.close()
            response = self._send(method, path, data, key)
        return Answer(response.status, _json(response.read()), _retry_after_s(response))

    def _send(
        self, method: str, path: str, data: bytes | None, key: str
    ) -> http.client.HTTPResponse:
        """Send a request, and return the answer as soon as its headers are read."""
        if self._connection is None:
            self._connection = self._connect(REQUEST_S)
        self._connection.request(method, self._path(path), data, self._headers(key, data))
        return self._connection.getresponse()

    def _connect(self, timeout_s: float) -> http.client.HTTPConnection:
        kind = (
            http.client.HTTPSConnection
            if self._url.scheme == "https"
            else http.client.HTTPConnection
        )
        return kind(self._url.netloc, timeout=timeout_s)

    def _path(self, path: str) -> str:
        return f"{self._url.path.rstrip('/')}/api/v1{path}"

    def _headers(self, key: str, data: bytes | None = None) -> dict[str, str]:
        headers = {
            "Authorization": f"Bearer {self._token}",
            "User-Agent": f"rayuela-bot/{VERSION}",
            "Accept": "application/json, application/x-ndjson;q=0.9",
        }
        if data is not None:
            headers["Content-Type"] = "application/json"
        if key:
            headers["Idempotency-Key"] = key
        return headers


class _RefusedError(Exception):
    """The site does not open a stream."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(f"{answer.status} {answer.code}")
        self.answer = answer


class Feed:
    """News of one stream, or only ticks of time without a stream: a waiting caller then looks at the site itself."""

    def __init__(self, site: Site, path: str, *, poll_s: float | None) -> None:
        self._site, self._path, self._poll_s = site, path, poll_s
        self._lines: Iterator[dict[str, Any] | None] | None = None
        self._after: int | None = None
        self._failures = 0

    def next(self) -> dict[str, Any] | None:
        """Return the next line, or None when it is time to look, after a cut or a pause.

        Raises StopError.
        """
        if self._site.stop.is_set():
            raise StopError
        if self._poll_s is not None:
            if self._site.stop.wait(self._poll_s):
                raise StopError
            return None
        try:
            return self._read()
        except _RefusedError as refusal:
            self._close()
            if refusal.answer.status == 401:
                raise StopError(_NOT_LET_IN) from None
            if refusal.answer.code == "cursor-bad":
                self._after = None  # forgotten over there: the state says it all
                return None
            if refusal.answer.status not in _BUSY:
                log.warning("no-stream path=%s why=%s", self._path, refusal)
                self._poll_s = 2.0
                return None
            answer = refusal.answer
        except (*_DEAD, ValueError) as error:
            self._close()
            answer = Answer(503, {})
            log.info("cut path=%s why=%r", self._path, error)
        self._failures += 1
        self._site.wait(self._failures, answer)
        return None

    def _read(self) -> dict[str, Any] | None:
        if self._lines is None:
            self._lines = self._site.lines(self._path, self._after)
        for line in self._lines:
            if self._site.stop.is_set():
                raise StopError
            if line is not None:
                self._failures = 0
                self._after = line["seq"]
                return line
        raise ConnectionError("the stream has ended")

    def _close(self) -> None:
        self._lines = None


class Engine:
    """A process that speaks the protocol, in one game.

    `info` is the last `info` line of its last thought, or empty without one.
    """

    def __init__(self, command: Sequence[str], stop: threading.Event) -> None:
        self._stop = stop
        self.info = ""
        self._process = subprocess.Popen(  # noqa: S603 - the command of who runs this
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def begin(self, ruleset: str, seed: str = "") -> None:
        """Greet it, and announce the game, with the seed in a game by fuel. Raises EngineError."""
        self._tell("ugi")
        self._await("ugiok", GREETING_S)
        self._tell(f"setoption name Game value {ruleset}")
        if seed:
            self._tell(f"setoption name Seed value {seed}")
        self._tell("uginewgame")

    def think(self, position: str, go: str, limit_s: float) -> str:
        """Return the move. Raises EngineError without a move within `limit_s`."""
        self._tell("isready")
        self._await("readyok", GREETING_S)
        self.info = ""
        self._tell(position)
        self._tell(go)
        words = self._await("bestmove", limit_s).split()
        if len(words) < 2:
            raise EngineError("bestmove without a move")
        return words[1].replace("_", " ")

    def close(self, news: str = "") -> None:
        """Ask it to quit, and kill it if it does not."""
        with contextlib.suppress(EngineError):
            if news:
                self._tell(news)
            self._tell("quit")
        try:
            self._process.wait(2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _tell(self, line: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise EngineError(f"it does not read: {error}") from error

    def _await(self, word: str, limit_s: float) -> str:
        end = time.monotonic() + limit_s
        while time.monotonic() < end:
            if self._stop.is_set():
                raise StopError
            with contextlib.suppress(queue.Empty):
                line = self._lines.get(timeout=min(0.5, max(0.01, end - time.monotonic())))
                if not line:
                    raise EngineError(f"it ended instead of `{word}`")
                first = line.split(maxsplit=1)[0]
                if first == "info":
                    self.info = line[:MAX_INFO]
                if first == word:
                    return line
        raise EngineError(f"no `{word}` within {limit_s:.0f} s")

    def _read(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            for line in self._process.stdout:
                if line.strip():
                    self._lines.put(line.strip())
        self._lines.put("")


class GamePlayer:
    """A player of one game to its end, in its own thread."""

    def __init__(self, game: int, me: int, site: Site, commands: Commands, feed: Feed) -> None:
        self._game, self._me, self._site, self._feed = game, me, site, feed
        self._commands = commands
        self._engine: Engine | None = None
        self._starts = 0

    def play(self) -> None:
        """Look, move, wait, until the game is over. Raises StopError."""
        news = ""
        try:
            while True:
                state, came_at = self._look(), time.monotonic()
                if state["result"] is not None:
                    news = _gameover(state)
                    log.info(
                        "over game=%s result=%s ending=%s",
                        self._game,
                        state["result"],
                        state["ending"],
                    )
                    return
                if not self._is_turn(state) or not self._move(state, came_at):
                    self._decline(state)
                    self._feed.next()
        finally:
            if self._engine is not None:
                self._engine.close(news)
            self._site.close()

    def _look(self) -> dict[str, Any]:
        answer = self._site.ask("GET", f"/games/{self._game}")
        if answer.status != 200:
            raise StopError(f"game {self._game}: {answer.status} {answer.code}")
        state: dict[str, Any] = answer.body
        return state

    def _side(self, state: dict[str, Any]) -> str:
        return "first" if state["first"]["id"] == self._me else "second"

    def _is_turn(self, state: dict[str, Any]) -> bool:
        return state["side_to_move"] == self._side(state) and not state["turn"]["is_stopped"]

    def _decline(self, state: dict[str, Any]) -> None:
        """Decline all offers, because engines make no agreements."""
        offer = state["offer"]
        if offer is not None and offer["side"] != self._side(state):
            self._site.ask("POST", f"/games/{self._game}/offers/decline")

    def _move(self, state: dict[str, Any], came_at: float) -> bool:
        """Think and send, and return whether to look at the game again immediately."""
        try:
            move = self._think(state)
        except (EngineError, OSError) as error:
            self._starts += 1
            log.warning("engine-failed game=%s starts=%s why=%s", self._game, self._starts, error)
            if self._engine is not None:
                self._engine.close()
                self._engine = None
            if self._starts >= MAX_STARTS:
                move = "resign"
            else:
                return True
        if move == "resign":
            answer = self._site.ask(
                "POST", f"/games/{self._game}/resign", key=self._key(state, move)
            )
            log.info("resign game=%s status=%s", self._game, answer.status)
            return True
        return self._send(state, move, came_at)

    def _send(self, state: dict[str, Any], move: str, came_at: float) -> bool:
        body = {
            "move": move,
            "ply": state["ply"],
            "attempt": state["attempt"],
            "thought_ms": round((time.monotonic() - came_at) * 1000),
            "info": self._engine.info if self._engine is not None else "",
        }
        path = f"/games/{self._game}/moves"
        answer = self._site.ask("POST", path, body, self._key(state, move))
        log.info(
            "move game=%s ply=%s move=%s status=%s %s",
            *(self._game, state["ply"] + 1, move, answer.status, answer.code),
        )
        if answer.status == 422:  # illegal: it would play it again
            self._site.ask("POST", f"/games/{self._game}/resign", key=self._key(state, "resign"))
        return answer.code != "clocks-stopped"

    def _think(self, state: dict[str, Any]) -> str:
        fuel = state.get("fuel")
        if self._engine is None:
            command = self._commands.fuel if fuel else self._commands.clock
            if not command:
                raise EngineError("a game by fuel, and no --fuel-engine")
            self._engine = Engine(command, self._site.stop)
            self._engine.begin(state["ruleset"], fuel["seed"] if fuel else "")
        first_ms, second_ms = _left_ms(state)
        mine_ms = first_ms if self._side(state) == "first" else second_ms
        increment_ms = state["clock"]["increment_ms"]
        go = f"go p1time {first_ms} p2time {second_ms} p1inc {increment_ms} p2inc {increment_ms}"
        if fuel:
            go = f"go fuel {fuel['units']}"
        return self._engine.think(_position(state), go, mine_ms / 1000 + 60)

    def _key(self, state: dict[str, Any], move: str) -> str:
        """Return the idempotency key of a move, which a restart does not change."""
        text = f"{self._me} {self._game} {state['attempt']} {state['ply']} {move}"
        return hashlib.sha256(text.encode()).hexdigest()[:32]


class Client:
    """Listens for challenges and games, and lets each game be played."""

    def __init__(
        self, site: Site, commands: Commands, rules: Rules, *, most: int, poll_s: float | None
    ) -> None:
        self._site, self._commands, self._rules, self._poll_s = site, commands, rules, poll_s
        self._room = threading.Semaphore(most)
        self._most = most
        self._threads: dict[int, threading.Thread] = {}
        self._me = 0

    def run_on(self) -> None:
        """Play until asked to stop, in spite of any other error. Raises StopError."""
        while True:
            try:
                self.run()
            except StopError:
                raise
            except Exception:
                log.exception("failed")
                if self._site.stop.wait(PAUSE_S):
                    raise StopError from None

    def run(self) -> None:
        """Play until asked to stop. Raises StopError."""
        answer = self._site.ask("GET", "/me")
        if answer.status == 403 or (answer.status == 200 and not answer.body["bot"]):
            raise StopError("the token is not of a remote bot: create one on the page of the bot")
        if answer.status != 200:
            raise StopError(f"no player behind the token: {answer.status} {answer.code}")
        self._me = answer.body["player"]["id"]
        log.info("here player=%s name=%s", self._me, answer.body["player"]["name"])
        feed = Feed(self._site.clone(), "/stream", poll_s=self._poll_s)
        self._look()
        while True:
            self._hear(feed.next())

    def join(self) -> None:
        """Wait a little until engines have gone."""
        for thread in list(self._threads.values()):
            thread.join(5)

    def _hear(self, line: dict[str, Any] | None) -> None:
        if line is None:
            self._look()
        elif line["kind"] == "state":
            self._take(line["games"], line["challenges"])
        elif line["kind"] == "challenge":
            answer = self._site.ask("GET", f"/challenges/{line['challenge']}")
            if answer.status == 200:
                self._take([], [answer.body])
        elif line["kind"] in {"game", "turn"}:
            self._begin(line["game"])

    def _look(self) -> None:
        games = self._site.ask("GET", "/me/games?limit=100")
        challenges = self._site.ask("GET", "/challenges?limit=100")
        if games.status == challenges.status == 200:
            self._take(games.body["items"], challenges.body["items"])

    def _take(self, games: list[dict[str, Any]], challenges: list[dict[str, Any]]) -> None:
        for game in games:
            self._begin(game["id"])
        for challenge in challenges:
            opponent = challenge["opponent"]
            if challenge["state"] == "open" and opponent and opponent["id"] == self._me:
                self._answer(challenge)

    def _answer(self, challenge: dict[str, Any]) -> None:
        number = challenge["id"]
        is_free = len([each for each in self._threads.values() if each.is_alive()]) < self._most
        verb = "accept" if is_free and self._rules.accept(challenge) else "decline"
        body: dict[str, str] | None = {} if verb == "accept" else None
        answer = self._site.ask("POST", f"/challenges/{number}/{verb}", body, f"{verb}-{number}")
        log.info("%s challenge=%s status=%s %s", verb, number, answer.status, answer.code)
        if verb == "accept" and answer.status == 422:
            self._site.ask("POST", f"/challenges/{number}/decline", key=f"decline-{number}")
        if answer.status == 200 and answer.body["game"]:
            self._begin(answer.body["game"])

    def _begin(self, game: int) -> None:
        thread = self._threads.get(game)
        if thread is not None and thread.is_alive():
            return
        self._threads = {key: each for key, each in self._threads.items() if each.is_alive()}
        thread = threading.Thread(target=self._play, args=(game,), daemon=True)
        self._threads[game] = thread
        thread.start()

    def _play(self, game: int) -> None:
        try:
            while not self._room.acquire(timeout=0.5):
                if self._site.stop.is_set():
                    return
            try:
                log.info("begin game=%s", game)
                feed = Feed(self._site.clone(), f"/games/{game}/stream", poll_s=self._poll_s)
                GamePlayer(game, self._me, self._site.clone(), self._commands, feed).play()
            finally:
                self._room.release()
        except StopError as reason:
            log.info("leave game=%s %s", game, reason)
        except Exception:
            # The next news of the game, or the next start, takes it up again.
            log.exception("failed game=%s", game)


def _position(state: dict[str, Any]) -> str:
    start = f"fen {state['start'].replace(' ', '_')}" if state["setup"] else "startpos"
    moves = " ".join(move.replace(" ", "_") for move in state["moves"])
    return f"position {start}" + (f" moves {moves}" if moves else "")


def _left_ms(state: dict[str, Any]) -> tuple[int, int]:
    """Return the clocks of both sides, by the times of the site alone: this machine's clock may be wrong."""
    turn = state["turn"]
    left = {"first": turn["first_ms"], "second": turn["second_ms"]}
    side = state["side_to_move"]
    end = turn["deadline_at"]
    if end is not None:
        left_ms = (_moment(end) - _moment(state["server_time"])).total_seconds() * 1000
        left[side] = min(left[side], max(1, round(left_ms) - OVERHEAD_MS))
    return left["first"], left["second"]


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def _gameover(state: dict[str, Any]) -> str:
    scores = {"first": "1-0", "second": "0-1", "draw": "1/2-1/2"}
    return f"gameover {scores.get(state['result'], '*')} reason {state['ending']}"


def _json(content: bytes) -> Any:  # noqa: ANN401 - whatever the site says
    try:
        return json.loads(content)
    except ValueError:
        return {}


def _retry_after_s(response: http.client.HTTPResponse) -> float | None:
    text = response.headers.get("Retry-After", "")
    return float(text) if text.isdigit() else None


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="rayuela_bot.py", description=__doc__.splitlines()[0])
    parser.add_argument("--url", required=True, help="address of the site")
    parser.add_argument("--token-file", type=Path, required=True, help="file with the token")
    parser.add_argument("--games", type=int, default=1, help="games at once (1)")
    parser.add_argument("--families", default="", help="games it plays, with commas (all)")
    parser.add_argument("--least", type=float, default=1, help="shortest clock, in seconds (1)")
    parser.add_argument("--most", type=float, default=1e9, help="longest clock, in seconds")
    parser.add_argument("--kinds", choices=["both", "rated", "casual"], default="both")
    parser.add_argument("--poll", type=float, metavar="S", help="ask every S seconds, no streams")
    parser.add_argument(
        "--fuel-engine", default="", metavar="CMD", help="command for games by fuel: your module's"
    )
    parser.add_argument("engine", nargs="+", help="command of the engine, after --")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> int:
    """Play until asked to stop.

    Return the exit code: 0 after such a request, 1 when the site refuses it.
    """
    options = _options(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", stream=sys.stderr)
    command = shlex.split(options.engine[0]) if len(options.engine) == 1 else options.engine
    families = frozenset(filter(None, options.families.split(",")))
    rules = Rules(families, options.least, options.most, options.kinds)
    stop = threading.Event()
    site = Site(options.url, options.token_file.read_text().strip(), stop)
    commands = Commands(command, shlex.split(options.fuel_engine))
    client = Client(site, commands, rules, most=options.games, poll_s=options.poll)

    def end(*_: object) -> None:
        stop.set()
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, end)
    code = 0
    try:
        client.run_on()
    except KeyboardInterrupt:
        log.info("stop")
    except StopError as reason:
        if not stop.is_set():
            log.warning("stop why=%s", reason)
            code = 1
    stop.set()
    client.join()
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
