"""A site with something behind every address, and accounts that stand to it in different ways."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import Permission
from django.core.files.base import ContentFile
from django.test import Client
from django.utils import timezone
from django_otp import DEVICE_ID_SESSION_KEY
from django_otp.plugins.otp_static.models import StaticDevice

from tests.tournaments import authors, pages, remote_players, uploads
from tournaments.models import AuditEntry, Event, Game, Heartbeat, StaffMember, User
from tournaments.services import sessions, sprt_tests
from tournaments.services.accounts import players, throttles, tokens
from tournaments.services.arbiter import forbidden_pairs, results
from tournaments.services.clocks import game_clocks
from tournaments.services.events import (
    claims,
    entries,
    listed_players,
    plans,
    player_lists,
    registration,
    staff,
)
from tournaments.services.games import chat, game_creation, offers, player_reports
from tournaments.services.lobby import challenges, invitations
from tournaments.services.notifications import inbox
from tournaments.services.records import studies
from tournaments.services.rounds import lifecycle, publication, rounds

if TYPE_CHECKING:
    from collections.abc import Mapping

ROLES = (
    "guest",
    "member",  # has nothing to do with any of it
    "other",  # plays in the event, but not the game
    "player",  # of the game; has made whatever a player can make
    "organiser",  # of the event
    "arbiter",  # enters its results
    "moderator",  # of the site, with the permission to moderate
    "operator",  # of the site's staff, without permissions
    "superuser",
)
_UNLIMITED = game_clocks.Clock(0, 0, game_clocks.Kind.UNLIMITED)
_SMALL = "morelli(size=5)"
_TERMS = {"families": ["morelli"], "least_s": 1, "most_s": 60, "takes": "both", "max_games": 1}
_PLAY = {"ruleset": _SMALL, "clock": "600+10", "seats": "mine"}


@dataclass(frozen=True)
class World:
    """The visitors, the parts of addresses by the route's name, and the forms that routes take."""

    clients: Mapping[str, Client]
    places: Mapping[str, Mapping[str, Any]]
    forms: Mapping[str, Mapping[str, Any]]

    def place(self, name: str, parts: set[str]) -> dict[str, Any]:
        """The values of the parts of the address of that name."""
        values = {**self.places[""], **self.places.get(name, {})}
        if name.startswith("admin:"):
            values["pk"] = 0
        return {part: values[part] for part in parts}


def build() -> World:
    """A new site in an empty database."""
    users = {name: _account(name) for name in (*ROLES[1:], "rival", "claimant")}
    _promote(users)
    return _Builder(users).world()


def _account(name: str) -> User:
    return players.sign_up(name=name.title(), password="rayuela-73")


def _promote(users: dict[str, User]) -> None:
    for name in ("moderator", "operator", "superuser"):
        user = users[name]
        user.is_staff, user.is_superuser = True, name == "superuser"
        user.save()
    users["moderator"].user_permissions.set(Permission.objects.filter(codename="moderate"))


def _client(user: User) -> Client:
    client = pages.member(user)
    if user.is_staff:  # has given the code of the second factor
        session = client.session
        device = StaticDevice.objects.create(user=user)
        session[DEVICE_ID_SESSION_KEY] = device.persistent_id
        session.save()
    return client


