"""Who stands behind a session (`AUTHENTICATION_BACKENDS`)."""

from __future__ import annotations

from django.contrib.auth.backends import ModelBackend

from tournaments.models import User


class AccountBackend(ModelBackend):
    """Django's own; the account behind a session comes with its player, for whom every page asks."""

    def get_user(self, user_id: int) -> User | None:
        """The account, which may sign in; None when it is gone or closed."""
        user = User.objects.select_related("player").filter(pk=user_id).first()
        return user if user is not None and self.user_can_authenticate(user) else None
