"""A site with content on every page, for tests that read all of them.

It is built once and not changed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import time
from io import BytesIO

from django.db import transaction
from django.test import Client
from django.urls import reverse

import games
from tests.tournaments import (
    authors,
    oauth_client,
    page_names,
    pages,
    puzzle_rows,
    remote_players,
    uploads,
    webhook_server,
)
from tests.tournaments.oauth_client import Installation
from tournaments import database_time
from tournaments.models import Bot, Event, Game, Gauntlet, Match, Player, SprtTest, Suite, User
from tournaments.queries.bots import tunings
from tournaments.queries.clocks import game_clocks
from tournaments.queries.events import plans, player_lists
from tournaments.queries.records import analyses, evaluations
from tournaments.queries.results import report_links
from tournaments.services import clubs, gauntlets, sprt_tests
from tournaments.services.accounts import players, throttles
from tournaments.services.bots import suites
from tournaments.services.events import (
    entries,
    listed_players,
    prize_changes,
    rating_lists,
    registration,
)
from tournaments.services.festivals import changes as festivals
from tournaments.services.festivals.prizes import OfFestival
from tournaments.services.games import game_creation, game_end, private_messages
from tournaments.services.lobby import challenges, invitations
from tournaments.services.records import studies
from tournaments.services.rounds import lifecycle, publication, rounds, scheduled_events, schedules
from tournaments.services.series import changes
from tournaments.standings.prizes import Category, Kind
from tournaments.standings.series import Rules

_GAUNTLET_TERMS = "ruleset=morlox(size=5)&clock=5%2B0.1&candidate="


@dataclass(frozen=True)
class Page:
    """The page that a visitor gets, and the addresses that led there."""

    status: int
    redirects: list[object]
    text: str


@dataclass
class World:
    """Ana, Ben, six bots, an event and two dozen games, and the pages that were fetched so far."""

    ana: User
    ben: User
    bots: list[Player]
    event: Event
    addresses: dict[str, str]
    _pages: dict[tuple[str, str], Page] = field(default_factory=dict)

    def page(self, visitor: str, name: str) -> Page:
        """Return the page of that name as a guest or a member sees it, after all redirects."""
        if (visitor, name) not in self._pages:
            client = Client() if visitor == "guest" else pages.member(self.ana)
            answer = client.get(self.addresses[name], follow=True)
            self._pages[visitor, name] = Page(
                answer.status_code, [*answer.redirect_chain], answer.content.decode()
            )
        return self._pages[visitor, name]


def build() -> World:
    """A new site in an empty database."""
    ana, ben = (players.sign_up(name=name, password="rayuela-1963") for name in ("Ana", "Ben"))
    bots = [players.add_bot(name=f"Bot {n}", engine="random") for n in range(1, 7)]
    event = _event(ana, [ben.player, *bots[:4]])
    addresses = {
        **{name: reverse(name) for name in page_names.PLAIN},
        **{f"rules-{f.name}": reverse("rules", args=[f.name]) for f in games.available()},
        **{f"help-{name}": reverse("help-page", args=[name]) for name in page_names.HELP},
        **_event_pages(event),
        **_game_pages(ana, ben),
        **_people_pages(ana, ben),
        **_own_pages(ana),
        **_messages(ana, ben),
        **_desk_pages(ana, event),
        **_series_pages(ana, event),
        **_club_pages(ana),
        **_festival_pages(ana, event),
    }
    _add_schedules(1)
    return World(ana, ben, bots, event, addresses)


def _event(organiser: User, entrants: list[Player]) -> Event:
    """Return a running event after its first round, with a game in progress."""
    plan = plans.EventPlan(
        name="Test",
        ruleset="morelli(size=5)",
        rounds_total=5,
        clock=pages.CLOCK,
        admits=Event.Admits.BOTH,
        pause_s=0,
        seed=7,
    )
    event = registration.create_event(organiser=organiser, plan=plan)
    prize_changes.divide(
        owner=prize_changes.OfEvent(event.pk), actor=organiser, total=30_000, percents=[60, 30, 10]
    )
    people = Category(Kind.PEOPLE)
    prize_changes.add(
        owner=prize_changes.OfEvent(event.pk), actor=organiser, category=people, words="a cup"
    )
    for player in entrants:
        entries.enter(event_id=event.pk, player=player, actor=player.user or organiser)
    lifecycle.start_event(event_id=event.pk, actor=organiser)
    pages.matches_due(event)
    event.refresh_from_db()
    return event


def _event_pages(event: Event) -> dict[str, str]:
    return {
        "event": event.get_absolute_url(),
        **{name: reverse(name, args=[event.slug]) for name in page_names.OF_EVENT},
        "event-round": reverse("event-round", args=[event.slug, 1]),
        "event-board": reverse("event-board", args=[event.slug, 1, 1]),
        "event-forecast": reverse("event-forecast", args=[event.slug]),
        "event-log": reverse("event-log", args=[event.slug]),
        "event-webhook": reverse("event-webhook", args=[event.slug]),
        "embed-event": reverse("embed-event", args=[event.slug]),
        **{
            f"event-sheet-{kind}": reverse("event-sheet-of-round", args=[event.slug, kind, 1])
            for kind in page_names.SHEETS_OF_ROUND
        },
        **{
            f"event-sheet-{kind}": reverse("event-sheet", args=[event.slug, kind])
            for kind in page_names.SHEETS_OF_EVENT
        },
    }


def _game_pages(ana: User, ben: User) -> dict[str, str]:
    game = pages.new_game(ana.player, ben.player)
    finished = pages.new_game(ana.player, ben.player)
    pages.play_out(finished)
    metered = pages.new_game(authors.module(ana, "Hexer"), authors.module(ben, "Other"))
    pages.play_out(metered)
    Game.objects.filter(pk=metered.pk).update(fuel=10**6, fuel_meter="rayuela 1, wasmtime 1")
    timed_out = pages.new_game(ana.player, ben.player)
    pages.move(timed_out)
    assert timed_out.deadline_at is not None
    assert game_end.flag(timed_out.pk, timed_out.deadline_at)
    under_way = pages.new_game(ana.player, ben.player)
    pages.move(under_way)
    pool = finished.ledger.get(side="first").pool
    invitation = invitations.invite(host=ben.player, ruleset="morlox(size=5)", clock=pages.CLOCK)
    study = studies.keep(
        analyses.analyse(analyses.of_game(finished, None)), visitor=throttles.Visitor()
    )
    puzzle = puzzle_rows.stored()
    return {
        "game": game.get_absolute_url(),
        "game-live": reverse("game-live", args=[game.pk]),
        "game-pointed-out": f"{game.get_absolute_url()}?flip=1&show=1&q=help",
        "game-ask": f"{reverse('game-ask', args=[game.pk])}?q=clocks",
        "game-choices": f"{reverse('game-choices', args=[game.pk])}?from=A1",
        "invitation": invitation.get_absolute_url(),
        "game-record": reverse("game-record", args=[finished.pk]),
        "game-ply": f"{finished.get_absolute_url()}?ply=1",
        "embed-game": reverse("embed-game", args=[finished.pk]),
        "embed-live": reverse("embed-live", args=[game.pk]),
        "analysis": reverse("analysis"),
        "analysis-of-game": f"{reverse('analysis')}?game={finished.pk}&at=1",
        "study": study.get_absolute_url(),
        "figure": reverse("figure", args=["morelli", "capture"]),
        "course": reverse("course", args=["perfect"]),
        "exercise": reverse("exercise", args=["morlox", "goal"]),
        "exercise-wrong": f"{reverse('exercise', args=['morelli', 'ripple'])}?try=A7-C7",
        "puzzle": puzzle.get_absolute_url(),
        "puzzle-done": f"{puzzle.get_absolute_url()}?moves={puzzle.line[0].replace(' ', '_')}",
        "game-fuel-record": reverse("game-fuel-record", args=[metered.pk]),
        "game-under-fuel": metered.get_absolute_url(),
        "game-of-bots": _game_of_bots().get_absolute_url(),
        "game-over": finished.get_absolute_url(),
        "game-clock": reverse("game-clock", args=[game.pk]),
        "game-clock-played": reverse("game-clock", args=[timed_out.pk]),
        "game-clock-of-bots": reverse("game-clock", args=[metered.pk]),
        **{name: reverse(name, args=[pool.key]) for name in page_names.OF_POOL},
    }


def _game_of_bots() -> Game:
    """Return a game of two built-in bots with evaluations."""
    one, two = (players.add_bot(name=f"Think {n}", engine="greedy") for n in (1, 2))
    game = pages.new_game(one, two)
    for score_cp in (40, -30, 55, 10):
        pages.move(game)
        info = f"info depth 3 score cp {score_cp} string fine"
        thought = evaluations.of_last_ply(game, evaluations.read(info))
        assert thought is not None
        thought.save()
    return game


def _people_pages(ana: User, ben: User) -> dict[str, str]:
    for opponent, ruleset in ((None, "morlox(size=5)"), (ana.player, "perfect()")):
        challenges.challenge(
            challenger=ben.player, opponent=opponent, ruleset=ruleset, clock=pages.CLOCK
        )
    sprt_test, gauntlet = _sprt_test(ana), _gauntlet(ana)
    return {
        "gauntlet": reverse("gauntlet", args=[gauntlet.pk]),
        "gauntlet-live": reverse("gauntlet-live", args=[_tuning(ana).pk]),
        "player": ana.player.get_absolute_url(),
        "player-statistics": reverse("player-statistics", args=[ana.player.pk]),
        "sprt-test": reverse("sprt-test", args=[sprt_test.pk]),
        "sprt-test-live": reverse("sprt-test-live", args=[sprt_test.pk]),
        "suite": _suite(ana).get_absolute_url(),
        "bot": Player.objects.bots()[0].get_absolute_url(),
        "head-to-head": reverse("head-to-head", args=[ana.player.pk, ben.player.pk]),
        "rating-calculator": f"{reverse('rating-calculator')}?{pages.CALCULATION}",
    }


def _sprt_test(owner: User) -> SprtTest:
    built_in: list[Bot] = [players.add_bot(name=f"House {n}", engine="random").bot for n in (1, 2)]
    return sprt_tests.start(
        owner,
        sprt_tests.Plan(built_in[0], built_in[1], "morelli(size=5)", game_creation.Clock(5_000)),
    )


def _suite(owner: User) -> Suite:
    return suites.add_openings(
        owner=owner, name="Early", ruleset="morlox(size=5)", plies=4, count=20, seed=1
    )


def _gauntlet(owner: User) -> Gauntlet:
    """A gauntlet of a version of the owner's against two bots of the site, one pair played."""
    number = Gauntlet.objects.count()
    candidate = authors.version(owner, f"Cronopio {number}")
    house = [players.add_bot(name=f"Gate {number}{n}", engine="random").bot for n in (1, 2)]
    clock = game_creation.Clock(5_000, 100)
    row = gauntlets.start(
        owner, gauntlets.Plan(candidate.bot, house, "morlox(size=5)", clock, pairs_each=1)
    )
    match = row.opponents.earliest("pk").pairs.get().match
    for game in match.games.all():
        with transaction.atomic():
            game_end.finish_game(game, result="first", ending=Game.Ending.RULES)
    Match.objects.filter(pk=match.pk).update(state=Match.State.DONE)
    gauntlets.advance(row.pk)
    return row


