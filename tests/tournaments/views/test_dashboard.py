"""The front page of players: one click to the last choice, ratings with their change, own events."""

from __future__ import annotations

import html
import re
from datetime import timedelta

import pytest
from django.urls import reverse

from tests.tournaments import pages
from tests.tournaments.conftest import event_of
from tests.tournaments.frozen_clock import FrozenClock, freeze
from tournaments import database_time
from tournaments.models import Game, LedgerEntry, Player, Rating, Seek, User
from tournaments.queries.ratings import headlines
from tournaments.services.accounts import players
from tournaments.services.events import entries
from tournaments.templatetags.ledger import reason
from tournaments.templatetags.ratings import sparkline

FORM = {"ruleset": "morlox(size=5)", "clock": "180+2"}


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> FrozenClock:
    return freeze(monkeypatch)


def _sent_again(user: User) -> Game | Seek | None:
    """Send the form of the button *Play again*, and return the game or seek that it made, if there is a form."""
    client = pages.member(user)
    page = client.get("/").content.decode()
    form = re.search(
        r'<form method="post" action="([^"]+)">(?:(?!</form>).)*Play again', page, re.S
    )
    if form is None:
        return None
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[0]))
    client.post(form[1], fields)
    seek = Seek.objects.filter(player=user.player, state=Seek.State.WAITING).first()
    return seek or Game.objects.of(user.player).order_by("-pk").first()


@pytest.mark.long
def test_one_click_plays_the_last_choice_against_the_same_bot(ana: User) -> None:
    bot = players.add_bot(name="Etienne", engine="random")
    assert _sent_again(ana) is None
    pages.member(ana).post(reverse("challenge"), {**FORM, "bot": bot.name, "side": ""})
    first = Game.objects.get()
    again = _sent_again(ana)
    assert isinstance(again, Game)
    assert again.pk != first.pk
    assert (again.ruleset, again.clock_initial_ms) == (first.ruleset, first.clock_initial_ms)
    assert bot in (again.first, again.second)


def test_after_a_game_with_a_person_one_click_seeks_an_opponent(ana: User, ben: User) -> None:
    pages.new_game(ana.player, ben.player)
    game = Game.objects.get()
    Game.objects.filter(pk=game.pk).update(clock_initial_ms=180_000, clock_increment_ms=2_000)
    again = _sent_again(ana)
    assert isinstance(again, Seek)
    assert (again.ruleset, again.is_rated) == (game.ruleset, game.is_rated)


def test_a_clock_of_ones_own_needs_the_form_of_the_lobby(ana: User, ben: User) -> None:
    pages.new_game(ana.player, ben.player)
    Game.objects.update(clock_initial_ms=420_000, clock_increment_ms=3_000)
    assert _sent_again(ana) is None


def _play_many(ana: Player, ben: Player, *, pairs: int) -> None:
    """Play `pairs` of two games, one won by each: after 15 pairs the ratings are established."""
    for result in ("first", "second") * pairs:
        pages.finished_game(ana, ben, result)


@pytest.mark.long
def test_a_rating_has_its_change_over_30_days(ana: User, ben: User, clock: FrozenClock) -> None:
    _play_many(ana.player, ben.player, pairs=15)
    clock.sleep(days=31)
    then = Rating.objects.get(player=ana.player).centielo
    for _number in range(3):
        pages.finished_game(ana.player, ben.player, "first")
    [row] = headlines.of_player(ana.player, database_time.now())
    assert row.change_centielo == row.rating.centielo - then
    assert row.change_centielo > 0
    assert "in 30 days" in pages.member(ana).get("/").content.decode()
    ledger = LedgerEntry.objects.filter(player=ana.player).order_by("seq")
    assert list(row.course_centielo) == [entry.after_centielo for entry in ledger][-30:]
    profile = pages.member(ana).get(ana.player.get_absolute_url()).content.decode()
    assert 'class="sparkline"' in profile
    [tiles] = re.findall(r'<dl class="headlines">.*?</dl>', profile, re.S)
    assert "better than 100 % of the other players" in tiles
    assert profile.count("better than") == 1
    last = ledger.last()
    assert last is not None
    assert reason(last) in html.unescape(profile)


@pytest.mark.parametrize(
    ("course", "points"),
    [([], ""), ([1500_00], ""), ([1500_00, 1600_00, 1550_00], "0.0,24.0 60.0,0.0 120.0,12.0")],
)
def test_a_small_line_has_a_point_for_each_game(course: list[int], points: str) -> None:
    drawn = sparkline(course)
    assert f'points="{points}"' in drawn if points else drawn == ""


@pytest.mark.parametrize(
    ("deviation", "after", "words"),
    [
        (350_00, 300_00, "The rating is still provisional."),
        (100_00, 95_00, "score 1: +18.7. It is much, because the rating is still uncertain."),
        (60_00, 59_00, "score 1: +18.7."),
    ],
)
def test_the_reason_of_a_change_is_one_sentence(deviation: int, after: int, words: str) -> None:
    entry = LedgerEntry(
        expected_millionths=500_000,
        score_halves=2,
        delta_centielo=18_70,
        inputs={"deviation": deviation, "deviation_after": after},
    )
    assert reason(entry).startswith("The expected score was 0.50, the score 1")
    assert reason(entry).endswith(words)


@pytest.mark.long
def test_a_rating_that_was_provisional_30_days_ago_has_no_change(
    ana: User, ben: User, clock: FrozenClock
) -> None:
    _play_many(ana.player, ben.player, pairs=1)
    clock.sleep(days=31)
    _play_many(ana.player, ben.player, pairs=15)
    [row] = headlines.of_player(ana.player, database_time.now())
    assert row.change_centielo is None


@pytest.mark.long
def test_own_events_are_apart_from_those_to_join(ana: User, ben: User) -> None:
    event = event_of(ana, name="Entered", starts_at=database_time.now() + timedelta(days=1))
    event_of(ana, name="Other")
    entries.enter(event_id=event.pk, player=ben.player, actor=ben)
    member = pages.member(ben)
    for _ in range(2):  # the second page has what the process keeps of the first
        text = member.get("/").content.decode()
        assert "data-countdown" in text
        own, others = text.split("Your events")[1].split("Latest results")
        assert ("Entered" in own, "Other" in own) == (True, False)
        assert ("Entered" in others, "Other" in others) == (False, True)
