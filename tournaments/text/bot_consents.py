"""Sentences for the permissions that authors give for their bots, and for requests, gauntlets and tunings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

SENTENCES: Mapping[str, _StrPromise] = {
    "bot-asks": _("The author of this bot wants to be asked first: send a request."),
    "bot-away": _("The program of this bot is away: it cannot be challenged until it is back."),
    "bot-board": _("This bot does not play on this board."),
    "bot-bots-only": _("This bot plays against bots only."),
    "bot-busy": _("This bot has reached its limit of games in progress."),
    "bot-casual-only": _("This bot plays casual games only."),
    "bot-clock": _("This bot does not play with such a clock."),
    "bot-inactive": _("This bot does not play at the moment."),
    "bot-no-challenges": _("This bot plays only in events that its author enters."),
    "bot-no-events": _("The author of this bot enters it in events and wants no requests."),
    "bot-no-matches": _("The author of this bot allows no matches of other authors against it."),
    "bot-people-only": _("This bot plays against people only."),
    "bot-rated-only": _("This bot plays rated games only."),
    "bot-refuses-account": _("The author of this bot does not let it play with you."),
    "consent-accounts": _("At most fifty accounts, by the names of players who have one."),
    "consent-formats": _("There is no such format of events."),
    "consent-games": _("A bot plays 1 to 64 games simultaneously."),
    "consent-opponents": _("A bot plays all opponents, people only or bots only."),
    "request-answered": _("The author was asked for this event before."),
    "request-needless": _("No permission is needed: enter the player."),
    "request-over": _("This request is answered already, or its event is over."),
    "requests-many": _("Fifty of your requests wait for an answer."),
    "gauntlet-bots": _(
        "A gauntlet needs a version of yours that is ready, and 1 to 20 other bots that are active."
    ),
    "gauntlet-pairs": _("A gauntlet has 1 to 100 pairs against each bot."),
    "gauntlets-many": _("Two of your gauntlets are running. Stop one or wait for its end."),
    "not-your-gauntlet": _("This gauntlet belongs to another user."),
    "gauntlet-stopped": _("stopped by its author"),
    "gauntlet-void": _("too many games failed because of the service"),
    "tuning-iterations": _("A tuning has 1 to 5,000 iterations."),
    "tuning-line": _(
        "Write a parameter as its name, int or float, start, minimum and maximum, with commas between them. c_end and r_end may follow."
    ),
    "tuning-opponent": _("A tuning is played against one other bot."),
    "tuning-option": _(
        "The check of this version found no such option with these bounds. A program declares its options in its greeting. If the version was checked before options were read, upload it again."
    ),
    "tuning-parameter": _(
        "The start must be within the bounds. c_end is at most the distance of the bounds, and 0.5 or more for int. r_end is above 0 and at most 1. No number is above 1,000,000,000."
    ),
    "tuning-parameters": _("A tuning has 1 to 50 parameters with different names."),
    "tunings-many": _("One of your tunings is running. Stop it or wait for its end."),
}
