"""Words for what operators see, by the values of `services.operations`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django_stubs_ext import StrPromise

PROBES: Mapping[str, StrPromise] = {
    "disk": _("Disk"),
    "redis": _("Redis"),
    "database": _("Database"),
    "migrations": _("Migrations"),
    "tick": _("Clock of the service"),
    "work": _("Waiting work"),
}
VERDICTS: Mapping[str, StrPromise] = {
    "ok": _("in order"),
    "degraded": _("limited"),
    "failing": _("out of order"),
}
WORK: Mapping[str, StrPromise] = {
    "replies": _("Replies of bots to people"),
    "matches": _("Matches of bots"),
    "checks": _("Checks of uploads"),
    "forecasts": _("Forecasts"),
    "mail": _("E-mails"),
}
