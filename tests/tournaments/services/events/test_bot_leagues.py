"""Leagues of bots: ladders whose bots are of known strength, the tables of an event, and the queue."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from itertools import combinations
from pathlib import Path

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from engine.match import BotSpec
from tests.tournaments import pages
from tests.tournaments.conftest import enter, event_of
from tests.tournaments.frozen_clock import FrozenClock
from tournaments.errors import RefusedError
from tournaments.models import Bot, Event, Game, Match, Player, Round, User
from tournaments.queries.matches import queue
from tournaments.queries.ratings import bradley_terry_table
from tournaments.queries.results import tables
from tournaments.services.accounts import players
from tournaments.services.arbiter import corrections
from tournaments.services.games import game_creation, game_end
from tournaments.services.matches import leases, matches
from tournaments.services.rounds import continuous, lifecycle

Ladder = Callable[[int], Event]


@pytest.fixture
def ladder(ana: User) -> Ladder:
    """Return a running ladder of this number of bots, named by their places from the strongest, `Bot 01`."""

    def begin(size: int) -> Event:
        entrants = [
            players.add_bot(name=f"Bot {n:02}", engine="random") for n in range(1, size + 1)
        ]
        event = event_of(
            ana,
            format="ladder",
            admits=Event.Admits.BOTS,
            ruleset="morlox(size=5)",
            duration_s=3600,
            max_entries=100,
        )
        enter(event, *entrants)
        lifecycle.start_event(event_id=event.pk, actor=ana)
        return event

    return begin


def _play_by_strength(
    event: Event, elo: Mapping[str, float], games: int, rng: random.Random
) -> None:
    """Run the event's pairing, and decide each game by Elo's formula, until this number has been played."""
    count = 0
    while count < games:
        ongoing = list(Game.objects.ongoing().filter(pairing__event=event).with_players())
        assert ongoing
        for game in ongoing:
            chance = 1 / (1 + 10 ** ((elo[game.second.name] - elo[game.first.name]) / 400))
            with transaction.atomic():
                game_end.finish_game(
                    game,
                    result="first" if rng.random() < chance else "second",
                    ending=Game.Ending.RULES,
                )
        Match.objects.filter(games__in=ongoing).update(state=Match.State.DONE)
        count += len(ongoing)
        lifecycle.advance_event(event.pk)


def _kendall(names: Sequence[str], elo: Mapping[str, float]) -> float:
    """Kendall's tau of a ranking, the first the best, against known strengths."""
    pairs = list(combinations(names, 2))
    right = sum(elo[one] > elo[other] for one, other in pairs)
    return 2 * right / len(pairs) - 1


def _ranking(event: Event) -> list[str]:
    return [row.entry.player.name for row in tables.event_table(event).rows]


@pytest.mark.long
@pytest.mark.parametrize(
    ("bots", "games"), [(6, 80), pytest.param(10, 240, marks=pytest.mark.slow)]
)
def test_a_ladder_finds_the_order_of_its_bots(
    ladder: Ladder, ana: User, bots: int, games: int
) -> None:
    event = ladder(bots)
    elo = {f"Bot {n:02}": 2000 - 1200 * n / bots for n in range(1, bots + 1)}
    _play_by_strength(event, elo, games, random.Random(4))
    names = _ranking(event)
    assert _kendall(names, elo) > 0.7
    strengths = bradley_terry_table.of_event(event)
    assert strengths is not None
    assert strengths.games >= games
    # All bots are placed, and all have games: the least played has its placement games.
    assert min(row.games for row in strengths.rows) >= 24
    page = pages.text_of(pages.member(ana).get(event.get_absolute_url()).content)
    assert "Performance ratings" in page


