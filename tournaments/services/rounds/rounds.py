"""Rounds: drafting, publishing with their games, and closing when all games have ended."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils.translation import gettext_lazy as _

from tournaments import database_time
from tournaments.errors import RefusedError, StaleError
from tournaments.models import (
    ByeRequest,
    Entry,
    Event,
    Game,
    Pairing,
    Round,
    TeamBoard,
    User,
    statements,
)
from tournaments.models.games import Side
from tournaments.pairing import (
    SYSTEMS,
    EventDecidedError,
    NoPairingError,
    Progress,
    Solution,
    violations,
)
from tournaments.pairing.baku import group_a
from tournaments.queries import formats
from tournaments.queries.events import festivals, seed_chain, staff
from tournaments.queries.events.staff import Task
from tournaments.queries.results import pairing_input, tables, ties
from tournaments.queries.results.pairing_input import RoundInput
from tournaments.services import audit
from tournaments.services.events.acts import act
from tournaments.services.games import game_creation
from tournaments.services.notifications import news
from tournaments.services.rounds import pairing_lease, save_pairings, tie_play
from tournaments.services.rounds.pairing_lease import Claim

# Number of tries to make a draft when entries change while it is made.
_TRIES = 5


def draft_round(
    *, event_id: int, actor: User | None = None, round_number: int | None = None
) -> Round:
    """Pair the next round, visible to the organiser only, or that of `round_number`, if it is given.

    Equal states of the event always give equal drafts.

    No transaction is open while the pairing system works. A draft that was overtaken by an entry is
    made again.

    Raises:
        NotAllowedError: `not-organiser`.
        StaleError: `not-running`, `round-open` (the last round is not closed), `no-more-rounds`,
            `round-other` if another round is the next, `being-paired`.
        RefusedError: `ties-open` in a knock-out, `too-few` players, `no-pairing` with the reason,
            or `decided` when all games are played.
    """
    event = Event.objects.get(pk=event_id)
    if actor is not None:
        staff.require(event, actor, Task.PAIRINGS)
    require_next(event, round_number)
    if tables.has_draw(event):
        _require_decided_ties(event)
    claim = pairing_lease.claim(event_id)
    try:
        for _ in range(_TRIES):
            event.refresh_from_db()
            mark = audit.mark(event)
            round_input = pairing_input.build(event, prepare_next(event, round_number))
            solution = solve(event, round_input, claim.progress)
            draft = _keep(claim, event_id, round_input, solution, mark=mark, actor=actor)
            if draft is not None:
                return draft
        raise StaleError("draft-outdated", event.slug)
    finally:
        claim.release()


def prepare_next(event: Event, expected_number: int | None = None) -> int:
    """Return the number of the round that may be paired now, as `require_next`. Round 1 divides an accelerated event."""
    number = require_next(event, expected_number)
    if number == 1 and event.is_accelerated:
        _divide(event)
    return number


def _divide(event: Event) -> None:
    """Store the last player of group A, of the players who are to be paired in round 1 (C.04.7 1.2).

    A player with a requested bye is not one of them. Above the last one of the group such a player
    joins it on arrival, as a late entry does (C.04.7 1.3).
    """
    absent = ByeRequest.objects.filter(round_number=1, entry__event=event).values("entry")
    present = event.entries.active().contestants().exclude(tpn=None).exclude(pk__in=absent)
    tpns = list(present.order_by("tpn").values_list("tpn", flat=True))
    event.accelerated_upto_tpn = tpns[min(group_a(len(tpns)), len(tpns)) - 1] if tpns else None
    Event.objects.filter(pk=event.pk).update(accelerated_upto_tpn=event.accelerated_upto_tpn)


def _require_decided_ties(event: Event) -> None:
    last = event.rounds.order_by("number").last()
    if last is not None:
        ties.require_decided(event, last)


def solve(event: Event, round_input: RoundInput, progress: Progress | None = None) -> Solution:
    """The pairing system's answer, which the independent checker has looked at.

    Raises RefusedError.
    """
    if len(round_input.playing) < 2:
        raise RefusedError("too-few", f"{len(round_input.playing)} players")
    try:
        solution = formats.pairing_system(event, progress).pair(round_input.problem)
    except NoPairingError as error:
        raise RefusedError("no-pairing", str(error)) from error
    except EventDecidedError as error:
        raise RefusedError("decided", str(error)) from error
    bars = SYSTEMS[event.format].full_bye_bars_bye
    wrong = violations(round_input.problem, solution, full_bye_bars_bye=bars)
    if wrong and formats.of(event).is_table:
        # Earlier rounds were made by hand, so that the table lets two meet again.
        raise RefusedError("no-pairing", wrong[0])
    assert not wrong, f"the independent checker objects: {wrong}"
    return solution


def _keep(
    claim: Claim,
    event_id: int,
    round_input: RoundInput,
    solution: Solution,
    *,
    mark: int,
    actor: User | None,
) -> Round | None:
    """Store the draft. Return None when the event has changed since `mark`."""
    with transaction.atomic():
        event = Event.locked(event_id)
        if not claim.held().exists():
            raise StaleError("being-paired")
        if require_next(event) != round_input.number:
            raise StaleError("round-open", str(round_input.number))
        if audit.mark(event) != mark:
            return None
        draft = store(event, round_input, solution)
        Event.objects.filter(pk=event_id).update(hold_reason="", is_draft_requested=False)
        audit.note("draft", event=event, actor=actor, round=round_input.number)
        news.announce(news.of_event(event_id), "draft", {"round": round_input.number})
        return draft


def store(
    event: Event, round_input: RoundInput, solution: Solution, *, is_continuous: bool = False
) -> Round:
    """Return the round as rows, with the data and the system it was paired from.

    In the caller's transaction, `event` locked.
    """
    engine = formats.pairing_system(event).version
    links = seed_chain.CONTINUOUS_LENGTH if is_continuous else seed_chain.ROUNDS_LENGTH
    seed = seed_chain.round_seed(event.seed_secret, links, round_input.number)
    round_ = Round.objects.create(
        event=event,
        number=round_input.number,
        is_continuous=is_continuous,
        report=pairing_input.with_answer(round_input.report, engine, solution),
        problem={} if round_input.report else round_input.problem.to_json(),
        evidence={
            "bye": solution.bye,
            "boards": [board._asdict() for board in solution.evidence],
            "brackets": [bracket.to_json() for bracket in solution.brackets],
            "idle": [idle._asdict() for idle in solution.idle],
        },
        engine=engine,
        setup=game_creation.draw_setup(event.ruleset, int(seed, 16)),
        setup_seed=seed,
        first_board=1 if is_continuous else festivals.first_board(event, round_input.number),
        drafted_at=database_time.now(),
    )
    save_pairings.save(round_, round_input, solution)
    return round_


@act("discard", action="discard-draft", task=Task.PAIRINGS, done=_("The draft was discarded."))
def discard_draft(event: Event, actor: User, *, round_number: int | None = None) -> None:
    """Delete the draft, or that of `round_number`, if it is given.

    Raises NotAllowedError `not-organiser`, StaleError `no-draft`.
    """
    only_round(event, Round.State.DRAFT, "no-draft", round_number)
    drop_draft(event, actor)


def drop_draft(event: Event, actor: User | None = None) -> None:
    """Delete the draft, if there is one. In the caller's transaction, `event` locked."""
    draft = event.rounds.filter(state=Round.State.DRAFT).first()
    if draft is None:
        return
    draft.seats.all().delete()
    draft.pairings.all().delete()
    number = draft.number
    draft.delete()
    discard_draft.note(event, actor, round=number)


