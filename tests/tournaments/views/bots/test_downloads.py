"""Bulk downloads of games: by a moment, compressed, and refused by name."""

from __future__ import annotations

import gzip
import json
from datetime import timedelta
from typing import Any, cast

import pytest
import zstandard
from django.test import Client
from django.urls import reverse

from tests.tournaments import pages
from tests.tournaments.frozen_clock import FrozenClock
from tournaments.models import Player, User


def _download(query: str = "", **headers: str) -> tuple[bytes, str]:
    answer = Client().get(reverse("download-games") + query, headers=headers)
    assert answer.status_code == 200
    return b"".join(cast(Any, answer)), answer.get("Content-Encoding", "")


def _ids(content: bytes) -> list[int]:
    return [json.loads(line)["id"] for line in content.splitlines()]


def test_since_leaves_out_games_that_ended_before(ana: User, ben: User, clock: FrozenClock) -> None:
    first = pages.finished_game(ana.player, ben.player, "first")
    moment = clock.sleep(days=3)
    second = pages.finished_game(ana.player, ben.player, "draw")
    assert _ids(_download()[0]) == [first.pk, second.pk]
    for text in ("2026-03-13", "2026-03-13T12:00:00Z", "2026-03-13T21:00:00%2B09:00"):
        assert _ids(_download(f"?since={text}")[0]) == [second.pk]
    later = (moment + timedelta(seconds=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
    assert _download(f"?since={later}")[0] == b""


def test_the_download_is_sent_again_only_if_a_game_or_a_name_has_changed(
    ana: User, ben: User
) -> None:
    def status(tag: str, query: str = "") -> int:
        answer = Client().get(reverse("download-games") + query, headers={"If-None-Match": tag})
        return answer.status_code

    pages.finished_game(ana.player, ben.player, "first")
    tag = Client().get(reverse("download-games")).headers["ETag"]
    assert tag == Client().head(reverse("download-games")).headers["ETag"]
    assert status(tag) == 304
    assert status(tag, "?since=2100-01-01") == 200
    Player.objects.filter(pk=ana.player.pk).update(name="Anna")
    assert status(tag) == 200
    renamed = Client().get(reverse("download-games")).headers["ETag"]
    pages.finished_game(ana.player, ben.player, "draw")
    assert status(renamed) == 200


@pytest.mark.parametrize("query", ["since=yesterday", "since=2026-13-01", "sinc=2026-01-01", "x="])
def test_a_parameter_that_the_download_does_not_know_is_refused(db: None, query: str) -> None:
    answer = Client().get(f"{reverse('download-games')}?{query}")
    assert answer.status_code == 400
    assert "since" in answer.content.decode()


def test_the_reader_chooses_the_compression(ana: User, ben: User) -> None:
    pages.play_out(pages.new_game(ana.player, ben.player))
    plain, encoding = _download()
    assert (encoding, plain.count(b"\n")) == ("", 1)
    for accepted in ("gzip", "br, gzip;q=0.5, zstd;q=0", "GZIP, identity"):
        content, encoding = _download(**{"Accept-Encoding": accepted})
        assert (encoding, gzip.decompress(content)) == ("gzip", plain)
    for accepted in ("gzip, deflate, br, zstd", "zstd;q=1.0"):
        content, encoding = _download(**{"Accept-Encoding": accepted})
        with zstandard.ZstdDecompressor().stream_reader(content) as reader:
            assert (encoding, reader.read()) == ("zstd", plain)
    for accepted in ("", "gzip;q=0.000", "br", ",;;q="):
        assert _download(**{"Accept-Encoding": accepted}) == (plain, "")
