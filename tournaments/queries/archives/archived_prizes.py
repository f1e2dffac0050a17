"""The awards of the archive of an event or a festival, computed again from its fund and its results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from tournaments.models import Festival, PrizeFund
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
from tournaments.queries.results import awards, festival_awards
from tournaments.queries.results.festival_awards import SectionTable
from tournaments.queries.results.prize_outcomes import EventAwards
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
        outcome = awards.of_table(
            history.event, fund, archived.currency, table, rounds, archived.elsewhere
        )
    except BadFundError as error:
        raise ArchiveError("prizes", str(error)[:200]) from error
    yield from _between(archived, outcome)


def festival_differences(
    archived: ArchivedPrizes, prizes_by: str, histories: Sequence[ArchivedHistory]
) -> Iterator[Difference]:
    """Yield the differences between the awards of a festival and those by the results of its sections.

    Raises ArchiveError for a fund that cannot be given out.
    """
    moment = archived.confirmed_at
    if moment is None:
        if archived.awards:
            yield Difference("prizes", "no awards before they are confirmed", "some")
        return
    if prizes_by not in Festival.PrizesBy.values:
        raise ArchiveError("prizes_by", f"{prizes_by[:40]!r} is not known")
    sections = [_section(history, moment, archived.currency) for history in histories]
    order = Festival.PrizesBy(prizes_by)
    try:
        outcome = festival_awards.of_sections(
            _fund(archived), archived.currency, order, [each for each in sections if each]
        )
    except BadFundError as error:
        raise ArchiveError("prizes", str(error)[:200]) from error
    yield from _between(archived, outcome, names_sections=True)


def _section(history: ArchivedHistory, moment: datetime, currency: str) -> SectionTable | None:
    """Return a section as it was at the moment; None if it has no part in the prizes."""
    if not festival_awards.has_part(history.event):
        return None
    own = history.prizes
    is_first = own is not None and own.confirmed_at is not None and own.confirmed_at < moment
    is_open = own is not None and not is_first and own.currency == currency
    return SectionTable(
        history.event,
        history.table(moment),
        history.rounds_at(moment),
        _fund(own) if own and is_open else Fund(()),
        {each.tpn for each in own.awards} if own and is_first else (),
    )


def _between(
    archived: ArchivedPrizes, outcome: EventAwards, *, names_sections: bool = False
) -> Iterator[Difference]:
    """Yield the differences between archived awards and computed ones, by player and category."""
    right: dict[tuple[str, int, str], list[str]] = {}
    stored: dict[tuple[str, int, str], list[str]] = {}
    for winner, row in zip(outcome.winners, outcome.rows(), strict=True):
        section = winner.event.slug if names_sections else ""
        key = section, row.entry.tpn or 0, str(prizes.columns_of(prizes.category_of(row)))
        right.setdefault(key, []).append(_text(row.amount, row.words, archived.currency))
    for each in archived.awards:
        key = each.section, each.tpn, str(prizes.columns_of(_category(each)))
        stored.setdefault(key, []).append(_text(each.amount, each.words, archived.currency))
    for key in sorted(right.keys() | stored.keys()):
        mine, theirs = (", ".join(each.get(key, [_NO_AWARD])) for each in (right, stored))
        if mine != theirs:
            section, tpn, category = key
            place = f"prizes, {section}, player {tpn}" if section else f"prizes, player {tpn}"
            yield Difference(f"{place}, {category}", mine, theirs)


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
