"""Callers of the API: the account behind an access token, or an anonymous caller.

Cookies do not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpRequest

from tournaments.api.problems import ProblemError
from tournaments.api.uploads import SentFile
from tournaments.edges import access
from tournaments.errors import NotAllowedError
from tournaments.models import AccessToken, Game, Player, Scope, User
from tournaments.services.accounts import remote_presence, throttles, tokens

CODE_HEADER = "Event-Code"
CODE_PARAMETER = "code"
# Addresses, as operations declare them, of the parts of an event that may be private.
_OF_EVENTS = ("/events/{", "/games/{", "/chat/{", "/bots/versions/{int:version_id}/games/{")
_LONGEST_CODE = 80
_SCHEME = "bearer "


@dataclass(frozen=True, slots=True)
class Caller:
    """The caller of an operation.

    Attributes:
        token: the token of the request, or None without a token.
        player: of the token's account, if it has one. For a bot's token, the bot.
    """

    address: str
    token: AccessToken | None = None
    player: Player | None = None

    @property
    def user(self) -> User | None:
        """Return the account, or None for a caller without a token."""
        return self.token.user if self.token else None

    @property
    def account(self) -> User:
        """The account of an operation that has a scope."""
        assert self.token is not None, "the operation has a scope"
        return self.token.user

    @property
    def seat(self) -> Player:
        """The player who acts. Raises NotAllowedError `account-needed` for an account that does not play."""
        if self.player is None:
            raise NotAllowedError("account-needed")
        return self.player

    @property
    def visitor(self) -> throttles.Visitor:
        """Return the visitor for the limits: by account, for all of its tokens, and by address."""
        return throttles.Visitor(self.user.pk if self.user else None, self.address)


class ApiRequest(HttpRequest):
    """A request that `operations` has let in."""

    caller: Caller
    # The file, if the operation takes one.
    file: SentFile


def of(request: HttpRequest, scopes: Sequence[Scope], *, is_for_bots: bool) -> Caller:
    """Return the caller if it has one of `scopes`. Without scopes all callers are authorised.

    `is_for_bots` also authorises remote bots, which are the players of their tokens everywhere.

    Raises:
        ProblemError: `token-needed`, `token-refused` (also if no token is needed), `scope-needed`.
    """
    address = request.META.get("REMOTE_ADDR", "")
    header = request.headers.get("Authorization", "")
    if not header:
        if scopes:
            raise ProblemError("token-needed")
        return Caller(address)
    if not header.lower().startswith(_SCHEME):
        raise ProblemError("token-refused")
    token = tokens.authenticate(header[len(_SCHEME) :].strip())
    if token is None:
        raise ProblemError("token-refused")
    is_bots = Scope.BOTS_PLAY in token.scope_set
    if scopes and token.scope_set.isdisjoint(scopes) and not (is_bots and is_for_bots):
        raise ProblemError("scope-needed", " ".join(scopes))
    return Caller(address, token, _bot(token) if is_bots else _person(token))


def may_be_private(path: str) -> bool:
    """Return whether an access code gives access to the address of an operation."""
    return path.startswith(_OF_EVENTS)


def code_of(request: ApiRequest) -> str:
    """Return the access code of the request, from the header or `code`, or an empty text without a code."""
    code = request.headers.get(CODE_HEADER, "") or request.GET.get(CODE_PARAMETER, "")
    return str(code)[:_LONGEST_CODE]


def game_of(request: ApiRequest, game_id: int) -> Game:
    """The game, for whom its event lets look. Raises Http404."""
    return access.get_game_for(request.caller.user, game_id, lambda _slug: code_of(request))


def _person(token: AccessToken) -> Player | None:
    # An account that does not play raises an AttributeError.
    player: Player | None = getattr(token.user, "player", None)
    return player


def _bot(token: AccessToken) -> Player | None:
    """Return the remote bot of the token. The bot is present while its programs ask."""
    assert token.line_id is not None, "it is given with that scope"
    return remote_presence.player_of(token.line_id)
