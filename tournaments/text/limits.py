"""The subject of each limit, in words, and the length of its span."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

_MINUTE_S, _HOUR_S = 60, 3600

SENTENCES: dict[str, _StrPromise] = {
    "puzzles": _("Too many moves at puzzles."),
    "analyses": _("Too many steps on the analysis board."),
    "api-moves": _("Too many moves by a program."),
    "api-work": _("Too many requests of a worker."),
    "api-reads": _("Too many requests by a program."),
    "bot-games": _("Too many games against bots were started."),
    "bots": _("Too many changes to bots."),
    "changes": _("Too many changes to an account."),
    "chat": _("You are sending messages too fast."),
    "computations": _("Too many pages and files that take long to compute."),
    "conversations": _("You have written to many players for the first time."),
    "corrections": _("Too many results were corrected or rounds paired."),
    "desk": _("Too many actions at the organiser's desk."),
    "entries": _("Too many changes to entries."),
    "events": _("Too many events were created."),
    "event-looks": _("Too many files of events were looked at."),
    "forecasts": _("Too many forecasts."),
    "games": _("Too many challenges, seeks and invitations."),
    "guest-games": _("Too many games were started by guests from your network."),
    "guests": _("Too many guests have come from your network. You can sign up instead."),
    "new-conversations": _("A new account writes to three players an hour for the first time."),
    "oauth": _("Too many requests for tokens by an application."),
    "offers": _("Too many offers at the board."),
    "password": _("Too many wrong passwords or codes."),
    "pictures": _("Too many pictures were drawn."),
    "rechecks": _("Too many further checks of bots."),
    "reports": _("Too many reports."),
    "reset": _("Too many requests for a new password from your network."),
    "result-reports": _("Too many results were reported from your network."),
    "sign-in": _("Too many tries to sign in."),
    "sign-up": _("Too many new accounts from your network."),
    "sprt-tests": _("Too many SPRT tests were started."),
    "suites": _("Too many suites were added."),
    "studies": _("Too many analyses were saved."),
    "uploads": _("Too many programs were uploaded."),
}


def sentence(subject: str, retry_after_s: int) -> str:
    """Return the excess in words, with the time of the next try."""
    wait = _("Try again in %(span)s.") % {"span": span(retry_after_s)}
    return f"{SENTENCES[subject]} {wait}"


def span(seconds: int) -> str:
    """Return the time in whole minutes, or in hours if it is longer, rounded up.

    Return seconds below a minute.
    """
    if seconds < _MINUTE_S:
        return ngettext("%(n)d second", "%(n)d seconds", seconds) % {"n": seconds}
    if seconds <= _HOUR_S:
        minutes = -(-seconds // _MINUTE_S)
        return ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes}
    hours = -(-seconds // _HOUR_S)
    return ngettext("%(n)d hour", "%(n)d hours", hours) % {"n": hours}
