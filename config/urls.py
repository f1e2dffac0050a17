"""Addresses: the site at the root, Django's admin beside it."""

from django.contrib import admin
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt
from django.views.i18n import set_language

from tournaments.views import limits

admin.autodiscover()

handler400 = "tournaments.views.trouble.refused_request"
handler500 = "tournaments.views.trouble.server_error"

urlpatterns = [
    path("admin/", admin.site.urls),
    # The language switch is on every page and sets a cookie without any value for attackers.
    # Without a CSRF mark, visitors who only read get no cookie, and caches may share their pages.
    *limits.unlimited_forms(
        "sets a cookie, and asks the database for nothing",
        path("i18n/setlang/", csrf_exempt(set_language), name="set_language"),
    ),
    path("", include("tournaments.urls")),
]
