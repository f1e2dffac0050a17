"""What is kept for all: read back as it was, and nothing where it cannot be read."""

from __future__ import annotations

import json
import zlib
from dataclasses import replace

import pytest
from django.core.cache import caches

from tournaments.services.results import shared_store
from tournaments.services.results.shared_store import KeptPage, StoredAnswer
from tournaments.services.results.standings import EventTable

_HEAD = {"kind": "text", "mark": "m", "made_at_s": 1.0, "cost_s": 1.0}
_OF_A_TABLE = {**_HEAD, "kind": "table"}


def _stored(head: object, body: bytes = b"") -> bytes:
    return zlib.compress(json.dumps(head).encode() + b"\n" + body)


@pytest.mark.parametrize(
    "value",
    [None, "text", b"\x00\n", KeptPage(b"a\nb", (("Vary", "Cookie"),)), EventTable([], 3, ())],
)
def test_what_is_kept_is_read_as_it_was(value: object) -> None:
    written = StoredAnswer("m", 1.0, 2.0, value)
    shared_store.write("key", written, 60)
    read = shared_store.read("key")
    assert read is not None
    if isinstance(value, EventTable):
        assert isinstance(read.value, EventTable)
        read = replace(read, value=replace(read.value, rows=list(read.value.rows)))
    assert read == written


@pytest.mark.parametrize(
    "stored",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\x80\x04", id="not compressed"),
        pytest.param(_stored(_HEAD, b"text")[:-5], id="cut"),
        pytest.param(zlib.compress(b"{\ntext"), id="no head"),
        pytest.param(_stored([1]), id="another head"),
        pytest.param(_stored({"kind": "text"}), id="a head without a mark"),
        pytest.param(_stored({**_HEAD, "more": 1}), id="a head with more"),
        pytest.param(_stored({**_HEAD, "kind": "poem"}), id="a kind that nobody knows"),
        pytest.param(_stored(_HEAD, b"\xff"), id="no text"),
        pytest.param(_stored(_OF_A_TABLE, b"[3, [], []]"), id="a table as it was once"),
        pytest.param(_stored(_OF_A_TABLE, b'[["rank"], 3, [], [[1, 1]]]'), id="other columns"),
    ],
)
def test_what_cannot_be_read_is_nothing(stored: bytes) -> None:
    caches["results"].set("key", stored, 60)
    assert shared_store.read("key") is None


def test_a_tie_break_that_is_no_more_is_nothing() -> None:
    shared_store.write("key", StoredAnswer("m", 1.0, 1.0, EventTable([], 3, ())), 60)
    text = zlib.decompress(caches["results"].get("key"))
    caches["results"].set("key", zlib.compress(text.replace(b"3, [], []", b'3, ["XX"], []')), 60)
    assert shared_store.read("key") is None


def test_words_that_cannot_be_read_are_nothing() -> None:
    caches["results"].set("key", b"{", 60)
    assert shared_store.noted("key") is None


def test_one_at_a_time_has_the_claim_and_who_looks_takes_nothing() -> None:
    assert not shared_store.is_claimed("key")
    token = shared_store.claim("key")
    assert token is not None
    assert shared_store.is_claimed("key")
    assert shared_store.claim("key") is None
    shared_store.release("key", token)
    assert not shared_store.is_claimed("key")


def test_looking_writes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("add", "set", "delete"):
        monkeypatch.setattr(caches["results"], name, lambda *_: pytest.fail("written"))
    assert not shared_store.is_claimed("key")


def test_who_comes_too_late_gives_up_nobody_elses_claim() -> None:
    late = shared_store.claim("key")
    assert late is not None
    caches["results"].delete("key-claim")  # as it ran out
    token = shared_store.claim("key")
    assert token is not None
    shared_store.release("key", late)
    assert shared_store.is_claimed("key")
