"""The site's texts about its own bots and events: stored in English, shown in the reader's language."""

from __future__ import annotations

import re
from typing import Protocol

from django.utils.translation import gettext, gettext_noop, override

from tournaments.text.rulesets import ruleset_name

# Descriptions of the levels, the weakest first.
LEVELS = (
    gettext_noop("Level 1 of 8, for a first game."),
    gettext_noop("Level 2 of 8, for those who have just learnt the rules."),
    gettext_noop("Level 3 of 8, which overlooks a good deal."),
    gettext_noop("Level 4 of 8, which overlooks something now and then."),
    gettext_noop("Level 5 of 8, which sees threats."),
    gettext_noop("Level 6 of 8, which plans ahead."),
    gettext_noop("Level 7 of 8, for those who look for a hard game."),
    gettext_noop("Level 8 of 8, the strongest of this site."),
)
# Descriptions of bots that a site may have beside the levels, the strongest first.
DEEP_SEARCH = gettext_noop("Searches the game tree for a second a move.")
SHORT_SEARCH = gettext_noop("Searches the game tree, quickly.")
ONE_MOVE = gettext_noop("Looks one move ahead.")
SOMETIMES_CARELESS = gettext_noop("Looks one move ahead, and is careless now and then.")
OFTEN_CARELESS = gettext_noop("Looks one move ahead, and is careless most of the time.")
ANY_MOVE = gettext_noop("Plays any legal move.")
FINISHED_SWISS = gettext_noop("A Swiss of bots on the 9×9 board, four rounds.")
OPEN_SWISS = gettext_noop(
    "Join in: sign up, enter, and your first game begins within seconds. Bots and people share the "
    "boards here."
)
LADDER = gettext_noop(
    "Send a bot and let it climb: free bots are paired immediately, with both sides of "
    "every set-up. The built-in bots wait here for your bot."
)
ROUND_ROBIN_OF_LEVELS = gettext_noop(
    "Every level plays every other six times. The games count as those with people do, so that the "
    "levels have ratings before you play them."
)
OPENINGS = gettext_noop("Openings of 4 plies")
STANDING_LADDER = gettext_noop(
    "The ladder of its rating pool, which never ends: a bot that enters is paired "
    "immediately for two dozen games, and from time to time afterwards. The built-in "
    "bots play all opponents."
)
SCHEDULED = gettext_noop(
    "The service starts this event at its time. The site's bots fill up the field."
)
# Reasons of cancellations, by the code of the refusal that the page of the event shows.
CANCELLED = {
    "without-people": gettext_noop("No person has entered."),
    "too-few": gettext_noop("Too few players have entered."),
    "start-missed": gettext_noop("The service was not available at the start."),
    "schedule-changed": gettext_noop("The schedule was changed."),
}
# Names of schedules and of their events are stored in English: `Daily arena: Morelli 9×9, 2026-03-10`.
DAILY_ARENA = gettext_noop("Daily arena: %(game)s")
WEEKLY_SWISS = gettext_noop("Weekly Swiss: %(game)s")

_TEXTS = {
    SCHEDULED,
    *CANCELLED.values(),
    *LEVELS,
    ROUND_ROBIN_OF_LEVELS,
    DEEP_SEARCH,
    SHORT_SEARCH,
    ONE_MOVE,
    SOMETIMES_CARELESS,
    OFTEN_CARELESS,
    ANY_MOVE,
    FINISHED_SWISS,
    OPEN_SWISS,
    LADDER,
    OPENINGS,
    STANDING_LADDER,
}


def in_readers_language(description: str) -> str:
    """Return a description as its author wrote it, or one of the site's own in the reader's language."""
    return gettext(description) if description in _TEXTS else description


class Named(Protocol):
    """An event or a schedule."""

    @property
    def name(self) -> str:
        """Return the stored name."""

    @property
    def ruleset(self) -> str:
        """Return the key of the rule set."""


def stored_name(words: str, ruleset: str) -> str:
    """Return the name that a usual schedule is stored with, in English."""
    with override("en"):
        return words % {"game": ruleset_name(ruleset)}


def event_name(named: Named) -> str:
    """Return the name as its author wrote it, or that of a usual schedule in the reader's language.

    An event has the day behind the name of its schedule.
    """
    for words in (DAILY_ARENA, WEEKLY_SWISS):
        if not named.name.startswith(words.partition("%")[0]):
            continue
        day = named.name.removeprefix(stored_name(words, named.ruleset))
        if re.fullmatch(r"(, \d{4}-\d\d-\d\d)?", day):
            return gettext(words) % {"game": ruleset_name(named.ruleset)} + day
    return named.name
