"""Typed results of a round over the board that was taken back: the log keeps them for the round's return."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.models import Entry, Event, Pairing, Round, TieGame


@dataclass(frozen=True, slots=True)
class TypedResult:
    """The results typed for a board before its round was taken back.

    Attributes:
        result, second_result: those of its game, and of the second of a mini-match, or empty.
        later_results: those of the games of a tie after the first.
        armageddon: the percentages of the armageddon game among them, None for the others.
        pairing: the board of the draft with unchanged players and sides, or None without such a
            board. The results are lost then when the draft is published.
    """

    first: Entry
    second: Entry
    result: str
    second_result: str
    later_results: Sequence[str]
    armageddon: Sequence[int | None]
    pairing: Pairing | None


def of_round(round_: Round) -> list[dict[str, object]]:
    """Return the typed results of a published round, as the log keeps them, without those of teams."""
    if round_.event.is_of_teams:
        return []
    typed = round_.pairings.with_entered_result(round_.event).order_by("board")
    return [
        {
            "board": each.board,
            "first": each.first_id,
            "second": each.second_id,
            "result": each.entered_result,
            "second_result": each.entered_second_result,
            "later_results": [game.entered_result for game in each.later_games.all()],
            "armageddon": [game.armageddon_percent for game in each.later_games.all()],
        }
        for each in typed.prefetch_related("later_games")
    ]


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
            row.get("later_results", ()),
            row.get("armageddon", [None] * len(row.get("later_results", ()))),
            pairings.get((row["first"], row["second"])),
        )
        for row in rows
        if row["first"] in entries and row["second"] in entries
    ]


def restore(event: Event, draft: Round) -> int:
    """Restore the typed results of boards that came back unchanged. Return the number of boards.

    In the caller's transaction, `event` locked.
    """
    restored: list[Pairing] = []
    later_games: list[TieGame] = []
    for typed in of_draft(event, draft):
        if typed.pairing is not None:
            typed.pairing.entered_result = typed.result
            typed.pairing.entered_second_result = typed.second_result
            restored.append(typed.pairing)
            later_games += [
                TieGame(
                    pairing=typed.pairing,
                    number=number,
                    entered_result=result,
                    armageddon_percent=percent,
                )
                for number, (result, percent) in enumerate(
                    zip(typed.later_results, typed.armageddon, strict=True), start=2
                )
            ]
    TieGame.objects.bulk_create(later_games)
    Pairing.objects.bulk_update(restored, ["entered_result", "entered_second_result"])
    return len(restored)
