"""Events by Double-Swiss, Keizer and McMahon from start to end: rounds, byes, tables, pages and report files."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from tests.tournaments.conftest import enter, event_of
from tests.tournaments.events import assert_confirmed, lower_number_wins, to_the_end
from tournaments import trf
from tournaments.commandline.standings import file_ranking
from tournaments.errors import RefusedError
from tournaments.models import Event, Game, Seat
from tournaments.pairing import SYSTEMS
from tournaments.queries import formats
from tournaments.queries.arbiter import foreign_reports
from tournaments.queries.archives import archive_file, event_archive, verification
from tournaments.queries.events import plans
from tournaments.queries.results import prize_outcomes, reports, standings
from tournaments.services.events import settings
from tournaments.services.rounds import lifecycle
from tournaments.standings import HouseRules

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

    from tournaments.models import Player, User

    MakeEvent = Callable[..., Event]
    EnterAll = Callable[..., None]


def _played(event: Event, bots: list[Player], organiser: User) -> Event:
    enter(event, *bots)
    event = lifecycle.start_event(event_id=event.pk, actor=organiser)
    rng = random.Random(5)
    to_the_end(event, lambda _game: rng.choice(["first", "draw", "second"]))
    return event


def _higher_number_wins(game: Game) -> str:
    return "second" if lower_number_wins(game) == "first" else "first"


@pytest.mark.parametrize("name", ["double-swiss", "keizer", "mcmahon"])
@pytest.mark.part(0.4)
@pytest.mark.long
def test_an_event_is_played_verified_and_looked_at(
    name: str, eight: list[Player], ana: User, client: Client
) -> None:
    event = _played(event_of(ana, format=name, rounds_total=4), eight[:5], ana)
    assert_confirmed(event)
    archive = archive_file.unpacked(archive_file.packed(event_archive.archive_of(event)))
    assert [each.name for each in verification.verify(archive) if each.differences] == []
    table = standings.event_table(event)
    url = event.get_absolute_url()
    board = event.rounds.get(number=2).pairings.earliest("board").board
    for path in ("", "standings/", "crosstable/", "pairings/4/", f"pairings/2/boards/{board}/"):
        assert client.get(f"{url}{path}").status_code == 200, path
    bye = Seat.objects.filter(round__event=event, kind=Seat.Kind.PAIRING_BYE).latest("pk")
    page = client.get(f"{url}pairings/{bye.round.number}/byes/{bye.entry.tpn}/")
    assert page.status_code == 200
    for row in table.rows:
        for chosen in table.tie_breaks:
            opened = standings.value_breakdown(event, row.entry.tpn or 0, chosen.name)
            assert opened is not None
            assert opened.total == opened.value


@pytest.mark.long
def test_a_match_of_the_double_swiss_has_two_games_and_a_bye_is_a_win_and_a_draw(
    eight: list[Player], ana: User
) -> None:
    event = _played(event_of(ana, format="double-swiss", rounds_total=3), eight[:5], ana)
    assert event.games_per_pairing == 2
    assert Game.objects.filter(pairing__event=event).count() == 3 * 2 * 2
    table = standings.event_table(event)
    # Each round has two matches of two games, and the bye: 4 + 1.5 points.
    assert sum(row.points_halves for row in table.rows) == 3 * (8 + 3)
    report = trf.read(reports.trf_of(event))
    assert (report.system, report.rounds_total) == ("FIDE_DOUBLESWISS", 3)
    assert trf.rounds_played(report) == 3
    assert not trf.points_conflict(report)
    assert [place.id for place in file_ranking(report).places] == [
        row.entry.tpn for row in table.rows
    ]
    again = trf.pairing_problem(report, 3, systems=trf.DOUBLE_SWISS)
    stored = event.rounds.get(number=3)
    assert again.contestants == trf.match_problem(trf.read(stored.report), 3).contestants


@pytest.mark.long
def test_keizer_goes_on_after_everybody_has_had_the_bye(eight: list[Player], ana: User) -> None:
    event = event_of(ana, format="keizer", rounds_total=7, rematch_gap=1, bye_percent=60)
    event = _played(event, eight[:3], ana)
    byes = Seat.objects.filter(round__event=event, kind=Seat.Kind.PAIRING_BYE)
    counts = sorted(byes.filter(entry=entry).count() for entry in event.entries.all())
    assert counts == [2, 2, 3]
    assert foreign_reports.read(reports.trf_of(event)).problems == []
    report = trf.read(event.rounds.get(number=7).report)
    assert report.system == "CUSTOM_KEIZER rematch_gap=1 bye_percent=60"
    problem = trf.pairing_problem(report, 7, systems=["CUSTOM_KEIZER"])
    assert problem.options.house_rules == HouseRules(rematch_gap=1, bye_percent=60)
    assert problem.most_meetings == 0


@pytest.mark.long
def test_the_table_of_keizer_is_that_of_keizer_points(eight: list[Player], ana: User) -> None:
    event = event_of(ana, format="keizer", rounds_total=3, tie_breaks="WIN")
    enter(event, *eight[:4])
    event = lifecycle.start_event(event_id=event.pk, actor=ana)
    to_the_end(event, lower_number_wins)
    table = standings.event_table(event)
    assert [each.name for each in table.tie_breaks] == ["KEIZER", "WIN"]
    assert [row.entry.tpn for row in table.rows] == [1, 2, 3, 4]
    # Values 6, 5, 4 and 3: the first has beaten all others, the last has no win.
    assert [row.values[0] for row in table.rows][::3] == ["12", "0"]


def test_mini_matches_are_no_choice_of_clubs(ana: User) -> None:
    with pytest.raises(RefusedError, match="keizer"):
        event_of(ana, format="keizer", games_per_pairing=2)
    assert event_of(ana, format="double-swiss").games_per_pairing == 2


@pytest.mark.parametrize("name", ["keizer", "dutch", "knockout"])
def test_the_two_games_of_a_match_end_with_its_format(name: str, ana: User) -> None:
    event = event_of(ana, format="double-swiss")
    plan = replace(plans.plan_of(event), format=name)
    event = settings.change(event_id=event.pk, actor=ana, plan=plan)
    assert (event.format, event.games_per_pairing) == (name, 1)


@pytest.mark.long
@pytest.mark.parametrize("name", ["keizer", "mcmahon"])
def test_players_of_a_club_share_prizes_only_if_they_share_a_place(
    name: str, eight: list[Player], ana: User
) -> None:
    event = _played(event_of(ana, format=name, rounds_total=3), eight[:5], ana)
    table = standings.event_table(event)
    order = prize_outcomes.candidates(event, table, {})
    pairs = itertools.combinations(zip(table.rows, order, strict=True), 2)
    assert all((a.rank == b.rank) == (one.score == other.score) for (a, one), (b, other) in pairs)
    assert len({row.points_halves for row in table.rows}) < len({row.rank for row in table.rows})


@pytest.mark.long
@pytest.mark.parametrize("chosen", ["", "SOS,WIN", "WIN,PTS"])
@pytest.mark.parametrize("name", ["keizer", "mcmahon"])
@pytest.mark.part(0.4)
def test_the_places_of_a_club_follow_from_its_report_file(
    name: str, chosen: str, eight: list[Player], ana: User
) -> None:
    event = event_of(ana, format=name, rounds_total=4, tie_breaks=chosen)
    enter(event, *eight[:5])
    for number, entry in enumerate(event.entries.order_by("pk")):
        entry.listed_centielo = 220_000 - 30_000 * number
        entry.save()
    event = lifecycle.start_event(event_id=event.pk, actor=ana)
    # The weaker players win, so that the order by points is another one.
    to_the_end(event, _higher_number_wins)
    report = trf.read(reports.trf_of(event))
    names = trf.announced_tie_breaks(report)
    assert names[0] == formats.of(event).leading_tie_breaks[0]
    places = {place.id: place.rank for place in file_ranking(report).places}
    table = standings.event_table(event)
    assert places == {row.entry.tpn: row.rank for row in table.rows}
    leading = [Fraction(row.values[0]) for row in table.rows]
    assert leading == sorted(leading, reverse=True)


@pytest.mark.long
@pytest.mark.parametrize(
    ("code", "rules"),
    [("mcmahon", HouseRules(bar_elo=1700, step_elo=50)), ("lim", HouseRules(maxi_elo=100))],
)
def test_the_report_of_an_event_is_imported_with_its_parameters(
    eight: list[Player], ana: User, code: str, rules: HouseRules
) -> None:
    """The parameters of another format are not in the report."""
    event = event_of(ana, format=code, rounds_total=3, **{**rules._asdict(), "rematch_gap": 5})
    event = _played(event, eight[:4], ana)
    foreign = foreign_reports.read(reports.trf_of(event))
    assert (foreign.format, foreign.problems) == (code, [])
    assert foreign.house_rules == rules
    report = trf.read(event.rounds.get(number=3).report)
    problem = trf.pairing_problem(report, 3, systems=SYSTEMS[code].report_codes)
    assert problem.options.house_rules == rules


@pytest.mark.long
def test_the_report_of_matches_of_two_games_is_not_imported(eight: list[Player], ana: User) -> None:
    matches = event_of(ana, format="double-swiss", rounds_total=2, name="Matches")
    matches = _played(matches, eight[:4], ana)
    codes = [each.code for each in foreign_reports.read(reports.trf_of(matches)).problems]
    assert codes == ["report-matches"]


def test_an_account_without_games_begins_mcmahon_with_1500_points_of_rating(
    eight: list[Player], ana: User
) -> None:
    event = event_of(ana, format="mcmahon", rounds_total=3, floor_elo=1200)
    enter(event, *eight[:4])
    event = lifecycle.start_event(event_id=event.pk, actor=ana)
    event.entries.filter(tpn=4).update(seed_centielo=0)  # a listed player without a rating
    starts = {row.entry.tpn: row.values[0] for row in standings.event_table(event).rows}
    assert starts == {1: "3", 2: "3", 3: "3", 4: "0"}
