"""The worker of a volunteer: what it does with a site that is away, busy, or refuses it."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from engine.programs import store
from engine.programs.launch import run_in_place
from engine.volunteer import site as sites
from engine.volunteer import tasks, worker
from engine.volunteer.site import Assignment, LateError, Report, Site, SiteError
from engine.volunteer.tasks import FuelTask

MODULE = (Path(__file__).resolve().parents[3] / "engine/sdk/samples/wasm/morlox.wasm").read_bytes()
DIGEST = hashlib.sha256(MODULE).hexdigest()
TASK = FuelTask("morlox(size=4,swap=on)", "", DIGEST, DIGEST, 3_000_000, "7")
ASSIGNMENT = Assignment(5, [TASK], {DIGEST: "bot.wasm"})


class Answers:
    """A site that gives these answers in turn, and remembers the requests."""

    def __init__(self, answers: Sequence[tuple[int, object]]) -> None:
        self.answers = list(answers)
        self.keys: list[str | None] = []
        self.requests: list[tuple[str, Any]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                outer.keys.append(self.headers.get("Idempotency-Key"))
                outer.requests.append((self.path, json.loads(body) if body else None))
                status, answer = outer.answers.pop(0)
                data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST  # noqa: N815 - a name of the library

            def log_message(self, *_: object) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Answers]]:
    """Serve answers without pauses between tries."""
    monkeypatch.setattr(sites, "_LONGEST_WAIT_S", 0.0)
    running: list[Answers] = []

    def serve(*answers: tuple[int, object]) -> Answers:
        running.append(Answers(answers))
        return running[-1]

    yield serve
    for each in running:
        each.server.shutdown()
        each.server.server_close()


def _problem(code: str) -> dict[str, str]:
    return {"code": code, "title": f"The sentence of {code}."}


def _site(answers: Answers) -> Site:
    return Site(answers.url, "secret", threading.Event())


def test_a_busy_site_is_asked_again(served: Callable[..., Answers]) -> None:
    answers = served(
        (503, {}), (409, _problem("key-busy")), (200, {"run": None, "retry_after_s": 10})
    )
    assert _site(answers).lease(3) == 10.0
    assert len(set(answers.keys)) == 1, "one lease"
    assert answers.requests == [("/api/v1/workers/3/runs", {"version": tasks.version()})] * 3


def test_a_worker_that_is_to_stop_asks_no_more(served: Callable[..., Answers]) -> None:
    answers = served((503, {}))
    stop = threading.Event()
    stop.set()
    with pytest.raises(SiteError, match="stopped while the site did not answer"):
        Site(answers.url, "secret", stop).lease(3)


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        ((401, {}), SiteError, "the token is wrong"),
        ((422, _problem("worker-version")), SiteError, "The sentence of worker-version."),
        ((409, _problem("run-over")), LateError, "The sentence of run-over."),
        ((404, b"no JSON"), SiteError, "the site answered 404"),
    ],
)
def test_a_refusal_has_the_sentence_of_the_site(
    served: Callable[..., Answers],
    answer: tuple[int, object],
    error: type[Exception],
    words: str,
) -> None:
    with pytest.raises(error, match=words):
        _site(served(answer)).give_back(5, "crash")


def test_an_address_that_is_none_is_named() -> None:
    with pytest.raises(SiteError, match="not the address of a site"):
        Site("example.org", "secret", threading.Event())


def test_a_module_with_other_bytes_is_refused(served: Callable[..., Answers]) -> None:
    with pytest.raises(SiteError, match="other bytes"):
        _site(served((200, b"other"))).module(5, DIGEST)


@pytest.mark.long
def test_a_match_is_played_and_its_module_is_fetched_once(
    served: Callable[..., Answers], tmp_path: Path
) -> None:
    answers = served((200, MODULE))
    site = _site(answers)
    reports = [worker.play(ASSIGNMENT, tmp_path, run_in_place, site) for _ in range(2)]
    assert [path for path, _ in answers.requests] == [f"/api/v1/workers/runs/5/modules/{DIGEST}"]
    assert reports[0].transcripts == reports[1].transcripts
    assert tasks.checked(TASK, reports[0].transcripts[0]).record.ending == "rules"


@pytest.mark.long
def test_a_game_that_ends_by_a_fault_is_left_to_the_site(tmp_path: Path) -> None:
    store.unpack(MODULE, "bot.wasm", tmp_path)
    poor = Assignment(
        5, [FuelTask(TASK.ruleset, "", DIGEST, DIGEST, 1000, "7")], {DIGEST: "bot.wasm"}
    )
    site = Site("http://127.0.0.1:9", "secret", threading.Event())
    with pytest.raises(worker.UnplayedError, match="ended by"):
        worker.play(poor, tmp_path, run_in_place, site)


@pytest.mark.long
def test_a_game_with_a_transcript_beyond_its_limit_is_left_to_the_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.unpack(MODULE, "bot.wasm", tmp_path)
    monkeypatch.setattr(tasks, "most_characters", lambda task: 300)
    site = Site("http://127.0.0.1:9", "secret", threading.Event())
    with pytest.raises(worker.UnplayedError, match="it has 300 at most"):
        worker.play(ASSIGNMENT, tmp_path, run_in_place, site)


class Script:
    """A site for the loop of a worker, with assignments in turn."""

    def __init__(self, *leases: Assignment | float) -> None:
        self.leases = list(leases)
        self.lines: list[str] = []

    def lease(self, number: int) -> Assignment | float:
        return self.leases.pop(0)

    def report(self, run: int, report: Report) -> str:
        if run == 6:
            raise LateError("too late")
        self.lines.append(f"report {run}")
        return "counted"

    def give_back(self, run: int, reason: str) -> None:
        self.lines.append(f"return {run}: {reason}")


def _work(script: Script, play: Callable[[Assignment], Report], most: int) -> list[str]:
    lines: list[str] = []
    worker.work(script, 3, threading.Event(), play=play, tell=lines.append, most=most)  # type: ignore[arg-type]
    return lines


def test_the_loop_reports_waits_and_survives_a_late_report() -> None:
    late = Assignment(6, [], {})
    script = Script(late, 0.0, ASSIGNMENT, ASSIGNMENT)
    lines = _work(script, lambda _: Report([], 1500), most=2)
    assert script.lines == ["report 5", "report 5"]
    assert lines[0] == "match 6: not counted. too late"
    assert lines[1:] == ["match 5: counted, 1.5 s"] * 2


def test_a_match_that_cannot_be_played_is_given_back() -> None:
    def play(assignment: Assignment) -> Report:
        if script.leases:
            raise worker.UnplayedError("no sandbox")
        return Report([], 1)

    script = Script(ASSIGNMENT, ASSIGNMENT)
    _work(script, play, most=1)
    assert script.lines == ["return 5: no sandbox", "report 5"]


def test_an_interrupted_match_is_given_back() -> None:
    def play(_: Assignment) -> Report:
        raise KeyboardInterrupt

    script = Script(ASSIGNMENT)
    with pytest.raises(KeyboardInterrupt):
        _work(script, play, most=1)
    assert script.lines == ["return 5: interrupted"]


@pytest.mark.parametrize("text", ["0", "65", "x", "-1"])
def test_a_number_of_processes_is_checked(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        worker.main(["--site", "http://x", "--token", "t", "--processes", text])
    assert "not a number from 1 to 64" in capsys.readouterr().err