@pytest.mark.slow
def test_thirty_bots_and_two_thousand_games(ladder: Ladder) -> None:
    """The simulations of the pairing by information promise tau .88 at 40 and .92 at 80 games a bot.

    Here there are 133. Four ladders had .87 to .93.
    """
    event = ladder(30)
    rng = random.Random(7)
    elo = {f"Bot {n:02}": rng.gauss(1500, 300) for n in range(1, 31)}
    _play_by_strength(event, elo, 2_000, rng)
    assert _kendall(_ranking(event), elo) > 0.82
    strengths = bradley_terry_table.of_event(event)
    assert strengths is not None
    names = {
        player.pk: player.name
        for player in bradley_terry_table.name_players(strengths.rows).values()
    }
    middle = sum(elo.values()) / len(elo)
    misses = [
        abs(row.centielo / 100 - 1500 - (elo[names[row.player]] - middle)) for row in strengths.rows
    ]
    within = sum(
        m <= row.error_centielo / 100 for m, row in zip(misses, strengths.rows, strict=True)
    )
    assert within >= 25  # of 30 intervals of 95 %
    assert sum(misses) / len(misses) < 50


_NOISY = """
import random, sys
sys.path.insert(0, sys.argv[1])
from engine.sdk.rayuela_sdk import run
lot = random.Random(sys.argv[3])
def choose(position, clock):
    moves = position.legal_moves()
    if lot.random() < float(sys.argv[2]):
        return lot.choice(moves)
    return max(moves, key=lambda move: (-position.play(move).evaluation(), lot.random()))
run(choose)
"""


