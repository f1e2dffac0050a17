"""Rating lists from their addresses. Nothing is downloaded until an administrator has given an address."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from tempfile import TemporaryFile
from typing import BinaryIO

from django.db import transaction

from tournaments import database_time
from tournaments.errors import RefusedError
from tournaments.models import RatingSource, User
from tournaments.models.rating_lists import DETAIL_LENGTH
from tournaments.services import audit, enqueue
from tournaments.services.events import downloads, rating_lists

log = logging.getLogger(__name__)

# A list is at most a day old, also if its first download fails.
_PERIOD = timedelta(hours=23)
# Longer than the time limit of the task.
_RETRY = timedelta(hours=1)
# A list of fewer players than this share of the former one is taken for a broken file.
_SMALLEST_SHARE = 0.9


def store(*, name: str, kind: str, address: str, actor: User | None = None) -> RatingSource:
    """Store the address of the list of that name, in place of its earlier address, and ask for a download.

    Raises RefusedError `rating-list-name`, `rating-list-kind`, `rating-source-address`.
    """
    address = address.strip()
    downloads.checked_address(address)
    name = rating_lists.checked_name(name)
    rating_lists.check_kind(kind)
    columns = {"kind": kind, "address": address, "due_at": database_time.now()}
    with transaction.atomic():
        source, _is_new = RatingSource.objects.update_or_create(
            name=name,
            defaults=columns | {"digest": "", "failure": "", "detail": "", "failed_at": None},
        )
        audit.note("rating-source", actor=actor, name=name, address=address)
        enqueue.rating_source(source.pk)
    return source


def remove(*, source_id: int, actor: User) -> None:
    """Delete an address. Its lists stay. An address that is gone already is no error."""
    with transaction.atomic():
        source = RatingSource.objects.filter(pk=source_id).first()
        if source is None:
            return
        audit.note("rating-source-remove", actor=actor, name=source.name)
        source.delete()


def make_due() -> Sequence[int]:
    """Make the download of every source due now. Return the ids of the sources."""
    RatingSource.objects.update(due_at=database_time.now())
    return list(RatingSource.objects.values_list("pk", flat=True))


def update_all() -> None:
    """Ask workers to download the lists of every source now."""
    with transaction.atomic():
        for source_id in make_due():
            enqueue.rating_source(source_id)


def wake(now: datetime) -> None:
    """Ask workers for the downloads that are due."""
    for source_id in RatingSource.objects.filter(due_at__lte=now).values_list("pk", flat=True):
        enqueue.rating_source(source_id)


def refresh(source_id: int) -> None:
    """Download the lists of a source if they are due. After a failure the former lists stay.

    The source is due again later, also if this process dies.
    """
    now = database_time.now()
    due = RatingSource.objects.filter(pk=source_id, due_at__lte=now)
    is_ours = due.update(
        due_at=now + _RETRY, failure="rating-source-unfinished", detail="", failed_at=now
    )
    if not is_ours:
        return
    source = RatingSource.objects.get(pk=source_id)
    try:
        with TemporaryFile() as file:
            digest = downloads.fetch(source.address, file)
            file.seek(0)
            _replace(source, digest, file)
    except RefusedError as refusal:
        log.warning("rating-source.failed name=%s error=%s", source.name, refusal)
        RatingSource.objects.filter(pk=source_id, address=source.address).update(
            failure=refusal.code, detail=refusal.detail[:DETAIL_LENGTH]
        )


def _replace(source: RatingSource, digest: str, file: BinaryIO) -> None:
    """Store the lists of a file, or only their time if the file is the former one."""
    now = database_time.now()
    source.refresh_from_db()
    current = RatingSource.objects.filter(pk=source.pk, address=source.address)
    done = {"digest": digest, "failure": "", "detail": "", "failed_at": None}
    if digest == source.digest and source.lists.filter(name=source.name).exists():
        with transaction.atomic():
            source.lists.update(uploaded_at=now)
            current.update(**done, due_at=now + _PERIOD)
        return
    with rating_lists.intake(name=source.name, kind=source.kind, source=source) as lists:
        lists.read(file)
        lists.require_share(_SMALLEST_SHARE)
        with transaction.atomic():
            if current.select_for_update(no_key=True):  # neither removed nor changed meanwhile
                lists.make_current(None)
                current.update(**done, due_at=now + _PERIOD)
