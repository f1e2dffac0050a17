"""The files of an event, for all visitors: for other programs, spreadsheets, calendars and verifiers."""

from __future__ import annotations

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import translation

from tournaments import database_time
from tournaments.edges.files import attachment
from tournaments.models import Event
from tournaments.services.archives import event_files
from tournaments.views import preferences


def file_of(kind: str) -> Callable[..., HttpResponse]:
    """Return the view of the current file of this kind (`event_files.file_of`). The view raises ComputingError."""

    def view(request: HttpRequest, event: Event) -> HttpResponse:
        # A calendar has sentences in the reader's language.
        with translation.override(preferences.language_of(request)):
            file = event_files.file_of(event, kind, database_time.now())
        if file is None:
            raise Http404
        return attachment(file.content, file.media_type, file.name)

    return view
