"""Addresses: the site at the root, Django's admin beside it."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("i18n/", include("django.conf.urls.i18n")),  # the language switch
    path("", include("tournaments.urls")),
]
