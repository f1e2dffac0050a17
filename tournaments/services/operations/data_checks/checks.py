"""The checks by name, in the order in which they are run."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import connection, transaction

from tournaments.services.operations.data_checks import events, ledger, plies, predictions, traffic

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tournaments.services.operations.data_checks.offences import Offence


@dataclass(frozen=True, slots=True)
class CheckReport:
    """One check, and every offence against it."""

    name: str
    offences: Sequence[Offence]


_CHECKS: Mapping[str, Callable[[], Iterator[Offence]]] = {
    "plies": plies.numbering,
    "clocks": plies.clocks,
    "results": plies.results,
    "endings": plies.endings,
    "corrections": plies.corrections,
    "rounds": events.rounds,
    "seats": events.seats,
    "entries": events.entries,
    "ledger": ledger.chains,
    "revisions": ledger.revisions,
    "moments": ledger.moments,
    "ratings": ledger.ratings,
    "predictions": predictions.predictions,
    "news": traffic.news,
    "leases": traffic.leases,
}


# What else may be wrong where a pool is as its games have it: these see what no chain of rows covers.
_BESIDE_RATINGS = (
    *("results", "endings", "corrections"),
    *("revisions", "moments", "ratings", "predictions"),
)


def run(*, replays: int | None) -> Iterator[CheckReport]:
    """The report of every check, as of one moment.

    `replays` is how many of the latest games are played again by the rules; None is all of them.
    """
    with _one_moment():
        for name, check in _CHECKS.items():
            yield CheckReport(name, list(check()))
        yield CheckReport("replays", list(plies.replays(replays)))


def beside_ratings() -> Iterator[CheckReport]:
    """The reports of those checks that rest on ratings or that ratings rest on, as of one moment."""
    with _one_moment():
        for name in _BESIDE_RATINGS:
            yield CheckReport(name, list(_CHECKS[name]()))


@contextmanager
def _one_moment() -> Iterator[None]:
    is_first = not connection.in_atomic_block
    with transaction.atomic():
        if connection.vendor == "postgresql" and is_first:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                cursor.execute("SET LOCAL statement_timeout = 0")
        yield
