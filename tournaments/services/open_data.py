"""Files of open data: each month's games, ratings and events, built once by a worker after its end.

A file is stored in parts, so that every web server has it, and a reader may ask for any range of it.
"""

from __future__ import annotations

import hashlib
import io
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import islice
from typing import IO, cast

import zstandard
from django.conf import settings
from django.db import IntegrityError, transaction

from tournaments import database_time
from tournaments.models import DataFile, DataPart
from tournaments.queries import open_data
from tournaments.queries.open_data import Column, Dataset, Row, Type
from tournaments.queries.records import exports
from tournaments.services import enqueue

log = logging.getLogger(__name__)

# The limit of a worker at one file, after which another may begin.
LIMIT_S = 2 * 3600
PART_BYTES = 1024 * 1024
# Games that end at midnight, and their first corrections.
_SETTLED_AFTER = timedelta(days=2)
# The minute of each hour at which the tick looks for missing files.
_MINUTE = 20
# Rows that are in memory together, which is a row group of Parquet. A game has about 20 kB there.
_ROWS_AT_ONCE = 2_000
_LEVEL = 12

Write = Callable[[Sequence[Row]], object]


def wake(now: datetime) -> None:
    """Ask a worker once an hour if a file is missing."""
    if now.minute == _MINUTE and next(missing(now), None) is not None:
        with transaction.atomic():
            enqueue.open_data()


def missing(now: datetime) -> Iterator[tuple[Dataset, date]]:
    """Yield the datasets and months for which a file is missing, the earliest month first."""
    month = open_data.first_month()
    built = {(file.dataset, file.month, file.suffix) for file in open_data.files()}
    last = open_data.month_of(now - _SETTLED_AFTER)
    while month is not None and month < last:
        for dataset in open_data.DATASETS.values():
            names = {(dataset.name, month, suffix) for suffix in settings.OPEN_DATA}
            if not names <= built:
                yield dataset, month
        month = open_data.after(month)


def build_next() -> None:
    """Build the first missing file that no other worker builds, and ask for a worker for the next."""
    for dataset, month in missing(database_time.now()):
        if build(dataset, month):
            with transaction.atomic():
                enqueue.open_data()
            return


def build(dataset: Dataset, month: date) -> list[DataFile]:
    """Build the files of a month in all formats of the site, in place of earlier ones.

    Return them, or an empty list if another worker builds them.
    """
    files = [_begin(dataset, month, suffix) for suffix in settings.OPEN_DATA]
    mine = [file for file in files if file is not None]
    if len(mine) < len(files):
        DataFile.objects.filter(pk__in=[file.pk for file in mine]).delete()
        return []
    try:
        _write(dataset, month, mine)
    finally:
        DataFile.objects.filter(pk__in=[file.pk for file in mine], built_at=None).delete()
    for file in mine:
        log.info("open-data.built name=%s rows=%s bytes=%s", file.name, file.rows, file.size)
    return mine


def content(file: DataFile, start: int, end: int) -> Iterator[bytes]:
    """Yield the bytes from `start` to before `end`, a part in memory at a time."""
    for number in range(start // PART_BYTES, -(-end // PART_BYTES)):
        part = bytes(DataPart.objects.get(file=file, number=number).content)
        at = number * PART_BYTES
        yield part[max(start - at, 0) : end - at]


def _write(dataset: Dataset, month: date, files: Sequence[DataFile]) -> None:
    sinks = [_Sink(file) for file in files]
    count = 0
    with ExitStack() as stack:
        writers = [
            stack.enter_context(FORMATS[file.suffix].writer(dataset, sink))
            for file, sink in zip(files, sinks, strict=True)
        ]
        rows = open_data.rows_of(dataset, month)
        while some := list(islice(rows, _ROWS_AT_ONCE)):
            count += len(some)
            for write in writers:
                write(some)
    with transaction.atomic():
        for sink in sinks:
            sink.complete(count)


def _begin(dataset: Dataset, month: date, suffix: str) -> DataFile | None:
    now = database_time.now()
    file = DataFile(dataset=dataset.name, month=month, suffix=suffix, begun_at=now)
    open_files = DataFile.objects.filter(
        dataset=dataset.name, month=month, suffix=suffix, built_at=None
    )
    open_files.filter(begun_at__lt=now - timedelta(seconds=LIMIT_S)).delete()
    try:
        with transaction.atomic():
            file.save()
    except IntegrityError:
        return None
    return file


class _Sink(io.RawIOBase):
    """A file to write, whose parts are stored as soon as they are full."""

    def __init__(self, file: DataFile) -> None:
        self._file = file
        self._digest = hashlib.sha256()
        self._buffer = bytearray()
        self._number = 0

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]  # the libraries give nothing else
        """Take the bytes, all of them."""
        self._digest.update(data)
        self._buffer += data
        while len(self._buffer) >= PART_BYTES:
            self._store(self._buffer[:PART_BYTES])
            del self._buffer[:PART_BYTES]
        return len(data)

    def tell(self) -> int:
        return self._number * PART_BYTES + len(self._buffer)

    def complete(self, rows: int) -> None:
        """Store the last part, and publish the file in place of an earlier one."""
        file = self._file
        file.rows, file.size, file.sha256 = rows, self.tell(), self._digest.hexdigest()
        if self._buffer:
            self._store(self._buffer)
        file.built_at = database_time.now()
        DataFile.objects.filter(dataset=file.dataset, month=file.month, suffix=file.suffix).exclude(
            pk=file.pk
        ).delete()
        file.save()

    def _store(self, content: bytearray) -> None:
        DataPart.objects.create(file=self._file, number=self._number, content=bytes(content))
        self._number += 1


@contextmanager
def _json_lines(dataset: Dataset, sink: _Sink) -> Iterator[Write]:
    compressor = zstandard.ZstdCompressor(level=_LEVEL)
    with compressor.stream_writer(cast(IO[bytes], sink), closefd=False) as stream:
        yield lambda rows: stream.write("".join(map(exports.line, rows)).encode())


@contextmanager
def _parquet(dataset: Dataset, sink: _Sink) -> Iterator[Write]:
    # Only machines that build these files have the library.
    import pyarrow  # type: ignore[import-untyped]
    from pyarrow import parquet

    simple = {
        Type.INTEGER: pyarrow.int64(),
        Type.NUMBER: pyarrow.float64(),
        Type.TEXT: pyarrow.string(),
        Type.BOOLEAN: pyarrow.bool_(),
        Type.MOMENT: pyarrow.timestamp("us", "UTC"),
        Type.INTEGERS: pyarrow.list_(pyarrow.int64()),
        Type.TEXTS: pyarrow.list_(pyarrow.string()),
    }

    def kind(column: Column) -> object:
        if not column.columns:
            return simple[column.type]
        record = pyarrow.struct([(each.name, kind(each)) for each in column.columns])
        return record if column.type is Type.RECORD else pyarrow.list_(record)

    schema = pyarrow.schema([(column.name, kind(column)) for column in dataset.columns])
    with parquet.ParquetWriter(sink, schema, compression="zstd") as writer:
        yield lambda rows: writer.write_table(pyarrow.Table.from_pylist(rows, schema))


@dataclass(frozen=True, slots=True)
class Format:
    """A format of files: the media type, and the context that gives a function to write rows."""

    type: str
    writer: Callable[[Dataset, _Sink], AbstractContextManager[Write]]


# The formats by the suffixes of their files. `OPEN_DATA` has those of the site.
FORMATS: Mapping[str, Format] = {
    "jsonl.zst": Format("application/zstd", _json_lines),
    "parquet": Format("application/vnd.apache.parquet", _parquet),
}
