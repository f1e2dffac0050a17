"""Limits of requests in a period, each with the subject by which it counts.

`docs/reference/limits.md` shows this table. `tournaments/urls` says which address of the site is under which of them.
Limits of what there may be at one time (open challenges, invitations, versions in check) are no matter of waiting, and
are declared beside those objects.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

_QUARTER = timedelta(minutes=15)
_HOUR = timedelta(hours=1)
_DAY = timedelta(days=1)


class By(StrEnum):
    """The kinds of keys by which tries are counted."""

    ACCOUNT = "account"
    NETWORK = "network"
    NAME = "name"
    NAME_AND_NETWORK = "name-and-network"
    DEVICE = "device"
    EVENT = "event"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `most` tries under one key within `window`, counted from the first of them.

    Attributes:
        subject: what is limited, as `tournaments.text.limits` has words for it.
        is_guard: it guards a secret, and no setting lifts it.
    """

    subject: str
    by: By
    most: int
    window: timedelta
    is_guard: bool = False

    @property
    def name(self) -> str:
        """The name of the limit, which begins the keys of its counts."""
        return f"{self.subject}-by-{self.by}"


# One visitor who has forgotten the password of one account.
SIGN_INS_OF_ONE = Limit("sign-in", By.NAME_AND_NETWORK, 10, _QUARTER, is_guard=True)
# A list of names tried from one place. Places such as a club share an address, hence the number.
SIGN_INS_OF_PLACE = Limit("sign-in", By.NETWORK, 100, _QUARTER, is_guard=True)
# One account tried from many places.
SIGN_INS_OF_NAME = Limit("sign-in", By.NAME, 100, _QUARTER, is_guard=True)
# A browser that has signed in to the account before, so that strangers do not use up its tries.
SIGN_INS_OF_DEVICE = Limit("sign-in", By.DEVICE, 10, _QUARTER, is_guard=True)
# The password that is asked for again inside an account, and codes of the second factor.
PASSWORDS = Limit("password", By.ACCOUNT, 10, _QUARTER, is_guard=True)
# Reset links asked for from one place, and passwords set by them.
RESETS = Limit("reset", By.NETWORK, 10, _HOUR, is_guard=True)
# A class behind one address signs up in one lesson.
SIGN_UPS = Limit("sign-up", By.NETWORK, 60, _HOUR)
SIGN_UPS_OF_ALL = Limit("sign-up", By.ALL, 2_000, _HOUR)
# New guests of one place, and of all, in case one person has many addresses.
GUESTS = Limit("guests", By.NETWORK, 40, _HOUR)
GUESTS_OF_ALL = Limit("guests", By.ALL, 2_000, _HOUR)
# Games, seeks and invitations that guests of one place begin.
GUEST_GAMES = Limit("guest-games", By.NETWORK, 120, _HOUR)
# Challenges, seeks, invitations and rematches, and the answers to them.
GAMES = Limit("games", By.ACCOUNT, 240, _HOUR)
GAMES_OF_PLACE = Limit("games", By.NETWORK, 1_200, _HOUR)
# A bot's replies cost the site's own time.
BOT_GAMES = Limit("bot-games", By.ACCOUNT, 60, _HOUR)
# Draws, take-backs, time and other offers at a board, and claims against absent opponents.
OFFERS = Limit("offers", By.ACCOUNT, 900, _HOUR)
OFFERS_OF_PLACE = Limit("offers", By.NETWORK, 3_600, _HOUR)
# Each line is news for everybody at the board.
CHAT = Limit("chat", By.ACCOUNT, 5, timedelta(seconds=15), is_guard=True)
# First messages to players who have no conversation with the author.
CONVERSATIONS = Limit("conversations", By.ACCOUNT, 20, _HOUR, is_guard=True)
CONVERSATIONS_OF_NEW = Limit("new-conversations", By.ACCOUNT, 3, _HOUR, is_guard=True)
REPORTS = Limit("reports", By.ACCOUNT, 30, _HOUR)
EVENTS = Limit("events", By.ACCOUNT, 30, _HOUR)
EVENTS_OF_PLACE = Limit("events", By.NETWORK, 120, _HOUR)
# Looks at the file of a foreign event: reading five thousand players takes a second.
EVENT_LOOKS = Limit("event-looks", By.ACCOUNT, 240, _HOUR)
EVENT_LOOKS_OF_PLACE = Limit("event-looks", By.NETWORK, 960, _HOUR)
# Entering, leaving, byes and claims; an access code could be guessed.
ENTRIES = Limit("entries", By.ACCOUNT, 120, _HOUR)
ENTRIES_OF_PLACE = Limit("entries", By.NETWORK, 1_200, _HOUR)
# The desk of an event: results of 2,500 boards are entered within one round.
DESK = Limit("desk", By.ACCOUNT, 3_600, _HOUR)
DESK_OF_PLACE = Limit("desk", By.NETWORK, 7_200, _HOUR)
# Results that players report from the network of a hall: 100 boards a round, each reported twice.
RESULT_REPORTS = Limit("result-reports", By.NETWORK, 1_200, _HOUR)
# Computations of a pairing or of a pool of ratings.
CORRECTIONS = Limit("corrections", By.ACCOUNT, 240, _HOUR)
UPLOADS = Limit("uploads", By.ACCOUNT, 10, _DAY, is_guard=True)
RECHECKS = Limit("rechecks", By.ACCOUNT, 3, _DAY, is_guard=True)
UPLOADS_OF_PLACE = Limit("uploads", By.NETWORK, 60, _HOUR)
BOTS = Limit("bots", By.ACCOUNT, 120, _HOUR)
SPRT_TESTS = Limit("sprt-tests", By.ACCOUNT, 30, _HOUR)
# Each is up to a thousand positions, read by the rules.
SUITES = Limit("suites", By.ACCOUNT, 60, _HOUR)
# Each move on the board of an analysis without a script is one.
ANALYSES = Limit("analyses", By.ACCOUNT, 2_400, _HOUR)
ANALYSES_OF_PLACE = Limit("analyses", By.NETWORK, 4_800, _HOUR)
# Each is a row that stays.
STUDIES = Limit("studies", By.ACCOUNT, 300, _DAY)
STUDIES_OF_PLACE = Limit("studies", By.NETWORK, 600, _DAY)
FORECASTS = Limit("forecasts", By.ACCOUNT, 60, _HOUR)
FORECASTS_OF_PLACE = Limit("forecasts", By.NETWORK, 240, _HOUR)
# Pages and files that are computed for a visitor.
COMPUTATIONS = Limit("computations", By.ACCOUNT, 600, _HOUR)
COMPUTATIONS_OF_PLACE = Limit("computations", By.NETWORK, 1_200, _HOUR)
# Explanations and opened values of one event for which a worker is sent: this number takes 5 to 10
# minutes of one processor. Within the hour for which the store keeps them it is 2,000 at most.
COMPUTATIONS_OF_EVENT = Limit("computations", By.EVENT, 150, timedelta(minutes=5))
# Pictures that a worker draws for other sites, for 0.2 to 0.5 s of a processor each. Robots of one messenger share a
# network. All pictures of an hour take 12 to 30 minutes of a processor.
PICTURES = Limit("pictures", By.NETWORK, 300, _HOUR)
PICTURES_OF_ALL = Limit("pictures", By.ALL, 3_600, _HOUR)
# Moves at puzzles.
PUZZLES = Limit("puzzles", By.ACCOUNT, 1_200, _HOUR)
PUZZLES_OF_PLACE = Limit("puzzles", By.NETWORK, 4_800, _HOUR)
# Settings of an account, notices, vacations.
CHANGES = Limit("changes", By.ACCOUNT, 240, _HOUR)
CHANGES_OF_PLACE = Limit("changes", By.NETWORK, 2_400, _HOUR)
# Exchanges and revocations of applications. A server that acts for many accounts is one network.
OAUTH = Limit("oauth", By.NETWORK, 3_600, _HOUR)
# Requests of programs to the API: what only reads, moves, and the rest.
API_READS = Limit("api-reads", By.ACCOUNT, 18_000, _HOUR)
API_READS_OF_PLACE = Limit("api-reads", By.NETWORK, 36_000, _HOUR)
API_MOVES = Limit("api-moves", By.ACCOUNT, 18_000, _HOUR)
API_MOVES_OF_PLACE = Limit("api-moves", By.NETWORK, 72_000, _HOUR)
API_WORK = Limit("api-work", By.ACCOUNT, 36_000, _HOUR)
API_WORK_OF_PLACE = Limit("api-work", By.NETWORK, 72_000, _HOUR)

ALL = tuple(each for each in dict(globals()).values() if isinstance(each, Limit))
