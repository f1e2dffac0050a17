"""The prizes of an archive: computed again as they were confirmed, and every change is named."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tournaments import shared_rows
from tests.tournaments.conftest import event_of
from tests.tournaments.prize_events import give_fund, play
from tests.tournaments.services.archives.test_event_archive import (
    Tamper,
    _differences,
    _set,
    _tampered,
)
from tournaments.models import Event, Game, Player, User
from tournaments.queries.archives import archive_file, event_archive, verification
from tournaments.queries.archives.archive_data import ArchiveError
from tournaments.services.arbiter import corrections, prize_awards
from tournaments.standings.prizes import Rules, Sharing


def _over(ana: User, bots: list[Player]) -> Event:
    """A Swiss of five bots that is over, with prizes that are not awarded."""
    event = event_of(ana, rounds_total=3)
    give_fund(event, ana, Rules(Sharing.HORT, rounding=100, least_games=1))
    return play(event, ana, bots)


rows_of_file = shared_rows.of_bots([f"Bot {n}" for n in range(1, 6)], _over)
ana = shared_rows.part("ana")
over = shared_rows.part("event")


def _prizes(event: Event) -> verification.Check:
    archive = archive_file.unpacked(event_archive.of_event(event))
    (check,) = [each for each in verification.verify(archive) if each.name == "prizes"]
    return check


@pytest.mark.long
def test_awards_are_computed_again_as_they_were_confirmed(over: Event, ana: User) -> None:
    assert (_prizes(over).count, list(_prizes(over).differences)) == (0, [])
    confirmed = prize_awards.confirm(event_id=over.pk, actor=ana)
    assert _prizes(over).count == confirmed.awards.count() > 3
    assert list(_prizes(over).differences) == []
    # A later correction is no difference: the confirmed awards follow from the earlier results.
    game = Game.objects.filter(pairing__event=over, result="first").earliest("pk")
    corrections.correct(game_id=game.pk, actor=ana, result="second", reason="sides mixed up")
    assert list(_prizes(over).differences) == []


def _without_award(content: dict[str, Any]) -> None:
    del content["prizes"]["awards"][0]


def _all_people(content: dict[str, Any]) -> None:
    for entry in content["entries"]:
        entry["is_bot"] = False


def _unconfirmed(content: dict[str, Any]) -> None:
    content["prizes"]["confirmed_at"] = None


@pytest.mark.parametrize(
    "tamper",
    [
        _set("prizes", "awards", 0, "amount", to=1),
        _set("prizes", "awards", 0, "tpn", to=5),
        _set("prizes", "awards", 0, "words", to="a car"),
        _set("prizes", "awards", 0, "kind", to="people"),
        _set("prizes", "fund", 0, "amount", to=30_000),
        _set("prizes", "fund", 3, "words", to="a car"),
        _set("prizes", "sharing", to="none"),
        _set("prizes", "rounding", to=1000),
        _set("prizes", "least_games", to=99),
        _set("entries", 0, "state", to="withdrawn"),
        _all_people,
        _without_award,
        _unconfirmed,
    ],
)
@pytest.mark.part(0.3)
def test_a_change_of_prizes_is_named(over: Event, ana: User, tamper: Tamper) -> None:
    prize_awards.confirm(event_id=over.pk, actor=ana)
    named = _differences(_tampered(event_archive.of_event(over), tamper))
    assert any(place.startswith("prizes") for place in named["prizes"])


@pytest.mark.parametrize(
    ("tamper", "place"),
    [
        (_set("prizes", "sharing", to="other"), "prizes, sharing"),
        (_set("prizes", "fund", 0, "kind", to="other"), "prizes, kind"),
        (_set("prizes", "fund", 0, "amount", to=-5), "prizes: prize-empty"),
        (_set("prizes", "fund", 0, "text", to="x"), "prizes: prize-category"),
        (_set("prizes", "rounding", to=0), "prizes: prize-rules"),
        (_set("prizes", "rounding", to="1"), "prizes, rounding: not a whole number"),
    ],
)
def test_a_fund_that_cannot_be_is_refused(
    over: Event, ana: User, tamper: Tamper, place: str
) -> None:
    prize_awards.confirm(event_id=over.pk, actor=ana)
    with pytest.raises(ArchiveError, match=place):
        _differences(_tampered(event_archive.of_event(over), tamper))