def _tuning(owner: User) -> Gauntlet:
    """A tuning of a version of the owner's with the result of one iteration."""
    candidate, house = (
        authors.version(owner, "Talita"),
        players.add_bot(name="Inn", engine="random"),
    )
    Bot.objects.filter(pk=candidate.pk).update(options=["name Depth type spin default 3"])
    candidate.bot.refresh_from_db()
    row = gauntlets.start(
        owner,
        gauntlets.Plan(
            candidate.bot,
            [house.bot],
            "morlox(size=5)",
            game_creation.Clock(5_000, 100),
            parameters=tunings.parameters_in("Depth, int, 3, 1, 9"),
        ),
    )
    row.steps.filter(number=1).update(place=1, difference_halves=2)
    return row


def _own_pages(ana: User) -> dict[str, str]:
    bot, remote = uploads.line(ana), remote_players.bot(ana)
    terms = f"{_GAUNTLET_TERMS}{_gauntlet(ana).candidate_id}"
    return {
        **{name: reverse(name) for name in page_names.FORGOTTEN},
        "account": reverse("account"),
        "account-delete": reverse("account-delete"),
        "account-security": reverse("account-security"),
        "password-change": reverse("password-change"),
        "second-factor": reverse("second-factor"),
        "tokens": reverse("tokens"),
        **_applications(ana),
        "webhooks": reverse("webhooks"),
        "webhook": reverse("webhook", args=[webhook_server.delivered(ana).webhook_id]),
        "vacation": reverse("vacation"),
        "following": reverse("following"),
        "bots-mine": reverse("bots-mine"),
        "notices": reverse("notices"),
        "bot-new": reverse("bot-new"),
        "suite-new": reverse("suite-new"),
        "workers-mine": reverse("workers-mine"),
        "bot-line": reverse("bot-line", args=[bot.line_id]),
        "bot-upload": reverse("bot-upload", args=[bot.line_id]),
        "bot-version": reverse("bot-version", args=[bot.pk]),
        "bot-remote-new": reverse("bot-remote-new"),
        "bot-remote": reverse("bot-remote", args=[remote.pk]),
        "bot-consent": reverse("bot-consent", args=[bot.line_id]),
        "bot-regression": reverse("bot-regression", args=[bot.line_id]),
        "gauntlet-new": f"{reverse('gauntlet-new')}?{terms}",
        "tuning-new": f"{reverse('tuning-new')}?{terms}",
        "bot-games": f"{reverse('bot-games', args=[bot.pk])}?result=lost",
        "bot-compare": f"{reverse('bot-compare', args=[bot.line_id])}?one={bot.pk}&other={bot.pk}",
        "sign-in": "/sign-in/",
        "sign-up": "/sign-up/",
        "event-new": "/events/new/",
        "event-plan": "/events/plan/",
    }


