"""The pages of festivals: sections, entries, boards, the print job and the archive."""

from __future__ import annotations

import json
import re
import zipfile
from dataclasses import replace
from datetime import date
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from tests.tournaments import pages
from tests.tournaments.festival_events import festival_of
from tests.tournaments.series_events import finished, play_round
from tournaments.models import Entry, Event, Festival, User
from tournaments.queries.archives import archive_file, festival_archive
from tournaments.queries.archives.archive_data import ArchiveError
from tournaments.queries.results.fide_rules import Departure, departures
from tournaments.services.arbiter import entry_acts
from tournaments.services.events import entries
from tournaments.services.festivals import changes
from tournaments.services.rounds import lifecycle, publication, rounds


def _text(client: Client, path: str) -> str:
    return " ".join(pages.text_of(client.get(path).content).split())


def _publish(event: Event) -> None:
    lifecycle.start_event(event_id=event.pk, actor=event.organiser)
    rounds.draft_round(event_id=event.pk, actor=event.organiser)
    publication.publish_round(event_id=event.pk, actor=event.organiser)


@pytest.mark.long
def test_the_page_has_the_progress_of_each_section(client: Client, ana: User) -> None:
    festival, (a, _) = festival_of(ana, 4, 3)
    _publish(a)
    text = _text(client, festival.get_absolute_url())
    assert "2 sections · 7 players · run by Ana" in text
    assert "Weekend A running" in text
    assert "4 players · Round 1 of 3: 0 of 2 games over" in text
    assert "Weekend B registration open" in text


def test_the_page_follows_its_open_sections(client: Client, ana: User) -> None:
    festival, (a, b) = festival_of(ana, 4, 3)
    address = festival.get_absolute_url()
    Event.objects.filter(pk=b.pk).update(state=Event.State.CANCELLED)
    (stream,) = re.findall(
        r'id="sections"[^>]*data-stream="([^"]*)"', client.get(address).content.decode()
    )
    assert f"event:{a.pk}=" in stream
    assert f"event:{b.pk}=" not in stream
    Event.objects.filter(pk=a.pk).update(state=Event.State.CANCELLED)
    assert "events/festival" not in client.get(address).content.decode()


@pytest.mark.long
def test_the_list_of_events_has_one_row_for_the_festival(client: Client, ana: User) -> None:
    festival, _ = festival_of(ana, 2, 3)
    for path in ("/events/", "/"):
        text = _text(client, path)
        assert "Weekend festival 2 sections · 5 players" in text
        assert "Weekend A" not in text
    over = changes.create(organiser=ana, about=changes.About("Past"))
    event = finished(ana, "Past A", "Al", "Bo")
    changes.run(code="add", festival_id=over.pk, actor=ana, subject=event.slug)
    assert "Past 1 section – 2" in _text(client, "/events/")
    assert festival.get_absolute_url() in client.get("/events/").content.decode()


@pytest.mark.long
def test_a_player_sees_the_sections_with_reasons_and_chooses(ana: User, ben: User) -> None:
    festival, (a, b) = festival_of(ana, 0, 0)
    Event.objects.filter(pk=a.pk).update(min_centielo=180_000)
    client, path = pages.member(ben), festival.get_absolute_url()
    text = _text(client, path)
    assert "The rating is too low for this event." in text
    assert text.count("Join") == 1
    client.post(reverse("event-enter", args=[b.slug]), {"next": path})
    assert b.entries.filter(player=ben.player).exists()
    text = _text(client, path)
    assert "You take part." in text
    assert "Each player can enter one section of the festival." in text


def test_an_access_code_is_asked_for_on_the_page(ana: User, ben: User) -> None:
    festival, (a,) = festival_of(ana, 0)
    Event.objects.filter(pk=a.pk).update(access_code="tower")
    client, path = pages.member(ben), festival.get_absolute_url()
    assert 'placeholder="Access code"' in client.get(path).content.decode()
    client.post(reverse("event-enter", args=[a.slug]), {"next": path, "code": "tower"})
    assert a.entries.filter(player=ben.player).exists()


def test_a_private_section_is_seen_by_its_people_alone(
    client: Client, ana: User, ben: User
) -> None:
    festival, (_, b) = festival_of(ana, 0, 0)
    path = festival.get_absolute_url()
    Event.objects.filter(pk=b.pk).update(is_private=True, access_code="tower")
    assert "Weekend B" not in _text(client, path)
    assert "Weekend B" in _text(pages.member(ana), path)
    Event.objects.filter(section__festival=festival).update(is_private=True, access_code="tower")
    assert client.get(path).status_code == 404
    assert "Weekend" not in _text(client, "/events/")
    entries.enter(event_id=b.pk, player=ben.player, actor=ben, code="tower")
    assert "Weekend B" in _text(pages.member(ben), path)


