"""Typed results of a round over the board that was taken back: the log keeps them for the round's return."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.models import Entry, Event, Pairing, Round


@dataclass(frozen=True, slots=True)
class TypedResult:
    """The results typed for a board before its round was taken back.

    Attributes:
        result, second_result: those of its game, and of the second of a mini-match, or empty.
        pairing: the board of the draft with unchanged players and sides, or None without such a
            board. The results are lost then when the draft is published.
    """

    first: Entry
    second: Entry
    result: str
    second_result: str
    pairing: Pairing | None


def of_round(round_: Round) -> list[dict[str, object]]:
    """Return the typed results of a published round, as the log keeps them."""
    typed = round_.pairings.exclude(entered_result="", entered_second_result="").order_by("board")
    columns = ("board", "first", "second", "entered_result", "entered_second_result")
    return [dict(zip(_NAMES, row, strict=True)) for row in typed.values_list(*columns)]


_NAMES = ("board", "first", "second", "result", "second_result")


def of_draft(event: Event, draft: Round) -> list[TypedResult]:
    """Return the results that were typed before the round was taken back the last time, by board."""
    notes = event.audit.filter(action="take-back", detail__round=draft.number)
    note = notes.order_by("-pk").first()
    rows = note.detail.get("results", []) if note is not None else []
    if not rows:
        return []
    entries = event.entries.select_related("player").in_bulk(
        {row[side] for row in rows for side in ("first", "second")}
    )
    pairings = {(each.first_id, each.second_id): each for each in draft.pairings.all()}
    return [
        TypedResult(
            entries[row["first"]],
            entries[row["second"]],
            row["result"],
            row["second_result"],
            pairings.get((row["first"], row["second"])),
        )
        for row in rows
        if row["first"] in entries and row["second"] in entries
    ]


def restore(event: Event, draft: Round) -> int:
    """Restore the typed results of boards that came back unchanged. Return the number of boards.

    In the caller's transaction, `event` locked.
    """
    restored = []
    for typed in of_draft(event, draft):
        if typed.pairing is not None:
            typed.pairing.entered_result = typed.result
            typed.pairing.entered_second_result = typed.second_result
            restored.append(typed.pairing)
    Pairing.objects.bulk_update(restored, ["entered_result", "entered_second_result"])
    return len(restored)
