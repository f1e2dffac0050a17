"""Events in every state: with a draft, open for entries, private, with results to enter."""

from __future__ import annotations

import itertools
from datetime import timedelta
from io import BytesIO

from tests.tournaments import pages
from tests.tournaments.role_world.builder import SMALL, Builder
from tournaments import database_time
from tournaments.models import AuditEntry, Event, Game, Schedule
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.queries.results import report_links
from tournaments.services import clubs
from tournaments.services.arbiter import forbidden_pairs, results
from tournaments.services.events import claims, entries, listed_players, prize_changes, rating_lists
from tournaments.services.festivals import changes as festivals
from tournaments.services.festivals.prizes import OfFestival
from tournaments.services.rounds import schedules
from tournaments.services.series import changes
from tournaments.standings.prizes import Category, Kind
from tournaments.standings.series import Rules


def desk(site: Builder) -> None:
    """An event over the board: listed people, a draft, prohibitions."""
    drafted = site.listed("Drafted", 5)
    site.start(drafted)
    listing = site.listed("Listing")
    entry = listing.entries.order_by("pk")[0]
    ids = list(listing.entries.values_list("pk", flat=True))
    forbidden_pairs.forbid(
        event_id=listing.pk,
        actor=site.organiser,
        entry_ids=ids[:2],
        first_round=1,
        last_round=None,
        note="",
    )
    Event.objects.filter(pk=listing.pk).update(fee="10 EUR")
    listing.entries.filter(pk=ids[-1]).update(fide_id="1503014")
    file = BytesIO(b"Name;Fide_No;Title\nCarlsen, Magnus;1503014;GM\n")
    rated = rating_lists.replace(name="Roles", stream=file).rating_list
    at_listing = {"slug": listing.slug}
    for name in (
        "event-entry-add", "event-entries-preview", "event-entries-confirm", "event-forbid",
        "event-enter-player", "event-announce", "event-staff-add", "event-desk-entry",
        "event-fees", "event-fees-csv", "event-fee-set",
        "event-entries", "event-rated", "event-entries-merge", "event-entries-report",
        "event-entries-compare", "event-entries-take-over", "event-prizes-act", "event-round-times", "event-act",
    ):  # fmt: skip
        site.places[name] = at_listing
    member = listing.staff.get()
    site.places |= {
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
    site.forms |= {
        "event-entry-add": {"name": "Nora"},
        "event-entry-edit": {"name": entry.player.name, "club": "Sur"},
        "event-entries-preview": {"text": "Otto\nPia"},
        "event-entries-confirm": {"text": "Otto\nPia", "lines": ["1", "2"]},
        "event-entries-take-over": {"list": rated.pk, "values": [f"{ids[-1]}:title:GM"]},
        "event-fee-set": {"entry": entry.pk, "state": "paid"},
        "event-forbid": {"entries": ids[1:3], "first_round": "1"},
        "event-enter-player": {"enter-name": "Role claimant"},
        "event-announce": {"text": "Lunch at noon"},
        "event-staff-add": {"name": "Role claimant", "role": "check-in"},
        "event-desk-entry": {"act": "withdraw", "entry": entry.pk, "reason": "Ill"},
        "event-prizes-act": {
            "action": "divide", "division-total": "100", "division-percents": "60/40",
        },
        "event-act": {"action": "start"},
        "event-draft": {"kind": "flip", "board": "1"},
        "event-undo": {"reason": "Mistake"},
    }  # fmt: skip


def before(site: Builder) -> None:
    """An event that people enter, one that checks them in, and a private one."""
    site.forms["event-new"] = site.forms["event-settings"] = {
        "name": "New", "ruleset": SMALL, "format": "dutch", "rounds_total": "3", "clock": "600+10",
        "admits": "people", "max_entries": "8", "pause_s": "60",
    }  # fmt: skip
    site.places["event-settings"] = {"slug": site.event("Set").slug}
    opened = site.event("Open", is_over_the_board=False, clock=pages.CLOCK)
    site.enter(opened, "player", "other")
    entries.request_bye(
        event_id=opened.pk,
        player=site.player.player,
        actor=site.player,
        round_number=2,
        kind="half",
    )
    soon = database_time.now() + timedelta(minutes=30)
    checked = site.event(
        "Checked",
        is_over_the_board=False,
        clock=pages.CLOCK,
        starts_at=soon,
        check_in_opens_at=soon - timedelta(hours=1),
    )
    site.enter(checked, "player", "other")
    for name in (
        "event-enter", "event-withdraw", "event-bye", "event-chat", "event-say", "event-chat-act",
    ):  # fmt: skip
        site.places[name] = {"slug": opened.slug}
    site.places["event-bye-cancel"] = {"slug": opened.slug, "number": 2}
    site.places["event-check-in"] = {"slug": checked.slug}
    site.forms["event-say"] = {"text": "Good luck"}
    site.forms["event-chat-act"] = {"act": "chat-mute", "player_id": site.player.player.pk}
    site.forms["event-bye"] = {"round_number": "1", "kind": "half"}
    private = site.event(
        "Private",
        is_over_the_board=False,
        clock=pages.CLOCK,
        is_private=True,
        access_code="open-sesame",
    )
    for user in (site.player, site.rival):
        entries.enter(event_id=private.pk, player=user.player, actor=site.organiser)
    site.publish(private)
    site.places["event-webhook"] = {"slug": private.slug}
    site.places["private"] = {"slug": private.slug, "event": private.pk}
    site.places["private:game"] = {"pk": Game.objects.get(pairing__event=private).pk}


def festival(site: Builder) -> None:
    """A festival with a section over the board."""
    row = festivals.create(organiser=site.organiser, about=festivals.About("Weekend"))
    section = site.listed("Section").slug
    festivals.run(code="add", festival_id=row.pk, actor=site.organiser, subject=section)
    prize_changes.add(
        owner=OfFestival(row.pk), actor=site.organiser, category=Category(), words="a cup"
    )
    site.places[""]["festival"] = row.slug
    site.places["festival-sheet"] = {"kind": "pairings"}
    form = {"name": "Weekend", "prizes_by": "percent"}
    site.forms |= {
        "festival-new": form,
        "festival-desk": form,
        "festival-act": {"act": "remove", "event": section},
        "festival-prizes-act": {
            "action": "divide",
            "division-total": "100",
            "division-percents": "60/40",
        },
    }


def series(site: Builder) -> None:
    """A series with an event over the board."""
    row = changes.create(
        organiser=site.organiser, about=changes.About("Cup"), rules=Rules(place_points=(3, 1))
    )
    changes.run(
        code="add", series_id=row.pk, actor=site.organiser,
        arguments=changes.Arguments(site.live.slug),
    )  # fmt: skip
    site.places[""]["series"] = row.slug
    form = {"name": "League", "method": "points", "shared": "share"}
    site.forms |= {
        "series-new": form,
        "series-desk": form,
        "series-act": {"act": "remove", "own": site.live.slug},
    }


def club(site: Builder) -> None:
    """A club of the organiser, with an introduction."""
    about = clubs.About(introduction="We play on Thursdays.")
    row = clubs.create(founder=site.organiser.player, name="Torre", about=about)
    site.places[""]["club"] = row.slug
    site.forms |= {
        "club-new": {"name": "Alfil"},
        "club-change": {"place": "Barcelona"},
        "club-act": {"act": "join"},
    }


def schedule(site: Builder) -> None:
    """A schedule of the site."""
    schedules.add_usual()
    site.places["schedule"] = site.places["schedule-act"] = {"pk": Schedule.objects.all()[0].pk}
    form = {
        "name": "Evening", "ruleset": "morelli(size=5)", "format": "arena", "clock": "180+2",
        "duration_minutes": "60", "rounds_total": "5", "weekdays": ["0", "4"], "time_of_day": "20:00",
        "zone": "UTC", "field_size": "8", "opens_before_h": "24",
    }  # fmt: skip
    Schedule.objects.filter(format="dutch").order_by("-pk")[0].delete()
    site.forms |= {"schedules": form, "schedule": form, "schedule-act": {"act": "pause"}}


def teams(site: Builder) -> None:
    """An event of two teams over the board, whose first round is published."""
    event = site.event("Teams", format="team", boards=2, rounds_total=1)
    players = [
        ListedPlayer(f"{team} {n}", club=team) for team in ("Torre", "Alfil") for n in range(3)
    ]
    listed_players.enter_all(event_id=event.pk, actor=site.organiser, players=players)
    site.publish(event)
    team = event.entries.contestants().order_by("pk")[0]
    members = list(team.members.order_by("board_order").values_list("pk", flat=True))
    for name in ("event-teams", "event-team-act", "event-line-up"):
        site.places[name] = {"slug": event.slug}
    site.forms |= {
        "event-team-act": {"act": "team-captain", "entry_id": team.pk, "username": "Role player"},
        "event-line-up": {
            "entry_id": team.pk,
            "round_number": "1",
            "board": [members[0], members[2]],
        },
    }


def boards(site: Builder) -> None:
    """Events over the board: one lacks results, one waits for the end of its round, one has had it."""
    published, complete, closed = map(site.listed, ("Published", "Complete", "Closed"))
    site.places["event-club-table"] = {"slug": site.event("Clubs", club_players=2).slug}
    prized = site.event("Prized")
    prize_changes.add(
        owner=prize_changes.OfEvent(prized.pk),
        actor=site.organiser,
        category=Category(Kind.PEOPLE),
        words="a cup",
    )
    site.places["event-categories"] = {"slug": prized.slug}
    for event in (published, complete, closed):
        site.publish(event)
    for event, board in itertools.product((complete, closed), (1, 2)):
        results.enter_result(
            event_id=event.pk,
            actor=site.organiser,
            round_number=1,
            board=board,
            result=Game.Result.FIRST,
        )
    results.close_round(event_id=closed.pk, actor=site.organiser, round_number=1)
    Event.objects.filter(pk=published.pk).update(has_player_reports=True)
    reported = published.pairings.get(board=1)
    recorded = Game.objects.filter(pairing__event=closed)[0]
    claimed, free = published.entries.order_by("pk")[:2]
    claim = claims.claim(
        event_id=published.pk, player=site.users["claimant"].player, entry_id=claimed.pk
    )
    site.places |= {
        "event-result-enter": {"slug": published.slug},
        "event-results": {"slug": published.slug},
        "result-report": {"token": report_links.token_of(reported)},
        "round-close": {"slug": complete.slug, "number": 1},
        "event-claim": {"slug": published.slug},
        "event-claim-answer": {"slug": published.slug, "pk": claim.pk},
        "game-record-add": {"pk": recorded.pk},
        "game-correct": {"pk": recorded.pk},
    }
    site.forms |= {
        "event-result-enter": {"round_number": "1", "board": "1", "result": "first"},
        "result-report": {"game": "1", "entry": reported.first_id, "result": "draw"},
        "event-claim": {"entry": free.pk},
        "event-claim-answer": {"action": "accept"},
        "game-record-add": {"record": pages.legal(recorded), "reason": "From the sheet"},
    }
