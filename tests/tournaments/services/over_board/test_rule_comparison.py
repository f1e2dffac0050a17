"""Imported rounds, and the last round after a change of the number of rounds, compared with the pairing rules."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from django.urls import reverse

from tests.tournaments.pages import member, text_of
from tournaments import trf
from tournaments.commandline.generator import generate
from tournaments.commandline.recipe import Recipe
from tournaments.errors import RefusedError
from tournaments.models import Event, User
from tournaments.pairing.round_robin import scheduled
from tournaments.queries.arbiter import foreign_reports, rule_comparison
from tournaments.queries.arbiter.rule_comparison import Comparison
from tournaments.queries.events import plans
from tournaments.queries.results import reports
from tournaments.queries.results.fide_rules import Departure, departures
from tournaments.services.arbiter import report_import
from tournaments.services.arbiter.report_import import ImportChoice
from tournaments.services.events import settings
from tournaments.services.rounds import rounds


@cache
def _report(*, seed: int = 11, rounds_played: int = 5) -> trf.Report:
    """Return rounds of a tournament of 6 rounds by the rules. Its round 5 would be another as the last one."""
    report = generate(Recipe(players=8, rounds=6), seed, name="dutch").report
    players = (
        p._replace(results=p.results[:rounds_played], points_halves=None, place=None)
        for p in report.players
    )
    return report._replace(players=tuple(players))


def _with_other_colours(report: trf.Report, number: int) -> trf.Report:
    """Return the report with the colours of the first player's board of that round exchanged."""
    own = report.players[0].results[number - 1]
    assert own is not None
    both = {report.players[0].id, own.opponent}
    players = []
    for player in report.players:
        results = list(player.results)
        result = results[number - 1]
        if player.id in both and result is not None:
            results[number - 1] = result._replace(is_white=not result.is_white)
        players.append(player._replace(results=tuple(results)))
    return report._replace(players=tuple(players))


def _import(organiser: User, report: trf.Report, *, goes_on: bool = True) -> Event:
    choice = ImportChoice(name="Open", ruleset="morelli(size=5)", goes_on=goes_on)
    return report_import.import_report(organiser=organiser, text=trf.write(report), choice=choice)


def _change_length(event: Event, organiser: User, rounds_total: int) -> None:
    event.refresh_from_db()
    plan = replace(plans.plan_of(event), rounds_total=rounds_total)
    settings.change(event_id=event.pk, actor=organiser, plan=plan)


def _comments(event: Event) -> list[str]:
    return [
        line
        for line in reports.trf_of(event).splitlines()
        if line.startswith(("### Import", "### Configuration")) and "rules" in line
    ]


@pytest.mark.long
def test_imported_rounds_by_the_rules_stay_in_fide_mode(ana: User) -> None:
    event = _import(ana, _report())
    assert departures(event) == []
    assert _comments(event) == []


@pytest.mark.long
def test_imported_rounds_that_break_the_rules_are_named_and_leave_fide_mode(ana: User) -> None:
    event = _import(ana, _with_other_colours(_report(), 2))
    assert Departure.OTHER_PAIRINGS in departures(event)
    pairs = event.rounds.get(number=2).pairings
    board = pairs.get(first__tpn=1) if pairs.filter(first__tpn=1) else pairs.get(second__tpn=1)
    assert _comments(event)[0] == (
        f"### Import @ Round 2: boards that the rules do not give: {board.board}"
    )


@pytest.mark.long
def test_the_preview_and_the_import_warn_of_them(ana: User) -> None:
    client = member(ana)
    text = trf.write(_with_other_colours(_report(), 2))
    form = {"ruleset": "morelli(size=5)", "future": "go-on", "text": text, "name": "Open"}
    url = reverse("event-import")
    page = text_of(client.post(url, {**form, "action": "preview"}).content)
    assert "Round 2: the pairing rules do not give boards" in page
    assert not Event.objects.exists()
    page = text_of(client.post(url, {**form, "action": "import"}, follow=True).content)
    assert "Round 2: the pairing rules do not give boards" in page
    assert "not by FIDE's rules" in page


@pytest.mark.long
@pytest.mark.parametrize("limit", ["MOST_PLAYERS", "_MOST_S"])
def test_rounds_beyond_the_limits_are_not_compared(
    ana: User, limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rule_comparison, limit, -1)
    foreign = foreign_reports.read(trf.write(_report()))
    comparison = rule_comparison.of_report(foreign)
    left = {"MOST_PLAYERS": [1, 2, 3, 4, 5], "_MOST_S": [2, 3, 4, 5]}[limit]
    assert list(comparison.not_compared) == left
    event = _import(ana, _report())
    assert departures(event) == [Departure.NOT_COMPARED]
    assert _comments(event)[0] == (f"### Import @ Round {left[0]}: not compared with the rules")


def _table(*, exchanges_rounds: bool) -> trf.Report:
    """Return a double round robin of four in which all games were drawn."""
    results: dict[int, list[trf.Result]] = {tpn: [] for tpn in range(1, 5)}
    for number in range(1, 7):
        for board in scheduled(4, 2, number, exchanges_rounds=exchanges_rounds).boards:
            results[board.first].append(trf.Result(trf.Code.DRAW, board.second, True))
            results[board.second].append(trf.Result(trf.Code.DRAW, board.first, False))
    players = [trf.Player(tpn, f"Player {tpn}", tuple(own)) for tpn, own in results.items()]
    return trf.Report(tuple(players), rounds_total=6, system="BERGER_ROUNDROBIN")


@pytest.mark.parametrize("exchanges_rounds", [True, False])
def test_a_round_robin_is_compared_with_the_berger_table(exchanges_rounds: bool) -> None:
    report = _table(exchanges_rounds=exchanges_rounds)
    comparison = rule_comparison.of_report(foreign_reports.read(trf.write(report)))
    assert comparison == Comparison()
    other = foreign_reports.read(trf.write(_with_other_colours(report, 2)))
    assert list(rule_comparison.of_report(other).differing) == [2]


@pytest.mark.long
def test_a_round_that_becomes_the_last_one_is_compared_again(ana: User) -> None:
    event = _import(ana, _report())
    client = member(ana)
    page = client.get(reverse("event-settings", args=[event.slug]))
    form = {
        field.html_name: field.value() or ""
        for field in page.context["form"]
        if not field.field.disabled and field.value() is not False
    }
    answer = client.post(page.request["PATH_INFO"], {**form, "rounds_total": 5})
    assert "Round 5: the pairing rules do not give boards" in text_of(answer.content)
    _change_length(event, ana, 5)
    event.refresh_from_db()
    assert departures(event) == [Departure.OTHER_PAIRINGS]
    assert [line[:29] for line in _comments(event)] == ["### Configuration @ Round 5: "]


def test_a_round_that_is_the_last_one_of_neither_number_stays(ana: User) -> None:
    event = _import(ana, _report())
    _change_length(event, ana, 7)
    assert departures(event) == []


@pytest.mark.long
def test_a_draft_that_would_be_paired_otherwise_is_discarded_first(ana: User) -> None:
    event = _import(ana, _report(rounds_played=4))
    draft = rounds.draft_round(event_id=event.pk, actor=ana)
    assert draft.number == 5
    with pytest.raises(RefusedError, match="draft-last"):
        _change_length(event, ana, 5)
    rounds.discard_draft(event_id=event.pk, actor=ana)
    _change_length(event, ana, 5)
    assert departures(event) == []
