"""Applications of OAuth by the API: registered, changed, given another secret, and removed."""

from __future__ import annotations

import pytest

from tests.tournaments import oauth_client, pages
from tests.tournaments.api.conftest import PASSWORD, program_of
from tests.tournaments.oauth_client import CALLBACK, Installation, status
from tournaments.models import Scope, User
from tournaments.services.accounts import applications

BODY = {
    "name": "Viewer",
    "homepage": "https://viewer.example/",
    "redirect_uris": [CALLBACK],
    "is_confidential": True,
    "password": PASSWORD,
}


def test_a_program_registers_changes_and_removes_an_application(ana: User) -> None:
    program = program_of(ana)
    answer = program("POST", "/me/applications", BODY)
    created = answer.json()
    assert (answer.status_code, answer["Cache-Control"]) == (201, "no-store")
    path = f"/me/applications/{created['application']['id']}"
    assert program("GET", path).json() == created["application"]
    assert program("GET", "/me/applications").json() == {"items": [created["application"]]}
    change = {"name": "Looker", "password": PASSWORD}
    changed = program("PATCH", path, change, If_Match="*").json()
    assert changed == {**created["application"], "name": "Looker"}
    renewed = program("POST", f"{path}/secret", {"password": PASSWORD}).json()
    row = ana.applications.get()
    assert applications.is_secret_of(row, renewed["secret"])
    assert not applications.is_secret_of(row, created["secret"])
    assert program("DELETE", path).status_code == 204
    assert program("GET", "/me/applications").json() == {"items": []}


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "", BODY),
        ("PATCH", "/{id}", {"redirect_uris": ["https://evil.example/"]}),
        ("POST", "/{id}/secret", {}),
    ],
    ids=["register", "change", "secret"],
)
def test_a_stolen_token_leads_no_codes_elsewhere(
    ana: User, method: str, path: str, body: dict[str, object]
) -> None:
    new = oauth_client.registered(ana, is_confidential=True)
    target = f"/me/applications{path.format(id=new.application.pk)}"
    guess = {**body, "password": "guess"}
    answer = program_of(ana)(method, target, guess, If_Match="*")
    assert (answer.status_code, answer.json()["code"]) == (422, "password-wrong")
    row = ana.applications.get()
    assert row.redirect_uris == new.application.redirect_uris
    assert applications.is_secret_of(row, new.secret)


def test_a_program_without_the_scope_changes_no_application(ana: User) -> None:
    program = program_of(ana, Scope.READ, Scope.EVENTS_WRITE)
    assert program("POST", "/me/applications", BODY).json()["code"] == "scope-needed"


def test_a_public_application_has_no_secret(ana: User) -> None:
    program = program_of(ana)
    created = program("POST", "/me/applications", {**BODY, "is_confidential": False}).json()
    assert (created["secret"], created["application"]["is_confidential"]) == ("", False)
    path = f"/me/applications/{created['application']['id']}/secret"
    answer = program("POST", path, {"password": PASSWORD})
    assert (answer.status_code, answer.json()["code"]) == (422, "application-public")


def test_a_removed_application_acts_for_no_player(ana: User, ben: User) -> None:
    application = oauth_client.registered(ana).application
    token = Installation(application, pages.member(ben)).tokens(scope="read")["access_token"]
    assert status(token) == 200
    assert program_of(ana)("DELETE", f"/me/applications/{application.pk}").status_code == 204
    assert status(token) == 401
