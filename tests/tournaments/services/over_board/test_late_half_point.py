"""Half a point for the last round that a late entry missed."""

from __future__ import annotations

import pytest

from tests.tournaments.over_board import close, enter_listed, event_of, next_round, type_results
from tournaments import trf
from tournaments.models import User
from tournaments.queries.archives import event_archive, verification
from tournaments.queries.results import reports, tables
from tournaments.services.arbiter import entry_acts

pytestmark = pytest.mark.long


@pytest.mark.parametrize(("gives", "halves"), [(True, 1), (False, 0)])
def test_a_late_entry_has_half_a_point_for_one_missed_round(
    ana: User, gives: bool, halves: int
) -> None:
    event = event_of(ana, gives_late_half_point=gives, rounds_total=6)
    enter_listed(event, "Alba", "Bruno", "Cleo", "Dino", "Elsa", "Fito")
    for _ in range(2):
        next_round(event)
        type_results(event, rest="draw")
        close(event)
    event.refresh_from_db()
    enter_listed(event, "Zoe")
    late = event.entries.get(player__name="Zoe")
    rows = {row.entry.pk: row.points_halves for row in tables.event_table(event).rows}
    assert rows[late.pk] == halves
    player = next(each for each in trf.read(reports.trf_of(event)).players if each.name == "Zoe")
    codes = [result.code.value for result in player.results if result]
    assert codes == (["H"] if gives else [])
    next_round(event)
    type_results(event, rest="draw")
    close(event)
    answers = verification.verify(event_archive.archive_of(event))
    assert [check.name for check in answers if check.differences] == []
    entry_acts.withdraw(event_id=event.pk, actor=ana, entry_id=late.pk, reason="Ill")
    entry_acts.readmit(event_id=event.pk, actor=ana, entry_id=late.pk)
    late.refresh_from_db()
    assert late.seats.filter(kind="half-bye").count() == halves
