"""Access tokens: how programs of an account sign in."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.programs import BotLine


class Scope(models.TextChoices):
    """The powers of a token, besides reading public data."""

    READ = "read", _("Read the private data of the account")
    ACCOUNT_WRITE = "account:write", _("Change the settings of the account")
    GAMES_PLAY = "games:play", _("Play in the account's games")
    CHALLENGES = "challenges", _("Challenge players, and answer challenges")
    MESSAGES = "messages", _("Read and write the private messages of the account")
    EVENTS_ENTER = "events:enter", _("Enter and leave events")
    EVENTS_WRITE = "events:write", _("Organise events, and act at the desks of one's own")
    BOTS_UPLOAD = "bots:upload", _("Upload versions of one's bots")
    WORKERS_PLAY = "workers:play", _("Play matches under fuel as a volunteer")
    MODERATE = "moderate", _("Decide about reports as a moderator")
    BOTS_PLAY = "bots:play", _("Play as one bot of one's own")


class AccessTokenQuerySet(models.QuerySet["AccessToken"]):
    def living(self, now: datetime) -> AccessTokenQuerySet:
        """Neither revoked nor expired."""
        return self.filter(revoked_at=None, expires_at__gt=now)


class AccessToken(models.Model):
    """A secret that a program sends, stored as a hash.

    Attributes:
        digest: SHA-256 of the secret, which is random, so that no salt is needed.
        scopes: values of `Scope`, separated by blanks.
        password_digest: hash of the stored password at the time of creation. The token is void
            after a change of the password.
        line: the bot that `bots:play` plays.
        authorization: the permission by which an application got it, or None for a token that the
            account has made.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="access_tokens"
    )
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    password_digest = models.CharField(max_length=64)
    scopes = models.CharField(max_length=120, blank=True)
    line = models.ForeignKey(
        BotLine, null=True, blank=True, on_delete=models.PROTECT, related_name="access_tokens"
    )
    authorization = models.ForeignKey(
        "Authorization",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="access_tokens",
    )
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    # Written once a minute at most.
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = AccessTokenQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(name__length__gte=1, name__length__lte=60), name="token_has_a_name"
            ),
            models.CheckConstraint(condition=Q(digest__length=64), name="token_has_a_digest"),
            models.CheckConstraint(
                condition=Q(expires_at__gt=F("created_at")), name="token_expires_after_creation"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} of {self.user_id}"

    @property
    def scope_set(self) -> frozenset[Scope]:
        """Return the scopes of the token."""
        return frozenset(Scope(word) for word in self.scopes.split())
