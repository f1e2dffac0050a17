"""Addresses of series of events."""

from django.urls import path

from tournaments.views import limits
from tournaments.views.events import series

urlpatterns = [
    *limits.forms(limits.EVENTS, path("series/new/", series.new, name="series-new")),
    *limits.forms(
        limits.DESK,
        path("series/<slug:series>/desk/", series.desk, name="series-desk"),
        path("series/<slug:series>/act/", series.act, name="series-act"),
    ),
    *limits.pages(
        limits.COMPUTATIONS,
        path("series/<slug:series>/", series.page, name="series"),
        path("series/<slug:series>/series.csv", series.table_csv, name="series-csv"),
        path("series/<slug:series>/series.json", series.archive, name="series-json"),
    ),
]
