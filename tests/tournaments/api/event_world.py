"""Events of Ana's in every state that an operation asks for, and which of them the examples speak of."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from tests.tournaments import prize_events
from tests.tournaments.conftest import CLOCK
from tests.tournaments.festival_events import act, give_prize
from tests.tournaments.series_events import finished
from tournaments import database_time
from tournaments.models import Event, Festival, Game, User
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.queries.events import plans
from tournaments.queries.events import prizes as prize_funds
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.services.accounts import players
from tournaments.services.arbiter import festival_prizes, forbidden_pairs, results, sanctions
from tournaments.services.events import (
    announcements,
    claims,
    entries,
    listed_players,
    rating_lists,
    registration,
    staff_members,
)
from tournaments.services.festivals import changes as festivals
from tournaments.services.rounds import lifecycle, publication, rounds
from tournaments.services.series import changes
from tournaments.standings.series import Rules

_DAY_MS = 24 * 3600 * 1000
NAMES = ("Alma Berg", "Bo Cohen", "Cai Diaz", "Dag Eriksen")


def board_event(
    organiser: User, name: str, *, listed: Sequence[str] = NAMES, **changes: Any
) -> Event:
    """An event over the board with four players of a list, or those `listed`, whose registration is open."""
    plan = plans.EventPlan(
        **{
            "name": name,
            "ruleset": "morlox(size=5)",
            "clock": Clock.read("unlimited"),
            "rounds_total": 3,
            "is_rated": False,
            "is_automatic": False,
            "is_over_the_board": True,
            "seed": 7,
            **changes,
        }
    )
    event = registration.create_event(organiser=organiser, plan=plan)
    players_of_list = [ListedPlayer(each, 2_000 - 100 * n) for n, each in enumerate(listed)]
    if players_of_list:
        listed_players.enter_all(event_id=event.pk, actor=organiser, players=players_of_list)
    return event


def _prized_festival(organiser: User, name: str) -> Festival:
    """Return a festival with a prize and one section, which is over."""
    festival = festivals.create(organiser=organiser, about=festivals.About(name))
    act(festival, "add", finished(organiser, f"{name} A", "Al", "Bo").slug)
    give_prize(festival, 100)
    return festival


def team_event(organiser: User) -> Event:
    """An event of two teams over the board, with its round published."""
    event = board_event(organiser, "Teams", listed=(), format="team", boards=2)
    listed = [ListedPlayer(f"{team} {n}", club=team) for team in NAMES[:2] for n in range(2)]
    listed_players.enter_all(event_id=event.pk, actor=organiser, players=listed)
    draft(event, organiser)
    publication.publish_round(event_id=event.pk, actor=organiser)
    return event


def start(event: Event, organiser: User) -> None:
    """The event runs."""
    lifecycle.start_event(event_id=event.pk, actor=organiser)


def draft(event: Event, organiser: User) -> None:
    """The event runs, and its next round is drafted."""
    if event.state == Event.State.REGISTRATION:
        start(event, organiser)
    rounds.draft_round(event_id=event.pk, actor=organiser)
    event.refresh_from_db()


def publish(event: Event, organiser: User) -> None:
    """The next round is published, with every result entered: the first side has won."""
    draft(event, organiser)
    round_ = publication.publish_round(event_id=event.pk, actor=organiser)
    if event.is_over_the_board:
        for pairing in round_.pairings.all():
            results.enter_result(
                event_id=event.pk,
                actor=organiser,
                round_number=round_.number,
                board=pairing.board,
                result=Game.Result.FIRST,
            )


def close(event: Event, organiser: User) -> None:
    """The next round is over."""
    publish(event, organiser)
    number = event.rounds.count()
    results.close_round(event_id=event.pk, actor=organiser, round_number=number)
    event.refresh_from_db()


def online_event(organiser: User, *entrants: User, **changes: Any) -> Event:
    """An event that is played here, by hand, with its first round published."""
    plan = plans.EventPlan(
        **{
            "name": "Online",
            "ruleset": "morlox(size=5)",
            "clock": CLOCK,
            "rounds_total": 3,
            "is_automatic": False,
            "seed": 7,
            **changes,
        }
    )
    event = registration.create_event(organiser=organiser, plan=plan)
    for user in entrants:
        entries.enter(event_id=event.pk, player=user.player, actor=user)
    publish(event, organiser)
    return event


class EventWorld:
    """The events.

    `values` are those that a reader sets in the examples, `of(name)` those of one example.
    """

    def __init__(self, ana: User, ben: User) -> None:
        self.ana, self.ben = ana, ben
        cleo = players.sign_up(name="Cleo", password="rayuela-1963")
        now = database_time.now()
        self.registering = board_event(
            ana,
            "Evening",
            fee="12.50 EUR",
            starts_at=now + timedelta(hours=2),
            check_in_opens_at=now - timedelta(hours=1),
        )
        rating_lists.replace(name="FIDE", stream=io.BytesIO(b"Name;Fide_No;Elo\nAlba;101;2050\n"))
        mine = entries.enter(event_id=self.registering.pk, player=ana.player, actor=ana)
        entries.request_bye(
            event_id=self.registering.pk, player=ana.player, actor=ana, round_number=2, kind="half"
        )
        self.empty = board_event(ana, "Empty")
        self.open = board_event(ana, "Open")
        publish(self.open, ana)
        announcements.announce(event_id=self.open.pk, actor=ana, text="Welcome.")
        first, second, *_rest = self.open.entries.all()
        group = forbidden_pairs.forbid(
            event_id=self.open.pk, actor=ana, entry_ids=[first.pk, second.pk]
        )
        member = staff_members.add(
            event_id=self.open.pk, actor=ana, player=cleo.player, role="results"
        )
        sanctions.sanction(
            event_id=self.open.pk,
            actor=ana,
            entry_id=first.pk,
            round_number=1,
            sanction_kind="warning",
            reason="The phone rang.",
        )
        sanction = first.sanctions.get()
        self.drafted = board_event(ana, "Drafted")
        draft(self.drafted, ana)
        self.between = board_event(ana, "Between")
        close(self.between, ana)
        self.draw = board_event(ana, "Cup", format=Event.Format.KNOCKOUT)
        publish(self.draw, ana)
        self.online = online_event(ana, ben, cleo)
        self.waiting = online_event(ana, ben, cleo, name="Later", start_mode=Event.Start.BUTTON)
        days = Clock(5 * _DAY_MS, _DAY_MS)
        self.postal = online_event(ana, ben, cleo, name="Postal", clock=days, round_days=3)
        self.teams = team_event(ana)
        self.reported = board_event(ana, "Reported", listed=(), has_player_reports=True)
        for user in (ana, ben):
            entries.enter(event_id=self.reported.pk, player=user.player, actor=user)
        draft(self.reported, ana)
        publication.publish_round(event_id=self.reported.pk, actor=ana)
        self.over = board_event(ana, "Over", rounds_total=1)
        prize_events.give_fund(self.over, ana)
        close(self.over, ana)
        lifecycle.advance_event(self.over.pk)
        self.over.refresh_from_db()
        if self.over.state == Event.State.RUNNING:
            lifecycle.finish_early(event_id=self.over.pk, actor=ana)
        row = changes.create(
            organiser=ana, about=changes.About("Series"), rules=Rules(place_points=(5, 3, 1))
        )
        arguments = changes.Arguments(self.over.slug)
        changes.run(code="add", series_id=row.pk, actor=ana, arguments=arguments)
        festival = festivals.create(organiser=ana, about=festivals.About("Congress"))
        festivals.run(code="add", festival_id=festival.pk, actor=ana, subject=self.over.slug)
        prized = [_prized_festival(ana, name) for name in ("Feast", "Fair")]
        festival_prizes.confirm(festival_id=prized[1].pk, actor=ana)
        self.prized = board_event(ana, "Prized")
        prize_events.give_fund(self.prized, ana)
        entry = self.registering.entries.get(player__name=NAMES[0])
        claim = claims.claim(event_id=self.registering.pk, player=ben.player, entry_id=entry.pk)
        running = Game.objects.get(pairing__event=self.online)
        closed = Game.objects.filter(pairing__event=self.between).order_by("pk")[0]
        line = self.open.audit.get(action="forbid")
        self.values = {
            "EVENT": self.open.slug,
            "SANCTION": str(sanction.pk),
            "SERIES": row.slug,
            "FESTIVAL": festival.slug,
            "NUMBER": "1",
            "BOARD": "1",
            "ENTRY": str(entry.pk),
            "GROUP": str(group.pk),
            "MEMBER": str(member.pk),
            "ACTION": str(line.pk),
            "CLAIM": str(claim.pk),
            "DEADLINE": (now + timedelta(days=4)).isoformat(),
            "PRIZE": str(prize_funds.row_of(self.prized).prizes.all()[0].pk),
        }
        slugs = {
            "event-change": self.registering,
            "event-step": self.empty,
            "event-enter": self.empty,
            "event-leave": self.registering,
            "event-check-in": self.registering,
            "event-bye": self.registering,
            "event-bye-cancel": self.registering,
            "event-draw": self.draw,
            "event-prizes": self.over,
            "prizes-award": self.over,
            "prize-add": self.prized,
            "prize-remove": self.prized,
            "prizes-divide": self.prized,
            "prizes-rules": self.prized,
            "claims": self.registering,
            "claim-answer": self.registering,
            "entry-claim": self.empty,
            "entries-add": self.registering,
            "entry": self.registering,
            "entry-change": self.registering,
            "entry-remove": self.registering,
            "entry-act": self.registering,
            "event-fees": self.registering,
            "rating-comparison": self.registering,
            "rating-comparison-store": self.registering,
            "entry-fee": self.registering,
            "board-report": self.reported,
            "round-draft": self.between,
            "round-discard": self.drafted,
            "round-edit": self.drafted,
            "round-publish": self.drafted,
            "round-start": self.waiting,
            "round-deadline": self.postal,
            "event-chat": self.registering,
            "event-say": self.registering,
            "event-chat-act": self.registering,
            "team-act": self.teams,
            "line-up": self.teams,
        }
        self._more: dict[str, dict[str, str]] = {
            name: {"EVENT": event.slug} for name, event in slugs.items()
        }
        own = {
            "FESTIVAL": prized[0].slug,
            "PRIZE": str(prize_funds.row_of(prized[0]).prizes.all()[0].pk),
        }
        for operation in ("prize-add", "prize-remove", "prizes-divide", "prizes-rules"):
            self._more[f"festival-{operation}"] = own
        self._more["festival-prizes"] = self._more["festival-prizes-award"] = own
        self._more["festival-prizes-withdraw"] = {"FESTIVAL": prized[1].slug}
        self._more["event-bye-cancel"]["NUMBER"] = "2"
        unclaimed = self.empty.entries.get(player__name=NAMES[0])
        self._more["entry-claim"]["ENTRY"] = str(unclaimed.pk)
        removable = self.registering.entries.get(player__name=NAMES[1])
        self._more["entry-remove"]["ENTRY"] = str(removable.pk)
        self._more["game-act"] = {"GAME": str(running.pk)}
        self._more["game-correct"] = {"GAME": str(closed.pk)}
        self._more["game-record-add"] = {"GAME": str(closed.pk)}
        team = self.teams.entries.contestants().order_by("pk")[0]
        self._more["line-up"]["ENTRY"] = str(team.pk)
        self.entry_of_ana = mine.pk

    def of(self, name: str) -> Mapping[str, str]:
        """Return the event of an operation's example, if it differs from that of the others."""
        return self._more.get(name, {})