def close_round(event: Event) -> Round | None:
    """Close the published round when all its games have ended, or None.

    Before that, the next games of mini-matches and ties begin as the ones before end.

    In the caller's transaction, `event` locked.
    """
    round_ = event.rounds.filter(state=Round.State.PUBLISHED, started_at__isnull=False).first()
    if round_ is None:
        return None
    if event.games_per_pairing > 1 and not event.is_of_teams:
        _begin_second_games(event, round_)
    tie_play.begin_following_games(event, round_)
    ongoing = Game.objects.ongoing().filter(pairing__round=round_)
    if ongoing.exclude(pairing__is_postponed=True).exists():
        return None
    if event.is_over_the_board and _lacks_games(event, round_):
        return None  # the organiser has not closed it yet
    now = database_time.now()
    close(event, round_)
    withdraw_absent(event, round_)
    audit.note("close", event=event, round=round_.number)
    if not event.is_automatic:
        news.announce_to_accounts(
            staff.accounts_with(event, Task.PAIRINGS),
            "round-over",
            {"event": event.pk, "round": round_.number},
        )
    news.announce(news.of_event(event.pk), "closed", {"round": round_.number})
    event.rounds_total = tables.rounds_total_after(event, round_.number)
    event.next_step_at = now + timedelta(seconds=event.pause_s)
    event.hold_reason = ""
    event.save(update_fields=["next_step_at", "hold_reason", "rounds_total"])
    finish_if_complete(event)
    return round_


