"""Downloads from addresses that administrators chose: by TLS, from public hosts, within bounds of size and time."""

from __future__ import annotations

import hashlib
import time
from http.client import HTTPException, HTTPResponse
from typing import BinaryIO
from urllib.parse import SplitResult, urlsplit

from tournaments import public_hosts
from tournaments.errors import RefusedError
from tournaments.models.rating_lists import ADDRESS_LENGTH
from tournaments.queries.events.player_lists.rating_files import MAX_FILE_BYTES

# The time of a whole download, and the time without a byte.
_MAX_S = 300
_SILENCE_S = 30
_CHUNK = 1 << 16
_OK = 200


def checked_address(text: str) -> SplitResult:
    """Return the parts of an address.

    Raises RefusedError `rating-source-address` without https or a host that can have a name, or with a
    password.
    """
    refusal = RefusedError("rating-source-address", text[:ADDRESS_LENGTH])
    try:
        parts = urlsplit(text)
        has_host = bool(parts.hostname) and parts.port != 0 and "@" not in parts.netloc
        # UnicodeError, which is a ValueError, for an empty label or one of more than 63 characters.
        (parts.hostname or "").encode("idna")
    except ValueError as error:
        raise refusal from error
    is_plain = text.isascii() and text.isprintable() and " " not in text
    # `HTTPS://` is refused too: a constraint of the database compares the beginning.
    if not (has_host and is_plain and text.startswith("https://") and len(text) <= ADDRESS_LENGTH):
        raise refusal
    return parts


def fetch(address: str, into: BinaryIO) -> str:
    """Write the file at the address to `into`, and return its SHA-256. No redirect is followed.

    Raises RefusedError `rating-source-address`, `rating-source-answer` for an answer without the file,
    `rating-source-late`, `rating-source-broken`, `rating-list-large`.
    """
    parts = checked_address(address)
    connection = public_hosts.PublicConnection(parts.hostname or "", parts.port, timeout=_SILENCE_S)
    until = time.monotonic() + _MAX_S
    path = parts.path or "/"
    try:
        connection.request("GET", f"{path}?{parts.query}" if parts.query else path)
        response = connection.getresponse()
        if response.status != _OK:
            raise RefusedError("rating-source-answer", str(response.status))
        return _copy(response, into, until)
    except TimeoutError as error:
        raise RefusedError("rating-source-late", str(error)) from error
    except public_hosts.NotPublicError as error:
        raise RefusedError("rating-source-address", str(error)) from error
    except (OSError, HTTPException) as error:
        raise RefusedError("rating-source-broken", str(error)) from error
    finally:
        connection.close()


def _copy(response: HTTPResponse, into: BinaryIO, until: float) -> str:
    digest, size = hashlib.sha256(), 0
    while part := response.read1(_CHUNK):
        size += len(part)
        if size > MAX_FILE_BYTES:
            raise RefusedError("rating-list-large")
        if time.monotonic() > until:
            raise TimeoutError(f"more than {_MAX_S} s")
        digest.update(part)
        into.write(part)
    if response.length:  # `read1` does not complain
        raise RefusedError("rating-source-broken", f"{response.length} bytes are missing")
    return digest.hexdigest()
