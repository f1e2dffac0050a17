"""A tie-break that is added as docs/develop/new-tie-break.md says, on a page and in a report file."""

from __future__ import annotations

import json
import re
import textwrap
from typing import TYPE_CHECKING, Any

import pytest
from django.db import transaction

from tests.how_to.copies import ROOT
from tests.tournaments import pages
from tournaments import trf
from tournaments.commandline.standings import main
from tournaments.models import Event, Game
from tournaments.queries.events import plans
from tournaments.queries.results import reports, tables
from tournaments.services.accounts import players
from tournaments.services.events import entries, registration
from tournaments.services.games import game_creation, game_end
from tournaments.services.rounds import lifecycle
from tournaments.standings import CATALOGUE, catalogue, own_results
from tournaments.text import tie_breaks

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from tournaments.models import Player

DOCUMENT = (ROOT / "docs/develop/new-tie-break.md").read_text()


@pytest.fixture
def drawn_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """The three examples of the how-to, each in the module that it names."""
    function, entry, words = (
        textwrap.dedent(block)
        for block in re.findall(r" +```python\n(.*?)```", DOCUMENT, re.DOTALL)
    )
    names: dict[str, Any] = dict(vars(own_results))
    exec(function, names)  # noqa: S102 - our own text
    monkeypatch.setattr(own_results, "drawn_games", names["drawn_games"], raising=False)
    new = eval(entry.strip(), vars(catalogue))  # noqa: S307
    monkeypatch.setitem(catalogue.CATALOGUE, new.code, new)
    for code, pair in eval(words.strip(), vars(tie_breaks)).items():  # noqa: S307
        monkeypatch.setitem(tie_breaks.WORDS, code, pair)
    monkeypatch.setattr(tie_breaks, "OFFERED", (*tie_breaks.OFFERED, new.code))


@pytest.fixture
def event(drawn_games: None, db: None) -> Event:
    """Four bots and a round robin, in which games drawn rank equal scores."""
    ana = players.sign_up(name="Ana", password="rayuela-1963")
    plan = plans.EventPlan(
        name="Draws",
        ruleset="morelli(size=5)",
        rounds_total=3,
        clock=game_creation.Clock(600_000, 5_000),
        admits=Event.Admits.BOTS,
        pause_s=0,
        seed=7,
        format="round-robin",
        tie_breaks="DRW,TPN",
    )
    event = registration.create_event(organiser=ana, plan=plan)
    for number in range(1, 5):
        bot = players.add_bot(name=f"Bot {number}", engine="random")
        entries.enter(event_id=event.pk, player=bot, actor=ana)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    for _ in range(event.rounds_total):
        for game in Game.objects.ongoing().filter(pairing__event=event):
            with transaction.atomic():
                game_end.finish_game(game, result=_result(game), ending=Game.Ending.RULES)
        lifecycle.advance_event(event.pk)
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED
    return event


def _result(game: Game) -> str:
    """Bot 2 wins twice and loses to Bot 1, who draws the rest: both have two points."""
    names = {game.first.name, game.second.name}
    if "Bot 2" not in names:
        return "draw"
    winner = "Bot 1" if "Bot 1" in names else "Bot 2"
    return "first" if game.first.name == winner else "second"


def _draws_of(event: Event, player: Player) -> int:
    played = Game.objects.filter(pairing__event=event, result="draw")
    return sum(player in (game.first, game.second) for game in played)


@pytest.mark.long
def test_it_is_a_column_of_the_standings_and_can_be_opened(event: Event, client: Client) -> None:
    table = tables.event_table(event)
    values = [row.values[0] for row in table.rows]
    assert values == [str(_draws_of(event, row.entry.player)) for row in table.rows]
    assert len(set(values)) > 1
    address = f"/events/{event.slug}/standings/"
    assert "Draws" in pages.text_of(client.get(address, headers={"accept-language": "en"}).content)
    best = str(table.rows[0].entry.tpn)
    opened = client.get(address, {"of": best, "by": "DRW"}, headers={"accept-language": "en"})
    text = pages.text_of(opened.content)
    assert "games drawn over the board" in text
    assert f"{values[0]}</h2>" in opened.content.decode()


@pytest.mark.long
def test_equal_scores_are_ranked_by_it(event: Event) -> None:
    rows = tables.event_table(event).rows
    order = [(row.points_halves, int(row.values[0])) for row in rows]
    assert order == sorted(order, reverse=True)
    assert order[:2] == [(4, 2), (4, 0)]


@pytest.mark.long
def test_the_report_file_and_the_command_line_rank_alike(
    event: Event, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = tables.event_table(event).rows
    file = tmp_path / "event.trf"
    file.write_text(reports.trf_of(event))
    places = {player.id: player.place for player in trf.read(file.read_text()).players}
    assert places == {row.entry.tpn: row.rank for row in rows}
    assert main([str(file), "--tiebreaks", "DRW,TPN", "--edition", "2026"]) == 0
    ranked = {row["id"]: row for row in json.loads(capsys.readouterr().out)["players"]}
    for row in rows:
        assert ranked[row.entry.tpn]["tiebreaks"]["DRW"] == row.values[0]


def test_organisers_can_choose_it(drawn_games: None) -> None:
    assert ("DRW", "DRW: Draws – games drawn over the board") in tie_breaks.choices()
    assert set(tie_breaks.WORDS) == set(CATALOGUE) | set(catalogue.TEAM_CATALOGUE)
