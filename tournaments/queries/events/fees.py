"""The entry fee of an event, and the sums that are paid and owed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from tournaments.models import Entry, Event

_FEE = re.compile(r"([0-9]{1,7})(?:[.,]([0-9]{1,2}))? ?([^\d\W]{1,8}|[€£¥$₩₹])")


@dataclass(frozen=True, slots=True)
class Fee:
    """An amount of money in a currency, as the organiser writes it."""

    amount: Decimal
    currency: str

    def text(self, entries: int = 1) -> str:
        """Return the fee of that number of entries: `25.00 EUR`."""
        return f"{self.amount * entries} {self.currency}"


@dataclass(frozen=True, slots=True)
class FeeTable:
    """The entries that pay the fee, in the order of names, with the sums."""

    fee: Fee
    entries: tuple[Entry, ...]

    def _count(self) -> Counter[str]:
        return Counter(entry.fee_state for entry in self.entries)

    @property
    def paid_sum(self) -> str:
        """Return the sum that was paid."""
        return self.fee.text(self._count()[Entry.FeeState.PAID])

    @property
    def owed_sum(self) -> str:
        """Return the sum that is owed."""
        return self.fee.text(self._count()[Entry.FeeState.OWED])

    @property
    def waived_count(self) -> int:
        """Return the number of entries that need not pay."""
        return self._count()[Entry.FeeState.WAIVED]

    def amount_of(self, entry: Entry) -> Decimal:
        """Return the amount that the entry has paid or owes."""
        return self.fee.amount * (entry.fee_state != Entry.FeeState.WAIVED)


def read(text: str) -> Fee | None:
    """Return the fee of a text such as `12.50 EUR`, or None for any other text."""
    match = _FEE.fullmatch(text.strip())
    if match is None:
        return None
    return Fee(Decimal(f"{match[1]}.{match[2] or '00'}"), match[3])


def table_of(event: Event) -> FeeTable | None:
    """Return the fees of the event; None without a fee.

    Teams pay as one. A withdrawn entry is in the table if it has paid.
    """
    fee = read(event.fee)
    if fee is None:
        return None
    rows = event.entries.contestants().select_related("player").order_by("player__name", "pk")
    return FeeTable(fee, tuple(_due(rows)))


def _due(entries: Iterable[Entry]) -> Iterable[Entry]:
    for entry in entries:
        is_out = entry.state == Entry.State.WITHDRAWN
        if not is_out or entry.fee_state == Entry.FeeState.PAID:
            yield entry
