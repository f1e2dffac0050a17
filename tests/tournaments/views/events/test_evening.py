"""An evening of 24 people on line, run from the organiser's pages, down to the report file."""

from __future__ import annotations

import contextlib
import io
import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client

from tests.tournaments import pages
from tests.tournaments.conftest import event_of
from tournaments import database_time, trf
from tournaments.commandline import pairing
from tournaments.models import Entry, Event, Game, Player, Seat, User
from tournaments.queries.clocks import game_clocks
from tournaments.queries.results import reports, standings
from tournaments.services.accounts import players
from tournaments.services.games import presence
from tournaments.services.rounds import lifecycle

NAMES = [
    f"{name} {letter}."
    for letter in "ABCD"
    for name in ("Alba", "Bruno", "Celia", "Dario", "Elsa", "Fito")
]


class Evening:
    """An event and its organiser's browser."""

    def __init__(self, event: Event, client: Client) -> None:
        self.event = event
        self.client = client

    def post(self, page: str, **data: object) -> str:
        answer = self.client.post(f"/events/{self.event.slug}/{page}", data, follow=True)
        text = answer.content.decode()
        assert 'class="message error"' not in text, pages.text_of(answer.content)[:800]
        self.event.refresh_from_db()
        return text

    def step(self, action: str, **data: object) -> str:
        return self.post("organise/", action=action, **data)

    def entry(self, name: str) -> Entry:
        return self.event.entries.get(player__name=name)

    def games(self) -> list[Game]:
        going_on = Game.objects.ongoing().filter(pairing__event=self.event)
        return list(going_on.with_players().order_by("pairing__board"))

    def play_round(self, *, absent: Player | None = None) -> None:
        """Publish and start the draft.

        The second side of each board resigns, and one player may be absent.
        """
        self.step("publish")
        self.step("start-round")
        for game in self.games():
            for player in (game.first, game.second):
                if player != absent:
                    presence.note(game_id=game.pk, player=player)
        presence.forfeit_absent(database_time.now() + timedelta(seconds=601))
        pages.resign_all(self.event)
        lifecycle.advance_event(self.event.pk)
        self.event.refresh_from_db()


def _objections(report: str, path: Path) -> dict[str, str]:
    """Return the objections of the site's checker to each round of a report file, without rounds that it would pair identically."""
    file = path / "evening.trf"
    file.write_text(report, encoding="utf-8")
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert pairing.main(["--dutch", str(file), "-c"]) == 0
    rounds = re.findall(r"Round #(\d)\n(.*?)(?=Round #|\Z)", out.getvalue(), re.DOTALL)
    return {number: objection.strip() for number, objection in rounds}


@pytest.mark.long
def test_an_evening_on_line(ana: User, tmp_path: Path) -> None:
    people = [players.sign_up(name=name, password="rayuela-1963").player for name in NAMES]
    event = event_of(
        ana,
        name="Thursday",
        clock=game_clocks.Clock(600_000, 5_000),
        is_automatic=False,
        start_mode=Event.Start.BUTTON,
        grace_s=600,
        rounds_total=5,
        admits=Event.Admits.PEOPLE,
    )
    evening = Evening(event, pages.member(ana))
    for player in people[:-1]:
        assert player.user is not None
        pages.member(player.user).post(f"/events/{event.slug}/enter/")
    for number, player in enumerate(people[:-1]):
        evening.post(
            "desk/entry/",
            act="rating",
            entry=evening.entry(player.name).pk,
            rating=2000 - 10 * number,
            reason="list of the club",
        )
    evening.step("start")
    forbidden = [evening.entry(name).pk for name in ("Alba A.", "Alba C.")]
    evening.post("forbid/", entries=forbidden, first_round=1, note="sisters")
    evening.step("draft")
    assert not event.pairings.filter(first__in=forbidden, second__in=forbidden).exists()

    evening.play_round()
    evening.post("desk/enter/", **{"enter-name": NAMES[-1]})  # late
    dario = evening.entry("Dario B.")
    evening.post(
        "desk/entry/", act="bye", entry=dario.pk, round_number=2, kind="half", reason="train"
    )
    evening.step("draft")
    absent = event.pairings.filter(round__number=2).order_by("board")[5].second.player
    evening.play_round(absent=absent)
    assert evening.entry(absent.name).state == Entry.State.WITHDRAWN
    assert dario.seats.get(round__number=2).kind == Seat.Kind.HALF_BYE

    evening.post("desk/entry/", act="withdraw", entry=evening.entry("Elsa B.").pk, reason="tired")
    evening.step("draft")
    evening.step("publish")
    evening.step("start-round")
    drawn = evening.games()[0]
    decision = {"act": "decide", "result": "draw", "reason": "agreed by mouth"}
    evening.client.post(f"/game/{drawn.pk}/arbiter/", decision)
    pages.resign_all(event)
    lifecycle.advance_event(event.pk)
    report = reports.trf_of(Event.objects.get(pk=event.pk))
    assert _objections(report, tmp_path) == {"1": "", "2": "", "3": ""}

    before = [(row.entry.pk, row.points_halves) for row in standings.event_table(event).rows]
    first_round = Game.objects.filter(pairing__round__number=1, pairing__event=event)
    game = first_round.order_by("pairing__board")[0]
    words = {"result": "second", "reason": "sides mixed up"}
    preview = evening.client.post(f"/game/{game.pk}/correct/", words).content.decode()
    assert "Rounds paired with the old result" in preview
    confirmed = {**words, "confirm": "1", "is_understood": "1"}
    evening.client.post(f"/game/{game.pk}/correct/", confirmed)
    after = [(row.entry.pk, row.points_halves) for row in standings.event_table(event).rows]
    assert after != before
    entry = event.audit.get(action="correct")
    evening.post(f"log/{entry.pk}/", reason="they were right")
    undone = [(row.entry.pk, row.points_halves) for row in standings.event_table(event).rows]
    assert undone == before

    evening.step("finish")
    report = reports.trf_of(Event.objects.get(pk=event.pk))
    rows = trf.read(report).players
    assert len(rows) == 24
    points = {row.entry.tpn: row.points_halves for row in standings.event_table(event).rows}
    assert {row.id: row.points_halves for row in rows} == points
    by_code = {result.code.value for row in rows for result in row.results if result is not None}
    assert {"1", "0", "=", "+", "-", "H"} <= by_code
