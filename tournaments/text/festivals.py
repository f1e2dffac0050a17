"""Refusals about festivals and their sections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

SENTENCES: dict[str, _StrPromise] = {
    "festival-deleted": _("This festival was deleted."),
    "festival-empty": _("Add a section first."),
    "festival-full": _("A festival has 20 sections at most."),
    "festival-many": _("An organiser has a hundred festivals at most. Delete one first."),
    "festival-name": _("A festival needs a name of at most 80 characters."),
    "not-your-festival": _("Only the organiser of the festival can change it."),
    "section-begun": _("A player can change sections until one of the two starts."),
    "section-entered": _("Each player can enter one section of the festival."),
    "section-event": _("There is no event of the organiser of the festival with this address."),
    "section-removed": _("The event is no longer a section of the festival."),
    "section-teams": _("Teams and their members cannot change sections."),
    "section-there": _("This event is a section of a festival already."),
    "section-unknown": _("The festival has no such other section."),
}