def _messages(ana: User, ben: User) -> dict[str, str]:
    """Return the pages of a conversation."""
    private_messages.write(author=ana.player, recipient=ben.player, text="Another game?")
    private_messages.write(
        author=ben.player, recipient=ana.player, text="Yes.\nSee https://example.org/"
    )
    return {
        "conversations": reverse("conversations"),
        "conversation": reverse("conversation", args=[ben.player.pk]),
    }


def _applications(owner: User) -> dict[str, str]:
    """Return the pages of an application of the owner's, which acts for the owner."""
    application = oauth_client.registered(owner).application
    Installation(application, pages.member(owner)).tokens()
    return {
        "applications": reverse("applications"),
        "application": reverse("application", args=[application.pk]),
        "oauth-authorize": oauth_client.address(application, scope="read events:write"),
    }


def _merge(event: Event) -> str:
    """Return the address of a preview of a merge."""
    one, other = event.entries.order_by("pk").values_list("pk", flat=True)[:2]
    return f"{reverse('event-entries-merge', args=[event.slug])}?entry={one}&other={other}"


def _compare(event: Event) -> str:
    """Return the address of a comparison with a list that has another rating and another title."""
    event.entries.filter(pk=event.entries.earliest("pk").pk).update(fide_id="1503014")
    file = BytesIO(b"Name;Fide_No;Rtg_Int;Title\nCarlsen, Magnus;1503014;2839;GM\n")
    upload = rating_lists.replace(name="FIDE", stream=file)
    return f"{reverse('event-entries-compare', args=[event.slug])}?list={upload.rating_list.pk}"


