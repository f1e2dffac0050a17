"""Permissions of accounts for applications, and the tokens that applications get by them (RFC 6749).

A code and a refresh token are exchanged once each. A second use means that two programs have the
secret, so that it ends everything that came from it (RFC 6749 10.5, RFC 9700 4.14). Two processes
of one application may refresh at the same moment, and a lost answer is asked for again. Therefore
the last refresh can be repeated for a short time. All answers to it have refresh tokens, and the first
one that is exchanged ends the others.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Exists, Max, OuterRef, QuerySet

from tournaments import database_time
from tournaments.errors import RefusedError
from tournaments.models import Application, Authorization, Grant, Scope, User
from tournaments.services import security
from tournaments.services.accounts import passwords, tokens

# A program that plays as a bot has its own token, which names the bot.
SCOPES: Final = frozenset(Scope) - {Scope.BOTS_PLAY}
# These change more than one's own games, so that the password is asked for again.
DANGEROUS: Final = frozenset(
    {Scope.ACCOUNT_WRITE, Scope.EVENTS_WRITE, Scope.BOTS_UPLOAD, Scope.MODERATE}
)
CODE_LIFE: Final = timedelta(minutes=1)
# An evening of games, since a stream ends with its token.
TOKEN_LIFE: Final = timedelta(hours=8)
REFRESH_LIFE: Final = timedelta(days=90)
# The time in which the last refresh can be repeated.
REPEAT_GRACE: Final = timedelta(seconds=30)
REFRESH_PREFIX: Final = "rayuela_refresh_"
# Installations of one application for one account. The oldest ends.
_MOST_INSTALLATIONS = 10


@dataclass(frozen=True, slots=True)
class Installation:
    """A permission that its application can still use, and the last use of its tokens."""

    authorization: Authorization
    last_used_at: datetime | None


def require_password(user: User, scopes: Collection[Scope], password: str) -> None:
    """Raise RefusedError `password-wrong` if the scopes need the password and this is another one."""
    if DANGEROUS & set(scopes):
        passwords.require(user, password)


def authorize(
    *,
    user: User,
    application: Application,
    scopes: Collection[str],
    redirect_uri: str,
    code_challenge: str,
    code: str,
) -> None:
    """Store the permission of `user`, with the code by which the application fetches its first token."""
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        earlier = of(user).filter(application=application)
        for authorization in earlier[_MOST_INSTALLATIONS - 1 :]:
            revoke(authorization)
        authorization = Authorization.objects.create(
            user=user,
            application=application,
            scopes=" ".join(sorted(scopes)),
            redirect_uri=redirect_uri,
            code_challenge=code_challenge,
            password_digest=tokens.digest(user.password),
            created_at=database_time.now(),
        )
        _grant(authorization, Grant.Kind.CODE, code, CODE_LIFE)
        security.note(security.AUTHORIZE, user, detail=application.name)


def _grant(authorization: Authorization, kind: Grant.Kind, secret: str, life: timedelta) -> None:
    Grant.objects.create(
        authorization=authorization,
        kind=kind,
        digest=tokens.digest(secret),
        expires_at=database_time.now() + life,
    )


def find(application: Application, kind: Grant.Kind, secret: str) -> Grant | None:
    """Return the valid code or refresh token of an application, or None.

    A used one revokes the permission that it came from, unless it repeats the last refresh.
    """
    grants = Grant.objects.filter(authorization__application=application, kind=kind)
    grant = (
        grants.filter(digest=tokens.digest(secret))
        .select_related("authorization__user", "authorization__application")
        .first()
    )
    if grant is None:
        return None
    now = database_time.now()
    if grant.used_at is not None and not _is_repeat(grant, now):
        revoke(grant.authorization)
        return None
    authorization, user = grant.authorization, grant.authorization.user
    is_valid = (
        grant.expires_at > now
        and authorization.revoked_at is None
        and user.is_active
        and authorization.password_digest == tokens.digest(user.password)
    )
    return grant if is_valid else None


def _is_repeat(grant: Grant, now: datetime) -> bool:
    """Return whether a used grant is the last refresh token, and was used a moment ago."""
    if grant.kind != Grant.Kind.REFRESH or grant.used_at is None:
        return False
    later = grant.authorization.grants.filter(used_at__gt=grant.used_at)
    return grant.used_at > now - REPEAT_GRACE and not later.exists()


def exchange(grant: Grant, *, access: str, refresh: str, scopes: Collection[str]) -> None:
    """Store the tokens that an application gets for a grant, and end its earlier ones.

    A repeat of the last refresh ends no token. Raises RefusedError `grant-used` if another request
    was faster and this one is no repeat.
    """
    authorization = grant.authorization
    with transaction.atomic():
        # Locked, so that a revocation follows or precedes both tokens.
        rows = Authorization.objects.living().select_for_update(no_key=True)
        is_living = rows.filter(pk=authorization.pk).first() is not None
        now = database_time.now()
        grant.refresh_from_db(fields=["used_at"])
        is_first = grant.used_at is None
        is_valid = is_living and grant.expires_at > now and (is_first or _is_repeat(grant, now))
        if is_valid and is_first:
            # With this grant, the answers of other repeats, of which none is used any more.
            authorization.grants.unused(now).update(used_at=now)
            authorization.access_tokens.living(now).update(revoked_at=now)
        if is_valid:
            tokens.create_for_application(
                authorization, access, scopes=scopes, expires_at=now + TOKEN_LIFE
            )
            _grant(authorization, Grant.Kind.REFRESH, refresh, REFRESH_LIFE)
    if not is_valid:
        revoke(authorization)
        raise RefusedError("grant-used")


def revoke(authorization: Authorization) -> None:
    """End a permission with all of its tokens."""
    with transaction.atomic():
        now = database_time.now()
        Authorization.objects.living().filter(pk=authorization.pk).update(revoked_at=now)
        authorization.access_tokens.living(now).update(revoked_at=now)


def revoke_token(application: Application, secret: str) -> None:
    """End the permission that a token of `application` came from, if there is one (RFC 7009)."""
    digest = tokens.digest(secret)
    own = application.authorizations
    for rows in (own.filter(access_tokens__digest=digest), own.filter(grants__digest=digest)):
        for authorization in rows:
            revoke(authorization)


def revoke_of(*, user: User, authorization_id: int) -> None:
    """End a permission that `user` has given. Raises RefusedError `authorization-over`."""
    authorization = of(user).filter(pk=authorization_id).first()
    if authorization is None:
        raise RefusedError("authorization-over")
    with transaction.atomic():
        revoke(authorization)
        detail = authorization.application.name
        security.note(security.AUTHORIZATION_REVOKE, user, detail=detail)


def of(user: User) -> QuerySet[Authorization]:
    """Return the permissions that applications of `user` can still use, the newest first."""
    unused = Grant.objects.unused(database_time.now()).filter(authorization=OuterRef("pk"))
    rows = Authorization.objects.living().filter(
        Exists(unused), user=user, password_digest=tokens.digest(user.password)
    )
    return rows.select_related("application__owner__player")


def installations(user: User) -> Sequence[Installation]:
    """Return the permissions of `user` with their last use."""
    rows = of(user).annotate(last_used_at=Max("access_tokens__last_used_at"))
    return [Installation(row, row.last_used_at) for row in rows]


def forget_unusable(*, at_most: int) -> int:
    """Remove permissions of which retention has removed every grant and token. Return their number."""
    unusable = Authorization.objects.filter(grants=None, access_tokens=None)
    batch = list(unusable.order_by("pk").values_list("pk", flat=True)[:at_most])
    return Authorization.objects.filter(pk__in=batch).delete()[0] if batch else 0
