"""Ratings of a long event by rounds: tie-breaks, report file, archive, log, and the advice against such tie-breaks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta

import pytest
from django.urls import reverse

from tests.tournaments import over_board, shared_rows
from tests.tournaments.pages import member, text_of
from tournaments import database_time, trf
from tournaments.errors import RefusedError, StaleError
from tournaments.models import Event, User
from tournaments.models.entries import LaterRating
from tournaments.queries.arbiter import foreign_reports
from tournaments.queries.archives import archive_file, event_archive, verification
from tournaments.queries.archives.archive_data import Archive, ArchivedRating
from tournaments.queries.events import plans
from tournaments.queries.results import pairing_input, reports, tables
from tournaments.services.arbiter import later_ratings, report_import, undo
from tournaments.services.arbiter.report_import import ImportChoice
from tournaments.services.events import settings
from tournaments.standings import Edition, ranking

NAMES = ("Alba", "Bruno", "Celia", "Dario")
Acting = Callable[..., object]


def _played(ana: User) -> Event:
    """A Swiss of four players (2000, 1990, 1980, 1970) after two rounds, ranked by average ratings."""
    event = over_board.event_of(ana, format="dutch", rounds_total=3, tie_breaks="ARO,TPR,PTP,RTNG")
    over_board.enter_listed(event, *NAMES)
    over_board.play(event, rounds=2)
    return event


rows_of_file = over_board.rows(_played)
ana = shared_rows.part("ana")
event = shared_rows.part("event")


@pytest.fixture
def rate_from(event: Event, ana: User) -> Acting:
    """Return a function that rates players from a round on."""

    def do(name: str, from_round: int, elo: int | None) -> object:
        return later_ratings.set_rating_from(
            event_id=event.pk,
            actor=ana,
            entry_id=event.entries.get(player__name=name).pk,
            from_round=from_round,
            centielo=None if elo is None else 100 * elo,
            reason="list of December",
        )

    return do


def by_round(event: Event, actor: User) -> None:
    """Let the tie-breaks of the event take the rating of the round."""
    event.refresh_from_db()
    plan = replace(plans.plan_of(event), tie_break_rating="round")
    settings.change(event_id=event.pk, actor=actor, plan=plan)
    event.refresh_from_db()


def values(event: Event) -> dict[str, list[str]]:
    return {row.entry.player.name: list(row.values) for row in tables.event_table(event).rows}


def opponent_in_round_2(event: Event, name: str) -> str:
    pairing = event.pairings.get(round__number=2, seats__entry__player__name=name)
    first, second = pairing.first.player.name, pairing.second.player.name
    return second if first == name else first


def faults(archive: Archive) -> set[str]:
    checks = verification.verify(archive)
    return {each.name for each in checks if each.differences}


def test_tie_breaks_take_the_first_rating_until_the_setting_says_the_round(
    event: Event, rate_from: Acting, ana: User
) -> None:
    before = values(event)
    rate_from("Alba", 2, 2400)
    assert values(event) == before
    by_round(event, ana)
    after, opponent = values(event), opponent_in_round_2(event, "Alba")
    changed = {name for name in NAMES if after[name] != before[name]}
    assert changed == {opponent}
    assert float(after[opponent][0]) == float(before[opponent][0]) + 200


def test_numbers_and_the_input_of_the_next_round_stay(
    event: Event, rate_from: Acting, ana: User
) -> None:
    numbers = dict(event.entries.values_list("player__name", "tpn"))
    report = pairing_input.build(event, 3).report
    rate_from("Dario", 3, 2500)
    by_round(event, ana)
    assert dict(event.entries.values_list("player__name", "tpn")) == numbers
    assert pairing_input.build(event, 3).report == report


def test_the_report_file_gives_the_same_values(event: Event, rate_from: Acting, ana: User) -> None:
    rate_from("Alba", 2, 2400)
    text = reports.trf_of(event)
    assert "### rating from round 2: 1 2400\n" in text
    assert "### tie-breaks take the rating of the round\n" not in text
    assert _values_of_the_file(text) == values(event)
    by_round(event, ana)
    text = reports.trf_of(event)
    assert "### tie-breaks take the rating of the round\n" in text
    assert _values_of_the_file(text) == values(event)


@pytest.mark.long
@pytest.mark.parametrize("is_by_round", [False, True])
def test_an_imported_report_keeps_the_later_ratings(
    event: Event, rate_from: Acting, ana: User, *, is_by_round: bool
) -> None:
    rate_from("Alba", 2, 2400)
    rate_from("Alba", 3, 2500)
    rate_from("Dario", 3, 1800)
    if is_by_round:
        by_round(event, ana)
    text = reports.full_trf_of(event)
    foreign = foreign_reports.read(text)
    assert "###" not in foreign.not_kept
    choice = ImportChoice(name=event.name, ruleset="morelli(size=5)", goes_on=True)
    again = report_import.import_report(organiser=ana, text=text, choice=choice)
    assert values(again) == values(event)
    assert _rating_lines(reports.full_trf_of(again)) == _rating_lines(text) != []


def _rating_lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("###") and "rating" in line]


def test_a_rating_that_no_event_can_have_is_not_imported(
    event: Event, rate_from: Acting, ana: User
) -> None:
    rate_from("Alba", 2, 2400)
    text = reports.trf_of(event).replace("round 2: 1 2400", "round 1: 1 2400")
    foreign = foreign_reports.read(text + "### rating from round 2: 1 99\n")
    assert list(foreign_reports.later_ratings(foreign.report).values()) == [[]]


def _values_of_the_file(text: str) -> dict[str, list[str]]:
    report = trf.read(text)
    field = trf.standings_field(report, system=trf.system_of(report), edition=Edition.MARCH_2026)
    names = {player.id: player.name for player in report.players}
    places = ranking(field, trf.announced_tie_breaks(report)).places
    return {
        names[each.id]: ["" if v is None else str(v) for n, v in each.values.items() if n != "PTS"]
        for each in places
    }


def test_the_archive_verifies_with_these_ratings_alone(
    event: Event, rate_from: Acting, ana: User
) -> None:
    rate_from("Alba", 2, 2400)
    by_round(event, ana)
    archive = archive_file.unpacked(event_archive.of_event(event))
    assert archive.entries[0].later_ratings == (ArchivedRating(2, 240_000, ""),)
    assert faults(archive) == set()
    first = replace(archive.entries[0], later_ratings=())
    assert faults(replace(archive, entries=(first, *archive.entries[1:]))) == {"standings"}
    setting = replace(archive.event, tie_break_rating="start")
    assert faults(replace(archive, event=setting)) == {"standings"}


@pytest.mark.long
def test_the_terms_of_a_value_name_the_rating_of_the_round(
    event: Event, rate_from: Acting, ana: User
) -> None:
    rate_from("Alba", 2, 2400)
    by_round(event, ana)
    opponent = event.entries.get(player__name=opponent_in_round_2(event, "Alba"))
    address = reverse("event-standings", args=[event.slug])
    for name in ("ARO", "PTP"):
        page = text_of(member(ana).get(address, {"of": str(opponent.tpn), "by": name}).content)
        assert page.count("the rating that the opponent had in this round") == 1


def test_a_rating_is_replaced_removed_and_undone(
    event: Event, rate_from: Acting, ana: User
) -> None:
    def ratings() -> list[LaterRating]:
        return event.entries.get(player__name="Alba").ratings_by_round

    rate_from("Alba", 3, 2100)
    rate_from("Alba", 2, 2050)
    assert ratings() == [LaterRating(2, 205_000), LaterRating(3, 210_000)]
    rate_from("Alba", 2, 2060)
    rate_from("Alba", 3, None)
    assert ratings() == [LaterRating(2, 206_000)]
    last, second, *_ = event.audit.filter(action="rating-from").order_by("-pk")
    undo.undo(event_id=event.pk, actor=ana, entry_id=last.pk, reason="mistake")
    undo.undo(event_id=event.pk, actor=ana, entry_id=second.pk, reason="mistake")
    assert ratings() == [LaterRating(2, 205_000), LaterRating(3, 210_000)]
    rate_from("Alba", 2, 2070)
    first = event.audit.filter(action="rating-from").order_by("pk")[1]
    with pytest.raises(StaleError, match="undo-late"):
        undo.undo(event_id=event.pk, actor=ana, entry_id=first.pk, reason="mistake")
    assert ratings()[0] == LaterRating(2, 207_000)


@pytest.mark.parametrize(
    ("from_round", "elo", "code"),
    [(1, 2000, "no-such-round"), (4, 2000, "no-such-round"), (2, 99, "rating-bad")],
)
def test_a_rating_holds_from_a_later_round_of_the_event(
    rate_from: Acting, from_round: int, elo: int, code: str
) -> None:
    with pytest.raises(RefusedError, match=code):
        rate_from("Alba", from_round, elo)


@pytest.mark.long
@pytest.mark.parametrize(
    ("days", "is_long"), [(30, False), (31, True)], ids=["thirty", "thirty-one"]
)
def test_an_event_of_more_than_30_days_is_marked_and_advised(
    event: Event, ana: User, days: int, is_long: bool
) -> None:
    first = date(2026, 3, 2)
    last = first + timedelta(days=days - 1)
    Event.objects.filter(pk=event.pk).update(first_day=first, last_day=last)
    overview = text_of(member(ana).get(event.get_absolute_url()).content)
    assert ("more than 30 days" in overview) is is_long
    page = text_of(member(ana).get(reverse("event-settings", args=[event.slug])).content)
    assert ("FIDE advises against tie-breaks by ratings" in page) is is_long
    assert ("It has ARO, TPR, PTP, RTNG." in page) is is_long


def test_an_event_without_days_is_long_once_it_has_lasted(event: Event, ana: User) -> None:
    begin = database_time.now() - timedelta(days=31)
    Event.objects.filter(pk=event.pk).update(started_at=begin)
    assert "more than 30 days" in text_of(member(ana).get(event.get_absolute_url()).content)
