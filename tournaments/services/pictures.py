"""Stored pictures: asked for by visitors within limits, drawn by workers, the oldest removed."""

from __future__ import annotations

import logging
from datetime import timedelta

from django.db.models import Sum

from tournaments import database_time, limits
from tournaments.models import Game, Picture
from tournaments.queries import previews
from tournaments.queries.previews import Preview
from tournaments.services import enqueue
from tournaments.services.accounts import throttles

log = logging.getLogger(__name__)

# The sum of all stored pictures. A preview has 40 to 70 kB, a game 50 to 700.
MOST_BYTES = 256 * 1024 * 1024
# A worker that has not answered by then is sent for again.
_LOST_AFTER = timedelta(seconds=30)
# Rows removed in one step when there are too many bytes.
_BATCH = 50


def stored(preview: Preview) -> Picture | None:
    """Return the latest picture of the object, which may show an earlier state, or None."""
    rows = Picture.objects.filter(kind=preview.kind, name=preview.name, content__isnull=False)
    return rows.first()


def ask(preview: Preview, visitor: throttles.Visitor) -> None:
    """Send for a worker unless one was sent for a moment ago. Raises TooManyError."""
    now = database_time.now()
    rows = Picture.objects.filter(kind=preview.kind, name=preview.name)
    row = rows.first()
    if row is not None and row.is_open and now < row.asked_at + _LOST_AFTER:
        return
    throttles.count(visitor, limits.PICTURES, limits.PICTURES_OF_ALL)
    if row is None:
        row, _is_new = Picture.objects.get_or_create(
            kind=preview.kind, name=preview.name, defaults={"asked_at": now}
        )
    else:
        rows.filter(asked_at=row.asked_at).update(asked_at=now)
    enqueue.picture(row.pk)


def draw(pk: int) -> None:
    """Draw the present state of a row's object, and remove the oldest pictures above the bound."""
    row = Picture.objects.defer("content").filter(pk=pk).first()
    if row is None:
        return
    preview = previews.find(Picture.Kind(row.kind), row.name)
    if preview is None:
        return
    content = _gif(row) if row.kind == Picture.Kind.REPLAY else _card(preview)
    Picture.objects.filter(pk=pk).update(
        version=preview.version,
        content=content,
        size=len(content),
        drawn_at=max(database_time.now(), row.asked_at),
    )
    _remove_oldest()


def _card(preview: Preview) -> bytes:
    # Workers alone load the libraries.
    from tournaments.pictures import cards

    return cards.png(cards.Card(preview.board(), preview.headings, preview.lines))


def _gif(row: Picture) -> bytes:
    from tournaments.pictures import animations

    positions, moves = previews.positions_of(Game.objects.get(pk=row.name))
    frames = [
        animations.Frame(positions[at].cells(), previews.marks_of(positions, moves, at))
        for at in animations.chosen_places(len(positions))
    ]
    return animations.gif(frames, positions[0].ruleset.goals)


def _remove_oldest() -> None:
    total = Picture.objects.aggregate(bytes=Sum("size"))["bytes"] or 0
    if total <= MOST_BYTES:
        return
    oldest = Picture.objects.order_by("asked_at").values_list("pk", flat=True)[:_BATCH]
    Picture.objects.filter(pk__in=list(oldest)).delete()
    log.info("pictures.removed bytes=%s", total)
