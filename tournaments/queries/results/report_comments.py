"""Comments of report files (`###`) about the players of the pairings: byes, withdrawals and late entries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

from tournaments import trf
from tournaments.models import ByeRequest, Event
from tournaments.text.audit_log import KINDS

_BYES = {
    ByeRequest.Kind.FULL.value: "FPB",
    ByeRequest.Kind.HALF.value: "HPB",
    ByeRequest.Kind.ZERO.value: "ZPB",
}


def byes(event: Event, rounds: int) -> Iterator[trf.Header]:
    """Yield a comment for each round and kind of bye, of those that no rule of pairing gives."""
    rows = ByeRequest.objects.filter(
        entry__event=event, entry__tpn__isnull=False, round_number__lte=rounds
    ).order_by("round_number", "kind", "entry__tpn")
    values = rows.values_list("round_number", "kind", "entry__tpn")
    for (number, kind), group in groupby(values, itemgetter(0, 1)):
        players = " ".join(str(tpn) for _, _, tpn in group)
        yield trf.Header("###", f"{_BYES[kind]} @ Round {number}: {players}")


def players(event: Event) -> Iterator[trf.Header]:
    """Yield a comment for each round after which players came, left or returned, by the log.

    The round is the last one that was published then. Undone acts are left out.
    """
    published = [at for at in event.rounds.values_list("published_at", flat=True) if at]
    rows_of_entries = event.entries.exclude(tpn=None).values_list("player", "tpn")
    numbers = {player: tpn or 0 for player, tpn in rows_of_entries}
    words = {action: kind.comment for action, kind in KINDS.items() if kind.comment}
    groups: dict[tuple[int, str], list[int]] = defaultdict(list)
    rows = event.audit.filter(action__in=words, undone_by=None).order_by("done_at", "pk")
    for action, done_at, detail in rows.values_list("action", "done_at", "detail"):
        own = detail.get("players") or [detail.get("player")]
        known = [numbers[player] for player in own if player in numbers]
        if rounds := sum(at <= done_at for at in published):
            groups[rounds, words[action]] += known
    for (rounds, word), tpns in groups.items():
        if tpns:
            yield trf.Header("###", f"{word} @ Round {rounds}: {' '.join(map(str, tpns))}")
