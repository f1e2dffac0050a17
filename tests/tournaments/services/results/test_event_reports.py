"""The report files of events: accepted elsewhere as they are, and ranked as on the site."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import Client

from tests.tournaments.conftest import enter, event_of
from tests.tournaments.services.results import bbp
from tests.tournaments.services.results.scripted import all_draw, play_rounds
from tournaments import trf
from tournaments.commandline.standings import main as standings_command
from tournaments.models import Entry, Event, Game, Player, Round, User
from tournaments.queries.results import reports, tables
from tournaments.services.accounts import players
from tournaments.services.arbiter import corrections
from tournaments.services.events import entries
from tournaments.services.rounds import lifecycle

EnterAll = Callable[..., None]

BBPPAIRINGS = bbp.program()


@pytest.fixture
def nine(db: None) -> list[Player]:
    return [players.add_bot(name=f"Bot {n}", engine="random") for n in range(1, 10)]


def _started(event: Event, entrants: list[Player], ana: User) -> Event:
    enter(event, *entrants)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    event.refresh_from_db()
    return event


def _results(text: str, tpn: int) -> list[str]:
    return [
        f"{r.opponent or 0} {r.code.value}" if r else ""
        for p in trf.read(text).players
        if p.id == tpn
        for r in p.results
    ]


def _swiss(nine: list[Player], ana: User) -> Event:
    """Two rounds of five, a bye asked for in the third, two kept apart, three points for a win."""
    event = event_of(ana, rounds_total=5, win_halves=6, draw_halves=2, bye_halves=6)
    _started(event, nine[:8], ana)
    play_rounds(event, 2)
    entries.withdraw(event_id=event.pk, player=nine[1], actor=ana)
    return event


@pytest.mark.long
def test_files_for_older_engines_have_no_line_that_bbp_pairings_refuses(
    nine: list[Player], ana: User
) -> None:
    event = _swiss(nine, ana)
    for text in (reports.trf_2025_of(event), reports.trf16_of(event)):
        assert bbp.refused_lines(text) == []
    # It knows the code of the handbook no more than the symbol for absences.
    assert bbp.refused_lines(reports.trf_of(event)) == ["192 FIDE_DUTCH_2026"]
    assert bbp.refused_lines("162  W 3.0    A 0.0\n")
    assert trf.read(reports.trf_2025_of(event)).system == "FIDE_DUTCH_2025"


@pytest.mark.skipif(
    BBPPAIRINGS is None, reason="bbpPairings is neither on the PATH nor in BBPPAIRINGS"
)
@pytest.mark.parametrize("write", [reports.trf_2025_of, reports.trf16_of])
def test_bbp_pairings_pairs_the_next_round_from_the_file(
    nine: list[Player], ana: User, tmp_path: Path, write: Callable[[Event], str]
) -> None:
    event = event_of(ana, rounds_total=5, is_automatic=False)
    _started(event, nine, ana)
    play_rounds(event, 2)
    file = tmp_path / "event.trf"
    file.write_text(write(event))
    assert BBPPAIRINGS is not None
    pairs = bbp.paired(BBPPAIRINGS, file)
    play_rounds(event, 1)
    ours = event.pairings.filter(round__number=3).values_list("first__tpn", "second__tpn")
    assert {pair for pair in pairs if 0 not in pair} == set(ours)


@pytest.mark.long
def test_the_older_dialect_gives_the_same_problem(nine: list[Player], ana: User) -> None:
    event = event_of(ana, rounds_total=5, is_automatic=False, is_accelerated=True)
    _started(event, nine, ana)
    play_rounds(event, 2)
    entries.withdraw(event_id=event.pk, player=nine[1], actor=ana)
    entries.request_bye(event_id=event.pk, player=nine[4], actor=ana, round_number=3, kind="half")
    older = reports.trf16_of(event)
    assert [line[:3] for line in older.splitlines() if line[:3] in ("XXR", "XXC", "XXA")]
    assert not [line for line in older.splitlines() if line[:3] in ("142", "152", "192", "240")]
    newer = trf.pairing_problem(trf.read(reports.trf_of(event)))
    assert trf.pairing_problem(trf.read(older)) == newer
    assert {c.tpn for c in newer.absent} == {
        e.tpn for e in event.entries.filter(player__in=[nine[1], nine[4]])
    }


@pytest.mark.long
def test_points_of_the_event_are_in_the_older_dialect(nine: list[Player], ana: User) -> None:
    event = _swiss(nine, ana)
    lines = reports.trf16_of(event).splitlines()
    assert {"BBW  3.0", "BBD  1.0", "BBU  3.0"} <= set(lines)
    assert trf.read("\n".join(lines)).points == trf.read(reports.trf_of(event)).points


@pytest.mark.long
@pytest.mark.parametrize(
    ("format_", "options"),
    [
        ("dutch", {"rounds_total": 3}),
        ("round-robin", {}),
        ("knockout", {}),
        ("double-knockout", {}),
        ("groups-knockout", {"groups": 2, "qualifiers": 1}),
        ("league", {"groups": 2, "promotion_places": 1, "seasons": 2}),
    ],
)
@pytest.mark.part(0.4)
def test_the_file_has_the_ranks_of_the_page(
    nine: list[Player], ana: User, format_: str, options: dict[str, int]
) -> None:
    event = _started(event_of(ana, format=format_, **options), nine[:6], ana)
    play_rounds(event, 40)
    assert event.state == Event.State.FINISHED
    text = reports.trf_of(event)
    ranks = {row.entry.tpn: row.rank for row in tables.event_table(event).rows}
    assert {p.id: p.place for p in trf.read(text).players} == ranks
    assert not [line for line in text.splitlines() if line.startswith("240")]


@pytest.mark.long
def test_the_winner_of_a_league_leads_its_first_division(nine: list[Player], ana: User) -> None:
    event = event_of(ana, format="league", groups=2, promotion_places=1, seasons=2)
    _started(event, nine[:6], ana)

    def last_wins(game: Game) -> str:
        return "first" if game.first.name > game.second.name else "second"

    play_rounds(event, 20, last_wins)
    assert event.state == Event.State.FINISHED
    upper = tables.sections(event)[0]
    assert (upper.season, upper.number) == (2, 1)
    rows = tables.event_table(event).rows
    assert [row.entry.pk for row in rows[:3]] == [row.entry.pk for row in upper.rows]


@pytest.mark.long
def test_equals_of_a_group_share_the_rank_and_are_told_what_decided(
    nine: list[Player], ana: User, client: Client
) -> None:
    event = event_of(ana, format="groups-knockout", groups=2, qualifiers=1)
    _started(event, nine[:6], ana)
    play_rounds(event, 3, all_draw)
    for section in tables.sections(event):
        assert [row.rank for row in section.rows] == [1, 1, 1]
        assert [row.movement for row in section.rows] == ["qualified", "", ""]
        assert all(row.is_by_number for row in section.rows)
    page = client.get(f"/events/{event.slug}/standings/").content.decode()
    assert "the smaller pairing number" in page
    play_rounds(event, 3)
    ranks = [row.rank for row in tables.event_table(event).rows]
    assert ranks == [1, 2, 3, 3, 3, 3]


@pytest.mark.long
def test_who_left_a_round_robin_after_half_loses_the_rest_by_forfeit(
    nine: list[Player], ana: User, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    event = _started(event_of(ana, format="round-robin", is_automatic=False), nine[:4], ana)
    play_rounds(event, 2)
    leaver = event.entries.get(player=nine[3])
    entries.withdraw(event_id=event.pk, player=nine[3], actor=ana)
    play_rounds(event, 1)
    text = reports.trf_of(event)
    result = _results(text, leaver.tpn or 0)[2]
    opponent, code = result.split()
    assert code == "-"
    assert _results(text, int(opponent))[2] == f"{leaver.tpn} +"
    _as_on_the_page(event, tmp_path / "event.trf", capsys)


@pytest.mark.long
def test_who_left_a_round_robin_before_half_counts_for_nobody(
    nine: list[Player],
    ana: User,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    client: Client,
) -> None:
    event = _started(event_of(ana, format="round-robin", is_automatic=False), nine[:5], ana)
    play_rounds(event, 2)
    # The best of all, with one win or two of four games to come.
    games_of = Game.objects.of(nine[0]).filter(pairing__event=event).count()
    leaver = nine[0] if games_of == 1 else _with_one_game(event)
    entries.withdraw(event_id=event.pk, player=leaver, actor=ana)
    play_rounds(event, 5)
    rows = {row.entry.player: row for row in tables.event_table(event).rows}
    out = rows.pop(leaver)
    assert (out.is_annulled, out.points_halves, out.rank) == (True, 0, 5)
    # Three games are left to each of the others.
    assert sum(row.points_halves for row in rows.values()) == 4 * 3
    _as_on_the_page(event, tmp_path / "event.trf", capsys)
    page = client.get(f"/events/{event.slug}/standings/").content.decode()
    assert "less than half of the games" in page


def _with_one_game(event: Event) -> Player:
    for entry in event.entries.select_related("player"):
        if Game.objects.of(entry.player).filter(pairing__event=event).count() == 1:
            return entry.player
    raise AssertionError("an odd table gives somebody a free round")


def _as_on_the_page(event: Event, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The tool that ranks report files finds the points and tie-breaks of the page."""
    file.write_text(reports.trf_of(event))
    table = tables.event_table(event)
    assert standings_command([str(file), "--edition", "2026"]) == 0
    answer = json.loads(capsys.readouterr().out)["players"]
    names = [each.name for each in table.tie_breaks]
    ours = {
        row.entry.tpn: (row.points_halves / 2, [value or None for value in row.values])
        for row in table.rows
        if not row.is_annulled
    }
    theirs = {
        row["id"]: (float(row["points"]), [row["tiebreaks"][name] for name in names])
        for row in answer
        if row["id"] in ours
    }
    assert theirs == ours
    claimed = {p.id: (p.points_halves or 0) / 2 for p in trf.read(file.read_text()).players}
    assert {tpn: claimed[tpn or 0] for tpn in ours} == {tpn: own[0] for tpn, own in ours.items()}


