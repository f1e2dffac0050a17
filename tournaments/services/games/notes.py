"""Private notes about a game."""

from __future__ import annotations

from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError
from tournaments.models import Game, Note, Player
from tournaments.models.correspondence import NOTE_LENGTH


def of_player(game: Game, player: Player | None) -> str:
    """Return the note of `player`, empty without one."""
    note = game.notes.filter(player=player).first() if player else None
    return note.text if note else ""


def keep(*, game: Game, player: Player, text: str) -> None:
    """Store `text` as the note of `player`. An empty text deletes it.

    Raises:
        NotAllowedError: `not-your-game`.
        RefusedError: `note-long`.
    """
    if game.side_of(player) is None:
        raise NotAllowedError("not-your-game")
    text = text.replace("\r\n", "\n").replace("\x00", "").strip()
    if len(text) > NOTE_LENGTH:
        raise RefusedError("note-long", f"{len(text)} > {NOTE_LENGTH}")
    if not text:
        game.notes.filter(player=player).delete()
        return
    Note.objects.update_or_create(
        game=game, player=player, defaults={"text": text, "changed_at": database_time.now()}
    )
