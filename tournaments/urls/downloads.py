"""Addresses of the files of an event."""

from tournaments.urls.event_path import path
from tournaments.views import limits
from tournaments.views.events.downloads import file_of

urlpatterns = [
    *limits.pages(
        limits.COMPUTATIONS,
        path("events/<slug:slug>/report.trf", file_of("trf"), name="event-report"),
        path("events/<slug:slug>/report-2025.trf", file_of("trf-2025"), name="event-report-2025"),
        path("events/<slug:slug>/report-trf16.trf", file_of("trf16"), name="event-report-16"),
        path("events/<slug:slug>/archive.zip", file_of("zip"), name="event-archive"),
    ),
    path("events/<slug:slug>/standings.csv", file_of("standings"), name="event-standings-csv"),
    path(
        "events/<slug:slug>/categories.csv",
        file_of("categories"),
        name="event-categories-csv",
    ),
    path("events/<slug:slug>/crosstable.csv", file_of("crosstable"), name="event-crosstable-csv"),
    path("events/<slug:slug>/pairings.csv", file_of("pairings"), name="event-pairings-csv"),
    path("events/<slug:slug>/prizes.csv", file_of("prizes"), name="event-prizes-csv"),
    path("events/<slug:slug>/event.json", file_of("json"), name="event-json"),
    path("events/<slug:slug>/rounds.ics", file_of("ics"), name="event-calendar"),
]
