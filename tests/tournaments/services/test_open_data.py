"""Open data: monthly files of games, ratings and events, which other programs read."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any, cast

import duckdb
import pandas as pd  # type: ignore[import-untyped]
import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command
from django.db import transaction
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments import pages
from tests.tournaments.conftest import enter, event_of
from tests.tournaments.frozen_clock import FrozenClock
from tournaments.models import DataFile, Event, LedgerEntry, Player, User
from tournaments.queries.open_data import DATASETS, EVENTS, GAMES, RATINGS, Column, Dataset, Type
from tournaments.queries.open_data import after as month_after
from tournaments.services import open_data
from tournaments.services.games import game_end
from tournaments.services.rounds import lifecycle

MARCH = date(2026, 3, 1)
FORMATS = ["jsonl.zst", "parquet"]


@pytest.fixture(autouse=True)
def _all_formats(settings: LazySettings) -> None:
    settings.OPEN_DATA = FORMATS


@pytest.fixture
def running_event(ana: User, ben: User, bots: list[Player], clock: FrozenClock) -> Event:
    event: Event = event_of(ana, rounds_total=1)
    enter(event, ben.player, *bots[:3])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    return event


def _finish(event: Event) -> None:
    """End all games of the one round, with which the event is over."""
    pages.matches_due(event)
    pages.resign_all(event)
    lifecycle.advance_event(event.pk)
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED


def _content(file: DataFile) -> bytes:
    return b"".join(open_data.content(file, 0, file.size))


def _lines(dataset: Dataset) -> list[dict[str, object]]:
    """Return the rows of the dataset's file of March, as pandas reads them."""
    lines, _ = open_data.build(dataset, MARCH)
    frame = pd.read_json(io.BytesIO(_content(lines)), lines=True, compression="zstd")
    return json.loads(frame.to_json(orient="records")) if len(frame) else []


def _months(clock: FrozenClock) -> list[tuple[str, str]]:
    return [(f"{month:%Y-%m}", dataset.name) for dataset, month in open_data.missing(clock.now)]


def test_a_game_is_in_the_file_of_the_month_in_which_it_ended(
    ana: User, ben: User, clock: FrozenClock
) -> None:
    earlier = pages.new_game(ana.player, ben.player)
    clock.sleep(days=40)
    with transaction.atomic():
        game_end.finish_game(earlier, result="first", ending="rules")
    assert _lines(GAMES) == []
    lines, _ = open_data.build(GAMES, date(2026, 4, 1))
    assert lines.rows == 1


def test_a_row_of_a_game_has_its_plies_and_numbers_for_names(
    ana: User, ben: User, clock: FrozenClock
) -> None:
    game = pages.new_game(ana.player, ben.player)
    pages.play_out(game)
    (row,) = _lines(GAMES)
    assert list(row) == [column.name for column in GAMES.columns]
    assert (row["first_id"], row["second_id"]) == (game.first_id, game.second_id)
    assert (row["result"], row["first_is_bot"]) == (game.result, False)
    assert len(row["plies"]) == game.ply  # type: ignore[arg-type]
    assert not {"Ana", "Ben"} & set(json.dumps(row).split('"'))


def test_games_of_private_events_are_left_out(running_event: Event, clock: FrozenClock) -> None:
    clock.now += timedelta(seconds=1)
    pages.resign_all(running_event)
    assert open_data.build(GAMES, MARCH)[0].rows > 0
    Event.objects.filter(pk=running_event.pk).update(is_private=True, access_code="open")
    assert open_data.build(GAMES, MARCH)[0].rows == 0


def test_the_rows_of_ratings_lead_to_the_ratings(ana: User, ben: User, clock: FrozenClock) -> None:
    for result in ("first", "draw", "second"):
        pages.finished_game(ana.player, ben.player, result)
    rows = _lines(RATINGS)
    assert len(rows) == LedgerEntry.objects.count() == 6
    last = {row["player"]: row["after"] for row in rows}
    for rating in ana.player.ratings.all():
        assert last[ana.player.pk] == rating.centielo / 100


@pytest.mark.long
def test_an_event_has_its_final_standings(
    running_event: Event, clock: FrozenClock, ana: User
) -> None:
    _finish(running_event)
    (row,) = _lines(EVENTS)
    assert row["slug"] == running_event.slug
    standings = row["standings"]
    assert [each["rank"] for each in standings] == sorted(  # type: ignore[attr-defined]
        each["rank"]
        for each in standings  # type: ignore[attr-defined]
    )
    assert len(standings) == running_event.entries.count()  # type: ignore[arg-type]


