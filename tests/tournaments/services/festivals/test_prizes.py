"""The prizes of a festival: winners among all sections, one prize each, and the order of the awards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from tests.tournaments.festival_events import act, finished_festival, give_prize
from tests.tournaments.series_events import registered
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import AwardList, Event, Festival, PrizeFund, User
from tournaments.queries.results import awards
from tournaments.services.accounts import players
from tournaments.services.arbiter import festival_prizes, prize_awards, undo
from tournaments.services.events import prize_changes
from tournaments.services.festivals import changes
from tournaments.services.festivals.prizes import OfFestival
from tournaments.standings.prizes import Category, Kind, Rules

WOMEN = Category(Kind.SEX, text="w")
POINTS = changes.About("Weekend", prizes_by=Festival.PrizesBy.POINTS)


@dataclass
class Rows:
    """A festival that is over, with its sections and its organiser."""

    ana: User
    festival: Festival
    a: Event
    b: Event


@pytest.fixture(scope="module")
def rows_of_file(transaction_of_file: None) -> Rows:
    ana = players.sign_up(name="Ana", password="rayuela-1963")
    festival, (a, b) = finished_festival(ana)
    return Rows(ana, festival, a, b)


def _won(owner: Festival | Event) -> dict[str, int]:
    outcome = awards.of_owner(owner)
    assert outcome is not None
    return {each.entry.player.name: each.award.amount for each in outcome.winners}


def _by_points(rows: Rows) -> None:
    changes.change(festival_id=rows.festival.pk, actor=rows.ana, about=POINTS)
    rows.festival.refresh_from_db()


def _confirm(rows: Rows) -> AwardList:
    return festival_prizes.confirm(festival_id=rows.festival.pk, actor=rows.ana)


def _withdraw(rows: Rows) -> None:
    festival_prizes.withdraw(festival_id=rows.festival.pk, actor=rows.ana)


@pytest.mark.long
def test_equal_percentages_and_places_in_the_sections_share(rows: Rows) -> None:
    give_prize(rows.festival, 10_000)
    give_prize(rows.festival, 6_000)
    give_prize(rows.festival, 500)
    assert _won(rows.festival) == {"A 0": 8_000, "B 0": 8_000, "A 1": 500}


def test_points_order_the_players_if_the_organiser_says_so(rows: Rows) -> None:
    _by_points(rows)
    give_prize(rows.festival, 10_000)
    give_prize(rows.festival, 6_000)
    # Both have two points, and B 0 is the first of the section.
    give_prize(rows.festival, 500)
    assert _won(rows.festival) == {"A 0": 10_000, "B 0": 6_000, "A 1": 500}


def test_a_category_is_one_of_all_sections(rows: Rows) -> None:
    give_prize(rows.festival, 700, WOMEN)
    give_prize(rows.festival, 300, WOMEN)
    assert _won(rows.festival) == {"A 1": 700, "B 1": 300}


def test_a_player_wins_the_larger_prize_and_the_other_goes_to_the_next(rows: Rows) -> None:
    _by_points(rows)
    give_prize(rows.festival, 100)
    give_prize(rows.a, 50)
    assert _won(rows.festival) == {"A 0": 100}
    assert _won(rows.a) == {"A 1": 50}
    give_prize(rows.a, 150)
    assert _won(rows.festival) == {"B 0": 100}
    assert _won(rows.a) == {"A 0": 150, "A 1": 50}


def test_an_equal_prize_of_the_section_comes_first(rows: Rows) -> None:
    _by_points(rows)
    give_prize(rows.festival, 100)
    give_prize(rows.a, 100)
    assert (_won(rows.a), _won(rows.festival)) == ({"A 0": 100}, {"B 0": 100})


def test_with_several_prizes_each_fund_is_given_out_on_its_own(rows: Rows) -> None:
    owner = OfFestival(rows.festival.pk)
    give_prize(rows.festival, 100)
    rules = Rules(is_cumulative=True)
    prize_changes.set_rules(owner=owner, actor=rows.ana, currency="EUR", rules=rules)
    give_prize(rows.a, 150)
    assert (_won(rows.a), _won(rows.festival)) == ({"A 0": 150}, {"A 0": 50, "B 0": 50})
    # The section needs not wait for the festival.
    prize_awards.confirm(event_id=rows.a.pk, actor=rows.ana)
    assert _won(rows.festival) == {"A 0": 50, "B 0": 50}


def test_players_of_a_private_section_win_none(rows: Rows) -> None:
    give_prize(rows.festival, 100)
    give_prize(rows.b, 50)
    Event.objects.filter(pk=rows.b.pk).update(is_private=True, access_code="tower")
    rows.b.refresh_from_db()
    assert (_won(rows.festival), _won(rows.b)) == ({"A 0": 100}, {"B 0": 50})


def test_the_festival_awards_before_its_sections(rows: Rows) -> None:
    _by_points(rows)
    give_prize(rows.festival, 100)
    give_prize(rows.a, 50)
    with pytest.raises(StaleError, match="festival-first"):
        prize_awards.confirm(event_id=rows.a.pk, actor=rows.ana)
    assert [each.entry.player.name for each in _confirm(rows).awards.all()] == ["A 0"]
    with pytest.raises(StaleError, match="festival-awarded"):
        _confirm(rows)
    confirmed = prize_awards.confirm(event_id=rows.a.pk, actor=rows.ana)
    assert [each.entry.player.name for each in confirmed.awards.all()] == ["A 1"]
    # The award of the section changes nothing in that of the festival.
    assert _won(rows.festival) == {"A 0": 100}
    with pytest.raises(StaleError, match="sections-awarded"):
        _withdraw(rows)
    undo.undo(event_id=rows.a.pk, actor=rows.ana, entry_id=confirmed.log_entry_id, reason="Mistake")
    _withdraw(rows)
    with pytest.raises(StaleError, match="festival-not-awarded"):
        _withdraw(rows)


def test_a_section_that_was_awarded_first_keeps_its_winners(rows: Rows) -> None:
    give_prize(rows.a, 50)
    prize_awards.confirm(event_id=rows.a.pk, actor=rows.ana)
    give_prize(rows.festival, 100)
    assert _won(rows.festival) == {"B 0": 100}
    _confirm(rows)
    _withdraw(rows)


def test_the_award_waits_for_the_last_section(rows: Rows) -> None:
    give_prize(rows.festival, 100)
    act(rows.festival, "add", registered(rows.ana, "Weekend C").slug)
    with pytest.raises(StaleError, match="sections-open"):
        _confirm(rows)


def test_an_award_needs_prizes_in_one_currency(rows: Rows) -> None:
    with pytest.raises(RefusedError, match="festival-prizes-none"):
        _confirm(rows)
    give_prize(rows.festival, 100)
    give_prize(rows.a, 500)
    PrizeFund.objects.filter(event=rows.a).update(currency="JPY")
    with pytest.raises(RefusedError, match="festival-currency"):
        _confirm(rows)


@pytest.mark.parametrize(
    "change",
    [
        lambda rows: give_prize(rows.festival, 100),
        lambda rows: give_prize(rows.a, 100),
        lambda rows: act(rows.festival, "remove", rows.a.slug),
        lambda rows: act(rows.festival, "earlier", rows.b.slug),
        lambda rows: act(rows.festival, "add", registered(rows.ana, "Late").slug),
        lambda rows: _by_points(rows),
    ],
    ids=["festival", "section", "remove", "earlier", "add", "order"],
)
def test_an_awarded_festival_keeps_what_its_awards_follow_from(
    rows: Rows, change: Callable[[Rows], None]
) -> None:
    give_prize(rows.festival, 100)
    _confirm(rows)
    with pytest.raises(StaleError, match="festival-awarded"):
        change(rows)


def test_a_festival_is_deleted_with_its_prizes_until_they_were_awarded(rows: Rows) -> None:
    give_prize(rows.festival, 100)
    _confirm(rows)
    _withdraw(rows)
    with pytest.raises(StaleError, match="festival-awards"):
        act(rows.festival, "delete")
    other = changes.create(organiser=rows.ana, about=changes.About("Other"))
    give_prize(other, 100)
    act(other, "delete")
    assert not PrizeFund.objects.exclude(festival=rows.festival).exists()


def test_the_organiser_alone_changes_and_awards_the_prizes(rows: Rows, ben: User) -> None:
    give_prize(rows.festival, 100)
    act(rows.festival, "deputy", ben.player.name)
    owner = OfFestival(rows.festival.pk)
    for call in (
        lambda: prize_changes.add(owner=owner, actor=ben, category=Category(), amount=1),
        lambda: festival_prizes.confirm(festival_id=rows.festival.pk, actor=ben),
        lambda: festival_prizes.withdraw(festival_id=rows.festival.pk, actor=ben),
    ):
        with pytest.raises(NotAllowedError, match="not-your-festival"):
            call()
