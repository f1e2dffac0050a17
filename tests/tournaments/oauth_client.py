"""An application of another site, for tests of OAuth."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from django.test import Client

from tournaments.models import Application, User
from tournaments.services.accounts import applications
from tournaments.services.accounts.applications import Description, NewApplication

CALLBACK = "https://viewer.example/callback?from=rayuela"
LOOPBACK = "http://127.0.0.1/done"
FORM = {"name": "Viewer", "homepage": "https://viewer.example/", "redirect_uris": CALLBACK}
VERIFIER = "a-verifier-of-forty-three-characters-or-more"
CHALLENGE = urlsafe_b64encode(sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()


def registered(
    owner: User, *, is_confidential: bool = False, name: str = "Viewer"
) -> NewApplication:
    """Return an application of `owner`."""
    description = Description(name, "https://viewer.example/", [CALLBACK, LOOPBACK])
    return applications.create(
        owner=owner, description=description, is_confidential=is_confidential
    )


def address(application: Application, **changes: str) -> str:
    """Return the address to which the application sends a visitor. An empty change leaves a parameter out."""
    parameters = {
        "client_id": application.client_id,
        "redirect_uri": CALLBACK,
        "response_type": "code",
        "scope": "games:play",
        "state": "a state",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
        **changes,
    }
    return f"/oauth/authorize/?{urlencode({k: v for k, v in parameters.items() if v})}"


def parameters_of(location: str) -> dict[str, str]:
    """Return the parameters with which a visitor comes back to the application."""
    return {name: value for name, [value] in parse_qs(urlsplit(location).query).items()}


@dataclass(frozen=True)
class Answer:
    """An answer to the application: status, headers and the members of its JSON."""

    status: int
    headers: Any
    body: dict[str, Any]


@dataclass(frozen=True)
class Installation:
    """An application in the hands of a visitor who is signed in."""

    application: Application
    visitor: Client

    def code(self, **changes: str) -> str:
        """Return the code that the visitor brings back after allowing the request."""
        target = address(self.application, **changes)
        answer = self.visitor.post(target, {"decision": "allow", "password": "rayuela-1963"})
        assert answer.status_code == 303, answer.content.decode()
        return parameters_of(answer["Location"])["code"]

    def exchange(self, code: str, **changes: str) -> Answer:
        """Exchange a code."""
        form = {
            "grant_type": "authorization_code",
            "client_id": self.application.client_id,
            "code": code,
            "redirect_uri": CALLBACK,
            "code_verifier": VERIFIER,
            **changes,
        }
        return send("/oauth/token/", {k: v for k, v in form.items() if v})

    def refresh(self, refresh_token: str, **changes: str) -> Answer:
        """Exchange a refresh token."""
        form = {
            "grant_type": "refresh_token",
            "client_id": self.application.client_id,
            "refresh_token": refresh_token,
            **changes,
        }
        return send("/oauth/token/", form)

    def tokens(self, **changes: str) -> dict[str, Any]:
        """Return the tokens that the visitor has allowed."""
        answer = self.exchange(self.code(**changes))
        assert answer.status == 200, answer.body
        return answer.body


def send(path: str, form: dict[str, str], **headers: str) -> Answer:
    """Send a form without cookies, as a program does."""
    answer = Client().post(
        path, urlencode(form), content_type="application/x-www-form-urlencoded", headers=headers
    )
    return Answer(answer.status_code, answer, json.loads(answer.content or "{}"))


def status(access_token: str, path: str = "/api/v1/me/games") -> int:
    """Return the status of a request with the token, which a token of any scope may read."""
    answer = Client().get(path, headers={"Authorization": f"Bearer {access_token}"})
    return answer.status_code
