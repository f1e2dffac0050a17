"""The prize fund: permissions for changes, refusals, and its awards in every format."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from tests.tournaments.conftest import event_of
from tests.tournaments.prize_events import BOTS, OVERALL, give_fund, play
from tests.tournaments.services.results.scripted import all_draw
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import Award, AwardList, Event, Game, NewsItem, Player, Prize, User
from tournaments.models.prizes import CategoryKind, PrizeFund
from tournaments.queries.events import plans, prizes
from tournaments.queries.results import awards
from tournaments.services.arbiter import correction_preview as previews
from tournaments.services.arbiter import corrections, prize_awards, undo
from tournaments.services.events import entries, prize_changes, registration, staff_members
from tournaments.services.notifications import inbox, news
from tournaments.services.notifications.kinds import KINDS
from tournaments.services.results import sheets
from tournaments.standings.prizes import Category, Kind, Rules, Sharing
from tournaments.text import audit_log, refusals

EnterAll = Callable[..., None]


def _amounts(event: Event) -> list[tuple[str, int, str]]:
    rows = Prize.objects.filter(fund__event=event)
    return list(rows.values_list("kind", "amount", "words"))


def _names(event: Event) -> dict[str, int]:
    outcome = awards.of_event(event)
    assert outcome is not None
    return {each.entry.player.name: each.award.amount for each in outcome.winners}


def test_the_choices_of_rows_are_those_of_the_pure_rules() -> None:
    assert CategoryKind.values == [kind.value for kind in Kind]
    assert PrizeFund.Sharing.values == [sharing.value for sharing in Sharing]


def test_prizes_are_added_by_value_moved_and_removed(ana: User) -> None:
    event = event_of(ana)
    words: dict[str, Any] = {"owner": prize_changes.OfEvent(event.pk), "actor": ana}
    for amount in (100, 300, 200):
        prize_changes.add(**words, category=OVERALL, amount=amount)
    prize_changes.add(**words, category=BOTS, words="  a \x00 cup ")
    assert _amounts(event) == [
        ("overall", 300, ""),
        ("overall", 200, ""),
        ("overall", 100, ""),
        ("bots", 0, "a cup"),
    ]
    cup = Prize.objects.get(kind="bots")
    prize_changes.move(**words, prize_id=cup.pk, is_up=True)
    assert [kind for kind, *_ in _amounts(event)] == ["overall", "overall", "bots", "overall"]
    first = Prize.objects.get(position=1)
    with pytest.raises(RefusedError, match="prize-order"):
        prize_changes.move(**words, prize_id=first.pk, is_up=False)
    prize_changes.remove(**words, prize_id=first.pk)
    with pytest.raises(StaleError, match="prize-removed"):
        prize_changes.remove(**words, prize_id=first.pk)
    assert [amount for _, amount, _ in _amounts(event)] == [200, 0, 100]
    prize_changes.divide(**words, total=1000, percents=[60, 30, 10])
    assert _amounts(event)[-1] == ("bots", 0, "a cup")
    assert sum(amount for _, amount, _ in _amounts(event)) == 1000
    assert event.audit.filter(action="prizes").count() == 7


@pytest.mark.parametrize(
    ("category", "amount", "words", "code"),
    [
        (OVERALL, 0, "", "prize-empty"),
        (OVERALL, 50, "", "prize-rounding"),
        (OVERALL, 10**13, "", "prize-large"),
        (OVERALL, 0, "x" * 101, "prize-large"),
        (Category(Kind.CLUB), 100, "", "prize-category"),
        (Category(Kind.CLUB, text="x" * 61), 100, "", "prize-category"),
        (Category(Kind.RATING, 5000), 100, "", "prize-category"),
        (Category(Kind.RATING, 1600, 1500), 100, "", "prize-category"),
    ],
)
def test_a_prize_that_cannot_be_is_refused(
    ana: User, category: Category, amount: int, words: str, code: str
) -> None:
    event = event_of(ana)
    prize_changes.set_rules(
        owner=prize_changes.OfEvent(event.pk), actor=ana, currency="EUR", rules=Rules(rounding=100)
    )
    with pytest.raises(RefusedError, match=code):
        prize_changes.add(
            owner=prize_changes.OfEvent(event.pk),
            actor=ana,
            category=category,
            amount=amount,
            words=words,
        )
    assert refusals.sentence_of(code) != refusals.sentence_of("no such code")
    prize_changes.add(
        owner=prize_changes.OfEvent(event.pk), actor=ana, category=OVERALL, amount=100
    )


@pytest.mark.parametrize(
    ("currency", "rules", "code"),
    [
        ("eur", Rules(), "prize-currency"),
        ("EURO", Rules(), "prize-currency"),
        ("JPY", Rules(), "prize-currency"),
        ("EUR", Rules(rounding=0), "prize-rules"),
        ("EUR", Rules(rounding=1000), "prize-rounding"),
        ("EUR", Rules(least_games=-1), "prize-rules"),
        ("EUR", Rules(least_points_halves=1001), "prize-rules"),
    ],
)
def test_rules_that_do_not_fit_the_fund_are_refused(
    ana: User, currency: str, rules: Rules, code: str
) -> None:
    event = event_of(ana)
    prize_changes.add(
        owner=prize_changes.OfEvent(event.pk), actor=ana, category=OVERALL, amount=150
    )
    with pytest.raises(RefusedError, match=code):
        prize_changes.set_rules(
            owner=prize_changes.OfEvent(event.pk), actor=ana, currency=currency, rules=rules
        )
    assert prizes.row_of(event).currency == "EUR"


def test_another_currency_keeps_the_decimal_sums(ana: User) -> None:
    event = event_of(ana)
    prize_changes.add(
        owner=prize_changes.OfEvent(event.pk), actor=ana, category=OVERALL, amount=12_000
    )
    prize_changes.set_rules(
        owner=prize_changes.OfEvent(event.pk), actor=ana, currency="JPY", rules=Rules(Sharing.HORT)
    )
    assert [amount for _, amount, _ in _amounts(event)] == [120]
    assert prizes.fund_of(event).rules.sharing is Sharing.HORT


@pytest.mark.parametrize("role", ["deputy", "pairings", "results", "check-in", ""])
def test_only_the_organiser_changes_and_awards_prizes(ana: User, ben: User, role: str) -> None:
    event = event_of(ana)
    prize_changes.add(
        owner=prize_changes.OfEvent(event.pk), actor=ana, category=OVERALL, amount=100
    )
    prize = Prize.objects.get()
    if role:
        staff_members.add(event_id=event.pk, actor=ana, player=ben.player, role=role)
    words: dict[str, Any] = {"owner": prize_changes.OfEvent(event.pk), "actor": ben}
    for call in (
        lambda: prize_changes.add(**words, category=OVERALL, amount=100),
        lambda: prize_changes.remove(**words, prize_id=prize.pk),
        lambda: prize_changes.move(**words, prize_id=prize.pk, is_up=True),
        lambda: prize_changes.divide(**words, total=100, percents=[100]),
        lambda: prize_changes.set_rules(**words, currency="EUR", rules=Rules()),
        lambda: prize_awards.confirm(event_id=event.pk, actor=ben),
    ):
        with pytest.raises(NotAllowedError, match="not-organiser"):
            call()


def test_the_database_refuses_a_prize_that_is_nothing(ana: User) -> None:
    event = event_of(ana)
    prize_changes.add(
        owner=prize_changes.OfEvent(event.pk), actor=ana, category=OVERALL, amount=100
    )
    fund = PrizeFund.objects.get()
    for columns in (
        {"kind": "overall"},
        {"kind": "overall", "amount": 1, "text": "x"},
        {"kind": "rating", "amount": 1},
        {"kind": "club", "amount": 1},
        {"kind": "other", "amount": 1},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            Prize.objects.create(fund=fund, position=9, **columns)


@pytest.mark.long
@pytest.mark.parametrize(
    ("format_", "options"),
    [
        ("dutch", {"rounds_total": 3}),
        ("swiss", {"rounds_total": 3}),
        ("round-robin", {}),
        ("knockout", {}),
        ("double-knockout", {}),
        ("groups-knockout", {"groups": 2, "qualifiers": 1}),
        ("league", {"groups": 2, "promotion_places": 1}),
    ],
)
@pytest.mark.parametrize(
    "sharing",
    [
        Sharing.EQUAL,
        # The rules of sharing have tests of their own, without a database.
        *(
            pytest.param(sharing, marks=pytest.mark.slow)
            for sharing in Sharing
            if sharing is not Sharing.EQUAL
        ),
    ],
)
@pytest.mark.part(0.4)
def test_every_format_gives_its_prizes(
    bots: list[Player], ana: User, format_: str, options: dict[str, int], sharing: Sharing
) -> None:
    event = event_of(ana, format=format_, **options)
    give_fund(event, ana, Rules(sharing))
    play(event, ana, bots)
    outcome = awards.of_event(event)
    assert outcome is not None
    assert outcome.total == 30_000
    first = outcome.winners[0]
    assert first.award.category == OVERALL
    confirmed = prize_awards.confirm(event_id=event.pk, actor=ana)
    rows = awards.confirmed_rows(confirmed)
    assert not awards.differ(rows, outcome.rows())
    assert sum(row.amount for row in rows) == 30_000
    assert "Bot 1" in {row.entry.player.name for row in rows}


@pytest.mark.parametrize(
    ("format_", "options"),
    [("arena", {"duration_s": 3600}), ("ladder", {"admits": "bots"})],
)
def test_continuous_formats_give_their_prizes_too(
    bots: list[Player], ana: User, format_: str, options: dict[str, object]
) -> None:
    event = event_of(ana, format=format_, **options)
    give_fund(event, ana)
    play(event, ana, bots, rounds=0)
    outcome = awards.of_event(event)
    assert outcome is not None
    assert outcome.total == 30_000
    assert [each.award.amount for each in outcome.winners][:3] == [18_000, 9_000, 3_000]


def test_equal_points_share_and_who_has_left_is_out(bots: list[Player], ana: User) -> None:
    event = event_of(ana, rounds_total=1)
    give_fund(event, ana, Rules(Sharing.EQUAL, rounding=100))
    play(event, ana, bots, all_draw, rounds=0)
    entries.withdraw(event_id=event.pk, player=bots[2], actor=ana)
    play_all = _names(event)
    assert "Bot 3" not in play_all
    assert sorted(play_all.values()) == [6_000] * 5


@pytest.fixture
def over(people: list[Player], ana: User) -> Event:
    """Cleo before Dora, Emil and Finn in a round robin that is over."""
    event = event_of(ana, format="round-robin", admits="people")
    give_fund(event, ana)
    return play(event, ana, people)


@pytest.mark.long
def test_awards_are_confirmed_once_told_and_taken_back(over: Event, ana: User) -> None:
    confirmed = prize_awards.confirm(event_id=over.pk, actor=ana)
    rows = awards.confirmed_rows(confirmed)
    assert [(row.entry.player.name, row.amount) for row in rows] == [
        ("Cleo", 18_000),
        ("Dora", 9_000),
        ("Emil", 3_000),
    ]
    cleo = rows[0].entry.player.user
    assert cleo is not None
    notices = NewsItem.objects.filter(topic__name=news.of_user(cleo.pk), kind="prize")
    assert notices.get().payload["amount"] == 18_000
    assert inbox.notices(cleo)[0].item.kind == "prize"
    assert KINDS["prize"].choice in inbox.wanted_by_email(inbox.of_user(cleo))
    log_entry = over.audit.get(action="award")
    sentence = audit_log.Words.of(over, [log_entry]).sentence(log_entry)
    assert sentence == "The prizes were awarded: Cleo; Dora; Emil."
    with pytest.raises(StaleError, match="prizes-awarded"):
        prize_awards.confirm(event_id=over.pk, actor=ana)
    with pytest.raises(StaleError, match="prizes-awarded"):
        prize_changes.add(
            owner=prize_changes.OfEvent(over.pk), actor=ana, category=OVERALL, amount=1
        )
    assert undo.may_undo(log_entry, over)
    undo.undo(event_id=over.pk, actor=ana, entry_id=log_entry.pk, reason="wrong sums")
    assert prizes.standing_awards(over) is None
    assert inbox.notices(cleo)[0].item.kind == "prize-back"
    with pytest.raises(StaleError, match="undone"):
        undo.undo(event_id=over.pk, actor=ana, entry_id=log_entry.pk, reason="again")
    prize_changes.add(owner=prize_changes.OfEvent(over.pk), actor=ana, category=OVERALL, amount=1)
    prize_awards.confirm(event_id=over.pk, actor=ana)
    assert AwardList.objects.count() == 2


@pytest.mark.long
def test_a_deputy_does_not_take_the_award_back(over: Event, ana: User, ben: User) -> None:
    prize_awards.confirm(event_id=over.pk, actor=ana)
    staff_members.add(event_id=over.pk, actor=ana, player=ben.player, role="deputy")
    log_entry = over.audit.get(action="award")
    with pytest.raises(NotAllowedError, match="not-organiser"):
        undo.undo(event_id=over.pk, actor=ben, entry_id=log_entry.pk, reason="no")
    assert prizes.standing_awards(over) is not None


@pytest.mark.long
@pytest.mark.engines
def test_awards_are_not_rewritten(over: Event, ana: User) -> None:
    confirmed = prize_awards.confirm(event_id=over.pk, actor=ana)
    for change in (
        lambda: Award.objects.update(amount=1),
        lambda: Award.objects.all().delete(),
        lambda: AwardList.objects.update(currency="USD"),
        lambda: AwardList.objects.create(
            event=over,
            log_entry=over.audit.exclude(action="award")[0],
            currency="EUR",
            made_at=confirmed.made_at,
        ),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            change()


@pytest.mark.long
def test_nothing_is_awarded_before_the_end_nor_without_prizes(
    bots: list[Player], ana: User
) -> None:
    event = event_of(ana, rounds_total=1)
    play(event, ana, bots, rounds=0)
    with pytest.raises(StaleError, match="not-finished"):
        prize_awards.confirm(event_id=event.pk, actor=ana)
    over = play(event_of(ana, format="knockout"), ana, bots)
    with pytest.raises(RefusedError, match="prizes-none"):
        prize_awards.confirm(event_id=over.pk, actor=ana)
    prize_changes.add(
        owner=prize_changes.OfEvent(over.pk),
        actor=ana,
        category=Category(Kind.CLUB, text="Norte"),
        amount=5,
    )
    with pytest.raises(RefusedError, match="awards-none"):
        prize_awards.confirm(event_id=over.pk, actor=ana)


def _game(event: Event, first: str, second: str) -> Game:
    names = {first, second}
    games = Game.objects.filter(pairing__event=event).with_players()
    return next(game for game in games if {game.first.name, game.second.name} == names)


@pytest.mark.long
def test_a_correction_says_before_whose_prizes_it_changes(over: Event, ana: User) -> None:
    prize_awards.confirm(event_id=over.pk, actor=ana)
    game = _game(over, "Dora", "Emil")
    words: dict[str, Any] = {
        "game_id": game.pk,
        "actor": ana,
        "result": "second" if game.result == "first" else "first",
        "reason": "sides mixed up",
    }
    preview = previews.preview(**words)
    assert preview.is_awarded
    changes = {
        change.entry.player.name: (
            [row.amount for row in change.before],
            [row.amount for row in change.after],
        )
        for change in preview.awards
    }
    assert changes == {"Emil": ([3_000], [9_000]), "Dora": ([9_000], [3_000])}
    corrections.correct(**words)
    confirmed = prizes.standing_awards(over)
    outcome = awards.of_event(over)
    assert confirmed is not None
    assert outcome is not None
    assert awards.differ(awards.confirmed_rows(confirmed), outcome.rows())
    assert sum(row.amount for row in awards.confirmed_rows(confirmed)) == 30_000


def test_an_event_like_another_has_its_prizes(ana: User, ben: User) -> None:
    event = event_of(ana)
    give_fund(event, ana, Rules(Sharing.HORT, rounding=100))
    plan = plans.plan_of(event)
    assert isinstance(plan, plans.EventPlan)
    other = registration.create_event(organiser=ben, plan=plan, prizes_of=event)
    assert prizes.fund_of(other) == prizes.fund_of(event)
    assert other.prize_fund.currency == "EUR"


@pytest.mark.long
def test_the_sheet_has_the_awards_as_decimals(over: Event, ana: User) -> None:
    before = sheets.prizes(over).splitlines()
    assert before[1].endswith(",Cleo,overall,,,,1,180.00,EUR,,0")
    prize_awards.confirm(event_id=over.pk, actor=ana)
    assert sheets.prizes(over).splitlines()[1].endswith(",1,180.00,EUR,,1")
