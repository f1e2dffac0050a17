"""Addresses of help and of the pages about the service."""

from django.urls import path

from tournaments.views import help as pages

urlpatterns = [
    path("help/", pages.index, name="help"),
    path("help/img/<str:name>", pages.picture, name="help-picture"),
    path("help/<path:name>/", pages.page, name="help-page"),
    path("guides/", pages.former_page, name="guides"),
    path("guides/<slug:name>/", pages.former_page, name="guide"),
    path("guides/files/<path:name>", pages.file, name="guide-file"),
    path("about/", pages.about, name="about"),
    path("privacy/", pages.privacy, name="privacy"),
    path("contact/", pages.contact, name="contact"),
]
