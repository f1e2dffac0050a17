"""Addresses below `/api/`, with those of the pages, which answers name.

`config.middleware.ApiMiddleware` chooses them. They are a separate tree, so that only the first
request to the API loads it and its libraries.
"""

from django.urls import include, path

handler400 = "tournaments.views.trouble.refused_request"
handler500 = "tournaments.views.trouble.server_error"

urlpatterns = [
    path("api/", include("tournaments.urls.api")),
    path("", include("config.urls")),
]
