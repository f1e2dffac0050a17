"""A pytest plugin for `pytest -n`: every worker has its own home, and with Redis its own database number.

Loaded by name (`-p tests.workers`), because pytest-django reads the settings before any conftest.
The database of each worker is pytest-django's doing.
"""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit


def _separate() -> None:
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if not worker or "RAYUELA_HOME" not in os.environ:
        return
    home = Path(os.environ["RAYUELA_HOME"], worker)  # of the run, made by `tests.run`
    home.mkdir(exist_ok=True)
    os.environ["RAYUELA_HOME"] = str(home)
    url = os.environ.get("REDIS_URL")
    if url:
        # Number 1 is the browser's site. A server has sixteen.
        number = 2 + int(worker.removeprefix("gw"))
        os.environ["REDIS_URL"] = urlunsplit(urlsplit(url)._replace(path=f"/{number}"))


_separate()
