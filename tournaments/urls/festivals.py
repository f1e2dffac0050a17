"""Addresses of festivals, whose sections are events."""

from django.urls import path

from tournaments.views import limits
from tournaments.views.events import festivals

urlpatterns = [
    *limits.forms(limits.EVENTS, path("festivals/new/", festivals.new, name="festival-new")),
    *limits.forms(
        limits.DESK,
        path("festivals/<slug:festival>/desk/", festivals.desk, name="festival-desk"),
        path("festivals/<slug:festival>/act/", festivals.act, name="festival-act"),
        path(
            "festivals/<slug:festival>/desk/prizes/act/",
            festivals.prize_act,
            name="festival-prizes-act",
        ),
    ),
    path("festivals/<slug:festival>/", festivals.page, name="festival"),
    path(
        "festivals/<slug:festival>/desk/prizes/", festivals.prize_desk, name="festival-desk-prizes"
    ),
    *limits.pages(
        limits.COMPUTATIONS,
        path("festivals/<slug:festival>/prizes/", festivals.prize_page, name="festival-prizes"),
        path("festivals/<slug:festival>/archive.zip", festivals.archive, name="festival-archive"),
        path(
            "festivals/<slug:festival>/print/<slug:kind>/", festivals.sheet, name="festival-sheet"
        ),
    ),
]
