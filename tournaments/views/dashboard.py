"""The front page of players: their turns, the last choice of the lobby, their ratings and their events."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from games import svg
from tournaments.forms.lobby import PlayClockField
from tournaments.models import Challenge, Entry, Event, Game, Player, StaffMember, User, statements
from tournaments.queries.clocks import game_clocks
from tournaments.queries.events import followed, open_events
from tournaments.queries.lobby import last_choice
from tournaments.queries.lobby.last_choice import LastChoice
from tournaments.queries.ratings import headlines
from tournaments.views.games import board_cards

LIST_LENGTH = 6

# The latest events of each kind. `open_events.rows` returns a hundred at most.
_MOST_EVENTS = 50


@dataclass(frozen=True, slots=True)
class PlayAgain:
    """The last choice of the lobby. If `is_direct`, one click begins or seeks such a game.

    Other clocks, such as a custom one, need the lobby's form.
    """

    choice: LastChoice
    is_direct: bool


def context(player: Player, user: User | None, look: svg.Look, now: datetime) -> dict[str, Any]:
    """Return the parts of the page that belong to the player."""
    return {
        **_games(player, look),
        "again": _play_again(player),
        "headlines": headlines.of_player(player, now),
        "followed_games": followed.ongoing(player, user, LIST_LENGTH),
        **_events(player, user, now),
        "challenges": Challenge.objects.open()
        .visible_to(player)
        .filter(opponent=player)
        .select_related("challenger", "opponent"),
    }


def _games(player: Player, look: svg.Look) -> dict[str, Any]:
    mine = _ongoing_of.all(player=player.pk)
    my_turn = [game for game in mine if game.side_of(player) == game.side_to_move]
    return {
        "my_turn": len(my_turn),
        "my_boards": board_cards.cards(my_turn[:LIST_LENGTH], look),
        "my_other_turns": my_turn[LIST_LENGTH:],
        "waiting": [game for game in mine if game.side_of(player) != game.side_to_move],
    }


@statements.query
def _ongoing_of(player: int) -> QuerySet[Game]:
    return Game.objects.ongoing().with_players().of(player).order_by("deadline_at")


def _play_again(player: Player) -> PlayAgain | None:
    choice = last_choice.of_player(player)
    if choice is None:
        return None
    is_unlimited = game_clocks.clock_of(choice.game).kind.is_unlimited
    is_offered = PlayClockField().valid_value(choice.clock)
    return PlayAgain(choice, is_offered and (choice.bot is not None or not is_unlimited))


def _events(player: Player, user: User | None, now: datetime) -> dict[str, Any]:
    """Return the open events in which the player has an entry, and those that the user organises or helps with."""
    entered_ids = [pk for (pk,) in _open_with.all(player=player.pk)][:_MOST_EVENTS]
    run_ids = [pk for (pk,) in _open_by.all(user=user.pk)][:_MOST_EVENTS] if user else []
    own = Event.objects.filter(pk__in={*entered_ids, *run_ids})
    rows = open_events.rows(open_events.with_playing(own), now) if entered_ids or run_ids else []
    return {
        "entered_events": [row for row in rows if row.event.pk in entered_ids][:LIST_LENGTH],
        "my_events": [row for row in rows if row.event.pk in run_ids][:LIST_LENGTH],
    }


@statements.query
def _open_with(player: int) -> QuerySet[Event, tuple[int]]:
    own = Entry.objects.filter(player=player).exclude(state=Entry.State.WITHDRAWN)
    return Event.objects.open().filter(pk__in=own.values("event")).values_list("pk")


@statements.query
def _open_by(user: int) -> QuerySet[Event, tuple[int]]:
    helps = StaffMember.objects.filter(user=user).values("event")
    return Event.objects.open().filter(Q(organiser=user) | Q(pk__in=helps)).values_list("pk")
