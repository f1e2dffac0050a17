"""Consent: other authors can use a bot only as its author permits, and each change counts from then on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from tests.tournaments import authors, remote_players
from tests.tournaments.conftest import CLOCK, event_of
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import (
    AuditEntry,
    BotConsent,
    BotRequest,
    Challenge,
    Entry,
    Event,
    Game,
    Player,
    User,
)
from tournaments.queries.bots import ladder_offers
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.services.accounts import bot_consents, consent_checks, players
from tournaments.services.accounts.bot_consents import Consent
from tournaments.services.accounts.consent_checks import Answer
from tournaments.services.events import bot_requests, entries, staff_members
from tournaments.services.games import game_end
from tournaments.services.lobby import challenges
from tournaments.services.notifications import inbox
from tournaments.services.rounds import continuous, lifecycle, standing_ladders

SMALL, LARGE = "morlox(size=5)", "morlox(size=7)"
# The consent of an upload without a choice by its author.
USUAL = Consent()


def _code(act: Callable[[], object]) -> str:
    with pytest.raises((RefusedError, NotAllowedError, StaleError)) as refused:
        act()
    return refused.value.code


def _line(bot: Player) -> int:
    line_id = bot.bot.line_id
    assert line_id is not None
    return line_id


def _challenge(challenger: Player, bot: Player, **changes: Any) -> Challenge:
    plan = {"ruleset": SMALL, "clock": CLOCK, "is_rated": True, **changes}
    return challenges.challenge(challenger=challenger, opponent=bot, **plan)


@pytest.fixture
def event(ana: User) -> Event:
    """Ana's ladder."""
    return event_of(ana, format=Event.Format.LADDER, admits=Event.Admits.BOTS, ruleset=SMALL)


# --- challenges ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("consent", "game", "code"),
    [
        ({"takes_rated": False}, {}, "bot-casual-only"),
        ({"takes_casual": False}, {"is_rated": False}, "bot-rated-only"),
        ({"takes_casual": False, "takes_rated": False}, {}, "bot-no-challenges"),
        ({"least_ms": CLOCK.initial_ms + 1}, {}, "bot-clock"),
        ({"most_ms": CLOCK.initial_ms - 1}, {}, "bot-clock"),
        ({"least_increment_ms": CLOCK.increment_ms + 1}, {}, "bot-clock"),
        ({"most_increment_ms": CLOCK.increment_ms}, {"clock": Clock(60_000, 9_000)}, "bot-clock"),
        ({"takes_unlimited": False}, {"clock": Clock.read("unlimited"), "is_rated": False}, "bot-clock"),
        ({"rulesets": (LARGE,)}, {}, "bot-board"),
        ({"opponents": "bots"}, {}, "bot-bots-only"),
        ({"refused_accounts": ("Ben",)}, {}, "bot-refuses-account"),
    ],
)  # fmt: skip
def test_a_challenge_is_refused_by_what_the_author_does_not_allow(
    ana: User, ben: User, consent: dict[str, Any], game: dict[str, Any], code: str
) -> None:
    bot = authors.version(ana, "Nilo", consent=USUAL)
    _challenge(ben.player, bot, **game)
    bot_consents.change(line_id=_line(bot), actor=ana, consent=replace(USUAL, **consent))
    assert _code(lambda: _challenge(ben.player, bot, **game)) == code
    assert Challenge.objects.count() == 1, "the one from before the change"


def test_the_bot_of_a_refused_account_is_refused_too(ana: User, ben: User) -> None:
    bot = authors.version(ana, "Nilo", consent=replace(USUAL, refused_accounts=("ben",)))
    remote = remote_players.bot(ben)
    assert _code(lambda: _challenge(remote.player, bot)) == "bot-refuses-account"
    people_only = authors.version(ana, "Senna", consent=replace(USUAL, opponents="people"))
    assert _code(lambda: _challenge(remote.player, people_only)) == "bot-people-only"


