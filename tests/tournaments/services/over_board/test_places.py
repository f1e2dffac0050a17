"""Places of the standings: without expelled players, and shared places that the arbiter orders."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from django.urls import reverse

from tests.tournaments.over_board import close, enter_listed, event_of, next_round, type_results
from tests.tournaments.pages import member, text_of
from tournaments import trf
from tournaments.commandline import pairing as cli
from tournaments.errors import RefusedError, StaleError
from tournaments.models import Event, Game, User
from tournaments.queries.archives import archive_file, event_archive, verification
from tournaments.queries.results import reports, tables
from tournaments.services.arbiter import corrections, entry_acts, tie_orders, undo
from tournaments.services.results import event_document, sheets

NAMES = ("Alba", "Bruno", "Celia", "Dario")


@pytest.fixture
def level(ana: User) -> Event:
    """An event of two rounds that is over: four players with a point each."""
    event = event_of(ana, format="dutch", tie_breaks="BH", rounds_total=2)
    enter_listed(event, *NAMES)
    for _ in range(2):
        next_round(event)
        type_results(event, rest="draw")
        close(event)
    event.refresh_from_db()
    return event


def _places(event: Event) -> list[tuple[int | None, int | None]]:
    return [(row.place, row.entry.tpn) for row in tables.event_table(event).rows]


def _assert_verified(event: Event) -> None:
    archive = archive_file.unpacked(event_archive.of_event(event))
    assert [each.differences for each in verification.verify(archive) if each.differences] == []


@pytest.mark.long
def test_an_expelled_player_has_no_place(ana: User, tmp_path: Any) -> None:
    event = event_of(ana, format="dutch", tie_breaks="BH", rounds_total=3)
    enter_listed(event, *NAMES)
    next_round(event)
    type_results(event, rest="first")
    close(event)
    winner = tables.event_table(event).rows[0].entry
    entry_acts.expel(event_id=event.pk, actor=ana, entry_id=winner.pk, reason="Cheating")
    assert [place for place, _ in _places(event)] == [1, 2, 2, None]
    assert _places(event)[-1][1] == winner.tpn
    rows = list(csv.DictReader(io.StringIO(sheets.standings(event).removeprefix("\ufeff"))))
    assert [(row["rank"], row["number"]) for row in rows][-1] == ("", str(winner.tpn))
    document = json.loads(event_document.text_of(event))["standings"]
    assert [row["rank"] for row in document] == [1, 2, 2, None]
    report = trf.read(reports.trf_of(event))
    assert {p.id: p.place for p in report.players}[winner.tpn or 0] is None
    _assert_verified(event)
    source = tmp_path / "open.trf"
    source.write_text(reports.trf_of(event))
    assert cli.main(["check", str(source)]) == 0
    for name in ("event-standings", "event-crosstable", "event"):
        assert member(ana).get(reverse(name, args=[event.slug])).status_code == 200


@pytest.mark.long
def test_a_shared_place_is_ordered_by_hand(level: Event, ana: User) -> None:
    assert [place for place, _ in _places(level)] == [1, 1, 1, 1]
    client, address = member(ana), reverse("event-standings", args=[level.slug])
    assert "Order shared places by hand (1)" in text_of(client.get(address).content)
    form = {"action": "order-tie", "order": "3 1 4 2", "reason": "a play-off", "next": address}
    client.post(reverse("event-act", args=[level.slug]), form)
    level.refresh_from_db()
    assert _places(level) == [(1, 3), (2, 1), (3, 4), (4, 2)]
    html = client.get(address).content
    assert b'value="3 1 4 2"' in html
    page = text_of(html)
    assert "Shared places that the arbiter has ordered: Celia – Alba – Dario – Bruno." in page
    assert "### Standings @ Round 2: ordered by hand: 3 1 4 2\n" in reports.trf_of(level)
    _assert_verified(level)
    log = text_of(client.get(reverse("event-log", args=[level.slug])).content)
    assert "A shared place was ordered by hand: Celia; Alba; Dario; Bruno." in log
    assert "a play-off" in log
    row = level.audit.get(action="order-tie")
    undo.undo(event_id=level.pk, actor=ana, entry_id=row.pk, reason="the wrong order")
    level.refresh_from_db()
    assert [place for place, _ in _places(level)] == [1, 1, 1, 1]


@pytest.mark.long
def test_the_latest_of_several_orders_is_undone_first(level: Event, ana: User) -> None:
    orders = [[3, 1, 4, 2], [1, 2, 3, 4], [3, 1, 4, 2]]
    for order in orders:
        tie_orders.order_tie(event_id=level.pk, actor=ana, order=order, reason="a play-off")
    rows = list(level.audit.filter(action="order-tie").order_by("pk"))
    undo_row = partial(undo.undo, event_id=level.pk, actor=ana, reason="the wrong order")
    for row in rows[:2]:
        with pytest.raises(StaleError, match="undo-late"):
            undo_row(entry_id=row.pk)
    for row, before in zip(reversed(rows), [orders[1], orders[0], None], strict=True):
        undo_row(entry_id=row.pk)
        level.refresh_from_db()
        assert level.tie_orders == ([before] if before else [])


@pytest.mark.long
def test_an_order_holds_as_long_as_exactly_these_players_are_tied(level: Event, ana: User) -> None:
    tie_orders.order_tie(event_id=level.pk, actor=ana, order=[3, 1, 4, 2], reason="a play-off")
    game = Game.objects.filter(pairing__event=level).earliest("pk")
    corrections.correct(game_id=game.pk, actor=ana, result="first", reason="both said so")
    level.refresh_from_db()
    address = reverse("event-standings", args=[level.slug])
    assert "that the arbiter has ordered" not in text_of(member(ana).get(address).content)
    assert "ordered by hand" not in reports.trf_of(level)
    with_order = _places(level)
    level.tie_orders = []
    assert with_order == _places(level)


@pytest.mark.long
def test_an_archive_whose_order_names_a_player_twice_has_no_order(level: Event) -> None:
    archive = archive_file.unpacked(event_archive.of_event(level))
    archive = replace(archive, event=replace(archive.event, tie_orders=((1, 1, 2, 3, 4),)))
    assert [each.differences for each in verification.verify(archive) if each.differences] == []


@pytest.mark.parametrize("order", [[1, 2], [1, 2, 3, 3], [1, 2, 3, 4, 5], []])
def test_other_players_than_those_of_a_shared_place_are_refused(
    level: Event, ana: User, order: list[int]
) -> None:
    with pytest.raises(RefusedError, match="tie-order"):
        tie_orders.order_tie(event_id=level.pk, actor=ana, order=order, reason="a play-off")


@pytest.mark.long
def test_places_that_points_do_not_decide_are_not_ordered(ana: User) -> None:
    event = event_of(ana, format="knockout")
    enter_listed(event, *NAMES)
    for _ in range(2):
        next_round(event)
        type_results(event, rest="first")
        close(event)
    event.refresh_from_db()
    (losers,) = tables.event_table(event).ties()
    order = [entry.tpn or 0 for entry in losers]
    with pytest.raises(RefusedError, match="tie-order"):
        tie_orders.order_tie(event_id=event.pk, actor=ana, order=order, reason="a play-off")


def test_ties_of_a_running_event_are_not_ordered(ana: User) -> None:
    event = event_of(ana)
    with pytest.raises(StaleError, match="tie-early"):
        tie_orders.order_tie(event_id=event.pk, actor=ana, order=[1, 2], reason="a play-off")
