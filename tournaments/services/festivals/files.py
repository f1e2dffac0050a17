"""The archive of a festival: the archives of its sections in one file."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings

from tournaments.models import Festival
from tournaments.queries import formats
from tournaments.queries.archives import event_archive, festival_archive
from tournaments.queries.archives.festival_archive import ArchivedFestival
from tournaments.queries.events import festivals
from tournaments.services.archives import event_files


def archive_of(festival: Festival, now: datetime) -> bytes:
    """Return the archive of the public sections with common rounds. Raises ComputingError."""
    archives = {}
    for event in festivals.sections_for(festival, None):
        if formats.of(event).is_continuous:
            continue
        file = event_files.file_of(event, "zip", now)
        assert file is not None, "an event with common rounds has an archive"
        assert isinstance(file.content, bytes), "a ZIP file"
        archives[event.slug] = file.content
    record = ArchivedFestival(
        schema=festival_archive.SCHEMA,
        name=festival.name,
        slug=festival.slug,
        url=settings.SITE_URL + festival.get_absolute_url(),
        sections=tuple(archives),
        prizes_by=festival.prizes_by,
        prizes=event_archive.prizes_of(festival),
    )
    return festival_archive.packed(record, archives)