def test_a_board_is_the_same_whatever_the_set_up(ana: User, ben: User) -> None:
    board = "morelli(edition=original,size=5,setup=ballot)"
    bot = authors.version(ana, "Nilo", consent=replace(USUAL, rulesets=(board,)))
    _challenge(ben.player, bot, ruleset="morelli(edition=original,size=5,setup=facing)")
    assert _code(lambda: _challenge(ben.player, bot, ruleset=SMALL)) == "bot-board"


def test_an_uploaded_bot_plays_no_more_games_at_once_than_its_author_allows(
    ana: User, ben: User
) -> None:
    bot = authors.version(ana, "Nilo", consent=replace(USUAL, max_games=1))
    first = _challenge(ben.player, bot)
    assert _code(lambda: _challenge(ben.player, bot)) == "bot-busy"
    assert first.game is not None
    with transaction.atomic():
        game_end.finish_game(first.game, result="first", ending="rules")
    _challenge(ben.player, bot)


# --- changes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"least_ms": 999}, "clock-bad"),
        ({"least_ms": 20_000, "most_ms": 10_000}, "clock-bad"),
        ({"least_increment_ms": 2, "most_increment_ms": 1}, "clock-bad"),
        ({"max_games": 0}, "consent-games"),
        ({"max_games": 65}, "consent-games"),
        ({"open_formats": ["chess"]}, "consent-formats"),
        ({"opponents": "nobody"}, "consent-opponents"),
        ({"rulesets": ["chess"]}, "ruleset-bad"),
        ({"refused_accounts": ["Nobody"]}, "consent-accounts"),
    ],
)
def test_what_makes_no_sense_is_refused(ana: User, changes: dict[str, Any], code: str) -> None:
    bot = authors.version(ana, "Nilo", consent=USUAL)
    new = replace(USUAL, **changes)
    change = bot_consents.change
    assert _code(lambda: change(line_id=_line(bot), actor=ana, consent=new)) == code
    assert bot_consents.of_line(_line(bot)) == USUAL


def test_a_change_is_the_authors_and_stands_in_the_log(ana: User, ben: User) -> None:
    bot = authors.version(ana, "Nilo", consent=USUAL)
    new = replace(USUAL, max_games=3, refused_accounts=("Ben",), rulesets=(LARGE,))
    change = bot_consents.change
    assert _code(lambda: change(line_id=_line(bot), actor=ben, consent=new)) == "not-your-bot"
    change(line_id=_line(bot), actor=ana, consent=new)
    stored = bot_consents.of_line(_line(bot))
    assert (stored.max_games, stored.refused_accounts) == (3, ("Ben",))
    [entry] = AuditEntry.objects.filter(action="bot-consent")
    assert entry.actor == ana
    assert entry.detail["changes"]["max_games"] == [64, 3]
    assert entry.detail["changes"]["refused_accounts"] == [0, 1], "whom, is nobody else's affair"


@pytest.mark.engines
@pytest.mark.parametrize(
    "columns",
    [{"least_ms": 1}, {"least_ms": 9_000, "most_ms": 8_000}, {"max_games": 0}, {"opponents": "x"}],
)
def test_the_database_refuses_a_consent_that_makes_no_sense(
    ana: User, columns: dict[str, object]
) -> None:
    authors.version(ana, "Nilo")
    with pytest.raises(IntegrityError), transaction.atomic():
        BotConsent.objects.update(**columns)


# --- events ----------------------------------------------------------------------------------------------------------


def test_an_organiser_cannot_enter_a_bot_whose_author_wants_to_be_asked(
    ana: User, ben: User, event: Event
) -> None:
    bot = authors.version(ben, "Nilo", consent=USUAL)
    enter = entries.enter
    assert _code(lambda: enter(event_id=event.pk, player=bot, actor=ana)) == "bot-asks"
    together = entries.enter_all
    assert _code(lambda: together(event_id=event.pk, players=[bot], actor=ana)) == "bot-asks"
    assert not Entry.objects.exists()
    enter(event_id=event.pk, player=bot, actor=ben)
    assert not inbox.notices(ben), "authors enter their own bots without a word"


