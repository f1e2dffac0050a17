"""Standings of events: the organiser's tie-breaks, the terms of each value, and the file with equal values."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client

from tests.extent import drawn
from tests.tournaments.conftest import enter, event_of
from tournaments import trf
from tournaments.commandline.standings import main
from tournaments.errors import RefusedError
from tournaments.models import Event, Game, Player, User
from tournaments.queries.results import reports, tables
from tournaments.services.accounts import players
from tournaments.services.games import game_end
from tournaments.services.rounds import lifecycle
from tournaments.standings import CATALOGUE
from tournaments.standings.catalogue import TEAM_CATALOGUE
from tournaments.text import points, tie_breaks

EnterAll = Callable[..., None]


@pytest.fixture
def nine(db: None) -> list[Player]:
    return [players.add_bot(name=f"Bot {n}", engine="random") for n in range(1, 10)]


def _play(event: Event, seed: int, rounds: int) -> Event:
    rng = random.Random(seed)
    for _ in range(rounds):
        for game in Game.objects.ongoing().filter(pairing__event=event):
            with transaction.atomic():
                result = rng.choice(["first", "first", "draw", "second", "void"])
                game_end.finish_game(game, result=result, ending=Game.Ending.RULES)
        lifecycle.advance_event(event.pk)
    event.refresh_from_db()
    return event


@pytest.mark.parametrize("format_", ["dutch", "round-robin"])
@pytest.mark.long
def test_the_page_and_the_report_file_rank_alike(
    nine: list[Player], ana: User, tmp_path: Path, capsys: pytest.CaptureFixture[str], format_: str
) -> None:
    event = event_of(ana, rounds_total=4, format=format_)
    # The free round of an odd table is no round at all here, and an absence in the file.
    enter(event, *nine[: 8 if format_ == "round-robin" else 7])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    rng = random.Random(4)
    for _ in range(8):
        for game in Game.objects.ongoing().filter(pairing__event=event):
            with transaction.atomic():
                result = rng.choice(["first", "draw", "second", "void"])
                game_end.finish_game(game, result=result, ending=Game.Ending.RULES)
        lifecycle.advance_event(event.pk)
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED
    for chosen in ("", "DE,WIN,SB", "PS/C1,ARO,SB/C1", "TPR,TPN"):
        # As if the organiser had chosen these. The games do not depend on them.
        Event.objects.filter(pk=event.pk).update(tie_breaks=chosen)
        event.refresh_from_db()
        cache.clear()
        _compare(event, tmp_path / "event.trf", capsys)


def _compare(event: Event, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Hold the ranks and values of the site's table to those that the command finds in the report file."""
    table = tables.event_table(event)
    file.write_text(reports.trf_of(event))
    names = ",".join(each.name for each in table.tie_breaks)
    assert main([str(file), "--tiebreaks", names, "--edition", "2026"]) == 0
    rows = {row["id"]: row for row in json.loads(capsys.readouterr().out)["players"]}
    for row in table.rows:
        same = rows[row.entry.tpn]
        assert same["rank"] == row.rank
        values = [same["tiebreaks"][each.name] or "" for each in table.tie_breaks]
        assert values == list(row.values)
    places = {p.id: p.place for p in trf.read(file.read_text()).players}
    assert places == {row.entry.tpn: row.rank for row in table.rows}


@pytest.mark.long
def test_every_value_on_the_page_can_be_opened(
    nine: list[Player], ana: User, client: Client
) -> None:
    event = event_of(ana, rounds_total=4, tie_breaks="BH/C1,SB,DE,TPR,PTP")
    enter(event, *nine)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    _play(event, 2, 3)
    table = tables.event_table(event)
    for row in drawn(table.rows, 0.4):
        for each, value in zip(table.tie_breaks, row.values, strict=True):
            page = client.get(
                f"/events/{event.slug}/standings/", {"of": str(row.entry.tpn), "by": each.name}
            ).content.decode()
            assert 'id="opened"' in page
            if value:
                assert tie_breaks.name_of(each.name) in page
                assert f"{points.tie_break(value)}</h2>" in page
    response = client.get(f"/events/{event.slug}/standings/", {"of": "1", "by": "BH/C1"})
    assert "left out" in response.content.decode()


@pytest.mark.parametrize(
    "fields",
    [
        {"of": "99", "by": "BH/C1"},
        {"of": "1", "by": "XX"},
        {"of": "1", "by": "BH/C9999999"},
        {"of": "1", "by": ""},
        {"of": "x", "by": "BH"},
        {"of": "1" * 300, "by": "BH"},
        {"of": "1", "by": "<b>"},
    ],
)
def test_values_that_are_not_there_are_not_opened(
    nine: list[Player], ana: User, client: Client, fields: dict[str, str]
) -> None:
    event = event_of(ana)
    enter(event, *nine[:4])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    answer = client.get(f"/events/{event.slug}/standings/", fields)
    assert answer.status_code == 200
    assert 'id="opened"' not in answer.content.decode()


@pytest.mark.parametrize("names", ["BH,BH", "XYZ", "BH/Q", "EDE", ",", "BH," * 40 + "SB"])
def test_tie_breaks_that_cannot_be_are_refused(ana: User, names: str) -> None:
    with pytest.raises(RefusedError, match="tie-breaks-bad"):
        event_of(ana, tie_breaks=names)


def test_tie_breaks_of_a_swiss_are_refused_in_a_round_robin(ana: User) -> None:
    with pytest.raises(RefusedError, match="tie-breaks-bad"):
        event_of(ana, format="round-robin", tie_breaks="DE,BH")
    assert event_of(ana, format="round-robin", tie_breaks="DE,KS").tie_breaks == "DE,KS"


def test_the_organiser_puts_tie_breaks_in_order(ana: User, client: Client) -> None:
    client.force_login(ana)
    form = {
        "name": "Ordered",
        "ruleset": "morelli(size=7)",
        "format": "dutch",
        "rounds_total": "5",
        "clock": "600+10",
        "admits": "people",
        "max_entries": "8",
        "pause_s": "60",
        "tie_break_1": "SB",
        "tie_break_2": "BH/C1",
    }
    client.post("/events/new/", form)
    assert Event.objects.get().tie_breaks == "SB,BH/C1"
    page = client.post("/events/new/", {**form, "tie_break_2": "SB"}).content.decode()
    assert "appear only once" in page


def test_a_game_that_goes_on_counts_for_nothing_yet(nine: list[Player], ana: User) -> None:
    event = event_of(ana)
    enter(event, *nine[:4])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    rows = tables.event_table(event).rows
    assert {row.rank for row in rows} == {1}
    assert {row.points_halves for row in rows} == {0}


def test_every_tie_break_has_its_words() -> None:
    assert set(tie_breaks.WORDS) == set(CATALOGUE) | set(TEAM_CATALOGUE)
    assert len(tie_breaks.choices()) == len(tie_breaks.OFFERED)
