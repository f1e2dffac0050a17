"""The access tokens of the account: listed, made with its password, exchanged and revoked."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from django.http import Http404, HttpResponse
from pydantic import BaseModel, Field, SecretStr

from tournaments.api import routes
from tournaments.api.callers import ApiRequest
from tournaments.api.idempotency import Repeats
from tournaments.api.operations import Body, Operations
from tournaments.api.shapes import Shape
from tournaments.models import AccessToken, BotLine, Scope
from tournaments.services.accounts import tokens as services

operations = Operations("Tokens")


class TokenRow(Shape):
    """A token that is valid. `bot` is the line of the remote bot that it plays."""

    id: int
    name: str
    scopes: list[Scope]
    bot: int | None
    created_at: datetime
    expires_at: datetime
    last_used_at: datetime | None
    is_this: Annotated[bool, Field(description="True for the token of this request.")]


class NewToken(Body):
    """A token of the account, or of one of its remote bots with the one scope `bots:play`."""

    name: Annotated[str, Field(max_length=60)]
    scopes: Annotated[list[Scope], Field(max_length=len(Scope))] = []
    days: Annotated[int, Field(description="30, 90 or 365")] = 90
    bot: Annotated[int | None, Field(description="The line of a remote bot.")] = None
    password: Annotated[SecretStr, Field(max_length=4096, description="That of the account.")]


class CreatedToken(BaseModel):
    """A token and its secret, which is not shown again. An `Idempotency-Key` has no effect here."""

    token: TokenRow
    secret: str


class TokenList(BaseModel):
    """The valid tokens of the account, the newest first."""

    items: list[TokenRow]


@operations.get("/me/tokens", "tokens", routes.PRIVATE)
def tokens(request: ApiRequest) -> TokenList:
    """List the tokens of the account, the newest first."""
    return TokenList(
        items=[_row(request, each) for each in services.living(request.caller.account)]
    )


@operations.post(
    "/me/tokens",
    "token-create",
    routes.ACCOUNT,
    body='{"name": "Viewer", "scopes": ["read"], "days": 30, "password": "$PASSWORD"}',
    repeats=Repeats.BY_SERVICE,  # a stored answer would be a stored secret
)
def create(request: ApiRequest, response: HttpResponse, body: NewToken) -> CreatedToken:
    """Create a token with the password of the account. Its secret is in this answer alone."""
    user = request.caller.account
    line = None
    if body.bot is not None:
        line = BotLine.objects.filter(owner=user, pk=body.bot).first()
        if line is None:
            raise Http404
    new = services.create(
        user=user,
        password=body.password.get_secret_value(),
        name=body.name,
        scopes=body.scopes,
        days=body.days,
        line=line,
    )
    return _created(request, response, new)


@operations.post("/me/tokens/rotate", "token-rotate", routes.OWN_TOKEN, repeats=Repeats.BY_SERVICE)
def rotate(request: ApiRequest, response: HttpResponse) -> CreatedToken:
    """Exchange the token of this request for another one with its name, scopes and last day.

    The old one is revoked. A longer time needs the password.
    """
    caller = request.caller
    assert caller.token is not None, "the operation has a scope"
    return _created(request, response, services.rotate(caller.token))


@operations.delete(
    "/me/tokens/{int:token_id}", "token-revoke", routes.ACCOUNT, example="/me/tokens/$TOKEN_ID"
)
def revoke(request: ApiRequest, token_id: int) -> None:
    """Revoke a token of the account."""
    services.revoke(user=request.caller.account, token_id=token_id)


def _created(request: ApiRequest, response: HttpResponse, new: services.NewToken) -> CreatedToken:
    response["Cache-Control"] = "no-store"
    return CreatedToken(token=_row(request, new.token), secret=new.secret)


def _row(request: ApiRequest, token: AccessToken) -> TokenRow:
    own = request.caller.token
    return TokenRow.of(
        token,
        scopes=sorted(token.scope_set),
        bot=token.line_id,
        is_this=own is not None and own.pk == token.pk,
    )
