"""Applications of others: their names, the addresses to which answers may go, and their secrets."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction
from django.utils.crypto import constant_time_compare

from tournaments import database_time
from tournaments.errors import RefusedError
from tournaments.models import Application, User
from tournaments.models.oauth import ADDRESS_LENGTH
from tournaments.public_hosts import parts_of
from tournaments.services import security
from tournaments.services.accounts import players, tokens

MOST_APPLICATIONS: Final = 20
MOST_REDIRECT_URIS: Final = 10
_PREFIX: Final = "rayuela_client_"
_ID_BYTES = 16
_LONGEST_ID = 32
# An address of this machine with any port, for native applications (RFC 8252 7.3).
_LOOPBACK: Final = re.compile(r"(http://(?:127\.0\.0\.1|\[::1\]))(?::[0-9]{1,5})?(?=[/?]|\Z)")


@dataclass(frozen=True, slots=True)
class Description:
    """The data of an application that accounts see, and the addresses to which answers may go."""

    name: str
    homepage: str
    redirect_uris: Sequence[str]


@dataclass(frozen=True, slots=True)
class NewApplication:
    """An application and its secret, which is never shown again. A public client has an empty secret."""

    application: Application
    secret: str


def create(*, owner: User, description: Description, is_confidential: bool) -> NewApplication:
    """Store an application of `owner`.

    Raises RefusedError `name-bad`, `homepage-bad`, `redirect-bad`, `redirects-many`,
    `applications-many`.
    """
    columns = _checked(description)
    secret = tokens.new_secret(_PREFIX) if is_confidential else ""
    with transaction.atomic():
        # Locked, so that applications made at one moment are counted one after the other.
        owner = User.objects.select_for_update(no_key=True).get(pk=owner.pk)
        if owner.applications.count() >= MOST_APPLICATIONS:
            raise RefusedError("applications-many", str(MOST_APPLICATIONS))
        application = Application.objects.create(
            owner=owner,
            client_id=secrets.token_hex(_ID_BYTES),
            secret_digest=tokens.digest(secret) if secret else "",
            created_at=database_time.now(),
            **columns,
        )
        security.note(security.APPLICATION_CREATE, owner, detail=application.name)
    return NewApplication(application, secret)


def change(application: Application, description: Description) -> None:
    """Store another description. Raises RefusedError as `create` does."""
    Application.objects.filter(pk=application.pk).update(**_checked(description))


def renew_secret(application: Application) -> NewApplication:
    """Give a confidential client another secret. The earlier one is void immediately.

    Raises RefusedError `application-public` for a public client.
    """
    if not application.is_confidential:
        raise RefusedError("application-public", application.client_id)
    secret = tokens.new_secret(_PREFIX)
    with transaction.atomic():
        Application.objects.filter(pk=application.pk).update(secret_digest=tokens.digest(secret))
        security.note(security.APPLICATION_SECRET, application.owner, detail=application.name)
    return NewApplication(application, secret)


def delete(application: Application) -> None:
    """Remove an application with all tokens that it has."""
    with transaction.atomic():
        security.note(security.APPLICATION_DELETE, application.owner, detail=application.name)
        application.delete()


def find(client_id: str | None) -> Application | None:
    """Return the application with this name in requests, or None."""
    if not client_id or len(client_id) > _LONGEST_ID or not client_id.isalnum():
        return None
    rows = Application.objects.filter(client_id=client_id, owner__is_active=True)
    return rows.select_related("owner__player").first()


def is_secret_of(application: Application, secret: str) -> bool:
    """Return whether a confidential client has this secret."""
    is_equal = constant_time_compare(application.secret_digest, tokens.digest(secret))
    return application.is_confidential and is_equal


def is_registered(application: Application, uri: str) -> bool:
    """Return whether answers may go to `uri`: it is a registered address, or one with another port of this machine."""
    return any(
        uri == registered or _is_loopback_alike(uri, registered)
        for registered in application.redirect_uris.split("\n")
    )


def _is_loopback_alike(uri: str, registered: str) -> bool:
    both = _LOOPBACK.match(uri) and _LOOPBACK.match(registered)
    return bool(both) and _LOOPBACK.sub(r"\1", uri, 1) == _LOOPBACK.sub(r"\1", registered, 1)


def _checked(description: Description) -> dict[str, Any]:
    """Return the columns of a description. Raises RefusedError as `create` does."""
    redirects = list(dict.fromkeys(description.redirect_uris))
    if not 1 <= len(redirects) <= MOST_REDIRECT_URIS:
        raise RefusedError("redirects-many", str(MOST_REDIRECT_URIS))
    for uri in redirects:
        if not (_is_secure(uri) or _LOOPBACK.match(uri)) or not _is_plain(uri) or "#" in uri:
            raise RefusedError("redirect-bad", uri[:80])
    if not (_is_secure(description.homepage) and _is_plain(description.homepage)):
        raise RefusedError("homepage-bad", description.homepage[:80])
    return {
        "name": players.checked_name(description.name),
        "homepage": description.homepage,
        "redirect_uris": "\n".join(redirects),
    }


def _is_secure(address: str) -> bool:
    return address.startswith("https://")


def _is_plain(address: str) -> bool:
    try:
        parts_of(address)
    except ValueError:
        return False
    return len(address) <= ADDRESS_LENGTH and not set("\"<>^`{|}'") & set(address)
