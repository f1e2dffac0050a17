"""Sessions: browsers that are signed in, or in which a private event was opened."""

from __future__ import annotations

from importlib import import_module

from django.conf import settings
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models

from tournaments.models.players import User


class Session(AbstractBaseSession):
    """Django's session, and whose it is, so that people can see and end their own."""

    user = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.CASCADE, related_name="sessions"
    )
    # The last day (UTC) of a request. A session ends a fixed time after it.
    seen_on = models.DateField(null=True, blank=True)

    class Meta(AbstractBaseSession.Meta):
        pass

    def __str__(self) -> str:
        # Never the key: its holder is signed in.
        return f"session until {self.expire_date:%Y-%m-%d}"

    @classmethod
    def get_session_store_class(cls) -> type:
        """The engine that reads and writes these rows."""
        engine: type = import_module(settings.SESSION_ENGINE).SessionStore
        return engine
