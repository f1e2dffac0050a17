"""The Celery application, whose messages carry ids only: due work is rows of the database."""

from __future__ import annotations

import os
import sys
from datetime import datetime

from celery import Celery, signals
from django.db import close_old_connections

import config.broker  # noqa: F401 - registers the embedded transport
from config import broker_time, children, supervisor

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


class Application(Celery):
    """Celery with one clock for the moments in messages of all hosts."""

    def now(self) -> datetime:
        """Return the present moment, from which Celery counts `countdown` and `expires`."""
        return broker_time.now()


app = Application("rayuela")
app.config_from_object("django.conf:settings", namespace="CELERY")
# Tasks with an expiry or a countdown have no other base. As text, because only workers need it.
app.Task.Request = "config.received:Request"
app.autodiscover_tasks(["tournaments"])
app.autodiscover_tasks(["config"], related_name="bots_worker")
# Named here, because a worker takes its steps before it sends its first signal. Named as text,
# because the module needs Django's models, which are not loaded yet.
app.steps["consumer"].add("config.bots_worker:SandboxRetest")
# Celery would close the connection to the database before and after each task.
app.conf["CELERY_DB_REUSE_MAX"] = sys.maxsize


@signals.task_prerun.connect
def close_unusable_connections(**_: object) -> None:
    """Close connections that are too old or broke at the last task, as Django does before a request."""
    close_old_connections()


@signals.worker_process_init.connect
@signals.beat_embedded_init.connect
def end_with_worker(**_: object) -> None:
    """End the worker's forks with it: under `manage.py up` a worker is killed outright, and no other process knows them."""
    if os.environ.get(supervisor.SUPERVISED):
        children.end_with_parent()