def test_a_section_leads_to_the_festival_and_to_the_others(client: Client, ana: User) -> None:
    festival, (a, b) = festival_of(ana, 0, 0)
    page = client.get(reverse("event-standings", args=[a.slug])).content.decode()
    sections = re.search(r'<nav class="sections".*?</nav>', page, re.DOTALL)
    assert sections is not None
    assert re.findall(r'href="([^"]+)"', sections[0]) == [
        festival.get_absolute_url(),
        a.get_absolute_url(),
        b.get_absolute_url(),
    ]


@pytest.mark.long
def test_a_new_section_takes_the_settings_of_another(ana: User) -> None:
    festival, (a,) = festival_of(ana, 0, first_day=date(2026, 12, 5))
    client = pages.member(ana)
    desk = client.get(reverse("festival-desk", args=[festival.slug])).content.decode()
    href = re.search(r'href="([^"]+like=weekend-a)"', desk)
    assert href is not None
    page = client.get(href[1].replace("&amp;", "&")).content.decode()
    assert 'value="Weekend B"' in page
    assert 'value="2026-12-05"' in page
    form = {"name": "Weekend B", "ruleset": a.ruleset, "format": "dutch", "rounds_total": "3",
            "clock": "600+10", "admits": "people", "max_entries": "8", "pause_s": "60",
            "start_mode": "publication", "festival": festival.slug, "like": a.slug}  # fmt: skip
    answer = client.post(reverse("event-new"), form)
    assert answer["Location"] == festival.get_absolute_url()
    assert Event.objects.get(slug="weekend-b").section.festival == festival


def test_another_account_adds_no_section(ana: User, ben: User) -> None:
    festival, _ = festival_of(ana, 0)
    address = f"{reverse('event-new')}?festival={festival.slug}"
    assert pages.member(ben).get(address).status_code == 403


@pytest.mark.long
def test_the_staff_moves_a_player_by_the_desk(ana: User) -> None:
    _, (a, b) = festival_of(ana, 2, 0)
    client, entry = pages.member(ana), a.entries.first()
    assert entry is not None
    for name in ("event-desk", "event-entries"):
        assert 'value="move"' in client.get(reverse(name, args=[a.slug])).content.decode()
    form = {"act": "move", "entry": entry.pk, "section": b.slug, "next": "/"}
    client.post(reverse("event-desk-entry", args=[a.slug]), form)
    assert Entry.objects.get(pk=entry.pk).event == b
    log = _text(client, reverse("event-log", args=[b.slug]))
    assert "A 0 was moved here from the section Weekend A." in log


def test_a_full_point_bye_that_leaves_the_rules_of_a_section_asks_twice(ana: User) -> None:
    _, (a, b) = festival_of(ana, 2, 0, format="dutch")
    client, entry = pages.member(ana), a.entries.get(player__name="A 0")
    entry_acts.grant_bye(
        event_id=a.pk, actor=ana, entry_id=entry.pk, round_number=1, kind="full", reason="travel"
    )
    form = {"act": "move", "entry": entry.pk, "section": b.slug, "next": "/"}
    address = reverse("event-desk-entry", args=[a.slug])
    for answer in ({}, {"confirm": "1"}):
        page = client.post(address, {**form, **answer}).content.decode()
        assert "Weekend B will leave FIDE&#x27;s rules permanently." in page
    assert not b.entries.exists()
    client.post(address, {**form, "confirm": "1", "is_understood": "1"})
    b.refresh_from_db()
    moved = b.entries.get()
    entry_acts.cancel_bye(event_id=b.pk, actor=ana, entry_id=moved.pk, round_number=1)
    b.refresh_from_db()
    assert departures(b) == [Departure.FULL_BYES]


@pytest.fixture
def weekend(ana: User) -> tuple[Festival, list[Event]]:
    """A festival with two sections of two boards each, whose first round is published."""
    festival, events = festival_of(ana, 4, 4)
    for event in events:
        _publish(event)
    return festival, events


@pytest.mark.long
def test_pages_and_sheets_have_the_numbers_of_the_hall(
    client: Client, ana: User, weekend: tuple[Festival, list[Event]]
) -> None:
    b = weekend[1][1]
    table = client.get(reverse("event-pairings", args=[b.slug])).content.decode()
    assert re.findall(r'class="number board">(\d+)', table) == ["3", "4"]
    slips = _text(client, reverse("event-sheet-of-round", args=[b.slug, "slips", 1]))
    assert re.findall(r"Board (\d+)", slips) == ["3", "4"]
    organiser = pages.member(ana)
    desk = organiser.get(reverse("event-results", args=[b.slug])).content.decode()
    assert re.findall(r'data-board="(\d+)"', desk) == ["3", "4"]


