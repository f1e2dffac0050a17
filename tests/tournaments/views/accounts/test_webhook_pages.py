"""Webhooks on their pages."""

from __future__ import annotations

import re

from django.urls import reverse

from tests.tournaments import pages
from tests.tournaments.conftest import event_of
from tournaments.models import User

PASSWORD = "rayuela-1963"
ADDRESS = "https://hook.example/rayuela"


def test_a_webhook_is_made_tested_changed_and_deleted_on_its_pages(ana: User) -> None:
    owner = pages.member(ana)
    form = {"address": ADDRESS, "kinds": ["turn"], "password": PASSWORD}
    page = owner.post(reverse("webhook-create"), form).content.decode()
    secret = re.search(r'value="(whsec_[^"]+)"', page)
    assert secret is not None
    row = ana.webhooks.get()
    own = reverse("webhook", args=[row.pk])
    owner.post(reverse("webhook-test", args=[row.pk]))
    assert "not tried yet" in owner.get(own).content.decode()
    owner.post(own, {"kinds": ["challenge"]})
    row.refresh_from_db()
    assert (row.kinds, row.is_active) == ("challenge", False)
    listed = owner.get(reverse("webhooks")).content.decode()
    assert "switched off" in listed
    assert secret[1] not in listed
    owner.post(reverse("webhook-delete", args=[row.pk]))
    assert not ana.webhooks.exists()


def test_a_refusal_is_at_its_field(ana: User) -> None:
    form = {"address": "http://hook.example/", "password": PASSWORD}
    answer = pages.member(ana).post(reverse("webhook-create"), form)
    assert answer.status_code == 422
    assert "begins with https://" in answer.content.decode()


def test_the_page_of_an_event_leads_to_a_webhook_with_its_topics(ana: User, ben: User) -> None:
    event = event_of(ana)
    place = reverse("event-webhook", args=[event.slug])
    visitor = pages.member(ben)
    assert place in visitor.get(event.get_absolute_url()).content.decode()
    assert "a round was published" in visitor.get(place).content.decode()
    form = {"address": ADDRESS, "kinds": ["round"], "password": PASSWORD}
    assert "whsec_" in visitor.post(place, form).content.decode()
    row = ben.webhooks.get()
    assert (row.event, row.kinds) == (event, "round")
    own = reverse("webhook", args=[row.pk])
    visitor.post(own, {"kinds": ["over"], "is_active": "on"})
    row.refresh_from_db()
    assert row.kinds == "over"
    assert event.name in visitor.get(reverse("webhooks")).content.decode()


def test_an_access_code_shows_a_private_event_and_gives_no_webhook(ana: User, ben: User) -> None:
    event = event_of(ana, is_private=True, access_code="open-sesame")
    visitor = pages.member(ben)
    page = visitor.get(f"{event.get_absolute_url()}?code=open-sesame", follow=True)
    assert event.name in page.content.decode()
    place = reverse("event-webhook", args=[event.slug])
    assert place not in page.content.decode()
    assert visitor.get(place).status_code == 404
