"""The project's own apps: one runs the start of every process of the site, and one is the admin."""

from django.apps import AppConfig
from django.contrib.admin.apps import SimpleAdminConfig

from config import catalogues


class WiringConfig(AppConfig):
    """The project itself as an app: it has no models, only this moment of start."""

    name = "config"
    default = True  # of the two here

    def ready(self) -> None:
        """Load the Celery application, prepare traces, and compile translations that have changed."""
        # They need Django's settings, which are ready only now.
        from config import celery, tracing  # noqa: F401

        tracing.prepare()
        catalogues.renew()


class AdministrationConfig(SimpleAdminConfig):
    """Django's admin, behind a second factor."""

    default_site = "config.administration.Administration"
