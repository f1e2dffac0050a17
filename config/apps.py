"""Makes the Celery application current wherever Django runs, so that services can enqueue."""

from django.apps import AppConfig


class WiringConfig(AppConfig):
    """The project itself as an app: it has no models, only this moment of start."""

    name = "config"

    def ready(self) -> None:
        """Load the Celery application."""
        from config import celery  # noqa: F401 - needs Django's settings, which are ready only now
