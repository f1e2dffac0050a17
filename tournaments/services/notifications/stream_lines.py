"""News as programs read them: a line of JSON, or an event of `text/event-stream`, with the number it has in its topic."""

from __future__ import annotations

import json
from collections.abc import Mapping

from tournaments import live
from tournaments.models import NewsItem, Ply
from tournaments.services.notifications import news

LINES, EVENTS = "application/x-ndjson", "text/event-stream"
# The kind of the first line, which no news has.
STATE = "state"


def data_of(item: live.Item) -> Mapping[str, object]:
    """Return the data of `item` for programs.

    For a ply, the move and its time, which never change. For an offer, its content.
    """
    if item.kind == "offer":
        return {"side": item.payload["side"], "offer": item.payload["kind"]}
    kind, _, number = item.topic.partition(":")
    if kind != "game" or item.kind != "ply":
        return item.payload
    attempt, ply_number = item.payload["attempt"], item.payload["ply"]
    assert isinstance(attempt, int), "as plies are announced"
    assert isinstance(ply_number, int), "as plies are announced"
    ply = Ply.objects.filter(game=int(number), attempt=attempt, number=ply_number).first()
    if ply is None:
        return item.payload
    return {
        **item.payload,
        "move": ply.move,
        "side": ply.side,
        "spent_ms": ply.spent_ms,
        "remaining_ms": ply.remaining_ms,
    }


def encode(kind: str, seq: int, data: Mapping[str, object], *, media_type: str) -> str:
    """One line, or one event."""
    text = json.dumps({**data, "seq": seq, "kind": kind}, separators=(",", ":"))
    return f"id: {seq}\nevent: {kind}\ndata: {text}\n\n" if media_type == EVENTS else f"{text}\n"


def keep_alive(media_type: str) -> str:
    """Return the message that is sent when there is no news."""
    return ":\n\n" if media_type == EVENTS else "\n"


def can_resume(topic: str, after: int) -> bool:
    """Return whether all news of `topic` after number `after` are still there."""
    last = news.last_seq(topic)
    if after == last:
        return True
    return after < last and NewsItem.objects.filter(topic__name=topic, seq=after + 1).exists()
