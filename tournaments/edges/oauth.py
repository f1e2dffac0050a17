"""The authorization server of OAuth 2: the grants of oauthlib over the rows of this site.

Authorization codes with PKCE by S256 for all clients (RFC 7636, RFC 9700 2.1.1), refresh tokens that
are exchanged for others, revocation (RFC 7009), and the issuer in each answer (RFC 9207).
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote_plus, urlencode

from django.conf import settings
from django.http import HttpRequest
from oauthlib.common import Request, add_params_to_uri
from oauthlib.oauth2 import OAuth2Error, RequestValidator, WebApplicationServer
from oauthlib.oauth2.rfc6749.errors import (
    AccessDeniedError,
    InvalidGrantError,
    InvalidRequestError,
    InvalidScopeError,
)

from tournaments.errors import RefusedError
from tournaments.models import Application, Grant, Scope, User
from tournaments.services.accounts import applications, authorizations, tokens

# The parameters of a request for a permission that are read. Others are ignored (RFC 6749 3.1).
_PARAMETERS: Final = (
    *("client_id", "redirect_uri", "response_type", "scope", "state"),
    *("code_challenge", "code_challenge_method"),
)
_CHALLENGE: Final = re.compile(r"[A-Za-z0-9_-]{43}")
_FORM: Final = "application/x-www-form-urlencoded"


class _Validator(RequestValidator):  # type: ignore[misc]  # oauthlib has no hints
    """The answers of this site to the questions of oauthlib, which describes each method."""

    def validate_client_id(self, client_id: str, request: Request) -> bool:
        request.client = applications.find(client_id)
        return request.client is not None

    def validate_redirect_uri(self, client_id: str, redirect_uri: str, request: Request) -> bool:
        return applications.is_registered(request.client, redirect_uri)

    def get_default_redirect_uri(self, client_id: str, request: Request) -> None:
        """Ask for the address in each request, so that the answers of clients with several cannot be mixed up."""

    def validate_response_type(
        self, client_id: str, response_type: str, client: Application, request: Request
    ) -> bool:
        return response_type == "code"

    def is_pkce_required(self, client_id: str, request: Request) -> bool:
        return True

    def get_default_scopes(self, client_id: str, request: Request) -> list[str]:
        return []

    def validate_scopes(
        self, client_id: str, scopes: list[str], client: Application, request: Request
    ) -> bool:
        return set(scopes) <= authorizations.SCOPES

    def save_authorization_code(
        self, client_id: str, code: Mapping[str, str], request: Request
    ) -> None:
        authorizations.authorize(
            user=request.user,
            application=request.client,
            scopes=set(request.scopes),
            redirect_uri=request.redirect_uri,
            code_challenge=request.code_challenge,
            code=code["code"],
        )

    def client_authentication_required(self, request: Request) -> bool:
        """Return whether the client signs in with a secret. An unknown one is refused by that."""
        application = applications.find(_credentials(request)[0])
        return application is None or application.is_confidential

    def authenticate_client(self, request: Request) -> bool:
        client_id, secret = _credentials(request)
        request.client = applications.find(client_id)
        return request.client is not None and applications.is_secret_of(request.client, secret)

    def authenticate_client_id(self, client_id: str, request: Request) -> bool:
        return self.validate_client_id(client_id, request) and not request.client.is_confidential

    def validate_grant_type(
        self, client_id: str, grant_type: str, client: Application, request: Request
    ) -> bool:
        return grant_type in {"authorization_code", "refresh_token"}

    def validate_code(
        self, client_id: str, code: str, client: Application, request: Request
    ) -> bool:
        return _take(request, client, Grant.Kind.CODE, code)

    def get_code_challenge(self, code: str, request: Request) -> str:
        return str(request.grant.authorization.code_challenge)

    def get_code_challenge_method(self, code: str, request: Request) -> str:
        return "S256"

    def confirm_redirect_uri(
        self,
        client_id: str,
        code: str,
        redirect_uri: str,
        client: Application,
        request: Request,
    ) -> bool:
        return bool(redirect_uri == request.grant.authorization.redirect_uri)

    def save_bearer_token(self, token: Mapping[str, str], request: Request) -> None:
        try:
            authorizations.exchange(
                request.grant,
                access=token["access_token"],
                refresh=token["refresh_token"],
                scopes=request.scopes,
            )
        except RefusedError as refusal:
            raise InvalidGrantError(request=request) from refusal

    def invalidate_authorization_code(self, client_id: str, code: str, request: Request) -> None:
        """Do nothing: the exchange has marked it as used."""

    def validate_refresh_token(
        self, refresh_token: str, client: Application, request: Request
    ) -> bool:
        return _take(request, client, Grant.Kind.REFRESH, refresh_token)

    def get_original_scopes(self, refresh_token: str, request: Request) -> list[str]:
        return list(request.scopes)

    def revoke_token(self, token: str, token_type_hint: str, request: Request) -> None:
        authorizations.revoke_token(request.client, token)


def _take(request: Request, client: Application, kind: Grant.Kind, secret: str) -> bool:
    """Return whether the secret is a valid grant of the client, which the rest of the request is about."""
    grant = authorizations.find(client, kind, secret)
    if grant is None:
        return False
    request.grant = grant
    request.user = grant.authorization.user
    request.scopes = sorted(grant.authorization.scope_set)
    return True


def _credentials(request: Request) -> tuple[str, str]:
    """Return the name and the secret of a client, by HTTP Basic or in the body (RFC 6749 2.3.1)."""
    scheme, _, encoded = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return request.client_id or "", request.client_secret or ""
    try:
        name, _, secret = b64decode(encoded, validate=True).decode().partition(":")
    except ValueError:
        return "", ""
    return unquote_plus(name), unquote_plus(secret)


def _require_s256(request: Request) -> dict[str, str]:
    """Refuse `plain`, which protects no code, and parameters that come twice."""
    if {"code_challenge", "code_challenge_method"} & set(request.duplicate_params):
        raise InvalidRequestError("Duplicate code_challenge parameter.", request=request)
    if request.code_challenge_method != "S256" or not _CHALLENGE.fullmatch(
        request.code_challenge or ""
    ):
        raise InvalidRequestError("PKCE with code_challenge_method=S256 required.", request=request)
    return {}


_server: Final = WebApplicationServer(
    _Validator(),
    token_generator=lambda _request: tokens.new_secret(),
    token_expires_in=int(authorizations.TOKEN_LIFE.total_seconds()),
    refresh_token_generator=lambda _request: tokens.new_secret(authorizations.REFRESH_PREFIX),
)
_server.auth_grant.custom_validators.pre_auth.append(_require_s256)
_server.auth_grant.register_code_modifier(
    lambda grant, _handler, _request: {**grant, "iss": settings.SITE_URL}
)


@dataclass(frozen=True, slots=True)
class Demand:
    """A valid request of an application for a permission."""

    application: Application
    redirect_uri: str
    scopes: Sequence[Scope]
    request: Request


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a program: status, headers and a body of JSON, which may be empty."""

    status: int
    headers: Mapping[str, str]
    body: str