def _desk_pages(organiser: User, event: Event) -> dict[str, str]:
    """Return the organiser's pages: of `event`, and of two over the board, one drafted and one published."""
    drafted, published = (_over_the_board(organiser, name) for name in ("Drafted", "Published"))
    publication.publish_round(event_id=published.pk, actor=organiser)
    return {
        "event-desk": reverse("event-desk", args=[event.slug]),
        "event-settings": reverse("event-settings", args=[event.slug]),
        "event-desk-prizes": reverse("event-desk-prizes", args=[event.slug]),
        "event-draft": reverse("event-draft", args=[drafted.slug]),
        "event-entries": reverse("event-entries", args=[drafted.slug]),
        "event-entries-merge": _merge(drafted),
        "event-entries-compare": _compare(drafted),
        "event-results": reverse("event-results", args=[published.slug]),
        "result-report": _report(published),
        "event-fees": _fees(published),
    }


def _fees(event: Event) -> str:
    """Return the address of the fees of the event."""
    Event.objects.filter(pk=event.pk).update(fee="12.50 EUR")
    return reverse("event-fees", args=[event.slug])


def _report(event: Event) -> str:
    """Return the address at which a player reports the result of board 1."""
    Event.objects.filter(pk=event.pk).update(has_player_reports=True)
    board = event.pairings.get(board=1)
    token = report_links.token_of(board)
    return f"{reverse('result-report', args=[token])}?as={board.first_id}"


