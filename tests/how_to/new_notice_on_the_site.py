"""A claim that is accepted: run by `test_new_notice.py` in its copy of the project."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.core import mail
from django.urls import reverse

from tests.tournaments import over_board, pages
from tournaments import database_time
from tournaments.models import Inbox
from tournaments.services.events import claims
from tournaments.services.notifications import email

if TYPE_CHECKING:
    from tournaments.models import User


@pytest.fixture(autouse=True)
def accepted(ana: User, ben: User) -> None:
    """Ben is the Benjamin of the list, as Ana, the organiser, agrees. He wants e-mails."""
    Inbox.objects.create(user=ben, address="ben@example.org", is_confirmed=True)
    event = over_board.event_of(ana)
    over_board.enter_listed(event, "Benjamin")
    claim = claims.claim(event_id=event.pk, player=ben.player, entry_id=event.entries.get().pk)
    claims.answer(event_id=event.pk, actor=ana, claim_id=claim.pk, is_accepted=True)


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "Your claim in Test was accepted"), ("ja", "Testでの申し出が認められました")],
)
def test_the_list_of_notices_has_it_in_both_languages(ben: User, language: str, words: str) -> None:
    page = pages.member(ben).get(reverse("notices"), headers={"accept-language": language})
    assert words in pages.text_of(page.content)


def test_open_pages_listen_to_it(ben: User) -> None:
    page = pages.member(ben).get("/").content.decode()
    assert "claim-accepted" in page.partition('data-kinds="')[2].partition('"')[0].split()


def test_it_goes_by_email() -> None:
    later = database_time.now() + timedelta(minutes=6)
    email.write_due(later)
    email.send_due(later)
    (letter,) = mail.outbox
    assert "Your claim in Test was accepted" in letter.body
