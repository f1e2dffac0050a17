"""Remote bots for tests: made, there, and with the tokens by which their programs play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tournaments.models import Bot
from tournaments.services.accounts import remote_terms, tokens
from tournaments.services.bots import remote_bots

if TYPE_CHECKING:
    from tournaments.models import User

PASSWORD = "rayuela-73"
FAMILIES = ["morlox", "morelli"]


def bot(owner: User, name: str = "Fama", *, is_there: bool = True, **terms: Any) -> Bot:
    """A remote bot of `owner`, whose program was heard of just now."""
    values = {"families": FAMILIES, "least_s": 1, "max_games": 2, **terms}
    row = remote_bots.create(owner=owner, name=name, terms=remote_bots.Terms(**values))
    if is_there:
        assert row.line_id is not None
        remote_terms.note_seen(row.line_id)
    return Bot.objects.select_related("player", "line", "remote").get(pk=row.pk)


def token(row: Bot) -> str:
    """The secret of a new token that plays as the bot."""
    assert row.owner is not None
    new = tokens.create(
        user=row.owner, password=PASSWORD, name="home", scopes=["bots:play"], days=30, line=row.line
    )
    return new.secret