@pytest.mark.long
@pytest.mark.parametrize("dataset", DATASETS.values(), ids=DATASETS)
def test_both_formats_have_the_same_rows(
    dataset: Dataset, running_event: Event, clock: FrozenClock, ana: User, ben: User
) -> None:
    _finish(running_event)
    pages.finished_game(ana.player, ben.player, "draw")
    lines, parquet = open_data.build(dataset, MARCH)
    assert lines.rows == parquet.rows > 0
    one = pd.read_json(io.BytesIO(_content(lines)), lines=True, compression="zstd")
    two = pd.read_parquet(io.BytesIO(_content(parquet)))
    assert list(one.columns) == list(two.columns) == [column.name for column in dataset.columns]
    for column in dataset.columns:
        if column.type in {Type.TEXT, Type.INTEGER, Type.NUMBER, Type.BOOLEAN}:
            pd.testing.assert_series_equal(
                one[column.name].astype(object).where(one[column.name].notna(), None),
                two[column.name].astype(object).where(two[column.name].notna(), None),
                check_dtype=False,
            )


def test_duckdb_reads_the_plies(ana: User, ben: User, clock: FrozenClock, tmp_path: object) -> None:
    game = pages.new_game(ana.player, ben.player)
    pages.play_out(game)
    _, parquet = open_data.build(GAMES, MARCH)
    path = f"{tmp_path}/{parquet.name}"
    with open(path, "wb") as file:
        file.write(_content(parquet))
    query = f"SELECT count(*) FROM (SELECT unnest(plies) FROM '{path}')"
    assert duckdb.sql(query).fetchall() == [(game.ply,)]


def test_a_month_is_due_two_days_after_its_end_and_built_once(
    ana: User, ben: User, clock: FrozenClock
) -> None:
    pages.finished_game(ana.player, ben.player, "first")
    clock.now = clock.now.replace(month=4, day=2)
    assert _months(clock) == []
    clock.now = clock.now.replace(day=3)
    assert _months(clock) == [("2026-03", name) for name in DATASETS]
    for _ in DATASETS:
        open_data.build_next()
    assert _months(clock) == []
    assert DataFile.objects.count() == len(DATASETS) * len(FORMATS)


def test_a_format_that_is_added_later_is_due(
    ana: User, ben: User, clock: FrozenClock, settings: LazySettings
) -> None:
    settings.OPEN_DATA = ["jsonl.zst"]
    pages.finished_game(ana.player, ben.player, "first")
    clock.sleep(days=60)
    for _ in range(10):
        open_data.build_next()
    assert _months(clock) == []
    settings.OPEN_DATA = FORMATS
    assert len(_months(clock)) == 2 * len(DATASETS)


def test_one_worker_builds_a_file_and_another_may_after_two_hours(
    ana: User, ben: User, clock: FrozenClock
) -> None:
    lost = DataFile.objects.create(
        dataset="games", month=MARCH, suffix="parquet", begun_at=clock.now
    )
    assert open_data.build(GAMES, MARCH) == []
    assert list(DataFile.objects.all()) == [lost]
    clock.sleep(seconds=open_data.LIMIT_S + 1)
    assert len(open_data.build(GAMES, MARCH)) == 2
    assert not DataFile.objects.filter(pk=lost.pk).exists()


