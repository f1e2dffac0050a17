"""A page's message to one visitor is on no other visitor's page."""

from __future__ import annotations

from django.test import Client
from django.urls import reverse

from tests.tournaments import pages
from tests.tournaments.conftest import event_of
from tournaments.models import Player, User


def test_a_message_without_its_session_is_on_no_kept_page(
    ana: User, ben: User, bots: list[Player]
) -> None:
    event = pages.running_event(ana, ben, bots)
    other = event_of(ana, name="Buy this")
    member = pages.member(ben)
    member.post(reverse("event-enter", args=[other.slug]))
    messages = member.cookies["messages"].value
    visitor = Client()
    visitor.cookies["messages"] = messages
    address = reverse("event-standings", args=[event.slug])
    assert "Buy this" in visitor.get(address).content.decode()
    assert "Buy this" not in Client().get(address).content.decode()