@pytest.mark.parametrize(
    ("consent", "code"),
    [
        ({"open_formats": [], "takes_requests": False}, "bot-no-events"),
        ({"takes_rated": False}, "bot-casual-only"),
        ({"rulesets": (LARGE,)}, "bot-board"),
        ({"most_ms": CLOCK.initial_ms - 1}, "bot-clock"),
        ({"opponents": "people"}, "bot-people-only"),
        ({"refused_accounts": ("Ana",)}, "bot-refuses-account"),
    ],
)
def test_what_the_author_does_not_allow_keeps_a_bot_out_of_an_open_format(
    ana: User, ben: User, event: Event, consent: dict[str, Any], code: str
) -> None:
    open_to_all = replace(USUAL, open_formats=[Event.Format.LADDER])
    bot = authors.version(ben, "Nilo", consent=replace(open_to_all, **consent))
    other = authors.version(ben, "Senna", consent=open_to_all)
    for act in (entries.enter, bot_requests.request):
        assert _code(lambda: act(event_id=event.pk, player=bot, actor=ana)) == code  # noqa: B023
    choices = bot_requests.choices(event, ana)
    assert bot.pk not in {*choices.enterable, *choices.askable}
    entries.enter(event_id=event.pk, player=other, actor=ana)
    [notice] = inbox.notices(ben)
    assert (notice.item.kind, notice.event) == ("bot-entered", event)


def test_a_standing_ladder_has_the_bots_that_authors_enter(ana: User) -> None:
    shut = replace(USUAL, takes_requests=False, takes_rated=False, takes_casual=False)
    bot = authors.version(ana, "Nilo", consent=shut)
    offer = next(each for each in ladder_offers.offers().values() if not each.admits_remote)
    assert standing_ladders.enter(pool=offer.pool, player=bot, actor=ana).pk


def test_a_bot_that_is_busy_elsewhere_waits_in_a_ladder_until_it_has_room(
    ana: User, ben: User, event: Event
) -> None:
    cleo = players.sign_up(name="Cleo", password="rayuela-1963")
    bots = [
        authors.version(author, f"{author.username} X", consent=replace(USUAL, max_games=2))
        for author in (ben, cleo)
    ]
    for bot in bots:
        entries.enter(event_id=event.pk, player=bot, actor=bot.bot.owner or ana)
    _challenge(ana.player, bots[0])
    game = _challenge(ana.player, bots[0]).game
    assert game is not None
    lifecycle.start_event(event_id=event.pk, actor=ana)
    lifecycle.advance_event(event.pk)
    event.refresh_from_db()
    assert [entry.player for entry in continuous.waiting(event)] == [bots[1]]
    assert event.next_step_at is not None, "nothing else wakes it when the bot has room"
    with transaction.atomic():
        game_end.finish_game(game, result="first", ending="rules")
    lifecycle.advance_event(event.pk)
    assert Game.objects.filter(pairing__event=event).exists()


# --- requests --------------------------------------------------------------------------------------------------------


@pytest.fixture
def nilo(ben: User) -> Player:
    """Ben's bot, for which organisers ask."""
    return authors.version(ben, "Nilo", consent=USUAL)


