"""Answers that a browser stores as files."""

from __future__ import annotations

from django.http import HttpResponse


def attachment(content: str | bytes, media_type: str, name: str) -> HttpResponse:
    """Return `content` as a file to download. `media_type` names the character set of a text."""
    disposition = f'attachment; filename="{name}"'
    return HttpResponse(
        content, content_type=media_type, headers={"Content-Disposition": disposition}
    )
