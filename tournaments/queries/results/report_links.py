"""Addresses under which players report their results: of one board, or of a round to choose the board.

An address contains a code that only the site can compute. A reader of a sheet or of a screen in the
hall knows it, other people do not.
"""

from __future__ import annotations

import re
from functools import reduce
from operator import or_

from django.db.models import Q
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from tournaments.models import Entry, Event, Pairing, Round

_SALT = "tournaments.result-reports"
# 80 bits. A longer code makes the squares of a QR code smaller.
_DIGITS = 20
_TOKEN = re.compile(r"([br])(\d{1,18})-([0-9a-f]{20})")


def token_of(row: Pairing | Round) -> str:
    """Return the token of a board or of a round. That of a board ends with its two players."""
    if isinstance(row, Round):
        return _signed(f"r{row.pk}", "")
    return _signed(f"b{row.pk}", f"{row.low_id}-{row.high_id}")


def path_of(row: Pairing | Round) -> str:
    """Return the path at which a board, or the boards of a round, are reported."""
    return reverse("result-report", args=[token_of(row)])


def own_path(event: Event, round_: Round | None, entry: Entry | None) -> str:
    """Return the path at which the player reports the result of a board of the open round; empty without one."""
    is_open = round_ is not None and round_.state == Round.State.PUBLISHED
    if round_ is None or entry is None or not is_open or not event.has_player_reports:
        return ""
    sides = [Q(first=entry), Q(second=entry), Q(boards__first=entry), Q(boards__second=entry)]
    pairing = round_.pairings.filter(reduce(or_, sides)).first()
    return path_of(pairing) if pairing is not None else ""


def find(token: str) -> Pairing | Round | None:
    """Return the board or the round of a token, or None for any other text. Drafts have none."""
    match = _TOKEN.fullmatch(token)
    if match is None:
        return None
    row: Pairing | Round | None
    if match[1] == "r":
        row = Round.objects.select_related("event").filter(pk=int(match[2])).first()
    else:
        rows = Pairing.objects.select_related("event", "round__event")
        row = rows.filter(pk=int(match[2])).first()
    if row is None or not constant_time_compare(token_of(row), token):
        return None
    round_ = row if isinstance(row, Round) else row.round
    return None if round_.state == Round.State.DRAFT else row


def _signed(name: str, players: str) -> str:
    code = salted_hmac(_SALT, f"{name}:{players}", algorithm="sha256").hexdigest()
    return f"{name}-{code[:_DIGITS]}"
