"""The account of the site itself, which runs the site's own events."""

from __future__ import annotations

from typing import Final

from django.contrib.auth.hashers import make_password

from tournaments.models import User

# Names of people have no brackets, so that this name cannot be taken.
_USERNAME: Final = "Rayuela (this site)"


def account() -> User:
    """Return the account of the site, made on the first call. It cannot sign in."""
    user, _ = User.objects.get_or_create(
        username=_USERNAME, defaults={"password": make_password(None)}
    )
    return user


def is_house(user_id: int) -> bool:
    """Return whether that is the account of the site."""
    return User.objects.filter(pk=user_id, username=_USERNAME).exists()
