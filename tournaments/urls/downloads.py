"""Addresses of the files of an event."""

from tournaments.urls.event_path import path
from tournaments.views import limits
from tournaments.views.events import downloads

urlpatterns = [
    *limits.pages(
        limits.COMPUTATIONS,
        path("events/<slug:slug>/report.trf", downloads.trf_2026, name="event-report"),
        path("events/<slug:slug>/report-2025.trf", downloads.trf_2025, name="event-report-2025"),
        path("events/<slug:slug>/report-trf16.trf", downloads.trf_16, name="event-report-16"),
        path("events/<slug:slug>/archive.zip", downloads.archive, name="event-archive"),
    ),
    path("events/<slug:slug>/standings.csv", downloads.standings, name="event-standings-csv"),
    path(
        "events/<slug:slug>/categories.csv",
        downloads.category_tables,
        name="event-categories-csv",
    ),
    path("events/<slug:slug>/crosstable.csv", downloads.crosstable, name="event-crosstable-csv"),
    path("events/<slug:slug>/pairings.csv", downloads.pairings, name="event-pairings-csv"),
    path("events/<slug:slug>/prizes.csv", downloads.prizes, name="event-prizes-csv"),
    path("events/<slug:slug>/event.json", downloads.document, name="event-json"),
    path("events/<slug:slug>/rounds.ics", downloads.calendar, name="event-calendar"),
]
