"""Separation of the processes of one run: each has its own home, and with Redis its own database number.

Its database is pytest-django's doing.
"""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from django.conf import settings
from django.utils.log import configure_logging


def separate(number: int) -> None:
    """Give this process, which has the settings of the one that forked it, its own."""
    from config import settings as declared

    home = Path(settings.HOME, f"worker-{number}")
    home.mkdir(parents=True, exist_ok=True)
    os.environ["RAYUELA_HOME"] = str(home)
    if url := os.environ.get("REDIS_URL"):
        # Number 1 is the browser's site. A server has sixteen.
        parts = urlsplit(url)
        os.environ["REDIS_URL"] = urlunsplit(parts._replace(path=f"/{2 + number}"))
    before = dict(vars(declared))
    for name, value in vars(importlib.reload(declared)).items():
        if name == "DATABASES":
            # Connections have the dictionaries of the settings, to which Django has added defaults.
            for alias, changed in value.items():
                database: dict[str, Any] = settings.DATABASES[alias]
                database["NAME"] = changed["NAME"]
                database["TEST"].update(changed.get("TEST", {}))
        elif name.isupper() and value != before[name]:
            setattr(settings, name, value)
    configure_logging(settings.LOGGING_CONFIG, settings.LOGGING)  # to this process's own output
    from tournaments import live

    importlib.reload(live)  # its bus is one of these settings
