"""Webhooks on their pages."""

from __future__ import annotations

import re

from django.urls import reverse

from tests.tournaments import pages
from tournaments.models import User

PASSWORD = "rayuela-73"
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
