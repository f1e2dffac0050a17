"""Addresses of the analysis board."""

from django.urls import path

from tournaments.views import limits
from tournaments.views.analysis import pages

urlpatterns = [
    *limits.forms(
        limits.ANALYSES,
        path("analysis/", pages.index, name="analysis"),
        path("analysis/load/", pages.load, name="analysis-load"),
    ),
    path("a/<slug:key>/", pages.study, name="study"),
    path("a/<slug:key>/board.svg", pages.study_board, name="study-board"),
]
