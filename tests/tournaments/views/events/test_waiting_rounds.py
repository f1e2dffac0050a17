"""The pages of an event whose round is published while its games have not begun."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client

from tests.tournaments import pages
from tests.tournaments.conftest import enter, event_of
from tournaments import database_time
from tournaments.models import Event, Player, User
from tournaments.services.rounds import lifecycle, publication, rounds

_PAGES = ["", "live/", "pairings/", "pairings/1/", "pairings/1/boards/1/", "standings/", "desk/"]
_PAGES += ["crosstable/", "strengths/", "screen/", "print/crosstable/", "print/standings/"]
_PAGES += ["print/slips/1/", "print/pairings/1/", "log/"]


@pytest.fixture(params=[Event.Format.DUTCH, Event.Format.ROUND_ROBIN, Event.Format.KNOCKOUT])
def event(request: pytest.FixtureRequest, people: list[Player], ana: User) -> Event:
    event = event_of(
        ana, format=request.param, is_automatic=False, start_mode=Event.Start.BUTTON, name="Waiting"
    )
    enter(event, *people)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    rounds.draft_round(event_id=event.pk, actor=ana)
    publication.publish_round(event_id=event.pk, actor=ana)
    event.refresh_from_db()
    return event


@pytest.mark.part(0.4)
@pytest.mark.long
def test_every_page_is_there_before_the_games_begin(event: Event, ana: User) -> None:
    organiser = pages.member(ana)
    for page in _PAGES:
        assert organiser.get(f"{event.get_absolute_url()}{page}").status_code == 200, page
    page = Client().get(event.get_absolute_url()).content.decode()
    files = re.findall(
        r'href="([^"]+)"', page.partition('id="downloads"')[2].partition("<footer")[0]
    )
    assert len(files) > 5
    for file in files:
        assert Client().get(file).status_code == 200, file


def test_nobody_has_points_before_the_games_begin(event: Event) -> None:
    table = Client().get(f"{event.get_absolute_url()}crosstable/").content.decode()
    # One cell for each player's open game, without a cell for a bye.
    assert table.count("result running") == event.entries.count()


def test_a_round_that_begins_later_is_shown_until_then(people: list[Player], ana: User) -> None:
    event = event_of(ana, is_automatic=False, name="Later")
    enter(event, *people)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    rounds.draft_round(event_id=event.pk, actor=ana)
    tomorrow = database_time.now() + timedelta(days=1)
    publication.publish_round(event_id=event.pk, actor=ana, starts_at=tomorrow)
    for page in ("", "standings/", "crosstable/"):
        assert Client().get(f"{event.get_absolute_url()}{page}").status_code == 200, page
