"""Lots for ties: drawn from the seed chain of the event when it is over, and checked from its files."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.tournaments.over_board import close, enter_listed, event_of, next_round, type_results
from tournaments import trf
from tournaments.models import Event, Game, User
from tournaments.queries.archives import event_archive, verification
from tournaments.queries.archives.archive_data import Archive
from tournaments.queries.events import seed_chain
from tournaments.queries.results import reports, tables
from tournaments.services.arbiter import corrections
from tournaments.standings import Edition, ranking

NAMES = ("Alba", "Bruno", "Celia", "Dario")


@pytest.fixture
def level(ana: User) -> Event:
    """An event of one round that is over: four players with half a point each."""
    event = event_of(ana, tie_breaks="BH,LOT", rounds_total=1)
    enter_listed(event, *NAMES)
    next_round(event)
    type_results(event, rest="draw")
    assert [row.rank for row in tables.event_table(event).rows] == [1] * 4
    close(event)
    event.refresh_from_db()
    return event


def _lots(event: Event) -> dict[int, str]:
    return {row.entry.tpn or 0: row.values[1] for row in tables.event_table(event).rows}


def test_ties_are_separated_by_lots_when_the_event_is_over(level: Event) -> None:
    rows = tables.event_table(level).rows
    assert [row.rank for row in rows] == [1, 2, 3, 4]
    assert [row.values[1] for row in rows] == ["1", "2", "3", "4"]
    assert {row.separated_by for row in rows[1:]} == {"LOT"}


def test_the_lots_follow_from_the_commitment_and_stay_after_a_correction(
    level: Event, ana: User
) -> None:
    lots = _lots(level)
    assert seed_chain.is_committed(level.seed_commitment, 2, seed_chain.lots_seed(level))
    game = Game.objects.filter(pairing__event=level).earliest("pk")
    corrections.correct(game_id=game.pk, actor=ana, result="first", reason="both said so")
    assert _lots(level) == lots


def test_the_report_file_has_the_seed_and_gives_the_places(level: Event) -> None:
    report = trf.read(reports.trf_of(level))
    field = trf.standings_field(report, system=trf.system_of(report), edition=Edition.MARCH_2026)
    places = ranking(field, trf.announced_tie_breaks(report)).places
    assert {p.id: p.rank for p in places} == {p.id: p.place for p in report.players}
    assert sorted(p.rank for p in places) == [1, 2, 3, 4]


@pytest.mark.parametrize("seed", ["", "0" * 64])
def test_an_archive_with_other_lots_is_refused(level: Event, seed: str) -> None:
    archive = event_archive.archive_of(level)
    assert not _faults(archive)
    assert _faults(replace(archive, event=replace(archive.event, lots_seed=seed)))


def _faults(archive: Archive) -> list[str]:
    return [each.place for check in verification.verify(archive) for each in check.differences]
