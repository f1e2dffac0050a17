"""The account of a session (`AUTHENTICATION_BACKENDS`)."""

from __future__ import annotations

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import AnonymousUser
from django.db.models import Model

from tournaments.models import User


class AccountBackend(ModelBackend):
    """Django's backend, with the player of the account, whom every page needs."""

    def get_user(self, user_id: int) -> User | None:
        """Return the account, which may sign in, or None if it is deleted or closed."""
        user = User.objects.select_related("player").filter(pk=user_id).first()
        return user if user is not None and self.user_can_authenticate(user) else None

    def get_all_permissions(
        self, user_obj: User | AnonymousUser, obj: Model | None = None
    ) -> set[str]:
        """Return the permissions of the account, without a statement for most, which have none."""
        if not user_obj.is_superuser and getattr(user_obj, "has_permissions", None) is False:
            return set()
        return super().get_all_permissions(user_obj, obj)
