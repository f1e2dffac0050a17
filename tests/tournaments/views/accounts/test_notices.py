"""Notices as an open page tells them: one by one, in words, to their owner alone."""

from __future__ import annotations

from datetime import timedelta

from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse

from tests.tournaments import pages
from tests.tournaments.conftest import enter, event_of
from tournaments import database_time
from tournaments.models import NewsItem, User
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.services.events import announcements
from tournaments.services.lobby import challenges
from tournaments.services.notifications import email, inbox


def test_a_notice_is_told_in_words_with_its_link(ana: User, ben: User) -> None:
    event = event_of(ana)
    enter(event, ben.player)
    announcements.announce(event_id=event.pk, actor=ana, text="Soup at <seven>")
    seq = inbox.notices(ben)[0].item.seq
    answer = pages.member(ben).get(reverse("notice", args=[seq]))
    text = answer.content.decode()
    assert f'<a href="{event.get_absolute_url()}">' in text
    assert "Test: Soup at &lt;seven&gt;" in text
    # It is still unread: only the list marks notices as read.
    assert inbox.unread(ben) == 1


def test_a_notice_of_a_removed_challenge_is_left_out(
    ana: User, ben: User, mailoutbox: list[EmailMessage]
) -> None:
    row = challenges.challenge(
        challenger=ana.player, opponent=ben.player, ruleset="morelli(size=5)", clock=Clock(600_000)
    )
    challenges.decline(challenge_id=row.pk, player=ben.player)
    inbox.confirm_address(inbox.ask_address(ana, "ana@example.org", language="en"))
    row.delete()
    assert pages.member(ana).get(reverse("notices")).status_code == 200
    email.write_due(database_time.now() + email.PATIENCE + timedelta(seconds=1))
    email.send_due(database_time.now() + timedelta(days=1))
    assert not mailoutbox
    seq = NewsItem.objects.get(kind="declined").seq
    assert pages.member(ana).get(reverse("notice", args=[seq])).status_code == 404


def test_nobody_else_is_told_and_no_number_is_invented(
    ana: User, ben: User, client: Client
) -> None:
    event = event_of(ana)
    enter(event, ben.player)
    announcements.announce(event_id=event.pk, actor=ana, text="Soup at seven")
    address = reverse("notice", args=[inbox.notices(ben)[0].item.seq])
    assert pages.member(ana).get(address).status_code == 404
    assert pages.member(ben).get(reverse("notice", args=[999])).status_code == 404
    assert client.get(address).status_code == 302
