"""Addresses below `/api/`, with those of the pages, which answers name.

`config.middleware.ApiMiddleware` chooses them. They are a tree of their own, so that the API and
its libraries are loaded by the first request to it, and by no process that gets none.
"""

from django.urls import include, path

handler400 = "tournaments.views.trouble.refused_request"
handler500 = "tournaments.views.trouble.server_error"

urlpatterns = [
    path("api/", include("tournaments.urls.api")),
    path("", include("config.urls")),
]
