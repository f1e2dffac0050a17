"""Applications that the account offers: registered, changed, given another secret, and deleted."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from django.http import HttpResponse
from pydantic import BaseModel, Field, SecretStr

from tournaments.api import etags, routes
from tournaments.api.callers import ApiRequest
from tournaments.api.idempotency import Repeats
from tournaments.api.operations import Body, Operations
from tournaments.api.shapes import Shape
from tournaments.edges import access
from tournaments.models import Application
from tournaments.models.oauth import ADDRESS_LENGTH, NAME_LENGTH
from tournaments.services.accounts import applications as services
from tournaments.services.accounts import passwords

operations = Operations("Applications")

Name = Annotated[str, Field(max_length=NAME_LENGTH)]
Homepage = Annotated[str, Field(max_length=ADDRESS_LENGTH)]
RedirectUris = Annotated[
    list[Annotated[str, Field(max_length=ADDRESS_LENGTH)]],
    Field(max_length=services.MOST_REDIRECT_URIS),
]
Password = Annotated[SecretStr, Field(max_length=4096, description="That of the account.")]


class ApplicationShape(Shape):
    """An application of the account."""

    id: int
    client_id: str
    name: str
    homepage: str
    redirect_uris: list[str]
    is_confidential: Annotated[bool, Field(description="True if it signs in with a secret.")]
    created_at: datetime


class ApplicationList(BaseModel):
    """The applications of the account, by name."""

    items: list[ApplicationShape]


class NewApplication(Body):
    """An application of the account."""

    name: Name
    homepage: Homepage
    redirect_uris: RedirectUris
    is_confidential: Annotated[
        bool, Field(description="True for a program on a server, which keeps a secret.")
    ] = False
    password: Password


class ApplicationChange(Body):
    """The changes. Values that are left out remain."""

    name: Name | None = None
    homepage: Homepage | None = None
    redirect_uris: RedirectUris | None = None
    password: Password


class PasswordBody(Body):
    """The password of the account."""

    password: Password


class ApplicationSecret(BaseModel):
    """An application and its secret, which is not shown again. An `Idempotency-Key` has no effect here."""

    application: ApplicationShape
    secret: Annotated[str, Field(description="Empty for an application without one.")]


@operations.get("/me/applications", "applications", routes.PRIVATE)
def applications(request: ApiRequest) -> ApplicationList:
    """List the applications that the account offers."""
    return ApplicationList(
        items=[_shape(each) for each in request.caller.account.applications.all()]
    )


@operations.post(
    "/me/applications",
    "application-create",
    routes.ACCOUNT,
    body='{"name": "Viewer", "homepage": "https://viewer.example/", '
    '"redirect_uris": ["https://viewer.example/callback"], "password": "$PASSWORD"}',
    repeats=Repeats.BY_SERVICE,  # a stored answer would be a stored secret
)
def create(request: ApiRequest, response: HttpResponse, body: NewApplication) -> ApplicationSecret:
    """Register an application with the password of the account. Its secret is in this answer alone."""
    _require(request, body.password)
    new = services.create(
        owner=request.caller.account,
        description=services.Description(body.name, body.homepage, body.redirect_uris),
        is_confidential=body.is_confidential,
    )
    return _secret(response, new)


@operations.get("/me/applications/{int:application_id}", "application", routes.PRIVATE)
def application(request: ApiRequest, application_id: int) -> ApplicationShape:
    """Return an application of the account."""
    return _shape(access.get_application_for(request.caller.account, application_id))


@operations.patch(
    "/me/applications/{int:application_id}",
    "application-change",
    routes.ACCOUNT,
    body='{"homepage": "https://viewer.example/about", "password": "$PASSWORD"}',
)
def change(request: ApiRequest, application_id: int, body: ApplicationChange) -> ApplicationShape:
    """Change an application with the password of the account, since the codes of players go to its addresses."""
    row = access.get_application_for(request.caller.account, application_id)
    old = _shape(row)
    etags.require(request, old)
    _require(request, body.password)
    changes = body.model_dump(include={"name", "homepage", "redirect_uris"}, exclude_none=True)
    new = old.model_copy(update=changes)
    services.change(row, services.Description(new.name, new.homepage, new.redirect_uris))
    return _shape(access.get_application_for(request.caller.account, application_id))


@operations.post(
    "/me/applications/{int:application_id}/secret",
    "application-secret",
    routes.ACCOUNT,
    body='{"password": "$PASSWORD"}',
    repeats=Repeats.BY_SERVICE,
)
def renew_secret(
    request: ApiRequest, response: HttpResponse, application_id: int, body: PasswordBody
) -> ApplicationSecret:
    """Give an application another secret with the password of the account. The earlier one is void immediately."""
    row = access.get_application_for(request.caller.account, application_id)
    _require(request, body.password)
    return _secret(response, services.renew_secret(row))


@operations.delete("/me/applications/{int:application_id}", "application-delete", routes.ACCOUNT)
def delete(request: ApiRequest, application_id: int) -> None:
    """Delete an application with all permissions and tokens that it has."""
    services.delete(access.get_application_for(request.caller.account, application_id))


def _require(request: ApiRequest, password: SecretStr) -> None:
    """Raise RefusedError `password-wrong`: a stolen token leaves no address or secret behind."""
    passwords.require(request.caller.account, password.get_secret_value())


def _secret(response: HttpResponse, new: services.NewApplication) -> ApplicationSecret:
    response["Cache-Control"] = "no-store"
    return ApplicationSecret(application=_shape(new.application), secret=new.secret)


def _shape(row: Application) -> ApplicationShape:
    return ApplicationShape.of(row, redirect_uris=row.redirect_uris.split("\n"))
