"""Uploads of rating lists: the file is stored in parts, and a worker makes the list of it."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from tempfile import TemporaryFile

from django.db import transaction

from tournaments import database_time
from tournaments.errors import RefusedError
from tournaments.models import RatingUpload, User
from tournaments.services import enqueue
from tournaments.services.events import rating_lists

log = logging.getLogger(__name__)

PART_BYTES = 1 << 20
# Longer than the time limit of the task.
_RETRY = timedelta(hours=1)
# The page has the result for this time.
_REMAINS = timedelta(days=7)
State = RatingUpload.State


def store(*, name: str, kind: str, parts: Iterable[bytes], actor: User) -> RatingUpload:
    """Store a file in parts, and ask a worker for its list. It replaces an earlier upload of that name.

    Raises RefusedError `rating-list-name`, `rating-list-kind`.
    """
    name = rating_lists.checked_name(name)
    rating_lists.check_kind(kind)
    now = database_time.now()
    with transaction.atomic():
        RatingUpload.objects.filter(name=name).delete()
        upload = RatingUpload.objects.create(
            name=name, kind=kind, uploader=actor, uploaded_at=now, due_at=now
        )
    for number, part in enumerate(parts):
        upload.parts.create(number=number, content=part)
    with transaction.atomic():
        RatingUpload.objects.filter(pk=upload.pk).update(state=State.WAITING)
        enqueue.rating_upload(upload.pk)
    return upload


def process(upload_id: int) -> None:
    """Make the list of an upload if it is due, and delete its parts. After a failure the former list stays.

    The upload is due again later, also if this process dies.
    """
    now = database_time.now()
    own = RatingUpload.objects.filter(pk=upload_id)
    if not own.filter(state=State.WAITING, due_at__lte=now).update(due_at=now + _RETRY):
        return
    upload = own.select_related("uploader").get()
    try:
        with TemporaryFile() as file:
            for content in upload.parts.values_list("content", flat=True).iterator(chunk_size=4):
                file.write(content)
            file.seek(0)
            lists = rating_lists.replace(
                name=upload.name,
                kind=upload.kind,
                stream=file,
                actor=upload.uploader,
                progress=lambda count: own.update(players=count),
            )
    except RefusedError as refusal:
        log.warning("rating-upload.refused name=%s error=%s", upload.name, refusal)
        own.update(state=State.FAILED, failure=refusal.code)
    else:
        own.update(state=State.DONE, players=lists.rating_list.count, faults=lists.faults)
    upload.parts.all().delete()


def wake(now: datetime) -> None:
    """Ask workers for the uploads that are due, and delete old results and files that were never received."""
    old = RatingUpload.objects.filter(uploaded_at__lt=now - _REMAINS)
    lost = RatingUpload.objects.filter(state=State.RECEIVING, uploaded_at__lt=now - _RETRY)
    for each in (*old, *lost):
        each.delete()
    due = RatingUpload.objects.filter(state=State.WAITING, due_at__lte=now)
    for upload_id in due.values_list("pk", flat=True):
        enqueue.rating_upload(upload_id)
