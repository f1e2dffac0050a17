"""Archives of events without games on the site: typed results, and rounds of foreign events."""

from __future__ import annotations

import pytest

from tests.tournaments.over_board import close, enter_listed, event_of, next_round, type_results
from tests.tournaments.pairing import corpus
from tournaments.models import Event, User
from tournaments.queries.archives import archive_file, event_archive, verification
from tournaments.services.arbiter import report_import
from tournaments.services.arbiter.report_import import ImportChoice

pytestmark = pytest.mark.long


def _places(event: Event) -> list[str]:
    archive = archive_file.unpacked(event_archive.of_event(event))
    return [d.place for check in verification.verify(archive) for d in check.differences]


def test_the_archive_of_typed_results_verifies(ana: User) -> None:
    event = event_of(ana)
    enter_listed(event, "Ada", "Bea", "Cid", "Dov", "Eva")
    for entered in ({1: "first", 2: "draw"}, {1: "second-forfeit", 2: "double-forfeit"}):
        next_round(event)
        type_results(event, entered)
        close(event)
    assert event.rounds.filter(state="closed").count() == 2
    assert _places(event) == []


def test_the_archive_of_an_imported_event_verifies(ana: User) -> None:
    case = next(c for c in corpus.cases() if c.boards is not None and c.trf.count("\n001") < 40)
    choice = ImportChoice(name="Open", ruleset="morelli(size=5)", goes_on=True)
    event = report_import.import_report(organiser=ana, text=case.trf, choice=choice)
    assert event.rounds.exists()
    assert _places(event) == []