def demand_of(request: HttpRequest) -> Demand:
    """Return the request for a permission of an address.

    Raises oauthlib's FatalClientError if no answer may go to its redirect address, and OAuth2Error
    for all other faults, such as the scope of moderators for another account.
    """
    scopes, details = _server.validate_authorization_request(_uri(request))
    user = request.user
    if Scope.MODERATE in scopes and not (user.is_authenticated and tokens.may_moderate(user)):
        raise InvalidScopeError(request=details["request"])
    return Demand(
        application=details["request"].client,
        redirect_uri=details["redirect_uri"],
        scopes=[scope for scope in Scope if scope in scopes],
        request=details["request"],
    )


def allow(request: HttpRequest, user: User) -> str:
    """Store the permission of `user`. Return the address with the code, to which the visitor is sent.

    Raises as `demand_of` does.
    """
    demand = demand_of(request)
    headers, _body, _status = _server.create_authorization_response(
        _uri(request), scopes=[str(each) for each in demand.scopes], credentials={"user": user}
    )
    return str(headers["Location"])


def denial(demand: Demand) -> str:
    """Return the address that tells the application about a refusal."""
    return error_address(AccessDeniedError(request=demand.request))


def error_address(error: OAuth2Error) -> str:
    """Return the address that tells the application about a fault. It was registered, unless the error is fatal."""
    return str(
        add_params_to_uri(error.redirect_uri, [*error.twotuples, ("iss", settings.SITE_URL)])
    )


def exchange(request: HttpRequest) -> Answer:
    """Answer a request for tokens (RFC 6749 3.2)."""
    return _answer(_server.create_token_response, request)


def revoke(request: HttpRequest) -> Answer:
    """Answer a request to revoke a token (RFC 7009)."""
    return _answer(_server.create_revocation_response, request)


def metadata() -> dict[str, object]:
    """Return the description of this server (RFC 8414)."""
    site = settings.SITE_URL
    sign_in = ["none", "client_secret_basic", "client_secret_post"]
    return {
        "issuer": site,
        "authorization_endpoint": f"{site}/oauth/authorize/",
        "token_endpoint": f"{site}/oauth/token/",
        "revocation_endpoint": f"{site}/oauth/revoke/",
        "scopes_supported": [scope.value for scope in Scope if scope in authorizations.SCOPES],
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_methods_supported": sign_in,
        "revocation_endpoint_auth_methods_supported": sign_in,
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": True,
        "service_documentation": f"{site}/help/bots/oauth/",
    }


def _uri(request: HttpRequest) -> str:
    pairs = [(name, value) for name in _PARAMETERS for value in request.GET.getlist(name) if value]
    return f"{request.path}?{urlencode(pairs)}"


def _answer(respond: Any, request: HttpRequest) -> Answer:  # noqa: ANN401 - oauthlib has no hints
    try:
        if request.content_type != _FORM:
            raise InvalidRequestError(f"The body is {_FORM}.")
        headers, body, status = respond(
            request.get_full_path(),
            http_method="POST",
            body=[(name, value) for name, values in request.POST.lists() for value in values],
            headers={"Authorization": request.headers.get("Authorization", "")},
        )
    except OAuth2Error as error:
        headers, body, status = {}, error.json, error.status_code
    if status == 401:
        headers["WWW-Authenticate"] = 'Basic realm="rayuela"'
    return Answer(status, headers, body or "")
