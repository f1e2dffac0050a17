"""The page of access tokens."""

from __future__ import annotations

import re

from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from tournaments.models import User
from tournaments.services.accounts import tokens

FORM = {"name": "my bot", "scopes": ["games:play"], "days": "90", "password": "rayuela-1963"}


def test_a_secret_is_shown_once(client: Client, ana: User) -> None:
    client.force_login(ana)
    response = client.post(reverse("token-create"), FORM)
    secret = re.search(r'value="(rayuela_[^"]+)"', response.content.decode())
    assert secret is not None
    assert "no-store" in response["Cache-Control"]
    token = tokens.authenticate(secret[1])
    assert token is not None
    assert (token.name, token.scopes) == ("my bot", "games:play")
    page = client.get(reverse("tokens")).content.decode()
    assert "my bot" in page
    assert secret[1] not in page


def test_a_wrong_password_makes_no_token(client: Client, ana: User) -> None:
    client.force_login(ana)
    response = client.post(reverse("token-create"), {**FORM, "password": "wrong"})
    assert response.status_code == 422
    assert tokens.living(ana) == []


def test_a_scope_that_is_none_is_refused(client: Client, ana: User) -> None:
    client.force_login(ana)
    for scope in ("admin", "bots:play", "moderate"):
        assert client.post(reverse("token-create"), {**FORM, "scopes": [scope]}).status_code == 422
    assert tokens.living(ana) == []


def test_the_scope_of_moderators_is_offered_to_moderators(
    client: Client, ana: User, ben: User
) -> None:
    ben.user_permissions.add(Permission.objects.get(codename="moderate"))
    for user, is_offered in ((ana, False), (ben, True)):
        client.force_login(user)
        page = client.get(reverse("tokens")).content.decode()
        assert ('value="moderate"' in page) == is_offered


def test_a_token_is_revoked_by_its_owner_alone(client: Client, ana: User, ben: User) -> None:
    new = tokens.create(user=ana, password="rayuela-1963", name="bot", scopes=["read"], days=30)
    for user, is_living in ((ben, True), (ana, False)):
        client.force_login(user)
        client.post(reverse("token-revoke", args=[new.token.pk]))
        assert bool(tokens.living(ana)) == is_living
