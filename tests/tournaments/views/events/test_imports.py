"""The page on which foreign events come in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from tests.tournaments.pages import member, text_of
from tests.tournaments.pairing import corpus
from tournaments.models import Event

if TYPE_CHECKING:
    from django.test import Client

    from tournaments.models import User

CASE = next(case for case in corpus.cases() if "pab" in case.tags and case.round_number < 8)
URL = "/events/import/"


def _form(**changes: object) -> dict[str, object]:
    return {"ruleset": "morelli(size=7)", "future": "go-on", "text": CASE.trf, **changes}


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
    assert "The event is imported from a report file" in log
    for name in ("event", "event-pairings", "event-standings", "event-crosstable", "event-report"):
        assert client.get(reverse(name, args=[event.slug])).status_code == 200
    for name in ("event-round", "round-problem", "round-verify"):
        assert client.get(reverse(name, args=[event.slug, 1])).status_code == 200
    assert client.get(reverse("event-board", args=[event.slug, 1, 1])).status_code == 200


def test_problems_are_listed_with_their_lines(ana: User) -> None:
    lines = CASE.trf.splitlines()
    wrong = "\n".join(["XYZ what", *lines])
    page = text_of(member(ana).post(URL, _form(text=wrong, action="import")).content)
    assert "1 This line breaks the format of a FIDE report. 'XYZ' is no record we know" in page
    assert "This file has problems; they are listed below." in page
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


def test_no_event_takes_the_address_of_the_page(ana: User) -> None:
    member(ana).post(URL, _form(name="Import", action="import"))
    assert Event.objects.get().slug != "import"


def test_guests_sign_in_first(client: Client) -> None:
    assert "/sign-in/" in client.get(URL)["Location"]
