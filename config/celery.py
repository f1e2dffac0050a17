"""The Celery application, whose messages carry ids only: due work is rows of the database."""

from __future__ import annotations

import os

from celery import Celery, signals

import config.broker  # noqa: F401 - registers the embedded transport
from config import children, supervisor

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


app = Celery("rayuela")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["tournaments"])
app.autodiscover_tasks(["config"], related_name="bots_worker")
# Named here, because a worker takes its steps before it sends its first signal. Named as text,
# because the module needs Django's models, which are not loaded yet.
app.steps["consumer"].add("config.bots_worker:SandboxRetest")


@signals.worker_process_init.connect
@signals.beat_embedded_init.connect
def end_with_worker(**_: object) -> None:
    """End the worker's forks with it: under `manage.py up` a worker is killed outright, and no other process knows them."""
    if os.environ.get(supervisor.SUPERVISED):
        children.end_with_parent()