class _Builder:
    """Makes the site step by step."""

    def __init__(self, users: dict[str, User]) -> None:
        self._users = users
        self._organiser, self._player, self._rival = (
            users[name] for name in ("organiser", "player", "rival")
        )
        self.places: dict[str, dict[str, Any]] = {"": {"slug": self._running().slug, "number": 1}}
        self.forms: dict[str, dict[str, Any]] = {}

    def world(self) -> World:
        for step in (
            self._games,
            self._desk,
            self._registration,
            self._results,
            self._bots,
            self._lobby,
            self._account,
        ):
            step()
        users = {name: _client(self._users[name]) for name in ROLES[1:]}
        # However long the tests take, nothing of it is an outage of the site.
        beat_at = timezone.now() + timedelta(days=1)
        Heartbeat.objects.update_or_create(pk=1, defaults={"beat_at": beat_at})
        return World({"guest": Client(), **users}, self.places, self.forms)

    def _event(self, name: str, **changes: Any) -> Event:
        plan = {"clock": _UNLIMITED, "is_over_the_board": True, "is_rated": False, "seed": 7,
                "is_automatic": False, "rounds_total": 3}  # fmt: skip
        event = registration.create_event(
            organiser=self._organiser,
            plan=plans.EventPlan(name=name, ruleset=_SMALL, **{**plan, **changes}),
        )
        staff.add(
            event_id=event.pk,
            actor=self._organiser,
            player=self._users["arbiter"].player,
            role=StaffMember.Role.RESULTS,
        )
        return event

    def _enter(self, event: Event, *names: str) -> None:
        for name in names:
            user = self._users[name]
            entries.enter(event_id=event.pk, player=user.player, actor=user)

    def _start(self, event: Event) -> None:
        lifecycle.start_event(event_id=event.pk, actor=self._organiser)
        rounds.draft_round(event_id=event.pk, actor=self._organiser)

    def _publish(self, event: Event) -> None:
        self._start(event)
        publication.publish_round(event_id=event.pk, actor=self._organiser)

    def _listed(self, name: str, count: int = 4) -> Event:
        event = self._event(name)
        listed_players.enter_all(
            event_id=event.pk,
            actor=self._organiser,
            players=[player_lists.ListedPlayer(f"{name} {n}") for n in range(count)],
        )
        return event

    def _running(self) -> Event:
        """An event on line whose first round is going on: two games and a bye."""
        event = self._event("Live", is_over_the_board=False, clock=pages.CLOCK)
        self._enter(event, "player", "rival", "other", "claimant")
        listed = self._users["organiser"]
        entries.enter(event_id=event.pk, player=listed.player, actor=listed)
        self._publish(event)
        self._live = event
        return event

    def _games(self) -> None:
        player, rival = self._player.player, self._rival.player
        game = pages.new_game(player, rival)
        while game.ply < 2 or game.player_on(game.side_to_move) != player:
            pages.move(game)
        fresh, over, offered = (pages.new_game(player, rival) for _ in range(3))
        pages.play_out(over)
        gone_on = pages.new_game(rival, player)
        while gone_on.ply < 2 or gone_on.player_on(gone_on.side_to_move) != rival:
            pages.move(gone_on)
        while offered.ply < 2:
            pages.move(offered)
        offers.offer_end(game_id=offered.pk, player=rival)
        metered = pages.new_game(
            authors.module(self._player, "Hexer"), authors.module(self._rival, "Comb")
        )
        pages.play_out(metered)
        Game.objects.filter(pk=metered.pk).update(fuel=10**6, fuel_meter="rayuela 1, wasmtime 1")
        line, reported = (
            chat.say(game_id=game.pk, player=rival, text=text) for text in ("Hello", "Slow, eh?")
        )
        report = chat.report(line_id=reported.pk, player=player)
        other_report = player_reports.report(player=player, reported=rival, text="Rude")
        study = studies.keep(
            studies.analyse(studies.of_game(over, None)), visitor=throttles.Visitor()
        )
        board = Game.objects.filter(
            pairing__event=self._live, result=None, first=player
        ) | Game.objects.filter(pairing__event=self._live, result=None, second=player)
        of_event = board.first() or Game.objects.filter(pairing__event=self._live)[0]
        self._of_event = of_event
        pool = over.ledger.get(side="first").pool
        self.places[""] |= {
            "pk": game.pk, "token": "none", "family": "morelli", "name": "capture", "key": study.key,
            "pool": pool.key, "other": rival.pk, "kind": "standings", "board": 1, "uidb64": "x", "seq": 1,
            "tpn": 1, "game_pk": metered.pk, "object_id": "0", "app_label": "tournaments",
            "content_type_id": 0, "url": "x", "id": 0,
        }  # fmt: skip
        self.places |= {
            "game-abort": {"pk": fresh.pk},
            "game-decline": {"pk": offered.pk},
            "game-rematch": {"pk": over.pk},
            "game-takeback": {"pk": gone_on.pk},
            "game-arbiter": {"pk": of_event.pk},
            "game-fuel-record": {"pk": metered.pk},
            "game-record": {"pk": over.pk},
            "game-record-json": {"pk": over.pk},
            "game-replay-svg": {"pk": over.pk},
            "chat-report": {"pk": line.pk},
            "chat-resolve": {"pk": report.pk},
            "player-report-resolve": {"pk": other_report.pk},
            **{
                name: {"pk": rival.pk, "other": player.pk}
                for name in ("player", "player-mute", "player-report", "head-to-head")
            },
            "guide": {"name": "bots"},
            "event-sheet-of-round": {"kind": "pairings"},
            "event-draw": {"slug": self._event("Cup", format=Event.Format.KNOCKOUT).slug},
        }
        self.forms |= {
            "game-move": {"move": pages.legal(game), "ply": game.ply},
            "game-note": {"text": "Mine"},
            "game-say": {"text": "Good luck"},
            "game-arbiter": {"act": "decide", "result": "first", "reason": "Phone"},
            "game-correct": {"confirm": "1", "result": "void", "reason": "Typed wrongly"},
            "chat-resolve": {"verdict": "dismissed"},
            "player-report": {"text": "Rude"},
            "analysis-load": {"text": game.position, "ruleset": _SMALL},
        }

    def _desk(self) -> None:
        """An event over the board: listed people, a draft, prohibitions."""
        drafted = self._listed("Drafted", 5)
        self._start(drafted)
        listing = self._listed("Listing")
        entry = listing.entries.order_by("pk")[0]
        ids = list(listing.entries.values_list("pk", flat=True))
        forbidden_pairs.forbid(
            event_id=listing.pk,
            actor=self._organiser,
            entry_ids=ids[:2],
            first_round=1,
            last_round=None,
            note="",
        )
        at_listing = {"slug": listing.slug}
        for name in (
            "event-entry-add", "event-entries-preview", "event-entries-confirm", "event-forbid",
            "event-enter-player", "event-announce", "event-staff-add", "event-desk-entry",
            "event-entries", "event-prizes-act", "event-round-times", "event-act",
        ):  # fmt: skip
            self.places[name] = at_listing
        member = listing.staff.get()
        self.places |= {
            "event-draft": {"slug": drafted.slug},
            "event-bye-why": {"slug": drafted.slug, "number": 1, "tpn": 5},
            "event-entry-edit": {**at_listing, "pk": entry.pk},
            "event-entry-remove": {**at_listing, "pk": entry.pk},
            "event-allow": {**at_listing, "pk": listing.prohibitions.get().pk},
            "event-staff-remove": {**at_listing, "pk": member.pk},
            "event-undo": {
                **at_listing,
                "pk": AuditEntry.objects.filter(event=listing).latest("pk").pk,
            },
        }
        self.forms |= {
            "event-entry-add": {"name": "Nora"},
            "event-entry-edit": {"name": entry.player.name, "club": "Sur"},
            "event-entries-preview": {"text": "Otto\nPia"},
            "event-entries-confirm": {"text": "Otto\nPia", "lines": ["1", "2"]},
            "event-forbid": {"entries": ids[1:3], "first_round": "1"},
            "event-enter-player": {"enter-name": "Claimant"},
            "event-announce": {"text": "Lunch at noon"},
            "event-staff-add": {"name": "Claimant", "role": "check-in"},
            "event-desk-entry": {"act": "withdraw", "entry": entry.pk, "reason": "Ill"},
            "event-prizes-act": {
                "action": "divide", "division-total": "100", "division-percents": "60/40",
            },
            "event-act": {"action": "start"},
            "event-draft": {"kind": "flip", "board": "1"},
            "event-undo": {"reason": "Mistake"},
                    }  # fmt: skip

    def _registration(self) -> None:
        """An event that people enter, one that checks them in, and a private one."""
        self.forms["event-new"] = self.forms["event-settings"] = {
            "name": "New", "ruleset": _SMALL, "format": "dutch", "rounds_total": "3", "clock": "600+10",
            "admits": "people", "max_entries": "8", "pause_s": "60",
        }  # fmt: skip
        self.places["event-settings"] = {"slug": self._event("Set").slug}
        opened = self._event("Open", is_over_the_board=False, clock=pages.CLOCK)
        self._enter(opened, "player", "other")
        entries.request_bye(
            event_id=opened.pk,
            player=self._player.player,
            actor=self._player,
            round_number=2,
            kind="half",
        )
        soon = timezone.now() + timedelta(minutes=30)
        checked = self._event(
            "Checked",
            is_over_the_board=False,
            clock=pages.CLOCK,
            starts_at=soon,
            check_in_opens_at=soon - timedelta(hours=1),
        )
        self._enter(checked, "player", "other")
        for name in ("event-enter", "event-withdraw", "event-bye"):
            self.places[name] = {"slug": opened.slug}
        self.places["event-bye-cancel"] = {"slug": opened.slug, "number": 2}
        self.places["event-check-in"] = {"slug": checked.slug}
        self.forms["event-bye"] = {"round_number": "1", "kind": "half"}
        private = self._event("Private", is_private=True, access_code="open-sesame")
        self.places["private"] = {"slug": private.slug}

    def _results(self) -> None:
        """Events over the board: one lacks results, one waits for the end of its round, one has had it."""
        published, complete, closed = map(self._listed, ("Published", "Complete", "Closed"))
        for event in (published, complete, closed):
            self._publish(event)
        for event, board in itertools.product((complete, closed), (1, 2)):
            results.enter_result(
                event_id=event.pk,
                actor=self._organiser,
                round_number=1,
                board=board,
                result=Game.Result.FIRST,
            )
        results.close_round(event_id=closed.pk, actor=self._organiser, round_number=1)
        recorded = Game.objects.filter(pairing__event=closed)[0]
        claimed, free = published.entries.order_by("pk")[:2]
        claim = claims.claim(
            event_id=published.pk, player=self._users["claimant"].player, entry_id=claimed.pk
        )
        self.places |= {
            "event-result-enter": {"slug": published.slug},
            "event-results": {"slug": published.slug},
            "round-close": {"slug": complete.slug, "number": 1},
            "event-claim": {"slug": published.slug},
            "event-claim-answer": {"slug": published.slug, "pk": claim.pk},
            "game-record-add": {"pk": recorded.pk},
            "game-correct": {"pk": recorded.pk},
        }
        self.forms |= {
            "event-result-enter": {"round_number": "1", "board": "1", "result": "first"},
            "event-claim": {"entry": free.pk},
            "event-claim-answer": {"action": "accept"},
            "game-record-add": {"record": pages.legal(recorded), "reason": "From the sheet"},
        }

    def _bots(self) -> None:
        bot = uploads.ready(uploads.line(self._player, families=["morelli"]), is_active=True)
        idle = uploads.ready(uploads.line(self._player, "Senna", families=["morelli"]))
        game = pages.new_game(bot.player, self._rival.player)
        pages.play_out(game)
        house = [players.add_bot(name=f"House {n}", engine="random").bot for n in (1, 2)]
        sprt_test = sprt_tests.start(
            self._player,
            sprt_tests.Plan(house[0], house[1], _SMALL, game_creation.Clock(5_000)),
        )
        admits = self._event(
            "Bots", is_over_the_board=False, clock=pages.CLOCK, admits=Event.Admits.BOTS
        )
        versions = ("bot-version", "bot-download", "bot-enter", "bot-retire")
        remote = remote_players.bot(self._player, "Remota")
        self.places |= {
            **{name: {"pk": bot.pk} for name in versions},
            **{name: {"pk": idle.pk} for name in ("bot-activate", "bot-recheck", "bot-leave")},
            **{name: {"pk": remote.pk} for name in ("bot-remote", "bot-remote-terms")},
            "bot-line": {"pk": bot.line_id},
            "bot-upload": {"pk": bot.line_id},
            "bot-transcript": {"pk": bot.pk, "game_pk": game.pk},
            "bot-annul": {"pk": bot.player_id},
            **{name: {"pk": sprt_test.pk} for name in ("sprt-test", "sprt-test-live", "sprt-test-stop")},
            "download-transcripts": {"pk": bot.player_id},
        }  # fmt: skip
        self._enter_bot(admits, idle)
        self.forms |= {
            "bot-new": self._program(name="Third"),
            "bot-remote-new": {"name": "Fourth", **_TERMS},
            "bot-remote-terms": _TERMS,
            "bot-upload": self._program(),
            "bot-enter": {"event": admits.slug},
            "bot-leave": {"event": admits.slug},
            "bot-annul": {"reason": "An engine of somebody else"},
            "sprt-test-new": {
                "candidate": house[0].pk,
                "base": house[1].pk,
                "ruleset": _SMALL,
                "clock": "5+0.1",
                "model": "logistic",
                "elo0": "0",
                "elo1": "20",
                "max_pairs": "100",
            },
        }

    @staticmethod
    def _program(**more: str) -> dict[str, Any]:
        """A form with a program, whose file is read anew each time."""
        file = ContentFile(uploads.GOOD + b"# new\n", name="main.py")
        return {"file": file, "families": ["morelli"], **more}

    def _enter_bot(self, event: Event, bot: Any) -> None:
        entries.enter(event_id=event.pk, player=bot.player, actor=self._player)

    def _lobby(self) -> None:
        for_player, of_player = (
            challenges.challenge(
                challenger=one.player, opponent=other.player, ruleset=_SMALL, clock=pages.CLOCK
            )
            for one, other in ((self._rival, self._player), (self._player, self._rival))
        )
        invitation = invitations.invite(host=self._player.player, ruleset=_SMALL, clock=pages.CLOCK)
        assert for_player is not None
        assert of_player is not None
        token = {"token": invitation.token}
        self.places |= {
            "challenge-accept": {"pk": for_player.pk},
            "challenge-decline": {"pk": for_player.pk},
            "challenge-message": {"pk": for_player.pk},
            **dict.fromkeys(("invitation", "invitation-join", "invitation-withdraw"), token),
        }
        self.forms |= {"challenge": _PLAY, "invite": _PLAY, "seek-create": _PLAY}

    def _account(self) -> None:
        pages.member(self._player)  # on another device
        tokens.create(
            user=self._player, password="rayuela-73", name="a program", scopes=["read"], days=30
        )
        self.places["session-end"] = {"name": sessions.of(self._player, None)[0].name}
        self.places["notice"] = {"seq": inbox.notices(self._player)[0].item.seq}
        self.places["token-revoke"] = {"pk": tokens.living(self._player)[0].pk}
        self.forms |= {
            "sign-up": {"name": "Nobody", "password": "rayuela-73"},
            "sign-in": {"username": "Rival", "password": "rayuela-73"},
            "vacation-start": {"days": "1"},
            "account-delete": {"password": "rayuela-73"},
            "account-data": {"password": "rayuela-73"},
            "token-create": {"name": "a bot", "days": "30", "password": "rayuela-73"},
            "settings": {"appearance": "dark"},
            "email-set": {"address": "nobody@example.org"},
        }
