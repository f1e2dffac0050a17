"""The kinds of operations of the API: their scopes and their limits.

Each operation names its kind where it is declared (`operations`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments import limits
from tournaments.limits import Limit
from tournaments.models import Scope

_READS = (limits.API_READS, limits.API_READS_OF_PLACE)
_MOVES = (limits.API_MOVES, limits.API_MOVES_OF_PLACE)
_WORK = (limits.API_WORK, limits.API_WORK_OF_PLACE)
_OFFERS = (limits.OFFERS, limits.OFFERS_OF_PLACE)
_GAMES = (limits.GAMES, limits.GAMES_OF_PLACE)
_CHANGES = (limits.CHANGES, limits.CHANGES_OF_PLACE)


@dataclass(frozen=True, slots=True)
class Route:
    """The permission and the limits of an operation.

    Attributes:
        scope: None if all callers are authorised, with a token or without.
        other_scope: authorises too, for an operation of players and of the staff.
        is_for_bots: whether a token of a remote bot, which has one scope only, is authorised too,
            and acts as the bot.
    """

    scope: Scope | None
    limits: Sequence[Limit]
    is_for_bots: bool = False
    other_scope: Scope | None = None

    @property
    def scopes(self) -> Sequence[Scope]:
        """Return the scopes of which each authorises. None are needed if it is empty."""
        return [scope for scope in (self.scope, self.other_scope) if scope is not None]


OPEN = Route(None, _READS)
# Operations that compute for any caller.
COMPUTED = Route(None, (*_READS, limits.COMPUTATIONS, limits.COMPUTATIONS_OF_PLACE))
FORECAST = Route(Scope.READ, (limits.FORECASTS, limits.FORECASTS_OF_PLACE))
PRIVATE = Route(Scope.READ, _READS)
OWN = Route(Scope.READ, _READS, is_for_bots=True)
OWN_TOKEN = Route(Scope.READ, _CHANGES, is_for_bots=True)
ACCOUNT = Route(Scope.ACCOUNT_WRITE, _CHANGES)
MOVE = Route(Scope.GAMES_PLAY, _MOVES, is_for_bots=True)
OFFER = Route(Scope.GAMES_PLAY, _OFFERS, is_for_bots=True)
CHALLENGES = Route(Scope.CHALLENGES, _READS, is_for_bots=True)
CHALLENGE = Route(Scope.CHALLENGES, _GAMES, is_for_bots=True)
NEW_GAME = Route(Scope.CHALLENGES, _GAMES)
SEEK_RENEWAL = Route(Scope.CHALLENGES, _READS)
LINE = Route(Scope.GAMES_PLAY, _OFFERS)
REPORT = Route(Scope.ACCOUNT_WRITE, (limits.REPORTS, limits.CHANGES_OF_PLACE))
STUDY = Route(Scope.GAMES_PLAY, (limits.ANALYSES, limits.ANALYSES_OF_PLACE))
MODERATION = Route(Scope.MODERATE, _READS)
MODERATION_ACT = Route(Scope.MODERATE, _CHANGES)
MESSAGES = Route(Scope.MESSAGES, _READS)
MESSAGE = Route(Scope.MESSAGES, _OFFERS)
PUZZLE = Route(Scope.GAMES_PLAY, (limits.PUZZLES, limits.PUZZLES_OF_PLACE))
TAKING_PART = Route(Scope.EVENTS_ENTER, (limits.ENTRIES, limits.ENTRIES_OF_PLACE))
EVENT_LINE = Route(Scope.EVENTS_ENTER, _OFFERS)
NEW_EVENT = Route(Scope.EVENTS_WRITE, (limits.EVENTS, limits.EVENTS_OF_PLACE))
# The operation counts an import as an event. A dry run only looks at the report.
IMPORT = Route(Scope.EVENTS_WRITE, (limits.EVENT_LOOKS, limits.EVENT_LOOKS_OF_PLACE))
DESK = Route(Scope.EVENTS_WRITE, (limits.DESK, limits.DESK_OF_PLACE))
# The players of a game and the staff of its event.
OF_GAME_OR_DESK = Route(
    Scope.EVENTS_ENTER, (limits.DESK, limits.DESK_OF_PLACE), other_scope=Scope.EVENTS_WRITE
)
DEAR_AT_DESK = Route(Scope.EVENTS_WRITE, (limits.CORRECTIONS, limits.DESK, limits.DESK_OF_PLACE))
OWN_BOT = Route(Scope.BOTS_UPLOAD, (limits.BOTS, limits.CHANGES_OF_PLACE))
UPLOAD = Route(Scope.BOTS_UPLOAD, (limits.BOTS, limits.UPLOADS_OF_PLACE))
NEW_TEST = Route(Scope.BOTS_UPLOAD, (limits.SPRT_TESTS, limits.CHANGES_OF_PLACE))
NEW_SUITE = Route(Scope.BOTS_UPLOAD, (limits.SUITES, limits.CHANGES_OF_PLACE))
OWN_WORKER = Route(Scope.WORKERS_PLAY, (limits.BOTS, limits.CHANGES_OF_PLACE))
WORK = Route(Scope.WORKERS_PLAY, _WORK)
