"""All addresses of the site: the front page, and a module for each subject."""

from django.urls import include, path

from tournaments.views import (
    home,
    limits,
    operations,
    rating_lists,
    schedules,
    search,
    site_files,
)

urlpatterns = [
    path("", home.home, name="home"),
    path("robots.txt", site_files.robots, name="robots"),
    path(".well-known/security.txt", site_files.security, name="security"),
    path("favicon.ico", site_files.favicon, name="favicon"),
    path("manifest.webmanifest", site_files.manifest, name="manifest"),
    path("service-worker.js", site_files.service_worker, name="service-worker"),
    path("offline/", site_files.offline, name="offline"),
    path("live/", home.live, name="home-live"),
    path("search/", search.search, name="search"),
    *limits.forms(
        limits.UPLOADS,
        path("rating-lists/", rating_lists.page, name="rating-lists"),
        path("rating-lists/<int:pk>/remove/", rating_lists.remove, name="rating-list-remove"),
        path("rating-lists/addresses/", rating_lists.store_source, name="rating-source-store"),
        path(
            "rating-lists/addresses/<int:pk>/remove/",
            rating_lists.remove_source,
            name="rating-source-remove",
        ),
        path("rating-lists/update/", rating_lists.update_all, name="rating-lists-update"),
    ),
    *limits.forms(
        limits.CHANGES,
        path("schedules/", schedules.page, name="schedules"),
        path("schedules/usual/", schedules.add_usual, name="schedules-usual"),
        path("schedules/<int:pk>/", schedules.change, name="schedule"),
        path("schedules/<int:pk>/act/", schedules.act, name="schedule-act"),
    ),
    path("health/", operations.health, name="health"),
    # Before the other addresses, which do not resemble it. Otherwise a move was compared with 130
    # routes, for a fifteenth of its time.
    path("", include("tournaments.urls.games")),
    path("", include("tournaments.urls.accounts")),
    path("", include("tournaments.urls.rules")),
    path("", include("tournaments.urls.sharing")),
    path("", include("tournaments.urls.puzzles")),
    path("", include("tournaments.urls.events")),
    path("", include("tournaments.urls.series")),
    path("", include("tournaments.urls.festivals")),
    path("", include("tournaments.urls.downloads")),
    path("", include("tournaments.urls.lobby")),
    path("", include("tournaments.urls.analysis")),
    path("", include("tournaments.urls.players")),
    path("", include("tournaments.urls.clubs")),
    path("", include("tournaments.urls.bots")),
    path("", include("tournaments.urls.ratings")),
    path("", include("tournaments.urls.help")),
]
