"""Addresses of clubs."""

from django.urls import path

from tournaments.views import clubs, limits

urlpatterns = [
    path("clubs/", clubs.index, name="clubs"),
    *limits.forms(
        limits.CHANGES,
        path("clubs/new/", clubs.new, name="club-new"),
        path("clubs/<slug:club>/change/", clubs.change, name="club-change"),
        path("clubs/<slug:club>/act/", clubs.act, name="club-act"),
        path("moderation/clubs/<slug:club>/", clubs.hide, name="club-hide"),
    ),
    path("clubs/<slug:club>/", clubs.page, name="club"),
]
