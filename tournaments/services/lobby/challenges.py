"""Challenges: a player invites another, or all players, to a game. A bot accepts immediately."""

from __future__ import annotations

import secrets

from django.db import transaction

import games
from tournaments import database_time, limits
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import Challenge, Game, Player, Study
from tournaments.models.games import Side
from tournaments.queries.accounts import ownership
from tournaments.queries.clocks import game_clocks
from tournaments.queries.games import openings, setup_vote
from tournaments.services.accounts import consent_checks, guests, throttles, willingness
from tournaments.services.games import game_creation
from tournaments.services.notifications import news

_MAX_OPEN = 20


def challenge(
    *,
    challenger: Player,
    opponent: Player | None,
    ruleset: str,
    clock: game_clocks.Clock,
    is_rated: bool = True,
    side: str = "",
    vote: str = "",
    study: Study | None = None,
) -> Challenge:
    """Return an open challenge to `opponent`, or to all players if it is None.

    Against a bot the game starts immediately.

    `side` is the one the challenger wants, empty when the seed decides. `vote` is the challenger's
    sealed vote on the set-up, with which the game is played by ballot. From the position of a
    `study` the game is casual, its rules are those of the study, and `side` is the side that moves
    first from there.

    Raises:
        NotAllowedError: `account-needed` for a guest who challenges a person or all players.
        RefusedError: `ruleset-bad`, `side-bad`, `vote-bad`, `not-yourself`, `player-guest`,
            `bot-inactive`, `bot-other-game`, `too-many-challenges`, `opening-over` of the study,
            for an author's bot `bot-busy` and the codes of `willingness.require_willing`.
        TooManyError: too many games with bots.
    """
    if opponent is None or not opponent.is_boxed:
        guests.require_account(challenger)
    key = _rules(ruleset, vote, study)
    if side and side not in Side.values:
        raise RefusedError("side-bad", side)
    if opponent is not None and opponent.pk == challenger.pk:
        raise RefusedError("not-yourself")
    if opponent is not None:
        willingness.require_willing(
            opponent, challenger, ruleset=key, clock=clock, is_rated=is_rated and study is None
        )
    with transaction.atomic():
        # Locked, so that challenges at one moment are counted one after the other.
        Player.objects.select_for_update(no_key=True).get(pk=challenger.pk)
        if opponent is not None and opponent.is_boxed:
            account = ownership.account_of(challenger)
            throttles.count(throttles.Visitor(account), limits.BOT_GAMES)
        if challenger.challenges_sent.open().count() >= _MAX_OPEN:
            raise RefusedError("too-many-challenges", str(_MAX_OPEN))
        challenge = Challenge.objects.create(
            challenger=challenger,
            opponent=opponent,
            ruleset=key,
            **game_clocks.columns(clock),
            is_rated=is_rated and study is None,
            side=side,
            vote=vote,
            study=study,
            created_at=database_time.now(),
        )
        if opponent is not None and opponent.is_boxed:
            _begin(challenge, opponent)
        elif opponent is not None:
            news.announce_to([opponent], "challenge", {"challenge": challenge.pk})
        else:
            news.announce(news.SITE, "challenge", {"challenge": challenge.pk})
        return challenge


def _rules(ruleset: str, vote: str, study: Study | None) -> str:
    """The key of the rules of a challenge. Raises RefusedError."""
    if study is not None:
        openings.of_study(study)
        if vote:
            raise RefusedError("vote-bad", "the position is chosen")
        return study.ruleset
    try:
        key = games.load(ruleset).key
    except games.RulesError as error:
        raise RefusedError("ruleset-bad", str(error)) from error
    return setup_vote.ruleset_by_ballot(key, vote) if vote else key


def accept(*, challenge_id: int, player: Player, vote: str = "") -> Game:
    """Begin the game. A sealed vote is answered by the player's own vote, and both are opened.

    Raises NotAllowedError `not-your-challenge`, `account-needed`, StaleError `challenge-over`,
    RefusedError `vote-bad`.
    """
    guests.require_account(player)
    with transaction.atomic():
        challenge = _lock_open(challenge_id)
        is_meant = challenge.opponent_id in {None, player.pk}
        if not is_meant or challenge.challenger_id == player.pk:
            raise NotAllowedError("not-your-challenge")
        game = _begin(challenge, player, vote)
        if challenge.opponent_id is None:
            _tell_lists(challenge)
        return game


def decline(*, challenge_id: int, player: Player) -> Challenge:
    """Decline a challenge to oneself and notify its challenger, or withdraw one's own.

    Raises NotAllowedError `not-your-challenge`, StaleError `challenge-over`.
    """
    with transaction.atomic():
        challenge = _lock_open(challenge_id)
        if player.pk == challenge.challenger_id:
            challenge.state = Challenge.State.WITHDRAWN
        elif player.pk == challenge.opponent_id:
            challenge.state = Challenge.State.DECLINED
        else:
            raise NotAllowedError("not-your-challenge")
        challenge.save(update_fields=["state"])
        if challenge.state == Challenge.State.DECLINED:
            news.announce_to([challenge.challenger], "declined", {"challenge": challenge.pk})
        else:
            _tell_lists(challenge)
        return challenge


def _tell_lists(challenge: Challenge) -> None:
    """Remove this challenge from the lists on open pages."""
    payload: dict[str, object] = {"challenge": challenge.pk}
    if challenge.opponent is None:
        news.announce(news.SITE, "challenge-over", payload)
    else:
        news.announce_to([challenge.opponent], "challenge-over", payload)


def _lock_open(challenge_id: int) -> Challenge:
    challenge = (
        Challenge.objects.select_for_update(no_key=True, of=("self",))
        .select_related("challenger", "opponent", "study__game")
        .get(pk=challenge_id)
    )
    if challenge.state != Challenge.State.OPEN:
        raise StaleError("challenge-over", challenge.state)
    return challenge


def _begin(challenge: Challenge, opponent: Player, vote: str = "") -> Game:
    consent_checks.require_room((challenge.challenger, opponent))
    seed = secrets.randbits(48)
    opening = openings.of_study(challenge.study) if challenge.study else None
    side = openings.side_moving(
        challenge.side or (Side.FIRST if seed % 2 else Side.SECOND), opening
    )
    pair = (challenge.challenger, opponent)
    first, second = pair if side == Side.FIRST else reversed(pair)
    clock = game_clocks.clock_of(challenge)
    if opening is not None:
        game = game_creation.create_game_after(opening, first=first, second=second, clock=clock)
    else:
        game = game_creation.create_game(
            ruleset=challenge.ruleset,
            setup=_setup(challenge, opponent, vote, side=side, seed=seed),
            first=first,
            second=second,
            clock=clock,
            is_rated=challenge.is_rated,
        )
    game_creation.tell_players([game])
    challenge.state = Challenge.State.ACCEPTED
    challenge.game = game
    challenge.save(update_fields=["state", "game"])
    return game


def _setup(challenge: Challenge, opponent: Player, vote: str, *, side: str, seed: int) -> str:
    """Return the set-up that the seed draws or both votes decide. `side` is the challenger's."""
    if not challenge.vote:
        return game_creation.draw_setup(challenge.ruleset, seed)
    if opponent.is_boxed:
        vote = setup_vote.random_vote(challenge.ruleset, seed)
    votes = (challenge.vote, vote) if side == Side.FIRST else (vote, challenge.vote)
    return setup_vote.setup_by_votes(challenge.ruleset, *votes)