@pytest.mark.long
def test_results_are_typed_by_the_numbers_of_the_hall(
    ana: User, weekend: tuple[Festival, list[Event]]
) -> None:
    b = weekend[1][1]
    client, path = pages.member(ana), reverse("event-result-enter", args=[b.slug])
    client.post(path, {"round_number": "1", "line": "4 1"})
    assert list(b.pairings.values_list("board", "entered_result")) == [(1, ""), (2, "first")]
    client.post(reverse("round-close", args=[b.slug, 1]))
    assert "Boards without a result: 3" in _text(client, reverse("event-results", args=[b.slug]))
    client.post(path, {"round_number": "1", "line": "2 1"})
    assert list(b.pairings.values_list("entered_result", flat=True)) == ["", "first"]
    form = {"round_number": "1", "board": "1", "result": "draw"}
    answer = client.post(path, form, headers={"Accept": "application/json"})
    assert answer.json()["board"] == 3
    assert "Round 1, board 4: “" in _text(client, reverse("event-log", args=[b.slug]))


@pytest.mark.long
def test_one_print_job_has_all_sections(
    client: Client, weekend: tuple[Festival, list[Event]]
) -> None:
    festival = weekend[0]
    for kind, count in (("pairings", 2), ("names", 2), ("slips", 2), ("standings", 2)):
        page = client.get(reverse("festival-sheet", args=[festival.slug, kind])).content.decode()
        assert page.count('<article class="paper-part">') == count
        ids = re.findall(r'\sid="([^"]+)"', page)
        assert len(ids) == len(set(ids))
    slips = _text(client, reverse("festival-sheet", args=[festival.slug, "slips"]))
    assert re.findall(r"Board (\d+)", slips) == ["1", "2", "3", "4"]
    assert client.get(reverse("festival-sheet", args=[festival.slug, "cards"])).status_code == 404


def test_drafts_are_printed_for_the_staff_only(client: Client, ana: User) -> None:
    festival, (a,) = festival_of(ana, 4)
    lifecycle.start_event(event_id=a.pk, actor=ana)
    rounds.draft_round(event_id=a.pk, actor=ana)
    path = reverse("festival-sheet", args=[festival.slug, "pairings"])
    assert "No section has a published round." in _text(client, path)
    assert "paper-part" in pages.member(ana).get(path).content.decode()


def _archive(client: Client, festival: Festival) -> bytes:
    return client.get(reverse("festival-archive", args=[festival.slug])).content


@pytest.mark.long
def test_the_archive_is_computed_again_section_by_section(
    client: Client, ana: User, tmp_path: Path
) -> None:
    festival, events = festival_of(ana, 4, 5)
    for event in events:
        play_round(event)
    file = tmp_path / "weekend.zip"
    file.write_bytes(_archive(client, festival))
    out = StringIO()
    call_command("verify", str(file), stdout=out)
    assert "weekend-a, standings: 4, as computed" in out.getvalue()
    assert "weekend-b, standings: 5, as computed" in out.getvalue()
    assert "differ" not in out.getvalue()


@pytest.mark.long
def test_a_false_standing_in_one_section_is_found(client: Client, ana: User) -> None:
    festival, events = festival_of(ana, 4, 4)
    for event in events:
        play_round(event)
    record, archives = festival_archive.read(_archive(client, festival))
    packed = {each.event.slug: archive_file.packed(each) for each in archives}
    forged = archive_file.unpacked(packed["weekend-b"])
    first, *others = forged.standings
    row = replace(first, rank=first.rank + 1)
    forged = replace(forged, standings=(row, *others))
    packed["weekend-b"] = archive_file.packed(forged)
    record, archives = festival_archive.read(festival_archive.packed(record, packed))
    checks = festival_archive.verify(record, archives)
    differing = [check.name for check in checks if check.differences]
    assert differing == ["weekend-b, standings"]


@pytest.mark.long
def test_an_archive_has_one_member_for_each_section(client: Client, ana: User) -> None:
    festival, (a,) = festival_of(ana, 4)
    play_round(a)
    record, archives = festival_archive.read(_archive(client, festival))
    members = {slug: archive_file.packed(archives[0]) for slug in ("weekend-a", "other")}
    data = festival_archive.packed(replace(record, sections=tuple(members)), members)
    file = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as source, zipfile.ZipFile(file, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            if name == festival_archive.MEMBER:
                content = json.dumps({**json.loads(content), "sections": ["weekend-a"]}).encode()
            target.writestr(name, content)
    with pytest.raises(ArchiveError, match="not one archive for each section"):
        festival_archive.read(file.getvalue())
