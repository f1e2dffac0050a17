"""Departures from FIDE's rules: derived from settings and acts, shown on every page and in the report file."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments.over_board import enter_listed, event_of, next_round
from tests.tournaments.pages import member, text_of
from tournaments.models import User
from tournaments.queries.events import plans
from tournaments.queries.results import reports
from tournaments.queries.results.fide_rules import Departure, departures
from tournaments.services.arbiter import entry_acts, exchanged_sides, forbidden_pairs
from tournaments.services.events import settings
from tournaments.services.rounds import edits, lifecycle, publication

NAMES = ("Alba", "Bruno", "Celia", "Dario", "Elena", "Felix")


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"format": "dutch"}, []),
        ({"format": "round-robin"}, []),
        ({"format": "double-swiss"}, []),
        ({"format": "dutch", "tie_breaks": "BH/C1,LOT"}, []),
        ({"format": "dutch", "win_halves": 6, "draw_halves": 2, "bye_halves": 6}, []),
        ({"format": "dutch-2017"}, [Departure.EDITION]),
        ({"format": "lim", "maxi_elo": 100}, []),
        ({"format": "lim", "maxi_elo": 50}, [Departure.SYSTEM]),
        ({"format": "dutch", "maxi_elo": 50}, []),
        ({"format": "mcmahon"}, [Departure.SYSTEM, Departure.TIE_BREAKS]),
        ({"format": "swiss"}, [Departure.SYSTEM]),
        ({"format": "dutch", "games_per_pairing": 2}, [Departure.MINI_MATCHES]),
        ({"format": "knockout"}, []),
    ],
)
def test_departures_follow_from_the_settings(
    ana: User, settings: dict[str, object], expected: list[Departure]
) -> None:
    assert departures(event_of(ana, **settings)) == expected


def test_an_earlier_event_with_valuable_draws_is_not_by_the_rules(ana: User) -> None:
    event = event_of(ana, format="dutch")
    event.win_halves, event.draw_halves = 3, 2
    assert departures(event) == [Departure.POINTS]


@pytest.mark.long
def test_an_act_outside_the_rules_marks_every_page_and_the_report(
    ana: User, client: Client
) -> None:
    event = event_of(ana, format="dutch")
    enter_listed(event, *NAMES)
    address = f"/events/{event.slug}/"
    assert "FIDE's: C.04 for pairings" in client.get(address).content.decode()
    entry_acts.grant_bye(
        event_id=event.pk,
        actor=ana,
        entry_id=event.entries.earliest("pk").pk,
        round_number=1,
        kind="full",
        reason="plays for the country",
    )
    assert departures(event) == [Departure.FULL_BYES]
    for page in ("", "standings/", "pairings/", "log/"):
        assert "not by FIDE's rules" in client.get(f"{address}{page}").content.decode()
    assert "### not by the rules of FIDE: full-point byes\n" in reports.trf_of(event)


@pytest.mark.long
def test_the_forms_of_byes_warn_of_full_points(ana: User) -> None:
    event = event_of(ana, format="dutch")
    enter_listed(event, *NAMES)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    lifecycle.draft_next(event_id=event.pk, actor=ana)
    for name in ("event-desk", "event-entries", "event-draft"):
        page = text_of(member(ana).get(reverse(name, args=[event.slug])).content)
        assert "FIDE deprecates full-point byes." in page


@pytest.mark.long
def test_a_changed_pairing_departs_and_exchanged_colours_do_not(ana: User) -> None:
    event = event_of(ana, format="dutch")
    enter_listed(event, *NAMES)
    round_ = next_round(event)
    board = round_.pairings.get(board=1)
    exchanged_sides.exchange_sides(
        event_id=event.pk,
        actor=ana,
        round_number=1,
        board=1,
        first=board.second.tpn,
    )
    assert departures(event) == []
    other = event_of(ana, format="dutch", name="Other")
    enter_listed(other, *NAMES)
    lifecycle.start_event(event_id=other.pk, actor=ana)
    lifecycle.draft_next(event_id=other.pk, actor=ana)
    edits.flip(event_id=other.pk, actor=ana, board=1)
    publication.publish_round(event_id=other.pk, actor=ana)
    assert departures(other) == [Departure.BY_HAND]


def test_a_pair_may_be_forbidden_before_round_1_only(ana: User) -> None:
    event = event_of(ana, format="dutch")
    enter_listed(event, *NAMES)
    pks = list(event.entries.order_by("pk").values_list("pk", flat=True))
    forbidden_pairs.forbid(event_id=event.pk, actor=ana, entry_ids=pks[:2])
    next_round(event)
    assert departures(event) == []
    forbidden_pairs.forbid(event_id=event.pk, actor=ana, entry_ids=pks[1:3])
    assert departures(event) == [Departure.LATE_PAIRS]
    assert "### Forbidden pairs @ Round 1: 2 3\n" in reports.trf_of(event)
    assert reports.trf_of(event).count("Forbidden pairs @") == 1


def test_clubs_may_be_kept_apart_from_the_start_only(ana: User) -> None:
    event = event_of(ana, format="dutch")
    enter_listed(event, *NAMES)

    def keep_clubs_apart(answer: bool) -> list[Departure]:
        event.refresh_from_db()
        plan = replace(plans.plan_of(event), keeps_clubs_apart=answer)
        settings.change(event_id=event.pk, actor=ana, plan=plan)
        event.refresh_from_db()
        return departures(event)

    assert keep_clubs_apart(answer=True) == []
    next_round(event)
    assert keep_clubs_apart(answer=False) == []
    assert keep_clubs_apart(answer=True) == [Departure.LATE_PAIRS]
    assert keep_clubs_apart(answer=False) == [Departure.LATE_PAIRS]
    line = "### not by the rules of FIDE from round 2 on: pairs forbidden after round 1\n"
    assert line in reports.trf_of(event)
