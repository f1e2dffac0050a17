"""The cause of a game's end, in a sentence that names the player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

import games
from tournaments.models import Correction, Game
from tournaments.models.games import winner_side
from tournaments.text import descriptions

# Ends of a game that neither player caused alone.
_OF_NOBODY = {
    Game.Ending.DRAW_AGREED: gettext_noop("Both agreed on a draw."),
    Game.Ending.FAULT: gettext_noop("The service failed. Neither player is at fault."),
    Game.Ending.FORFEIT: gettext_noop("The arbiter declared the game forfeited."),
    Game.Ending.ADJUDICATION: gettext_noop("The arbiter decided the game."),
    Game.Ending.OVER_BOARD: gettext_noop("The game was played over the board."),
}


def cause(game: Game, corrections: Sequence[Correction]) -> str:
    """Return the cause of `game`'s end, or an empty text before it.

    A correction of the result keeps the cause.
    """
    if game.ending is None:
        return ""
    result = corrections[0].before if corrections else game.result
    ending = Game.Ending(game.ending)
    if ending in _OF_NOBODY:
        return _(_OF_NOBODY[ending])
    match ending:
        case Game.Ending.RULES:
            return _reason(game) or _("The game was played to its end.")
        case Game.Ending.AGREEMENT:
            return _(descriptions.words_of_agreement(games.load(game.ruleset)).ended)
        case Game.Ending.ABORTED if game.ending_detail == "taken-back":
            return _("The organiser took the round back before a move was made.")
        case Game.Ending.ABORTED if game.ending_detail == "cancelled":
            return _("The event was cancelled.")
        case Game.Ending.ABORTED:
            return _("%(name)s aborted the game before making a move.") % {
                "name": game.player_on(game.ending_detail)
            }
        case Game.Ending.ABSENCE if winner_side(result) is None:
            return _("%(name)s left the game, and the opponent claimed a draw.") % {
                "name": game.player_on(game.ending_detail)
            }
        case _:
            winner = winner_side(result)
            if winner is None:  # an ending by one's own fault has a winner
                return ""
            loser = game.player_on(games.Side(winner).opponent)
            return _by_fault(ending) % {"name": loser}


# Endings with a name that completes "You won ...".
_HOW = {
    Game.Ending.RULES,
    Game.Ending.AGREEMENT,
    Game.Ending.RESIGNATION,
    Game.Ending.TIME,
    Game.Ending.ABSENCE,
    Game.Ending.NO_SHOW,
}


def verdict(game: Game, corrections: Sequence[Correction], side: str) -> str:
    """Return the result of `game` for its player on `side`, such as `You lost on time.`.

    Return an empty text for results without a winner. A reason by the rules of the game belongs to
    the sentence: `You won: White cannot move.`
    """
    winner = winner_side(game.result)
    if winner is None or game.ending is None:
        return ""
    has_won = winner == side
    if corrections:
        corrected = _("You won by correction of the result.")
        return corrected if has_won else _("You lost by correction of the result.")
    ending = Game.Ending(game.ending)
    reason = _reason(game) if ending == Game.Ending.RULES else ""
    if reason:
        return (_("You won: %(reason)s") if has_won else _("You lost: %(reason)s")) % {
            "reason": reason
        }
    if ending in _HOW:
        return (_("You won %(ending)s.") if has_won else _("You lost %(ending)s.")) % {
            "ending": ending.label
        }
    return _("You won.") if has_won else _("You lost.")


def _reason(game: Game) -> str:
    position = games.load(game.ruleset).parse(game.position)
    return " ".join(descriptions.reasons(position))


def _by_fault(ending: Game.Ending) -> str:
    match ending:
        case Game.Ending.RESIGNATION:
            return _("%(name)s resigned.")
        case Game.Ending.TIME:
            return _("%(name)s ran out of time.")
        case Game.Ending.ABSENCE:
            return _("%(name)s left the game, and the opponent claimed the win.")
        case Game.Ending.NO_SHOW:
            return _("%(name)s made no move in time.")
        case Game.Ending.CRASH:
            return _("%(name)s crashed.")
        case Game.Ending.ILLEGAL_MOVE:
            return _("%(name)s made a move that the rules do not allow.")
        case Game.Ending.FLOOD:
            return _("%(name)s sent too much output.")
        case Game.Ending.PROTOCOL:
            return _("%(name)s broke the protocol.")
        case (
            Game.Ending.RULES
            | Game.Ending.AGREEMENT
            | Game.Ending.DRAW_AGREED
            | Game.Ending.FAULT
            | Game.Ending.ABORTED
            | Game.Ending.FORFEIT
            | Game.Ending.ADJUDICATION
            | Game.Ending.OVER_BOARD
        ):
            raise AssertionError(f"{ending} is nobody's fault")
        case _:
            assert_never(ending)
