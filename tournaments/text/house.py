"""What the site says of its own bots and events: stored in English, shown in the reader's language."""

from __future__ import annotations

from django.utils.translation import gettext, gettext_noop

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
    "Send a bot and let it climb: free bots are paired at once, with both sides of every set-up. "
    "The built-in bots wait here for yours."
)
OPENINGS = gettext_noop("Openings of 4 plies")
STANDING_LADDER = gettext_noop(
    "The ladder of its rating pool, which goes on for ever: whoever enters is paired at once for two "
    "dozen games, and now and then afterwards. The built-in bots play whoever comes."
)

_TEXTS = {
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
    """A description as its author wrote it; one of the site's own in the reader's language."""
    return gettext(description) if description in _TEXTS else description
