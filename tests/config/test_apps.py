"""The project's own apps."""

from __future__ import annotations

from celery import current_app
from django.apps import apps

from config.apps import WiringConfig


def test_wherever_django_runs_wake_ups_go_to_our_broker() -> None:
    assert isinstance(apps.get_app_config("config"), WiringConfig)
    assert current_app.main == "rayuela"
