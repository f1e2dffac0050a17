"""The sealed vote on the set-up: nobody sees it before both have voted."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse

import games
from games.morelli import presentation
from games.morelli.setup import MODES, mode_by_ballot
from tests.tournaments import pages as visits
from tournaments.models import Challenge, Game
from tournaments.services.errors import RefusedError
from tournaments.services.lobby import challenges

if TYPE_CHECKING:
    from tournaments.models import Player, User

ORIGINAL = "morelli(edition=original,size=7)"


def challenge_with_vote(ana: User, ben: User, vote: str, ruleset: str = ORIGINAL) -> Challenge:
    return challenges.challenge(
        challenger=ana.player, opponent=ben.player, ruleset=ruleset, clock=visits.CLOCK, vote=vote
    )


@pytest.mark.parametrize("first", MODES)
@pytest.mark.parametrize("second", MODES)
def test_two_votes_settle_the_set_up(ana: User, ben: User, first: str, second: str) -> None:
    """Morelli (original) 2.5: the same vote twice is played, two different ones mean the third."""
    challenge = challenge_with_vote(ana, ben, first)
    game = challenges.accept(challenge_id=challenge.pk, player=ben.player, vote=second)
    expected = games.load(ORIGINAL).key.replace(
        "setup=facing", f"setup={mode_by_ballot((first, second))}"
    )
    board = games.load(expected).initial(seed=0).cells()
    assert games.load(game.ruleset).parse(game.position).cells() == board
    assert "setup=ballot" in game.ruleset


def test_a_sealed_vote_is_on_no_page_before_the_game(ana: User, ben: User) -> None:
    challenge_with_vote(ana, ben, "adjacent")
    pages = [visits.member(who).get(reverse("lobby")).content.decode() for who in (ana, ben)]
    for page in pages:
        assert all("selected" not in rest[:12] for rest in page.split('value="adjacent"')[1:])
    assert "Your secret vote" in pages[1]
    assert "Your secret vote" not in pages[0]


def test_the_form_and_the_answer_offer_the_votes_of_the_game(
    ana: User, ben: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = presentation.PRESENTATION.ballot
    assert known is not None
    ballot = replace(known, votes={"round": "in a round"}, explanation="Try it.")
    changed = replace(presentation.PRESENTATION, ballot=ballot)
    monkeypatch.setattr(presentation, "PRESENTATION", changed)
    page = visits.member(ana).get(reverse("lobby")).content.decode()
    assert 'label="Morelli, original edition"><option' in re.sub(r">\s+<", "><", page)
    assert 'value="round">in a round<' in page
    assert "Try it." in page
    challenge_with_vote(ana, ben, "round")
    page = visits.member(ben).get(reverse("lobby")).content.decode()
    assert page.count('value="round">in a round<') == 2
    assert 'value="facing"' not in page


@pytest.mark.parametrize("vote", ["", "both", "FACING"])
def test_a_ballot_needs_a_vote_there_is(ana: User, ben: User, vote: str) -> None:
    challenge = challenge_with_vote(ana, ben, "free")
    with pytest.raises(RefusedError) as refusal:
        challenges.accept(challenge_id=challenge.pk, player=ben.player, vote=vote)
    assert refusal.value.code == "vote-bad"
    challenge.refresh_from_db()
    assert challenge.state == Challenge.State.OPEN
    challenges.accept(challenge_id=challenge.pk, player=ben.player, vote="free")


def test_only_the_original_edition_is_voted_on(ana: User, ben: User) -> None:
    for ruleset in ("morelli(size=7)", "morlox(size=5)"):
        with pytest.raises(RefusedError) as refusal:
            challenge_with_vote(ana, ben, "free", ruleset)
        assert refusal.value.code == "vote-bad"


def test_a_bot_votes_at_random(ana: User, bots: list[Player]) -> None:
    challenge = challenges.challenge(
        challenger=ana.player, opponent=bots[0], ruleset=ORIGINAL, clock=visits.CLOCK, vote="free"
    )
    assert challenge.game is not None
    assert challenge.game.setup.startswith("mode=")


def test_every_vote_of_a_game_fits_its_column() -> None:
    length = Challenge._meta.get_field("vote").max_length
    for family in games.available():
        ballot = family.presentation.ballot
        assert all(0 < len(vote) <= (length or 0) for vote in (ballot.votes if ballot else ()))


def test_votes_are_cast_on_the_pages(ana: User, ben: User) -> None:
    form = {
        "opponent": ben.player.name,
        "ruleset": games.load(ORIGINAL).key,
        "clock": "600+10",
        "vote": "facing",
    }
    visits.member(ana).post(reverse("challenge"), form)
    challenge = Challenge.objects.get()
    visits.member(ben).post(reverse("challenge-accept", args=[challenge.pk]), {"vote": "free"})
    assert Game.objects.get().setup == "mode=adjacent"