@pytest.mark.long
def test_the_file_says_when_by_what_and_what_was_corrected(ana: User) -> None:
    long_name = "Maria Magdalena Bartholomea von Uhland"
    assert len(long_name) > trf.NAME_WIDTH
    bots = [players.add_bot(name=name, engine="random") for name in (long_name, "Bo", "Cy", "Di")]
    event = _started(
        event_of(ana, rounds_total=2, tie_breaks="SB,BH/C1", is_automatic=False), bots, ana
    )
    Entry.objects.filter(event=event, player=bots[1]).update(federation="SUI", fide_id="1300474")
    play_rounds(event, 2)
    Round.objects.filter(event=event, number=1).update(started_at="2026-11-20T19:30:00Z")
    game = Game.objects.get(pairing__event=event, pairing__round__number=1, pairing__board=1)
    after = "second" if game.result == "first" else "first"
    corrections.correct(game_id=game.pk, actor=ana, result=after, reason="wrong side noted")
    lines = reports.trf_of(event).splitlines()
    (dates,) = [line for line in lines if line.startswith("132")]
    assert dates[91:99] == "26/11/20"
    assert len(dates) == 109
    assert "202 SB,BH/C1" in lines
    assert "212 PTS,SB,BH/C1" in lines
    tpn = event.entries.get(player=bots[0]).tpn
    assert f"### name of player {tpn} in full: {long_name}" in lines
    (correction,) = [line for line in lines if line.startswith("### correction")]
    assert correction.startswith("### correction of round 1, board 1 (")
    was, now = ("1-0", "0-1") if after == "second" else ("0-1", "1-0")
    assert correction.endswith(f"{was} before, {now} after")
    player = next(p for p in trf.read("\n".join(lines)).players if p.name == "Bo")
    assert (player.federation, player.fide_id) == ("SUI", "1300474")


def test_the_older_dialect_is_a_download(client: Client, nine: list[Player], ana: User) -> None:
    event = _started(event_of(ana), nine[:4], ana)
    answer = client.get(f"/events/{event.slug}/report-trf16.trf")
    assert answer.status_code == 200
    assert answer.content.decode().splitlines()[0] == "012 Test"
    assert answer["Content-Disposition"] == f'attachment; filename="{event.slug}-trf16.trf"'