def finish_if_complete(event: Event) -> None:
    """End a running event after its last round, once its postponed games are over as well.

    In the caller's transaction, `event` locked.
    """
    closed = event.rounds.filter(state=Round.State.CLOSED).count()
    if event.state != Event.State.RUNNING or closed < event.rounds_total:
        return
    event.next_step_at = None
    if not postponed(event):
        event.state = Event.State.FINISHED
        event.finished_at = database_time.now()
        news.announce(news.of_event(event.pk), "finished")
        news.tell_site(event, "finished")
    event.save(update_fields=["state", "finished_at", "next_step_at"])


def postponed(event: Event) -> list[Pairing]:
    """Return the boards of closed rounds with a game that is postponed and not over, in their order."""
    return _postponed(event, Round.State.CLOSED)


def postponed_at_close(event: Event) -> list[Pairing]:
    """Return the boards with a game that would be postponed and not over after the open round is closed."""
    return _postponed(event, Round.State.CLOSED, Round.State.PUBLISHED)


def _postponed(event: Event, *states: Round.State) -> list[Pairing]:
    rows = event.pairings.filter(is_postponed=True, round__state__in=states)
    rows = rows.with_lines(event).select_related("round").prefetch_related("games")
    return [each for each in rows.order_by("round__number", "board") if is_open(event, each)]


def is_open(event: Event, pairing: Pairing) -> bool:
    """Return whether a game of the pairing is not over. Its lines and games are at hand."""
    if event.is_over_the_board:
        return any(not line.entered_result for line in pairing.lines(event))
    games = pairing.games.all()
    return not games or any(game.result is None for game in games)


def _lacks_games(event: Event, round_: Round) -> bool:
    """Return whether a pairing has no game, and no empty board of a team either."""
    without = round_.pairings.filter(games__isnull=True, is_postponed=False)
    if event.is_of_teams:
        both = TeamBoard.objects.filter(first__isnull=False, second__isnull=False)
        without = without.filter(boards__in=both)
    return without.exists()


def close(event: Event, round_: Round) -> None:
    """Mark the round closed, and those of games that were not played as not having met.

    In the caller's transaction, `event` locked.
    """
    round_.state = Round.State.CLOSED
    round_.closed_at = database_time.now()
    round_.save(update_fields=["state", "closed_at"])
    games = Game.objects.filter(pairing__round=round_).exclude(result__in=Game.UNPLAYED)
    unplayed = round_.pairings.exclude(games__in=games).exclude(is_postponed=True)
    unplayed.update(is_met=False)


