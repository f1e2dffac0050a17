"""Files that browsers save under a name."""

from __future__ import annotations

from django.http import HttpResponse


def attachment(content: str | bytes, media_type: str, name: str) -> HttpResponse:
    """Return the answer with a file to be saved under this name."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=media_type, headers=headers)
