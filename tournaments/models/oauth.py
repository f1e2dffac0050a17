"""Applications of others, which act for accounts by OAuth 2 with the permission of these."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q

from tournaments.models.tokens import Scope

NAME_LENGTH = 60
ADDRESS_LENGTH = 500


class Application(models.Model):
    """A program that an account offers to all others.

    Attributes:
        client_id: its public name in requests.
        redirect_uris: the addresses to which answers may go, one a line.
        secret_digest: SHA-256 of its secret. Empty for a public client, such as a program in a browser
            or on a telephone, which cannot keep a secret.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="applications"
    )
    name = models.CharField(max_length=NAME_LENGTH)
    homepage = models.URLField(max_length=ADDRESS_LENGTH)
    client_id = models.CharField(max_length=32, unique=True)
    redirect_uris = models.TextField()
    secret_digest = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(secret_digest="") | Q(secret_digest__length=64),
                name="application_has_a_digest_or_none",
            ),
            models.CheckConstraint(
                condition=~Q(redirect_uris=""), name="application_redirects_somewhere"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_confidential(self) -> bool:
        """Return whether it signs in with a secret."""
        return bool(self.secret_digest)

    @property
    def owner_name(self) -> str:
        """Return the owner's name as other players know it."""
        # An account that does not play raises an AttributeError.
        player = getattr(self.owner, "player", None)
        return str(player.name if player else self.owner.get_username())


class AuthorizationQuerySet(models.QuerySet["Authorization"]):
    def living(self) -> AuthorizationQuerySet:
        """Select those that were not revoked."""
        return self.filter(revoked_at=None)


class Authorization(models.Model):
    """The permission of an account for one installation of an application.

    Attributes:
        scopes: values of `Scope`, separated by blanks.
        redirect_uri: the address to which the code was sent.
        code_challenge: of RFC 7636, by S256.
        password_digest: as that of `AccessToken`.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="authorizations"
    )
    application = models.ForeignKey(
        Application, on_delete=models.CASCADE, related_name="authorizations"
    )
    scopes = models.CharField(max_length=120, blank=True)
    redirect_uri = models.CharField(max_length=ADDRESS_LENGTH)
    code_challenge = models.CharField(max_length=43)
    password_digest = models.CharField(max_length=64)
    created_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = AuthorizationQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.application} for {self.user_id}"

    @property
    def scope_set(self) -> frozenset[Scope]:
        """Return the scopes that the account has allowed."""
        return frozenset(Scope(word) for word in self.scopes.split())


class GrantQuerySet(models.QuerySet["Grant"]):
    def unused(self, now: datetime) -> GrantQuerySet:
        """Select those that were neither used nor have expired."""
        return self.filter(used_at=None, expires_at__gt=now)


class Grant(models.Model):
    """A secret that an application exchanges once for an access token: a code or a refresh token.

    A used one is stored until it expires, so that a second use is seen.
    """

    class Kind(models.TextChoices):
        CODE = "code"
        REFRESH = "refresh"

    authorization = models.ForeignKey(
        Authorization, on_delete=models.CASCADE, related_name="grants"
    )
    kind = models.CharField(max_length=8, choices=Kind.choices)
    digest = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    objects = GrantQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(digest__length=64), name="grant_has_a_digest"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.authorization_id}"
