"""The page on which foreign events come in."""

from __future__ import annotations

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.tournaments.pages import member, text_of
from tests.tournaments.pairing import corpus
from tests.tournaments.services.over_board.test_team_import import LEAGUE
from tournaments import limits, trf
from tournaments.models import Event, Throttle, User
from tournaments.services.accounts import throttles

CASE = next(case for case in corpus.cases() if "pab" in case.tags and case.round_number < 8)
URL = "/events/import/"


def _form(**changes: object) -> dict[str, object]:
    return {"ruleset": "morelli(size=7)", "future": "go-on", "text": CASE.trf, **changes}


@pytest.mark.long
def test_a_file_is_looked_at_before_it_is_imported(ana: User) -> None:
    client = member(ana)
    upload = SimpleUploadedFile("open.trf", CASE.trf.encode())
    page = client.post(URL, _form(text="", upload=upload, action="preview"))
    assert "Player0001" in text_of(page.content)
    assert not Event.objects.exists()
    answer = client.post(URL, _form(name="Old Open", action="import"))
    event = Event.objects.get(name="Old Open")
    assert answer["Location"] == event.get_absolute_url()
    log = client.get(f"{event.get_absolute_url()}log/").content.decode()
    assert "The event was imported from a report file" in log
    for name in ("event", "event-pairings", "event-standings", "event-crosstable", "event-report"):
        assert client.get(reverse(name, args=[event.slug])).status_code == 200
    for name in ("event-round", "round-problem", "round-verify"):
        assert client.get(reverse(name, args=[event.slug, 1])).status_code == 200
    assert client.get(reverse("event-board", args=[event.slug, 1, 1])).status_code == 200


@pytest.mark.long
def test_teams_are_listed_before_they_are_imported(ana: User) -> None:
    client = member(ana)
    form = _form(text=trf.write(LEAGUE), name="Liga", future="keep")
    page = text_of(client.post(URL, {**form, "action": "preview"}).content)
    assert "Teams 3 Players 6 Rounds played 2 / 3" in page
    assert "1 Torre 1, 2" in page
    client.post(URL, {**form, "action": "import"})
    event = Event.objects.get(name="Liga")
    for name in ("event", "event-pairings", "event-standings", "event-teams", "event-report"):
        assert client.get(reverse(name, args=[event.slug])).status_code == 200
    assert client.get(reverse("event-round", args=[event.slug, 1])).status_code == 200


def test_problems_are_listed_with_their_lines(ana: User) -> None:
    lines = CASE.trf.splitlines()
    wrong = "\n".join(["XYZ what", *lines])
    page = text_of(member(ana).post(URL, _form(text=wrong, action="import")).content)
    assert "1 This line breaks the format of a FIDE report. 'XYZ' is no record we know" in page
    assert "This file has problems. They are listed below." in page
    assert not Event.objects.exists()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"text": " "}, "Choose a file, or paste its text."),
        ({"ruleset": "chess"}, "Select a valid choice."),
        ({"future": "never"}, "Select a valid choice."),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_wrong_words_come_back_with_their_reason(
    ana: User, changes: dict[str, object], sentence: str
) -> None:
    assert sentence in text_of(member(ana).post(URL, _form(**changes)).content)


FINISHED = """\
012 Old Open
022 Malta
042 28. 07. 2005
052 May 29, 2006
122 90 minutes each
###  a comment
132 {blank}05/07/28  06/05/29
001    1 m  g Alba                              2105 ESP     2212345 1990/01/01  1.5    1     2 w 1     3 b =
001    2      Bruno                             2000                             1.0    3     1 b 0  0000 - U
001    3      Celia                             1900                             1.5    2  0000 - U     1 w =
""".replace("{blank}", " " * 87)


def test_a_file_without_the_number_of_rounds_goes_on_with_the_number_of_the_form(ana: User) -> None:
    """Reports for ratings have neither 142 nor XXR."""
    client = member(ana)
    page = client.post(URL, _form(text=FINISHED, action="preview")).content.decode()
    assert "Enter the number below to continue the event here." in page
    assert 'name="rounds_total"' in page
    answer = client.post(URL, _form(text=FINISHED, rounds_total=5, action="import"))
    assert answer.status_code == 302
    assert Event.objects.get().rounds_total == 5


def test_what_an_event_has_no_field_for_is_named(ana: User) -> None:
    page = text_of(member(ana).post(URL, _form(text=FINISHED, action="preview")).content)
    assert "Not kept, because an event has no field for it here: comments (###)." in page
    assert "Not kept" not in text_of(
        member(ana).post(URL, _form(text=CASE.trf.replace("\n###", "\n012"))).content
    )


def test_dates_and_times_of_an_import_are_in_its_report(ana: User) -> None:
    client = member(ana)
    client.post(URL, _form(text=FINISHED, future="keep", action="import"))
    event = Event.objects.get()
    lines = client.get(f"{event.get_absolute_url()}report.trf").content.decode().splitlines()
    assert {"042 2005/07/28", "052 2006/05/29", "122 90 minutes each"} <= set(lines)
    assert f"132 {' ' * 87}05/07/28  06/05/29" in lines


def test_what_the_file_leaves_open_is_said(ana: User) -> None:
    rows = [
        f"{row[:91]}0000 - Z" if row.startswith("001") else row for row in FINISHED.splitlines()
    ]
    text = "\n".join(re.sub(r"^(001.{77}).{4}", r"\1 0.0", row) for row in rows)
    page = text_of(member(ana).post(URL, _form(text=text, action="preview")).content)
    assert "The last column has byes only." in page


def test_looks_at_a_file_do_not_count_as_events(ana: User, with_limits: None) -> None:
    client = member(ana)
    for _ in range(3):
        client.post(URL, _form(action="preview"))
    assert not Throttle.objects.filter(key__startswith="events-").exists()
    throttles.count(throttles.Visitor(ana.pk, "127.0.0.1"), limits.EVENTS)
    Throttle.objects.filter(key__startswith="events-").update(tries=limits.EVENTS.most)
    assert client.post(URL, _form(action="preview")).status_code == 200
    answer = client.post(URL, _form(name="Old Open", action="import"))
    assert answer.status_code == 429
    assert "Too many events were created. Try again in" in text_of(answer.content)
    assert 'value="Old Open"' in answer.content.decode()
    assert "Player0001" in answer.content.decode()
    assert not Event.objects.exists()


def test_a_refused_import_is_no_event(ana: User, with_limits: None) -> None:
    member(ana).post(URL, _form(text="001", action="import"))
    assert not Throttle.objects.filter(key__startswith="events-").exists()


@pytest.mark.long
def test_no_event_takes_the_address_of_the_page(ana: User) -> None:
    member(ana).post(URL, _form(name="Import", action="import"))
    assert Event.objects.get().slug != "import"


def test_guests_sign_in_first(client: Client) -> None:
    assert "/sign-in/" in client.get(URL)["Location"]
