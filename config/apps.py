"""The project's own apps: one runs the start of every process of the site, and one is the admin."""

from django.apps import AppConfig
from django.contrib.admin.apps import SimpleAdminConfig

from config import catalogues


class WiringConfig(AppConfig):
    """The project itself as an app: it has no models, only this moment of start."""

    name = "config"
    default = True  # of the two here

    def ready(self) -> None:
        """Load the Celery application, and compile translations that have changed."""
        from config import celery  # noqa: F401 - needs Django's settings, which are ready only now

        catalogues.renew()


class AdministrationConfig(SimpleAdminConfig):
    """Django's admin, behind a second factor."""

    default_site = "config.administration.Administration"
