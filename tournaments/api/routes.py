"""Every operation of the API in one table: its scope, and its limits.

An operation that is not here cannot be declared (`operations`), so that each new one needs a scope
and a limit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournaments import limits
from tournaments.limits import Limit
from tournaments.models import Scope

_READS = (limits.API_READS, limits.API_READS_OF_PLACE)
_MOVES = (limits.API_MOVES, limits.API_MOVES_OF_PLACE)
_OFFERS = (limits.OFFERS, limits.OFFERS_OF_PLACE)
_GAMES = (limits.GAMES, limits.GAMES_OF_PLACE)
_CHANGES = (limits.CHANGES, limits.CHANGES_OF_PLACE)
_BOTS = (limits.BOTS, limits.CHANGES_OF_PLACE)


@dataclass(frozen=True, slots=True)
class Route:
    """The permission and the limits of an operation.

    Attributes:
        scope: None if all callers are authorised, with a token or without.
        is_for_bots: whether a token of a remote bot, which has one scope only, is authorised too,
            and acts as the bot.
    """

    scope: Scope | None
    limits: Sequence[Limit]
    is_for_bots: bool = False


_OPEN = Route(None, _READS)
# Operations that compute for any caller.
_COMPUTED = Route(None, (*_READS, limits.COMPUTATIONS, limits.COMPUTATIONS_OF_PLACE))
_TAKING_PART = Route(Scope.EVENTS_ENTER, (limits.ENTRIES, limits.ENTRIES_OF_PLACE))
_NEW_EVENT = Route(Scope.EVENTS_WRITE, (limits.EVENTS, limits.EVENTS_OF_PLACE))
_DESK = Route(Scope.EVENTS_WRITE, (limits.DESK, limits.DESK_OF_PLACE))
_DEAR_AT_DESK = Route(Scope.EVENTS_WRITE, (limits.CORRECTIONS, limits.DESK, limits.DESK_OF_PLACE))
_PRIVATE = Route(Scope.READ, _READS)
_OWN_BOT = Route(Scope.BOTS_UPLOAD, _BOTS)
_UPLOAD = Route(Scope.BOTS_UPLOAD, (limits.BOTS, limits.UPLOADS_OF_PLACE))

ROUTES: Mapping[str, Route] = {
    "rulesets": _OPEN,
    "position": _OPEN,
    "players": _OPEN,
    "player": _OPEN,
    "player-ratings": _OPEN,
    "player-ledger": _OPEN,
    "players-versus": _OPEN,
    "pools": _OPEN,
    "pool-leaderboard": _OPEN,
    "pool-distribution": _OPEN,
    "games": _OPEN,
    "game": _OPEN,
    "game-moves": _OPEN,
    "game-record": _OPEN,
    "game-clock": _OPEN,
    "game-stream": Route(Scope.READ, _READS, is_for_bots=True),
    "game-move": Route(Scope.GAMES_PLAY, _MOVES, is_for_bots=True),
    "game-resign": Route(Scope.GAMES_PLAY, _MOVES, is_for_bots=True),
    "game-abort": Route(Scope.GAMES_PLAY, _MOVES, is_for_bots=True),
    "game-offer": Route(Scope.GAMES_PLAY, _OFFERS, is_for_bots=True),
    "game-decline": Route(Scope.GAMES_PLAY, _OFFERS, is_for_bots=True),
    "events": _OPEN,
    "event": _OPEN,
    "event-entries": _OPEN,
    "entry": _OPEN,
    "event-rounds": _OPEN,
    "event-round": _OPEN,
    "board-explanation": _COMPUTED,
    "event-standings": _OPEN,
    "event-standing": _COMPUTED,
    "event-crosstable": _OPEN,
    "event-clubs": _OPEN,
    "event-categories": _OPEN,
    "event-sections": _OPEN,
    "event-draw": _OPEN,
    "event-log": _OPEN,
    "event-announcements": _OPEN,
    "event-forbidden-pairs": _OPEN,
    "event-staff": _PRIVATE,
    "event-prizes": _OPEN,
    "event-export": _COMPUTED,
    "event-forecast": _COMPUTED,
    "forecast-plan": Route(Scope.READ, (limits.FORECASTS, limits.FORECASTS_OF_PLACE)),
    "forecast": _PRIVATE,
    "event-enter": _TAKING_PART,
    "event-leave": _TAKING_PART,
    "event-check-in": _TAKING_PART,
    "event-bye": _TAKING_PART,
    "event-bye-cancel": _TAKING_PART,
    "team-act": _TAKING_PART,
    "line-up": _TAKING_PART,
    "series-list": _OPEN,
    "series": _COMPUTED,
    "series-create": _NEW_EVENT,
    "series-change": _DESK,
    "series-act": _DEAR_AT_DESK,
    "series-delete": _DESK,
    "festivals": _OPEN,
    "festival": _OPEN,
    "festival-create": _NEW_EVENT,
    "festival-change": _DESK,
    "festival-act": _DESK,
    "festival-delete": _DESK,
    "festival-prizes": _OPEN,
    "festival-prize-add": _DESK,
    "festival-prize-remove": _DESK,
    "festival-prizes-divide": _DESK,
    "festival-prizes-rules": _DESK,
    "festival-prizes-award": _DESK,
    "festival-prizes-withdraw": _DESK,
    "event-create": _NEW_EVENT,
    # The operation counts an import as an event. A dry run only looks at the report.
    "event-import": Route(Scope.EVENTS_WRITE, (limits.EVENT_LOOKS, limits.EVENT_LOOKS_OF_PLACE)),
    "event-change": _DESK,
    "event-step": _DEAR_AT_DESK,
    "entries-add": _DESK,
    "entry-change": _DESK,
    "entry-remove": _DESK,
    "event-rated-players": _PRIVATE,
    "entry-act": _DESK,
    "event-fees": _PRIVATE,
    "entry-fee": _DESK,
    "event-sanctions": _PRIVATE,
    "sanction-lift": _DEAR_AT_DESK,
    "event-number-changes": _PRIVATE,
    "pairs-forbid": _DESK,
    "pairs-allow": _DESK,
    "event-announce": _DESK,
    "staff-add": _DESK,
    "staff-remove": _DESK,
    "log-undo": _DEAR_AT_DESK,
    "prizes-award": _DESK,
    "prize-add": _DESK,
    "prize-remove": _DESK,
    "prizes-divide": _DESK,
    "prizes-rules": _DESK,
    "round-times": _OPEN,
    "round-times-set": _DESK,
    "claims": _PRIVATE,
    "entry-claim": _TAKING_PART,
    "claim-answer": _DESK,
    "round-input": _OPEN,
    "round-verification": _COMPUTED,
    "round-draft": _DEAR_AT_DESK,
    "round-discard": _DESK,
    "round-edit": _DEAR_AT_DESK,
    "round-publish": _DESK,
    "round-take-back": _DESK,
    "round-start": _DESK,
    "round-close": _DEAR_AT_DESK,
    "board-result": _DESK,
    "round-reports": _PRIVATE,
    "game-act": _DESK,
    "game-correct": _DEAR_AT_DESK,
    "me": Route(Scope.READ, _READS, is_for_bots=True),
    "me-games": Route(Scope.READ, _READS, is_for_bots=True),
    "stream": Route(Scope.READ, _READS, is_for_bots=True),
    "event-bot-request": _DESK,
    "bot-consent": _OPEN,
    "line-consent": _PRIVATE,
    "line-consent-change": _OWN_BOT,
    "bot-requests": _PRIVATE,
    "bot-request-answer": _OWN_BOT,
    "gauntlets": _OPEN,
    "gauntlet": _OPEN,
    "gauntlet-pairs": _OPEN,
    "gauntlet-start": Route(Scope.BOTS_UPLOAD, (limits.SPRT_TESTS, limits.CHANGES_OF_PLACE)),
    "gauntlet-stop": _OWN_BOT,
    "remote-bots": _PRIVATE,
    "remote-bot": _PRIVATE,
    "remote-bot-create": Route(Scope.BOTS_UPLOAD, _BOTS),
    "remote-bot-module": _UPLOAD,
    "remote-bot-change": Route(Scope.BOTS_UPLOAD, _BOTS),
    "me-change": Route(Scope.ACCOUNT_WRITE, _CHANGES),
    "challenges": Route(Scope.CHALLENGES, _READS, is_for_bots=True),
    "challenge": Route(Scope.CHALLENGES, _READS, is_for_bots=True),
    "challenge-create": Route(Scope.CHALLENGES, _GAMES, is_for_bots=True),
    "challenge-accept": Route(Scope.CHALLENGES, _GAMES, is_for_bots=True),
    "challenge-decline": Route(Scope.CHALLENGES, _GAMES, is_for_bots=True),
    "challenge-withdraw": Route(Scope.CHALLENGES, _GAMES, is_for_bots=True),
    "bots": _OPEN,
    "bot-boxes": _OPEN,
    "bot-lines": _PRIVATE,
    "bot-line": _PRIVATE,
    "bot-line-create": _UPLOAD,
    "bot-upload": _UPLOAD,
    "bot-version": _PRIVATE,
    "bot-standing": _PRIVATE,
    "bot-program": _PRIVATE,
    "bot-activate": _OWN_BOT,
    "bot-retire": _OWN_BOT,
    "bot-recheck": _OWN_BOT,
    "bot-events": _PRIVATE,
    "bot-enter": _OWN_BOT,
    "bot-leave": _OWN_BOT,
    "bot-ladders": _OPEN,
    "bot-ladder-enter": _OWN_BOT,
    "bot-games": _PRIVATE,
    "bot-first-looks": _PRIVATE,
    "bot-compare": _PRIVATE,
    "bot-transcript": _PRIVATE,
    "bot-transcripts": _PRIVATE,
    "sprt-tests": _OPEN,
    "sprt-test": _OPEN,
    "sprt-test-trace": _OPEN,
    "sprt-test-start": Route(Scope.BOTS_UPLOAD, (limits.SPRT_TESTS, limits.CHANGES_OF_PLACE)),
    "sprt-test-stop": _OWN_BOT,
    "suites": _OPEN,
    "suite": _OPEN,
    "suite-create": Route(Scope.BOTS_UPLOAD, (limits.SUITES, limits.CHANGES_OF_PLACE)),
    "suite-delete": _OWN_BOT,
}