def _begin_second_games(event: Event, round_: Round) -> None:
    """Begin the second games of the mini-matches whose first game is over.

    Over the board, begin no game.
    """
    if event.is_over_the_board:
        return
    games = Game.objects.filter(pairing__round=round_)
    waiting = round_.pairings.without_second_game().exclude(games__result__isnull=True)
    first_games = games.filter(pairing__in=waiting)
    ended = {
        game.pairing_id: game
        for game in first_games.with_players()
        .select_related("pairing__first__player", "pairing__second__player")
        .order_by("number")
    }
    if not ended:
        return
    save_pairings.begin_following_games(event, list(ended.values()))
    news.announce(news.of_event(event.pk), "replay", {"round": round_.number})


def next_number(event: Event) -> int:
    """The number of the round after the last one."""
    return (event.rounds.aggregate(last=Max("number"))["last"] or 0) + 1


def require_next(event: Event, expected_number: int | None = None) -> int:
    """The number of the round that may be paired now.

    Raises StaleError `not-running`, `round-open`, `no-more-rounds`, and `round-other` unless it is
    the expected one.
    """
    if event.state != Event.State.RUNNING:
        raise StaleError("not-running", event.state)
    last = _last_round.one(event=event.pk)
    if last is not None and last.state != Round.State.CLOSED:
        raise StaleError("round-open", str(last.number))
    number = (last.number if last else 0) + 1
    if number > event.rounds_total:
        raise StaleError("no-more-rounds", str(event.rounds_total))
    if expected_number not in {None, number}:
        raise StaleError("round-other", str(number))
    return number


@statements.query
def _last_round(event: int) -> QuerySet[Round]:
    return Round.objects.filter(event=event).only("number", "state").order_by("-number")[:1]


def reopen(event: Event, round_: Round) -> None:
    """Open the last round again, for a game that is to be played again.

    A deadline that is over does not end this game.

    In the caller's transaction, `event` locked. Nothing happens to a round that is open.
    """
    if round_.state != Round.State.CLOSED:
        return
    round_.state = Round.State.PUBLISHED
    round_.closed_at = None
    now = database_time.now()
    if round_.deadline_at is not None and round_.deadline_at <= now:
        round_.deadline_passed_at = round_.deadline_passed_at or now
    round_.save(update_fields=["state", "closed_at", "deadline_passed_at"])
    event.state = Event.State.RUNNING
    event.finished_at = event.next_step_at = None
    event.save(update_fields=["state", "finished_at", "next_step_at"])


def withdraw_absent(event: Event, round_: Round) -> None:
    """Withdraw players who did not show up, so that no opponent waits for them again.

    In the caller's transaction.
    """
    if event.is_of_teams:
        return  # the captain decides who plays
    for game in _no_shows.all(round_=round_.pk):
        for side in Side.values:
            if side == game.winner_side:
                continue
            player = game.player_on(side)
            withdrawn = event.entries.active().filter(player=player)
            columns = {"state": Entry.State.WITHDRAWN, "withdrawn_at": database_time.now()}
            if withdrawn.update(**columns, left_round=round_.number + 1) == 1:
                audit.note("no-show", event=event, player=player.pk, round=round_.number)
                news.announce_to([player], "withdrawn", {"event": event.pk})


@statements.query
def _no_shows(round_: int) -> QuerySet[Game]:
    rows = Game.objects.filter(pairing__round=round_, ending=Game.Ending.NO_SHOW)
    return rows.exclude(result=Game.Result.VOID).with_players()


def only_round(event: Event, state: str, refusal: str, number: int | None = None) -> Round:
    """Return the round in this state, of which there is one at most, with this number, if one is given.

    Raises StaleError with `refusal`.
    """
    round_ = _in_state.one(event=event.pk, state=str(state))
    if round_ is None or number not in {None, round_.number}:
        raise StaleError(refusal)
    round_.event = event
    return round_


@statements.query
def _in_state(event: int, state: str) -> QuerySet[Round]:
    return Round.objects.filter(event=event, state=state).order_by("number")[:1]
