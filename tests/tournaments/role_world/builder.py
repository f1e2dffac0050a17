"""The site of the roles under construction: its accounts, its events, and the object behind each address."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.tournaments import pages
from tournaments.models import Event, StaffMember, User
from tournaments.queries.clocks import game_clocks
from tournaments.queries.events import plans, player_lists
from tournaments.services.events import entries, listed_players, registration, staff_members
from tournaments.services.rounds import lifecycle, publication, rounds

SMALL = "morelli(size=5)"
_UNLIMITED = game_clocks.Clock(0, 0, game_clocks.Kind.UNLIMITED)


class Builder:
    """Accounts by name, parts of addresses by the route's name, and the forms that routes take."""

    def __init__(self, users: Mapping[str, User]) -> None:
        self.users = users
        self.organiser, self.player, self.rival = (
            users[name] for name in ("organiser", "player", "rival")
        )
        self.live = self._running()
        self.places: dict[str, dict[str, Any]] = {"": {"slug": self.live.slug, "number": 1}}
        self.forms: dict[str, dict[str, Any]] = {}

    def event(self, name: str, **changes: Any) -> Event:
        plan = {"clock": _UNLIMITED, "is_over_the_board": True, "is_rated": False, "seed": 7,
                "is_automatic": False, "rounds_total": 3}  # fmt: skip
        event = registration.create_event(
            organiser=self.organiser,
            plan=plans.EventPlan(name=name, ruleset=SMALL, **{**plan, **changes}),
        )
        staff_members.add(
            event_id=event.pk,
            actor=self.organiser,
            player=self.users["arbiter"].player,
            role=StaffMember.Role.RESULTS,
        )
        return event

    def enter(self, event: Event, *names: str) -> None:
        for name in names:
            user = self.users[name]
            entries.enter(event_id=event.pk, player=user.player, actor=user)

    def start(self, event: Event) -> None:
        lifecycle.start_event(event_id=event.pk, actor=self.organiser)
        rounds.draft_round(event_id=event.pk, actor=self.organiser)

    def publish(self, event: Event) -> None:
        self.start(event)
        publication.publish_round(event_id=event.pk, actor=self.organiser)

    def listed(self, name: str, count: int = 4) -> Event:
        event = self.event(name)
        listed_players.enter_all(
            event_id=event.pk,
            actor=self.organiser,
            players=[player_lists.ListedPlayer(f"{name} {n}") for n in range(count)],
        )
        return event

    def _running(self) -> Event:
        """Return an event on line whose first round is in progress: two games and a bye."""
        event = self.event("Live", is_over_the_board=False, clock=pages.CLOCK)
        self.enter(event, "player", "rival", "other", "claimant")
        listed = self.users["organiser"]
        entries.enter(event_id=event.pk, player=listed.player, actor=listed)
        self.publish(event)
        return event