@pytest.mark.slow
def test_twelve_real_programs_and_three_hundred_games(
    ladder: Ladder, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    """Programs that play more random moves the weaker they are. The referee plays every game."""
    program = tmp_path / "noisy.py"
    program.write_text(_NOISY)
    event = ladder(12)
    elo = {f"Bot {n:02}": -float(n) for n in range(1, 13)}

    def spec(player: Player, seed: int) -> BotSpec:
        place = int(player.name.removeprefix("Bot "))
        words = [str(program), str(pytestconfig.rootpath), str((place - 1) / 11), str(seed)]
        return BotSpec(player.name, (sys.executable, "-P", *words))

    monkeypatch.setattr(matches, "bot_spec", spec)
    count = 0
    while count < 300:
        due = Match.objects.filter(state=Match.State.QUEUED).values_list("pk", flat=True)
        for match_id in list(due):
            assert matches.play_match(match_id)
        lifecycle.advance_event(event.pk)
        count = Game.objects.finished().filter(pairing__event=event).count()
    assert set(Game.objects.finished().values_list("ending", flat=True)) == {"rules"}
    assert _kendall(_ranking(event), elo) > 0.6


@pytest.mark.long
def test_a_ladder_remembers_the_latest_games_only(
    ladder: Ladder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(continuous, "_HISTORY_LENGTH", 6)
    event = ladder(4)
    elo = {f"Bot {n:02}": 1500.0 for n in range(1, 5)}
    _play_by_strength(event, elo, 40, random.Random(1))
    last = Round.objects.filter(event=event).order_by("-number")[0]
    lengths = [len(each["records"]) for each in last.problem["contestants"]]
    assert max(lengths) == 6


def test_bots_get_no_clock_that_outlasts_their_worker(ana: User) -> None:
    slow = game_creation.Clock(30 * 60_000, 20_000)
    with pytest.raises(RefusedError, match="clock-bots"):
        event_of(ana, admits=Event.Admits.BOTS, clock=slow)
    assert event_of(ana, admits=Event.Admits.PEOPLE, clock=slow).clock_increment_ms == 20_000


# --- tables ---------------------------------------------------------------------------------------


@pytest.mark.long
def test_the_page_of_strengths_shows_who_beats_whom(
    ladder: Ladder, client: Client, ana: User
) -> None:
    event = ladder(4)
    address = reverse("event-strengths", args=[event.slug])
    assert "No game has ended yet" in pages.text_of(client.get(address).content)
    elo = {f"Bot {n:02}": 3000.0 - 700 * n for n in range(1, 5)}
    _play_by_strength(event, elo, 24, random.Random(2))
    page = client.get(address).content.decode()
    assert page.count('class="error-bar"') == 4
    assert "Who beats whom?" in page
    strengths = bradley_terry_table.of_event(event)
    assert strengths is not None
    best, worst = strengths.met[0], strengths.met[-1]
    assert best[0] is None
    for one, row in enumerate(strengths.met):
        for other, head_to_head in enumerate(row):
            back = strengths.met[other][one]
            if head_to_head is not None and back is not None:
                assert (head_to_head.wins, head_to_head.draws, head_to_head.losses) == (
                    back.losses,
                    back.draws,
                    back.wins,
                )
                assert head_to_head.percent + back.percent == 100
    assert best[3] is None or best[3].percent > 50
    assert worst[0] == strengths.met[0][3] or worst[0] is not None


@pytest.mark.long
def test_strengths_of_an_event_follow_a_correction(ladder: Ladder, ana: User) -> None:
    event = ladder(4)
    ana.is_superuser = True
    ana.save()
    _play_by_strength(event, {f"Bot {n:02}": -500.0 * n for n in range(1, 5)}, 12, random.Random(3))
    before = bradley_terry_table.of_event(event)
    assert (
        bradley_terry_table.of_event(event) is before
        or bradley_terry_table.of_event(event) == before
    )
    game = Game.objects.finished().filter(result="first")[0]
    corrections.correct(game_id=game.pk, actor=ana, result="second", reason="the score sheet")
    after = bradley_terry_table.of_event(event)
    assert before is not None
    assert after is not None
    assert after.rows != before.rows
    assert after.games == before.games


# --- the queue ------------------------------------------------------------------------------------


def test_the_queue_tells_the_waits_that_there_were(
    bots: Sequence[Player], clock: FrozenClock
) -> None:
    now = clock.now
    assert queue.length(now) == queue.Queue(0, 0, None, 0)
    waiting = [
        matches.schedule(
            ruleset="morelli(size=5)", setup="", players=(bots[0], bots[1]), clock=pages.CLOCK
        )
        for _ in range(4)
    ]
    ages_s = zip(waiting, (400, 100, 50, 30), strict=True)
    for match, age_s in ages_s:
        Match.objects.filter(pk=match.pk).update(due_at=now - timedelta(seconds=age_s))
    assert queue.length(now) == queue.Queue(4, 0, None, 400)
    for match in waiting[:2]:
        assert leases.claim(match.pk)
    assert queue.length(now) == queue.Queue(2, 2, 250, 50)
    assert queue.length(now + timedelta(minutes=11)).wait_s is None


@pytest.mark.long
def test_the_bots_of_the_site_wait_in_a_ladder_for_a_guest(bots: list[Player], ana: User) -> None:
    event = event_of(
        ana, format="ladder", admits=Event.Admits.BOTS, ruleset="morlox(size=5)", min_guests=1
    )
    guest = pages.version_of(ana, "Nilo", 1)
    Bot.objects.filter(pk=guest.pk).update(state=Bot.State.READY, is_active=True)
    enter(event, *bots[:5])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    lifecycle.advance_event(event.pk)

    def ends() -> list[set[Player]]:
        ongoing = list(Game.objects.ongoing().filter(pairing__event=event).with_players())
        for game in ongoing:
            with transaction.atomic():
                game_end.finish_game(game, result="first", ending="rules")
        lifecycle.advance_event(event.pk)
        return [{game.first, game.second} for game in ongoing]

    assert len(ends()) == 4  # two boards, both sides of each
    assert ends() == []
    event.refresh_from_db()
    assert event.next_step_at is None
    enter(event, guest.player)
    lifecycle.advance_event(event.pk)
    for _ in range(3):
        assert [guest.player in board for board in ends()] == [True, True]
    met = Game.objects.filter(pairing__event=event, first=guest.player).values("second").distinct()
    assert met.count() == 4  # the fourth is being played
