"""Notices as an open page tells them: one by one, in words, to their owner alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import reverse

from tests.tournaments import pages
from tournaments.services.events import announcements
from tournaments.services.notifications import inbox

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

    from tournaments.models import Event, User


def test_a_notice_is_told_in_words_with_its_link(
    new_event: Callable[..., Event], enter: Callable[..., None], ana: User, ben: User
) -> None:
    event = new_event()
    enter(event, ben.player)
    announcements.announce(event_id=event.pk, actor=ana, text="Soup at <seven>")
    seq = inbox.notices(ben)[0].item.seq
    answer = pages.member(ben).get(reverse("notice", args=[seq]))
    text = answer.content.decode()
    assert f'<a href="{event.get_absolute_url()}">' in text
    assert "Test: Soup at &lt;seven&gt;" in text
    # It is still unread: the list is where one reads.
    assert inbox.unread(ben) == 1


def test_nobody_else_is_told_and_no_number_is_invented(
    new_event: Callable[..., Event],
    enter: Callable[..., None],
    ana: User,
    ben: User,
    client: Client,
) -> None:
    event = new_event()
    enter(event, ben.player)
    announcements.announce(event_id=event.pk, actor=ana, text="Soup at seven")
    address = reverse("notice", args=[inbox.notices(ben)[0].item.seq])
    assert pages.member(ana).get(address).status_code == 404
    assert pages.member(ben).get(reverse("notice", args=[999])).status_code == 404
    assert client.get(address).status_code == 302