def test_a_build_that_fails_leaves_the_earlier_file(
    ana: User, ben: User, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages.finished_game(ana.player, ben.player, "first")
    earlier = {file.pk for file in open_data.build(GAMES, MARCH)}

    def rows(*_: object) -> Iterator[dict[str, object]]:
        yield {"id": 1}
        raise OSError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr("tournaments.queries.open_data.rows_of", rows)
        with pytest.raises(OSError, match="full"):
            open_data.build(GAMES, MARCH)
    assert set(DataFile.objects.values_list("pk", flat=True)) == earlier


def test_the_digest_is_of_the_bytes_and_parts_have_one_size(
    ana: User, ben: User, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_data, "PART_BYTES", 100)
    pages.play_out(pages.new_game(ana.player, ben.player))
    for file in open_data.build(GAMES, MARCH):
        content = _content(file)
        assert (len(content), hashlib.sha256(content).hexdigest()) == (file.size, file.sha256)
        sizes = [len(part.content) for part in file.parts.all()]
        assert len(sizes) > 2
        assert set(sizes[:-1]) == {100}


@pytest.mark.long
def test_a_range_of_a_file_is_that_of_its_bytes(
    ana: User, ben: User, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_data, "PART_BYTES", 64)
    pages.play_out(pages.new_game(ana.player, ben.player))
    file = open_data.build(GAMES, MARCH)[0]
    content, size = _content(file), file.size
    client, url = Client(), file.get_absolute_url()

    def part(span: str, **headers: str) -> tuple[int, bytes, str]:
        answer = client.get(url, headers={"Range": span, **headers})
        body = b"".join(cast(Any, answer)) if answer.streaming else answer.content
        return answer.status_code, body, answer.get("Content-Range", "")

    for first, end in [(0, 1), (0, 64), (63, 65), (64, 128), (10, size), (size - 1, size)]:
        expected = (206, content[first:end], f"bytes {first}-{end - 1}/{size}")
        assert part(f"bytes={first}-{end - 1}") == expected
    assert part("bytes=70-") == (206, content[70:], f"bytes 70-{size - 1}/{size}")
    assert part("bytes=-7")[:2] == (206, content[-7:])
    assert part(f"bytes=-{size + 5}")[:2] == (206, content)
    assert part(f"bytes=5-{size + 5}")[:2] == (206, content[5:])
    assert part(f"bytes={size}-") == (416, b"", f"bytes */{size}")
    assert part("bytes=-0")[0] == 416
    for span in ("bytes=5-4", "bytes=-", "bytes=1-2,4-5", "lines=1-2", "bytes=x"):
        assert part(span) == (200, content, "")
    assert part("bytes=0-3", **{"If-Range": '"another"'}) == (200, content, "")
    assert part("bytes=0-3", **{"If-Range": f'"{file.sha256}"'})[0] == 206


def test_a_reader_who_has_the_file_is_not_sent_it_again(
    ana: User, ben: User, clock: FrozenClock
) -> None:
    file = open_data.build(GAMES, MARCH)[0]
    client, url = Client(), file.get_absolute_url()
    answer = client.get(url)
    assert answer["ETag"] == f'"{file.sha256}"'
    assert client.get(url, headers={"If-None-Match": answer["ETag"]}).status_code == 304
    head = client.head(url)
    assert (head.status_code, head["Content-Length"]) == (200, str(file.size))
    assert client.get(url.replace("2026-03", "2026-02")).status_code == 404


def test_the_page_lists_files_with_digests_and_every_column(
    ana: User, ben: User, clock: FrozenClock
) -> None:
    assert "No month of this site is over yet." in pages.text_of(
        Client().get(reverse("open-data")).content
    )
    files = [file for dataset in DATASETS.values() for file in open_data.build(dataset, MARCH)]
    page = Client().get(reverse("open-data")).content.decode()
    sums = Client().get(reverse("open-data-digests")).content.decode()
    listed = {each["name"]: each for each in Client().get("/api/v1/open-data").json()["items"]}
    for file in files:
        row = listed[file.name]
        assert (row["size_bytes"], row["sha256"]) == (file.size, file.sha256)
        assert row["url"].endswith(file.get_absolute_url())
        assert f'href="{file.get_absolute_url()}"' in page
        assert f"{file.sha256}  {file.name}\n" in sums

    def check(columns: list[Column]) -> None:
        for column in columns:
            assert f"<code>{column.name}</code>" in page
            check(list(column.columns))

    for dataset in DATASETS.values():
        check(list(dataset.columns))


def test_the_command_builds_a_month_again(
    ana: User, ben: User, clock: FrozenClock, capsys: pytest.CaptureFixture[str]
) -> None:
    clock.sleep(days=40)
    call_command("open_data", "2026-03")
    first = capsys.readouterr().out
    assert first.count("rayuela-") == len(DATASETS) * len(FORMATS)
    call_command("open_data", "2026-03")
    assert DataFile.objects.count() == len(DATASETS) * len(FORMATS)
    for month in ("2026-04", "march"):
        with pytest.raises(CommandError):
            call_command("open_data", month)


def test_a_site_without_formats_builds_nothing(
    ana: User, ben: User, clock: FrozenClock, settings: LazySettings
) -> None:
    settings.OPEN_DATA = []
    pages.finished_game(ana.player, ben.player, "first")
    clock.sleep(days=60)
    assert _months(clock) == []


@given(st.dates(max_value=date(9999, 11, 1)))
def test_the_next_month_is_the_first_day_of_another_month(day: date) -> None:
    following = month_after(day.replace(day=1))
    assert following.day == 1
    assert 28 <= (following - day.replace(day=1)).days <= 31
