"""Authors of bots: they gain no rating by games of their bots against each other, nor by many uploads."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.tournaments import authors, pages
from tests.tournaments.conftest import event_of
from tournaments.errors import RefusedError
from tournaments.models import Event, Game, LedgerEntry, Player, User
from tournaments.queries.accounts import ownership
from tournaments.services.events import entries
from tournaments.services.matches import matches
from tournaments.services.rounds import lifecycle

CONTINUOUS = {"admits": Event.Admits.BOTS, "duration_s": 3600, "rounds_total": 0}


@pytest.fixture
def own(ana: User) -> list[Player]:
    """Three of ana's."""
    return [authors.version(ana, f"Mine{n}") for n in range(3)]


def _start(event: Event, owner: User, *bots: Player) -> list[Game]:
    for player in bots:
        entries.enter(event_id=event.pk, player=player, actor=owner)
    lifecycle.start_event(event_id=event.pk, actor=owner)
    return list(Game.objects.filter(pairing__event=event).with_players())


def test_bots_of_the_house_are_nobodys(
    own: list[Player], bots: Sequence[Player], ana: User
) -> None:
    everybody = [*own, bots[0], ana.player]
    assert ownership.accounts_behind(everybody) == dict.fromkeys(
        [p.pk for p in (*own, ana.player)], ana.pk
    )


@pytest.mark.parametrize("format_", [Event.Format.LADDER, Event.Format.ARENA])
def test_a_rated_continuous_event_pairs_no_two_bots_of_an_author(
    own: list[Player], ana: User, ben: User, format_: str
) -> None:
    event = event_of(ana, format=format_, **CONTINUOUS)
    other = authors.version(ben, "Other")
    bens = [own[0], own[1], own[2]]
    entries.enter(event_id=event.pk, player=other, actor=ben)
    games = _start(event, ana, *bens)
    assert games
    assert all(other in (game.first, game.second) for game in games)


def test_one_that_is_not_rated_may(own: list[Player], ana: User) -> None:
    event = event_of(ana, format=Event.Format.LADDER, is_rated=False, **CONTINUOUS)
    assert _start(event, ana, *own)


def test_where_everybody_meets_everybody_such_games_are_not_rated(
    own: list[Player], ana: User, bots: Sequence[Player]
) -> None:
    event = event_of(ana, format=Event.Format.ROUND_ROBIN, admits=Event.Admits.BOTS)
    for game in _start(event, ana, own[0], own[1], bots[0], bots[1]):
        is_own = {game.first, game.second} == {own[0], own[1]}
        assert game.is_rated != is_own
        assert (game.pool is None) == is_own


def test_games_between_them_or_against_their_author_enter_no_ledger(
    own: list[Player], ana: User
) -> None:
    pages.finished_game(own[0], own[1], "first")
    assert not pages.new_game(ana.player, own[0]).is_rated
    match = matches.schedule(
        ruleset="morelli(size=5)",
        setup=pages.new_game(ana.player, own[0]).setup,
        players=(own[0], own[1]),
        clock=pages.CLOCK,
    )
    assert not match.games.get().is_rated
    assert not LedgerEntry.objects.exists()


def test_three_bots_of_an_author_take_part_and_no_more(
    own: list[Player], ana: User, ben: User
) -> None:
    event = event_of(ana, format=Event.Format.LADDER, **CONTINUOUS)
    _start(event, ana, *own)
    fourth = authors.version(ana, "Fourth")
    with pytest.raises(RefusedError, match="too-many-bots"):
        entries.enter(event_id=event.pk, player=fourth, actor=ana)
    entries.enter(event_id=event.pk, player=authors.version(ben, "Other"), actor=ben)
    entries.withdraw(event_id=event.pk, player=own[0], actor=ana)
    entries.enter(event_id=event.pk, player=fourth, actor=ana)


@pytest.fixture
def copies(ana: User, ben: User) -> list[Player]:
    """One program under two accounts, and another program of Ben's."""
    data = authors.RANDOM_MOVER
    return [
        authors.version(ana, "Original", data),
        authors.version(ben, "Copied", data),
        authors.version(ben, "Different"),
    ]


def test_games_of_one_program_under_two_accounts_are_not_rated(copies: list[Player]) -> None:
    original, copied, different = copies
    assert not pages.new_game(original, copied).is_rated
    assert pages.new_game(original, different).is_rated


def test_a_rated_ladder_does_not_pair_a_program_with_itself(
    copies: list[Player], ana: User, ben: User
) -> None:
    original, copied, different = copies
    event = event_of(ana, format=Event.Format.LADDER, **CONTINUOUS)
    for player in (copied, different):
        entries.enter(event_id=event.pk, player=player, actor=ben)
    games = _start(event, ana, original)
    assert {frozenset((game.first, game.second)) for game in games} == {
        frozenset((original, different))
    }


@pytest.mark.long
def test_the_desk_names_entries_of_one_program(copies: list[Player], ana: User, ben: User) -> None:
    event = event_of(ana, format=Event.Format.ROUND_ROBIN, admits=Event.Admits.BOTS)
    entries.enter(event_id=event.pk, player=copies[0], actor=ana)
    desk = f"/events/{event.slug}/desk/"
    assert "are one program" not in pages.text_of(pages.member(ana).get(desk).content)
    for player in copies[1:]:
        entries.enter(event_id=event.pk, player=player, actor=ben)
    text = pages.text_of(pages.member(ana).get(desk).content)
    assert "Several entries are one program: Original; Copied." in text
