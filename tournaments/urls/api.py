"""Addresses for programs, and their documentation for people."""

from django.urls import path, re_path

from tournaments.api import documentation
from tournaments.api.v1 import v1

urlpatterns = [
    path("", documentation.index, name="api"),
    path("changes/", documentation.changes, name="api-changes"),
    path("problems/<slug:code>/", documentation.problem, name="api-problem"),
    path("v1/openapi.json", documentation.openapi_document, name="openapi"),
    path("v1/", v1.urls),
    re_path(r"^v1/", documentation.nothing_here),
]