def _festival_pages(organiser: User, event: Event) -> dict[str, str]:
    """Return the pages of a festival with one section, which is running."""
    row = festivals.create(organiser=organiser, about=festivals.About("Open"))
    festivals.run(code="add", festival_id=row.pk, actor=organiser, subject=event.slug)
    prize_changes.add(owner=OfFestival(row.pk), actor=organiser, category=Category(), amount=10_000)
    return {
        "festival-prizes": reverse("festival-prizes", args=[row.slug]),
        "festival-desk-prizes": reverse("festival-desk-prizes", args=[row.slug]),
        "festival": row.get_absolute_url(),
        "festival-sheet": reverse("festival-sheet", args=[row.slug, "pairings"]),
        "festival-new": reverse("festival-new"),
        "festival-desk": reverse("festival-desk", args=[row.slug]),
    }


def _club_pages(owner: User) -> dict[str, str]:
    """Return the pages of a club with one member."""
    row = clubs.create(founder=owner.player, name="Torre", about=clubs.About("T", "ESP", "Lugo"))
    return {
        "club": row.get_absolute_url(),
        "club-new": reverse("club-new"),
        "club-change": reverse("club-change", args=[row.slug]),
    }


def _series_pages(organiser: User, event: Event) -> dict[str, str]:
    """Return the pages of a series with one event, which is running."""
    row = changes.create(
        organiser=organiser, about=changes.About("Cup"), rules=Rules(place_points=(5, 3, 1))
    )
    changes.run(
        code="add", series_id=row.pk, actor=organiser, arguments=changes.Arguments(event.slug)
    )
    return {
        "series": row.get_absolute_url(),
        "series-new": reverse("series-new"),
        "series-desk": reverse("series-desk", args=[row.slug]),
    }


def _over_the_board(organiser: User, name: str) -> Event:
    """An event of five listed players whose first round is drafted."""
    plan = plans.EventPlan(
        name=name,
        ruleset="morelli(size=5)",
        rounds_total=3,
        clock=game_clocks.Clock(0, 0, game_clocks.Kind.UNLIMITED),
        is_over_the_board=True,
        is_rated=False,
        is_automatic=False,
        seed=7,
    )
    event = registration.create_event(organiser=organiser, plan=plan)
    names = ["Irma", "Jens", "Kira", "Luis", "Mona"]
    listed_players.enter_all(
        event_id=event.pk,
        actor=organiser,
        players=[player_lists.ListedPlayer(each, club="Norte") for each in names],
    )
    lifecycle.start_event(event_id=event.pk, actor=organiser)
    rounds.draft_round(event_id=event.pk, actor=organiser)
    return event


def _add_schedules(count: int) -> None:
    """Add schedules with one open event each and one start whose registration is not open yet."""
    for _ in range(count):
        schedules.create(
            actor=None,
            plan=plans.EventPlan(
                name="Evening",
                ruleset="morelli(size=5)",
                format=Event.Format.ARENA,
                clock=pages.CLOCK,
                duration_s=3600,
                admits=Event.Admits.BOTH,
            ),
            timetable=schedules.Timetable(
                time_of_day=time(20), zone="UTC", weekdays=127, field_size=8, opens_before_h=30
            ),
        )
    scheduled_events.create_coming(database_time.now())


def add_rows(world: World) -> None:
    """More of everything that lists show: players, games, challenges, entries, rounds, events."""
    ana, ben, bots, event = world.ana, world.ben, world.bots, world.event
    cleo = players.sign_up(name="Cleo", password="rayuela-1963")
    pages.play_out(pages.new_game(ben.player, ana.player, "morlox(size=5)"))
    pages.play_out(pages.new_game(bots[4], bots[5]))
    for ruleset in ("morelli(size=5)", "morelli(size=7)", "morlox(size=5)"):
        pages.play_out(pages.new_game(ana.player, cleo.player, ruleset))
        pages.move(pages.new_game(cleo.player, ana.player, ruleset))
        for opponent in (ana.player, None):
            challenges.challenge(
                challenger=cleo.player, opponent=opponent, ruleset=ruleset, clock=pages.CLOCK
            )
    for bot in bots[4:]:
        entries.enter(event_id=event.pk, player=bot, actor=ana)
    entries.enter(event_id=event.pk, player=cleo.player, actor=cleo)
    pages.play_out(Game.objects.ongoing().get(pairing__event=event))
    lifecycle.advance_event(event.pk)
    pages.matches_due(event)
    for number in range(3):
        plan = plans.EventPlan(
            name=f"More {number}", ruleset="morelli(size=5)", rounds_total=2, clock=pages.CLOCK
        )
        _add_schedules(1)
        another = registration.create_event(organiser=ben, plan=plan)
        entries.enter(event_id=another.pk, player=ana.player, actor=ana)
