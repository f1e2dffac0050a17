from django.apps import AppConfig
from django.db.models import CharField, TextField
from django.db.models.functions import Length


class TournamentsConfig(AppConfig):
    name = "tournaments"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from tournaments import checks  # noqa: F401 - it asks for models, which are there only now

        # SQLite does not enforce lengths, so constraints do (`name__length__lte`).
        CharField.register_lookup(Length)
        TextField.register_lookup(Length)
