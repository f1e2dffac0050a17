"""Laws of every kind of clock, from its text to the ledger of a game."""

from __future__ import annotations

import re

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.utils import translation

from tests.how_to.copies import ROOT
from tests.tournaments import pages
from tests.tournaments.clocks.kinds import EACH, EXAMPLES
from tests.tournaments.conftest import event_of
from tests.tournaments.frozen_clock import FrozenClock, freeze
from tournaments.clocks import Kind, TimeControl
from tournaments.errors import RefusedError
from tournaments.forms import games as games_forms
from tournaments.models import Game, User
from tournaments.models.timing import ClockKind
from tournaments.queries.clocks import game_clocks, ledger
from tournaments.queries.results import reports
from tournaments.services.games import play
from tournaments.text.clocks import clock_of

DOCUMENT = (ROOT / "docs/develop/new-time-control.md").read_text()
EACH_LIMITED = [(kind, text) for kind, text in EACH if not kind.is_unlimited]
each_example = pytest.mark.parametrize(("kind", "text"), EACH, ids=[text for _, text in EACH])
each_limited_example = pytest.mark.parametrize(
    ("kind", "text"), EACH_LIMITED, ids=[text for _, text in EACH_LIMITED]
)


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> FrozenClock:
    return freeze(monkeypatch)


def _game(text: str, ana: User, ben: User) -> Game:
    ruleset = "morelli(size=5)"
    return pages.new_game(ana.player, ben.player, ruleset, clock=game_clocks.Clock.read(text))


def test_every_kind_has_examples_a_label_and_a_preset() -> None:
    assert set(EXAMPLES) == set(Kind)
    assert all(EXAMPLES.values())
    assert set(ClockKind.values) == {kind.value for kind in Kind}
    assert {TimeControl.parse(text).kind for text, _ in games_forms.CLOCKS} == set(Kind)


@each_example
def test_text_reads_back_to_its_kind(kind: Kind, text: str) -> None:
    assert TimeControl.parse(text).kind is kind
    assert TimeControl.parse(text).text() == text


@each_example
def test_a_row_reads_back_and_the_database_takes_it(
    kind: Kind, text: str, ana: User, ben: User
) -> None:
    game = Game.objects.get(pk=_game(text, ana, ben).pk)
    assert game_clocks.clock_of(game) == game_clocks.Clock.read(text)
    assert game.is_over_days is kind.is_over_days
    assert game.is_unlimited is kind.is_unlimited
    assert (game.pool is None) is kind.is_unlimited


def test_every_example_has_words_of_its_own_in_every_language() -> None:
    for language in ("en", "ja"):
        with translation.override(language):
            rows = [Game(**game_clocks.columns(TimeControl.parse(text))) for _, text in EACH]
            assert len({clock_of(row) for row in rows}) == len(rows)


@each_example
def test_the_ledger_of_a_game_adds_up(
    kind: Kind, text: str, ana: User, ben: User, wall: FrozenClock
) -> None:
    game = _game(text, ana, ben)
    left_ms = {"first": game.first_ms, "second": game.second_ms}
    for _ in range(4):
        wall.wait(seconds=0.3)
        play.play_move(
            game_id=game.pk,
            player=game.player_on(game.side_to_move),
            ply=game.ply,
            move=pages.legal(game),
            thought_ms=200,
        )
        game.refresh_from_db()
    for charge in ledger.of_game(game):
        left_ms[charge.side] += charge.ms
        assert charge.remaining_ms == left_ms[charge.side] >= 0
    assert left_ms == {"first": game.first_ms, "second": game.second_ms}


@each_limited_example
def test_a_running_clock_shows_what_is_left_until_the_flag_falls(
    kind: Kind, text: str, ana: User, ben: User, wall: FrozenClock
) -> None:
    game = _game(text, ana, ben)
    wall.wait(seconds=0.3)
    play.play_move(
        game_id=game.pk, player=ana.player, ply=0, move=pages.legal(game), thought_ms=None
    )
    game.refresh_from_db()
    first_ms = game_clocks.runs_out_ms(game, wall.now)
    assert first_ms >= game_clocks.remaining_ms(game, "second")
    assert game.deadline_at is not None
    assert game_clocks.milliseconds(wall.now, game.deadline_at) == first_ms
    wall.wait(seconds=0.4)
    assert game_clocks.runs_out_ms(game, wall.now) == first_ms - 400


@each_limited_example
def test_the_report_of_an_event_says_the_clock(kind: Kind, text: str, ana: User) -> None:
    event = event_of(ana, clock=game_clocks.Clock.read(text))
    assert f"122 {text}" in reports.trf_of(event).splitlines()


def test_without_a_clock_nothing_is_charged_and_no_flag_falls(
    ana: User, ben: User, wall: FrozenClock
) -> None:
    game = _game("unlimited", ana, ben)
    wall.wait(seconds=40 * 24 * 3600)
    play.play_move(game_id=game.pk, player=ana.player, ply=0, move=pages.legal(game))
    game.refresh_from_db()
    assert (game.deadline_at, game.result, game.is_rated) == (None, None, False)
    assert not ledger.of_game(game)
    assert game.plies.get().spent_ms == 0


def test_the_database_refuses_a_rated_game_without_a_clock(ana: User, ben: User) -> None:
    game = _game("unlimited", ana, ben)
    rated = _game("600+10", ana, ben)
    with pytest.raises(IntegrityError, match="game_unlimited_is_casual"):
        Game.objects.filter(pk=game.pk).update(is_rated=True, pool=rated.pool)


def test_an_event_has_a_clock(ana: User) -> None:
    with pytest.raises(RefusedError, match="clock-bad"):
        event_of(ana, clock=game_clocks.Clock.read("unlimited"))


def test_no_file_but_those_of_the_how_to_knows_a_kind_by_its_name() -> None:
    names = "|".join(kind.name for kind in Kind if kind is not Kind.FISCHER)
    words = "|".join(kind.value for kind in Kind if kind is not Kind.FISCHER)
    named = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "tournaments").rglob("*.py")
        if "migrations" not in path.parts and re.search(rf"Kind\.({names})\b", path.read_text())
    }
    named |= {
        str(path.relative_to(ROOT))
        for path in (ROOT / "templates").rglob("*.html")
        if re.search(rf'clock_kind == "({words})"', path.read_text())
    }
    assert {path for path in named if path not in DOCUMENT} == set()


def test_a_preset_is_one_line_of_the_form(monkeypatch: pytest.MonkeyPatch) -> None:
    ((text, name),) = re.findall(r'^\("(.*?)", _\("(.*?)"\)\)$', DOCUMENT, re.MULTILINE)
    assert text not in dict(games_forms.CLOCKS)
    with pytest.raises(ValidationError):
        games_forms.ClockField().clean(text)
    monkeypatch.setattr(games_forms, "CLOCKS", [*games_forms.CLOCKS, (text, name)])
    assert games_forms.ClockField().clean(text) == game_clocks.Clock.read(text)
