"""Compression: for all text, when the browser can, and never by half."""

from __future__ import annotations

import gzip

import pytest
from django.http import FileResponse, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.test import Client, RequestFactory

from config.compression import CompressionMiddleware

GZIP = {"accept-encoding": "gzip, br"}
SCRIPT = "/static/rayuela/base/live.js"
TEXT = "the same words over and over; " * 40


def _body(answer: HttpResponseBase) -> bytes:
    assert isinstance(answer, HttpResponse | StreamingHttpResponse)
    return b"".join(answer)


@pytest.mark.parametrize(
    "path",
    ["/", "/games/morelli/", SCRIPT, "/static/rayuela/base/base.css"],
)
def test_text_is_sent_compressed(client: Client, db: None, path: str) -> None:
    plain = client.get(path)
    assert "Content-Encoding" not in plain
    whole = _body(plain)
    answer = client.get(path, headers=GZIP)
    assert (answer["Content-Encoding"], answer["Vary"].count("Accept-Encoding")) == ("gzip", 1)
    compressed = _body(answer)
    assert len(compressed) < 0.7 * len(whole)
    if path.startswith("/static/"):
        assert gzip.decompress(compressed) == whole


def test_a_compressed_file_is_not_sent_twice(client: Client) -> None:
    answer = client.get(SCRIPT, headers=GZIP)
    assert _body(answer)
    tag = answer["ETag"]
    assert tag.startswith("W/")
    assert client.get(SCRIPT, headers={**GZIP, "if-none-match": tag}).status_code == 304


def test_a_part_of_a_file_is_sent_as_it_is(client: Client) -> None:
    answer = client.get(SCRIPT, headers={**GZIP, "range": "bytes=0-299"})
    assert answer.status_code == 206
    assert "Content-Encoding" not in answer
    assert len(_body(answer)) == 300


@pytest.mark.parametrize(
    "answer",
    [
        StreamingHttpResponse([TEXT], content_type="text/event-stream"),
        StreamingHttpResponse([TEXT], content_type="application/json"),
        HttpResponse(TEXT, content_type="application/octet-stream"),
    ],
    ids=["events", "made-while-sent", "binary"],
)
def test_other_answers_stay_as_they_are(answer: HttpResponse | FileResponse) -> None:
    request = RequestFactory().get("/", headers=GZIP)
    sent = CompressionMiddleware(lambda _: answer).process_response(request, answer)
    assert "Content-Encoding" not in sent
