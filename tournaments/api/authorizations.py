"""The permissions that the account has given to applications of others."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field

from tournaments.api import routes
from tournaments.api.callers import ApiRequest
from tournaments.api.operations import Operations
from tournaments.api.shapes import Shape
from tournaments.models import Scope
from tournaments.services.accounts import authorizations as services

operations = Operations("Applications")


class ApplicationName(Shape):
    """An application of OAuth."""

    client_id: str
    name: str
    homepage: str
    owner: Annotated[str, Field(description="Name of the player or account that offers it.")]


class AuthorizationRow(Shape):
    """A permission that the account has given to an application."""

    id: int
    application: ApplicationName
    scopes: list[Scope]
    created_at: datetime
    last_used_at: datetime | None


class AuthorizationList(BaseModel):
    """The permissions that can still be used, the newest first."""

    items: list[AuthorizationRow]


@operations.get("/me/authorizations", "authorizations", routes.PRIVATE)
def authorizations(request: ApiRequest) -> AuthorizationList:
    """List the applications that act for the account, the newest permission first."""
    rows = services.installations(request.caller.account)
    return AuthorizationList(items=[_row(each) for each in rows])


@operations.delete(
    "/me/authorizations/{int:authorization_id}", "authorization-revoke", routes.ACCOUNT
)
def revoke(request: ApiRequest, authorization_id: int) -> None:
    """Revoke a permission, with all tokens of the application that came from it."""
    services.revoke_of(user=request.caller.account, authorization_id=authorization_id)


def _row(installation: services.Installation) -> AuthorizationRow:
    row = installation.authorization
    return AuthorizationRow.of(
        row,
        application=ApplicationName.of(row.application, owner=row.application.owner_name),
        scopes=sorted(row.scope_set),
        last_used_at=installation.last_used_at,
    )
