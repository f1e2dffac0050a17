"""Refusals about festivals and their sections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

SENTENCES: dict[str, _StrPromise] = {
    "festival-awarded": _(
        "The prizes of the festival have been awarded. Withdraw the award to change this."
    ),
    "festival-awards": _("The prizes of this festival were awarded. It cannot be deleted."),
    "festival-currency": _("Use one currency for the prizes of the festival and of its sections."),
    "festival-deleted": _("This festival was deleted."),
    "festival-empty": _("Add a section first."),
    "festival-first": _(
        "Award the prizes of the festival first. The prizes of its sections follow from them."
    ),
    "festival-full": _("A festival has 20 sections at most."),
    "festival-many": _("An organiser has a hundred festivals at most. Delete one first."),
    "festival-name": _("A festival needs a name of at most 80 characters."),
    "festival-not-awarded": _("The prizes of the festival are not awarded."),
    "festival-prizes-none": _("This festival has no prizes."),
    "not-your-festival": _("Only the organiser of the festival can change it."),
    "section-begun": _("A player can change sections until one of the two starts."),
    "section-entered": _("Each player can enter one section of the festival."),
    "section-event": _("There is no event of the organiser of the festival with this address."),
    "section-removed": _("The event is no longer a section of the festival."),
    "section-teams": _("Teams and their members cannot change sections."),
    "section-there": _("This event is a section of a festival already."),
    "section-unknown": _("The festival has no such other section."),
    "sections-awarded": _("Undo the awards of the sections in their logs first."),
    "sections-open": _("The sections are not over yet."),
}
