"""The awards of an archive, computed again from its fund and its results."""

from __future__ import annotations

from collections.abc import Iterator

from tournaments.models import PrizeFund
from tournaments.queries.archives.archive_data import (
    Archive,
    ArchivedAward,
    ArchivedPrize,
    ArchivedPrizes,
    ArchiveError,
)
from tournaments.queries.archives.differences import Difference
from tournaments.queries.archives.history import ArchivedHistory
from tournaments.queries.events import prizes
from tournaments.queries.results import awards
from tournaments.standings.prizes import BadFundError, Category, Fund, Kind, Prize, money

_NO_AWARD = "no award"


def count(archive: Archive) -> int:
    """Return the number of awards in the archive."""
    return len(archive.prizes.awards) if archive.prizes else 0


def differences(archive: Archive, history: ArchivedHistory) -> Iterator[Difference]:
    """Yield the differences between the awards and the fund's awards by the results at their confirmation.

    Raises ArchiveError for a fund that cannot be given out.
    """
    archived = archive.prizes
    if archived is None:
        return
    if archived.confirmed_at is None:
        if archived.awards:
            yield Difference("prizes", "no awards before they are confirmed", f"{count(archive)}")
        return
    table = history.table(archived.confirmed_at)
    rounds = history.rounds_at(archived.confirmed_at)
    fund = _fund(archived)
    try:
        outcome = awards.of_table(history.event, fund, archived.currency, table, rounds)
    except BadFundError as error:
        raise ArchiveError("prizes", str(error)[:200]) from error
    right: dict[tuple[int, str], list[str]] = {}
    stored: dict[tuple[int, str], list[str]] = {}
    for row in outcome.rows():
        key = row.entry.tpn or 0, str(prizes.columns_of(prizes.category_of(row)))
        right.setdefault(key, []).append(_text(row.amount, row.words, archived.currency))
    for each in archived.awards:
        key = each.tpn, str(prizes.columns_of(_category(each)))
        stored.setdefault(key, []).append(_text(each.amount, each.words, archived.currency))
    for key in sorted(right.keys() | stored.keys()):
        mine, theirs = (", ".join(each.get(key, [_NO_AWARD])) for each in (right, stored))
        if mine != theirs:
            yield Difference(f"prizes, player {key[0]}, {key[1]}", mine, theirs)


def _fund(archived: ArchivedPrizes) -> Fund:
    if archived.sharing not in PrizeFund.Sharing.values:
        raise ArchiveError("prizes, sharing", f"{archived.sharing[:40]!r} is not known")
    rules = PrizeFund(
        sharing=archived.sharing,
        rounding=archived.rounding,
        is_cumulative=archived.is_cumulative,
        least_points_halves=archived.least_points_halves,
        least_games=archived.least_games,
    )
    return Fund(
        tuple(Prize(_category(each), each.amount, each.words) for each in archived.fund),
        prizes.rules_of(rules),
    )


def _category(each: ArchivedPrize | ArchivedAward) -> Category:
    if each.kind not in set(Kind):
        raise ArchiveError("prizes, kind", f"{each.kind[:40]!r} is not known")
    return Category(Kind(each.kind), each.rating_from, each.rating_below, each.text)


def _text(amount: int, words: str, currency: str) -> str:
    return f"{currency} {money.decimal(amount, currency)} {words}".strip()