def test_a_yes_enters_the_bot_and_the_organiser_is_told(
    ana: User, ben: User, nilo: Player, event: Event
) -> None:
    assert bot_requests.choices(event, ana).askable == [nilo.pk]
    row = bot_requests.request(event_id=event.pk, player=nilo, actor=ana)
    assert bot_requests.choices(event, ana).askable == []
    assert [each.item.kind for each in inbox.notices(ben)] == ["bot-request"]
    assert list(bot_requests.of_author(ben)) == [row]
    answer = bot_requests.answer
    refused = _code(lambda: answer(request_id=row.pk, actor=ana, is_granted=True))
    assert refused == "not-your-bot"
    answer(request_id=row.pk, actor=ben, is_granted=True)
    assert [entry.player for entry in event.entries.active()] == [nilo]
    [notice] = inbox.notices(ana)
    assert (notice.item.kind, notice.item.payload["answer"]) == ("bot-answer", "granted")
    assert not bot_requests.of_author(ben)
    actions = AuditEntry.objects.filter(event=event).values_list("action", flat=True)
    assert {"bot-request", "bot-answer", "entry"} <= set(actions)


def test_a_no_stays(ana: User, ben: User, nilo: Player, event: Event) -> None:
    row = bot_requests.request(event_id=event.pk, player=nilo, actor=ana)
    bot_requests.answer(request_id=row.pk, actor=ben, is_granted=False)
    assert not event.entries.exists()
    ask, answer = bot_requests.request, bot_requests.answer
    refused = _code(lambda: ask(event_id=event.pk, player=nilo, actor=ana))
    assert refused == "request-answered"
    over = _code(lambda: answer(request_id=row.pk, actor=ben, is_granted=True))
    assert over == "request-over"


def test_a_request_that_cannot_be_granted_stays_open(
    ana: User, ben: User, nilo: Player, event: Event
) -> None:
    row = bot_requests.request(event_id=event.pk, player=nilo, actor=ana)
    Event.objects.filter(pk=event.pk).update(max_entries=2)
    for name in ("House A", "House B"):
        house = players.add_bot(name=name, engine="random")
        entries.enter(event_id=event.pk, player=house, actor=ana)
    answer = bot_requests.answer
    refused = _code(lambda: answer(request_id=row.pk, actor=ben, is_granted=True))
    assert refused == "event-full"
    assert BotRequest.objects.get().state == BotRequest.State.OPEN
    assert not inbox.notices(ana)


def test_nobody_is_asked_without_need_or_by_a_stranger(
    ana: User, ben: User, nilo: Player, event: Event
) -> None:
    ask = bot_requests.request
    house = players.add_bot(name="House", engine="random")
    own = authors.version(ana, "Own", consent=USUAL)
    for player in (house, own):
        assert (
            _code(lambda: ask(event_id=event.pk, player=player, actor=ana))  # noqa: B023
            == "request-needless"
        )
    assert _code(lambda: ask(event_id=event.pk, player=nilo, actor=ben)) == "not-organiser"
    entries.enter(event_id=event.pk, player=nilo, actor=ben)
    assert _code(lambda: ask(event_id=event.pk, player=nilo, actor=ana)) == "already-entered"


def test_a_deputy_asks_like_an_organiser(ana: User, ben: User, nilo: Player, event: Event) -> None:
    cleo = players.sign_up(name="Cleo", password="rayuela-1963")
    staff_members.add(event_id=event.pk, actor=ana, player=cleo.player, role="deputy")
    row = bot_requests.request(event_id=event.pk, player=nilo, actor=cleo)
    bot_requests.answer(request_id=row.pk, actor=ben, is_granted=True)
    assert event.entries.active().count() == 1


def test_answers_need_no_query_for_each_bot(
    ana: User, ben: User, event: Event, django_assert_num_queries: Any
) -> None:
    refusing = replace(USUAL, refused_accounts=("Ana",))
    rows = [
        authors.version(ben, "A1", consent=USUAL),
        authors.version(ben, "B1", consent=refusing),
        authors.version(ben, "C1"),
    ]
    bots = [player.bot for player in rows]
    with django_assert_num_queries(2):
        answers = consent_checks.answers(bots, event, ana)
    assert [answers[bot.pk] for bot in bots] == [Answer.ASK, Answer.NO, Answer.YES]
