"""Access tokens, with which programs of an account sign in: shown once, stored as hashes.

A token is valid until its day, until it is revoked, and until the password changes under which it
was given. A change of the password after a theft ends every token of the thief. Tokens of a closed
account are void.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils.crypto import constant_time_compare

from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError
from tournaments.models import (
    AccessToken,
    Authorization,
    BotLine,
    RemoteBot,
    Scope,
    User,
    statements,
)
from tournaments.services import security
from tournaments.services.accounts import passwords

PREFIX: Final = "rayuela_"
DAYS: Final = (30, 90, 365)
MAX_LIVING: Final = 20
_SECRET_BYTES = 32
_MAX_NAME = 60
_USE_NOTED_EVERY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token and its secret, which is never shown again."""

    token: AccessToken
    secret: str


def create(
    *,
    user: User,
    password: str,
    name: str,
    scopes: Collection[str],
    days: int,
    line: BotLine | None = None,
) -> NewToken:
    """A new token of `user` for `days` days.

    `line` is the remote bot that `bots:play` plays. Such a token acts as that bot and not as the
    account, so that it has no other scope.

    Raises:
        RefusedError: `password-wrong`, `token-name-bad`, `token-scopes-bad`, `token-expiry-bad`,
            `token-line`, `tokens-many`.
        NotAllowedError: `not-moderator` for the scope of moderators.
        TooManyError: too many wrong passwords.
    """
    passwords.require(user, password)
    name = name.strip()
    if not 1 <= len(name) <= _MAX_NAME:
        raise RefusedError("token-name-bad")
    if not set(scopes) <= set(Scope.values):
        raise RefusedError("token-scopes-bad", " ".join(scopes))
    if Scope.MODERATE in scopes and not may_moderate(user):
        raise NotAllowedError("not-moderator")
    if days not in DAYS:
        raise RefusedError("token-expiry-bad", str(days))
    if not _fits(user, line, set(scopes)):
        raise RefusedError("token-line")
    with transaction.atomic():
        # Locked, so that tokens made at one moment are counted one after the other.
        user = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if len(living(user)) >= MAX_LIVING:
            raise RefusedError("tokens-many")
        new = _add(
            new_secret(),
            user=user,
            name=name,
            password_digest=digest(user.password),
            scopes=" ".join(sorted(scopes)),
            line=line,
            expires_at=database_time.now() + timedelta(days=days),
        )
        security.note(security.TOKEN_CREATE, user, detail=name)
    return new


def may_moderate(user: User) -> bool:
    """Return whether tokens of the account may have the scope of moderators."""
    return user.has_perm("tournaments.moderate")


def create_for_application(
    authorization: Authorization, secret: str, *, scopes: Collection[str], expires_at: datetime
) -> None:
    """Store a token of an application, in the caller's transaction."""
    _add(
        secret,
        user=authorization.user,
        name=authorization.application.name,
        password_digest=authorization.password_digest,
        scopes=" ".join(sorted(scopes)),
        authorization=authorization,
        expires_at=expires_at,
    )


def _add(secret: str, **columns: Any) -> NewToken:  # noqa: ANN401 - columns of the table
    token = AccessToken.objects.create(
        digest=digest(secret), created_at=database_time.now(), **columns
    )
    return NewToken(token, secret)


def new_secret(prefix: str = PREFIX) -> str:
    """Return a random secret that readers of leaked files recognise by its prefix."""
    return prefix + secrets.token_urlsafe(_SECRET_BYTES)


def _fits(user: User, line: BotLine | None, scopes: set[str]) -> bool:
    if line is None:
        return Scope.BOTS_PLAY not in scopes
    is_remote = RemoteBot.objects.filter(bot__line=line).exists()
    return scopes == {Scope.BOTS_PLAY} and line.owner_id == user.pk and is_remote


def rotate(token: AccessToken) -> NewToken:
    """Exchange a valid token for one with the same name, scopes and last day, and revoke it.

    Raises RefusedError `token-over` if it is not valid any more, and `token-of-application` for a token
    that is exchanged by a refresh token.
    """
    if token.authorization_id is not None:
        raise RefusedError("token-of-application")
    with transaction.atomic():
        now = database_time.now()
        rows = AccessToken.objects.living(now).filter(pk=token.pk)
        if rows.update(revoked_at=now) != 1:
            raise RefusedError("token-over")
        new = _add(
            new_secret(),
            user=token.user,
            name=token.name,
            password_digest=token.password_digest,
            scopes=token.scopes,
            line=token.line,
            expires_at=token.expires_at,
        )
        security.note(security.TOKEN_ROTATE, token.user, detail=token.name)
    return new


def revoke(*, user: User, token_id: int) -> None:
    """End a token of `user` immediately. Raises RefusedError `token-over` if it is not valid."""
    with transaction.atomic():
        rows = AccessToken.objects.living(database_time.now()).filter(user=user, pk=token_id)
        token = rows.first()
        if token is None or rows.update(revoked_at=database_time.now()) != 1:
            raise RefusedError("token-over")
        security.note(security.TOKEN_REVOKE, user, detail=token.name)


def living(user: User) -> Sequence[AccessToken]:
    """Return the valid tokens that `user` has made, the newest first. Tokens of applications are not listed."""
    rows = AccessToken.objects.living(database_time.now()).filter(
        user=user, password_digest=digest(user.password), authorization=None
    )
    return list(rows.select_related("line"))


def authenticate(secret: str) -> AccessToken | None:
    """Return the valid token of this secret, with its account and the player, or None.

    Note its use.
    """
    now = database_time.now()
    token = _living_of.one(digest=digest(secret), now=now)
    if token is None:
        return None
    if not constant_time_compare(token.password_digest, digest(token.user.password)):
        return None
    if token.last_used_at is None or token.last_used_at <= now - _USE_NOTED_EVERY:
        AccessToken.objects.filter(pk=token.pk).update(last_used_at=now)
    return token


@statements.query
def _living_of(digest: str, now: datetime) -> QuerySet[AccessToken]:
    """Return the valid token of this hash by one statement, with which every request to the API begins."""
    rows = AccessToken.objects.living(now).filter(digest=digest, user__is_active=True)
    return rows.select_related("user__player", "line").order_by()


def is_living(token_id: int) -> bool:
    """Return whether the token that was shown a while ago would still be let in."""
    rows = AccessToken.objects.living(database_time.now()).filter(pk=token_id)
    token = rows.filter(user__is_active=True).select_related("user").first()
    return token is not None and constant_time_compare(
        token.password_digest, digest(token.user.password)
    )


def digest(text: str) -> str:
    """Return the SHA-256 of a secret, as it is stored."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
