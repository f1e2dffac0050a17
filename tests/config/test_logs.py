"""Request ids and log lines: the senders that may choose them, their range, and protection from forged lines."""

from __future__ import annotations

import json
import logging
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import transaction
from django.test import Client

from config import logs, request_ids
from tests import processes
from tournaments import courier, tasks
from tournaments.services import enqueue

_PROXYS = "of-the-proxy-1"


def _record(message: str, *args: object) -> logging.LogRecord:
    record = logging.LogRecord("rayuela.test", logging.WARNING, __file__, 1, message, args, None)
    logs.ContextFilter().filter(record)
    return record


@pytest.fixture
def request_id() -> Iterator[str]:
    token = request_ids.current.set("0123456789abcdef")
    yield "0123456789abcdef"
    request_ids.current.reset(token)


def test_line_is_one_line_whatever_a_name_holds() -> None:
    formatter = logs.LineFormatter("%(levelname)s %(message)s")
    line = formatter.format(_record("name=%s", "A\n2026 ERROR forged\x1b[31m\u202eb"))
    assert line == r"WARNING name=A\n2026 ERROR forged\x1b[31m\u202eb"


def test_json_line_holds_the_event_its_ids_and_no_control_character(request_id: str) -> None:
    line = logs.JsonLineFormatter().format(_record("name=%s", "A\nb\x1b[31m\u202ec\x9b"))
    assert line.isascii()
    assert line.isprintable()
    values = json.loads(line)
    assert values["message"] == "name=A\nb\x1b[31m\u202ec\x9b"
    assert (values["level"], values["logger"]) == ("WARNING", "rayuela.test")
    assert values["request_id"] == request_id
    assert values["at"].endswith("+00:00")
    assert "task_id" not in values


@pytest.mark.long
def test_traceback_is_part_of_its_json_line() -> None:
    record = _record("failed")
    error = ValueError("a\nb")
    record.exc_info = (ValueError, error, None)
    line = logs.JsonLineFormatter().format(record)
    assert "\n" not in line
    assert "ValueError: a" in json.loads(line)["exc_info"]


@pytest.mark.parametrize("text", ["", "short", "a" * 65, "with blank 123", "a\nb-3456789", "ü" * 9])
def test_what_may_be_no_id_is_none(text: str) -> None:
    assert request_ids.acceptable(text) == ""


@pytest.mark.django_db
def test_every_answer_has_an_id_of_its_own_that_no_header_chooses(client: Client) -> None:
    ids = {
        client.get("/healthz", headers={"x-request-id": _PROXYS})["X-Request-ID"] for _ in range(2)
    }
    assert len(ids) == 2
    assert _PROXYS not in ids
    assert all(request_ids.acceptable(each) for each in ids)


@pytest.mark.django_db
@pytest.mark.parametrize(("proxies", "is_taken"), [("", False), ("127.0.0.1", True)])
@pytest.mark.long
def test_only_a_trusted_proxy_chooses_the_id(proxies: str, is_taken: bool) -> None:
    with processes.site(TRUSTED_PROXIES=proxies) as url:
        question = urllib.request.Request(f"{url}/healthz", headers={"X-Request-ID": _PROXYS})
        with urllib.request.urlopen(question) as answer:
            assert (answer.headers["X-Request-ID"] == _PROXYS) is is_taken


@pytest.mark.django_db
def test_request_is_logged_with_what_was_answered(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, logger="config.request_ids"):
        client.get("/nowhere/")
    (record,) = [r for r in caplog.records if r.name == "config.request_ids"]
    assert record.getMessage().startswith("request method=GET path=/nowhere/ status=404 ms=")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("in_background", [False, True])
def test_message_to_a_worker_carries_the_id(
    request_id: str, settings, monkeypatch: pytest.MonkeyPatch, in_background: bool
) -> None:
    settings.SENDS_IN_BACKGROUND = in_background
    sent: list[object] = []

    def publish(_producer: object, *_: object, headers: dict[str, object], **__: object) -> None:
        sent.append(headers["request_id"])

    monkeypatch.setattr("kombu.messaging.Producer.publish", publish)
    with transaction.atomic():
        enqueue.event(1)
    assert courier.courier.flush(5)
    assert sent == [request_id]


def test_task_logs_under_the_id_of_its_message() -> None:
    task = tasks.post
    task.push_request(request_id="of-a-visitor-7")  # type: ignore[call-arg]  # it takes any
    try:
        request_ids.take_up(task=task)
        assert request_ids.current.get() == "of-a-visitor-7"
        request_ids.put_down()
        assert request_ids.current.get() == ""
    finally:
        task.pop_request()


@pytest.mark.long
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "host", "body", "status", "reason"),
    [
        ("/", "evil.test", b"", 400, "Invalid HTTP_HOST header: 'evil.test'"),
        ("/sign-in/", "127.0.0.1", b"a=" + b"1" * 1_500_000, 413, "Request body exceeded"),
        ("/i18n/setlang/", "127.0.0.1", b"a=1&" * 1200, 400, "The number of GET/POST parameters"),
        ("/api/v1/games", "evil.test", b"", 400, "Invalid HTTP_HOST header: 'evil.test'"),
    ],
    ids=["host", "large form", "many fields", "host of the API"],
)
def test_refused_request_is_one_line_without_a_traceback(
    lines_of_site: tuple[str, Path], path: str, host: str, body: bytes, status: int, reason: str
) -> None:
    url, log = lines_of_site
    before = len(log.read_text().splitlines())
    headers = {"Host": host, "Content-Type": "application/x-www-form-urlencoded"}
    question = urllib.request.Request(f"{url}{path}", data=body or None, headers=headers)
    with pytest.raises(urllib.error.HTTPError) as answer:
        urllib.request.urlopen(question)
    answer.value.close()
    assert answer.value.code == status
    is_problem = answer.value.headers["Content-Type"] == "application/problem+json"
    assert is_problem is path.startswith("/api/v1/")
    lines = log.read_text().splitlines()[before:]
    assert len(lines) == 1, lines
    assert reason in lines[0]


@pytest.fixture(scope="module")
def lines_of_site(
    django_db_setup: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Path]]:
    """Yield a site and the file of its log."""
    path = tmp_path_factory.mktemp("site") / "log"
    with path.open("wb") as log, processes.site(log=log) as url:
        yield url, path
