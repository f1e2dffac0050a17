"""Where dear answers are kept: whatever is away, or cannot be read, is taken for empty."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest

from config import environment
from config.caches import Bytes, FileCache, RedisCache
from tests import servers


def test_files_are_shared_and_spoilt_ones_are_empty(tmp_path: Path) -> None:
    one, other = (FileCache(str(tmp_path / "kept"), {}) for _ in range(2))
    assert one.add("a", b"1")
    assert not other.add("a", b"2")
    assert other.get("a") == b"1"
    for path in (tmp_path / "kept").iterdir():
        path.write_bytes(path.read_bytes()[:-3])
    assert other.get("a") is None


def test_a_redis_that_is_away_is_empty_and_asked_once() -> None:
    # Nobody listens there.
    setting = environment.cache("redis://127.0.0.1:1/0", Path("/nowhere"))
    options = setting["OPTIONS"]
    assert isinstance(options, dict)
    away = RedisCache("redis://127.0.0.1:1/0", {"OPTIONS": options})
    assert away.get("a", b"nothing") == b"nothing"
    began = time.perf_counter()
    for _ in range(100):
        assert not away.add("a", b"1")
        away.set("a", b"1")
        assert not away.delete("a")
    assert time.perf_counter() - began < 0.2


def test_redis_gets_bytes_and_no_objects() -> None:
    assert Bytes().dumps(b"\x80\x04.") == Bytes().loads(b"\x80\x04.") == b"\x80\x04."


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("redis-server") is None, reason="no Redis here")
def test_in_redis_one_claims_and_all_read_and_its_end_is_an_empty_store() -> None:
    with servers.redis() as url:
        options = environment.cache(url, Path("/nowhere"))["OPTIONS"]
        assert isinstance(options, dict)
        one, other = (
            RedisCache(url, {"KEY_PREFIX": "kept", "OPTIONS": dict(options)}) for _ in range(2)
        )
        assert one.add("claim", b"1", 60)
        assert not other.add("claim", b"2", 60)
        one.set("answer", b"\x00\xff", 60)
        assert other.get("answer") == b"\x00\xff"
        assert one.delete("claim")
        assert other.add("claim", b"2", 60)
    assert one.get("answer", b"nothing") == b"nothing"
