"""The sealed vote on the set-up: it is hidden until both have voted."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

import games
from games.morelli import presentation
from games.morelli.setup import MODES, mode_by_ballot
from tests.tournaments import pages as visits
from tournaments.errors import RefusedError
from tournaments.models import Challenge, Game, Player, User
from tournaments.queries.games import setup_vote
from tournaments.services.games import offers, play
from tournaments.services.lobby import challenges
from tournaments.text import ballots

ORIGINAL = "morelli(edition=original,size=7)"


def challenge_with_vote(
    ana: User, ben: User, vote: str, ruleset: str = ORIGINAL, side: str = ""
) -> Challenge:
    return challenges.challenge(
        challenger=ana.player,
        opponent=ben.player,
        ruleset=ruleset,
        clock=visits.CLOCK,
        side=side,
        vote=vote,
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
    assert "free" in challenge.game.setup.removeprefix("votes=").split("/")


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
    game = Game.objects.get()
    votes = ("facing", "free") if game.first == ana.player else ("free", "facing")
    assert game.setup == f"votes={votes[0]}/{votes[1]}"


@pytest.fixture
def voted(ana: User, ben: User) -> Game:
    """A game in which Ben, who moves first, has voted free, and Ana adjacent."""
    challenge = challenge_with_vote(ana, ben, "adjacent", side="second")
    return challenges.accept(challenge_id=challenge.pk, player=ben.player, vote="free")


def test_the_game_and_its_records_say_who_voted_for_what(client: Client, voted: Game) -> None:
    """Morelli (original) 2.5: the fists are opened together, and different votes mean the third."""
    page = visits.text_of(client.get(voted.get_absolute_url()).content)
    assert (
        "Ben voted for free placement and Ana for adjacent. "
        "The votes differ, so the start is the third: facing. 2.5"
    ) in page
    for name, parse in (
        ("game-record", games.parse_record),
        ("game-record-json", games.parse_json),
    ):
        file = client.get(reverse(name, args=[voted.pk])).content.decode()
        assert parse(file).setup == "votes=free/adjacent"


@pytest.mark.parametrize(
    ("setup", "sentence"),
    [
        ("votes=facing/facing", "Ana and Ben both voted for facing, so that is the start."),
        ("mode=free", "No player voted in this game. The start is free placement."),
    ],
)
def test_equal_votes_and_no_votes_are_told_apart(
    ana: User, ben: User, setup: str, sentence: str
) -> None:
    game = Game(
        ruleset=setup_vote.ruleset_by_ballot(ORIGINAL, "free"),
        setup=setup,
        first=ana.player,
        second=ben.player,
    )
    outcome = ballots.result(game)
    assert outcome is not None
    assert outcome.sentence == sentence


def test_a_game_without_a_ballot_tells_of_no_vote(ana: User, ben: User) -> None:
    assert ballots.result(visits.new_game(ana.player, ben.player, ORIGINAL)) is None


def test_a_rematch_has_the_same_start_and_no_votes(voted: Game) -> None:
    play.resign(game_id=voted.pk, player=voted.first)
    offers.offer_rematch(game_id=voted.pk, player=voted.first)
    rematch = offers.offer_rematch(game_id=voted.pk, player=voted.second)
    assert rematch is not None
    assert rematch.setup == "mode=facing"
