"""The account of a session (`AUTHENTICATION_BACKENDS`)."""

from __future__ import annotations

from django.contrib.auth.backends import ModelBackend

from tournaments.models import User


class AccountBackend(ModelBackend):
    """Django's backend, with the player of the account, whom every page needs."""

    def get_user(self, user_id: int) -> User | None:
        """Return the account, which may sign in, or None if it is deleted or closed."""
        user = User.objects.select_related("player").filter(pk=user_id).first()
        return user if user is not None and self.user_can_authenticate(user) else None
