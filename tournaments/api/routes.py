"""Every operation of the API in one table: the scope that it asks for, and the limits that it is counted under.

An operation that is not here cannot be declared (`operations`), so that none is added without a
thought of who may use it, and how often.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournaments.models import Scope
from tournaments.services import limits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tournaments.services.limits import Limit

_READS = (limits.API_READS, limits.API_READS_OF_PLACE)
_MOVES = (limits.API_MOVES, limits.API_MOVES_OF_PLACE)
_OFFERS = (limits.OFFERS, limits.OFFERS_OF_PLACE)
_GAMES = (limits.GAMES, limits.GAMES_OF_PLACE)
_CHANGES = (limits.CHANGES, limits.CHANGES_OF_PLACE)
_BOTS = (limits.BOTS, limits.CHANGES_OF_PLACE)


@dataclass(frozen=True, slots=True)
class Route:
    """`scope` is None where everybody may, with a token or without."""

    scope: Scope | None
    limits: Sequence[Limit]


_OPEN = Route(None, _READS)
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
    "game-move": Route(Scope.GAMES_PLAY, _MOVES),
    "game-resign": Route(Scope.GAMES_PLAY, _MOVES),
    "game-abort": Route(Scope.GAMES_PLAY, _MOVES),
    "game-offer": Route(Scope.GAMES_PLAY, _OFFERS),
    "game-decline": Route(Scope.GAMES_PLAY, _OFFERS),
    "me": _PRIVATE,
    "me-change": Route(Scope.ACCOUNT_WRITE, _CHANGES),
    "challenges": Route(Scope.CHALLENGES, _READS),
    "challenge": Route(Scope.CHALLENGES, _READS),
    "challenge-create": Route(Scope.CHALLENGES, _GAMES),
    "challenge-accept": Route(Scope.CHALLENGES, _GAMES),
    "challenge-decline": Route(Scope.CHALLENGES, _GAMES),
    "challenge-withdraw": Route(Scope.CHALLENGES, _GAMES),
    "bots": _OPEN,
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
}
