"""A round's life: drafted by the pairing system, checked, published with its games, closed when all have ended."""

from __future__ import annotations

import random
from dataclasses import asdict
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from tournaments.models import ByeRequest, Entry, Event, Game, Pairing, Round, Seat
from tournaments.pairing import Contestant, NoPairingError, PairingProblem, faults, system
from tournaments.services import audit, matches, news, play
from tournaments.services.errors import RefusedError, StaleError
from tournaments.services.standings import histories, pairing_records

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.models import User
    from tournaments.pairing import Solution

# Bots of one event and their clocks are the organiser's choice; nobody waits longer than this for a person's game.
_BYE_KINDS = {
    ByeRequest.Kind.HALF: Seat.Kind.HALF_BYE,
    ByeRequest.Kind.ZERO: Seat.Kind.ZERO_BYE,
}


def draft_round(*, event_id: int, actor: User | None = None) -> Round:
    """Pair the next round, seen by the organiser only. The same state of the event always gives the same draft.

    Raises:
        StaleError: `not-running`, `round-open` (the last round is not closed), `no-more-rounds`.
        RefusedError: `too-few` players, or `no-pairing` with the reason.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event_id)
        number = _next_number(event)
        byes = dict(
            ByeRequest.objects.filter(
                entry__event=event, round_number=number, entry__state=Entry.State.ACTIVE
            ).values_list("entry_id", "kind")
        )
        entries = list(event.entries.exclude(tpn=None))
        playing = [e for e in entries if e.state == Entry.State.ACTIVE and e.pk not in byes]
        problem = _problem(event, number, entries, playing)
        pairing_system = system(event.format)
        solution = _solved(problem, event.format)
        drafted = Round.objects.create(
            event=event,
            number=number,
            problem=problem.to_json(),
            evidence={
                "bye": solution.bye,
                "boards": [asdict(board) for board in solution.evidence],
                "brackets": [asdict(bracket) for bracket in solution.brackets],
            },
            engine=pairing_system.version,
            setup=play.draw_setup(event.ruleset, _round_seed(event, number)),
            drafted_at=timezone.now(),
        )
        _seat(drafted, solution, playing, byes)
        Event.objects.filter(pk=event_id).update(hold_reason="")
        audit.note("draft", event=event, actor=actor, round=number)
        return drafted


def discard_draft(*, event_id: int, actor: User | None = None) -> None:
    """Throw the draft away, after a late change for example. Raises StaleError `no-draft`."""
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event_id)
        draft = _only_round(event, Round.State.DRAFT, "no-draft")
        draft.seats.all().delete()
        draft.pairings.all().delete()
        number = draft.number
        draft.delete()
        audit.note("discard-draft", event=event, actor=actor, round=number)


def publish_round(*, event_id: int, actor: User | None = None) -> Round:
    """Show the draft to all and start its games: bots' games go to the workers, people's clocks run.

    Raises StaleError `no-draft`, or `draft-outdated` when somebody in it has left since.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event_id)
        draft = _only_round(event, Round.State.DRAFT, "no-draft")
        if draft.seats.filter(entry__state=Entry.State.WITHDRAWN).exists():
            raise StaleError("draft-outdated", str(draft.number))
        draft.state = Round.State.PUBLISHED
        draft.published_at = timezone.now()
        draft.save(update_fields=["state", "published_at"])
        pairings = draft.pairings.select_related(
            "first__player", "second__player", "event", "round"
        )
        begun = [_start_game(event, draft, pairing) for pairing in pairings]
        play.tell_players(begun)
        audit.note("publish", event=event, actor=actor, round=draft.number)
        news.announce(news.of_event(event.pk), "round", {"round": draft.number})
        news.announce(news.SITE, "round", {"event": event.pk, "round": draft.number})
        return draft


def close_round(event: Event) -> Round | None:
    """Close the published round when all its games have ended, or None. In the caller's transaction, `event` locked."""
    published = event.rounds.filter(state=Round.State.PUBLISHED).first()
    if published is None or Game.objects.ongoing().filter(pairing__round=published).exists():
        return None
    now = timezone.now()
    published.state = Round.State.CLOSED
    published.closed_at = now
    published.save(update_fields=["state", "closed_at"])
    void = Game.objects.filter(pairing__round=published, result=Game.Result.VOID)
    published.pairings.filter(games__in=void).update(is_met=False)
    _withdraw_absent(event, published)
    audit.note("close", event=event, round=published.number)
    news.announce(news.of_event(event.pk), "closed", {"round": published.number})
    if published.number == event.rounds_total:
        event.state = Event.State.FINISHED
        event.finished_at = now
        event.next_step_at = None
        news.announce(news.SITE, "finished", {"event": event.pk})
    else:
        event.next_step_at = now + timedelta(seconds=event.pause_s)
    event.hold_reason = ""
    event.save(update_fields=["state", "finished_at", "next_step_at", "hold_reason"])
    return published


def _next_number(event: Event) -> int:
    if event.state != Event.State.RUNNING:
        raise StaleError("not-running", event.state)
    last = event.rounds.order_by("number").last()
    if last is not None and last.state != Round.State.CLOSED:
        raise StaleError("round-open", str(last.number))
    number = (last.number if last else 0) + 1
    if number > event.rounds_total:
        raise StaleError("no-more-rounds", str(event.rounds_total))
    return number


def _problem(
    event: Event, number: int, entries: Sequence[Entry], playing: Sequence[Entry]
) -> PairingProblem:
    if len(playing) < 2:
        raise RefusedError("too-few", f"{len(playing)} players")
    history = histories(event)
    present = {entry.pk for entry in playing}
    contestants = {
        entry.pk: Contestant(entry.tpn or 0, pairing_records(history.get(entry.pk, {}), number - 1))
        for entry in sorted(entries, key=lambda e: e.tpn or 0)
    }
    return PairingProblem(
        round_number=number,
        rounds_total=event.rounds_total,
        contestants=tuple(c for pk, c in contestants.items() if pk in present),
        absent=tuple(c for pk, c in contestants.items() if pk not in present),
        odd_tpn_is_first=odd_tpn_is_first(event),
    )


def odd_tpn_is_first(event: Event) -> bool:
    """The initial colour, drawn by the event's seed: whether odd TPNs begin with the first side (C.04.3 5.1)."""
    return bool(random.Random(event.seed).getrandbits(1))


def _solved(problem: PairingProblem, name: str) -> Solution:
    try:
        solution = system(name).pair(problem)
    except NoPairingError as error:
        raise RefusedError("no-pairing", str(error)) from error
    wrong = faults(problem, solution)
    assert not wrong, f"the independent checker objects: {wrong}"
    return solution


def _seat(
    drafted: Round, solution: Solution, playing: Sequence[Entry], byes: dict[int, str]
) -> None:
    by_tpn = {entry.tpn: entry for entry in playing}
    for number, board in enumerate(solution.boards, start=1):
        first, second = by_tpn[board.first], by_tpn[board.second]
        low, high = sorted((first, second), key=lambda e: e.pk)
        pairing = Pairing.objects.create(
            event_id=drafted.event_id,
            round=drafted,
            board=number,
            first=first,
            second=second,
            low=low,
            high=high,
        )
        Seat.objects.create(round=drafted, entry=first, kind=Seat.Kind.FIRST, pairing=pairing)
        Seat.objects.create(round=drafted, entry=second, kind=Seat.Kind.SECOND, pairing=pairing)
    if solution.bye is not None:
        entry = by_tpn[solution.bye]
        Seat.objects.create(round=drafted, entry=entry, kind=Seat.Kind.PAIRING_BYE)
    for entry_id, kind in byes.items():
        seat_kind = _BYE_KINDS[ByeRequest.Kind(kind)]
        Seat.objects.create(round=drafted, entry_id=entry_id, kind=seat_kind)


def _start_game(event: Event, drafted: Round, pairing: Pairing) -> Game:
    first, second = pairing.first.player, pairing.second.player
    clock = play.Clock(event.clock_initial_ms, event.clock_increment_ms)
    if first.is_bot and second.is_bot:
        match = matches.schedule(
            ruleset=event.ruleset,
            setup=drafted.setup,
            players=(first, second),
            clock=clock,
            is_rated=event.is_rated,
            pairing=pairing,
            pace_ms=event.pace_ms,
        )
        return match.games.get()
    return play.create_game(
        ruleset=event.ruleset,
        setup=drafted.setup,
        first=first,
        second=second,
        clock=clock,
        is_rated=event.is_rated,
        pairing=pairing,
    )


def _withdraw_absent(event: Event, closed: Round) -> None:
    """Withdraw people who lost on time without one ply, so that nobody waits for them in the next round."""
    lost = Game.objects.filter(pairing__round=closed, ending=Game.Ending.TIME)
    for game in lost.with_players().select_related("pairing__first", "pairing__second"):
        side = "second" if game.result == Game.Result.FIRST else "first"
        if game.plies.filter(attempt=game.attempt, side=side).exists() or game.pairing is None:
            continue
        entry = game.pairing.first if side == "first" else game.pairing.second
        now = timezone.now()
        Entry.objects.active().filter(pk=entry.pk).update(
            state=Entry.State.WITHDRAWN, withdrawn_at=now
        )
        audit.note("no-show", event=event, player=entry.player_id, round=closed.number)


def _only_round(event: Event, state: str, refusal: str) -> Round:
    found = event.rounds.filter(state=state).first()
    if found is None:
        raise StaleError(refusal)
    return found


def _round_seed(event: Event, number: int) -> int:
    return random.Random(event.seed * 1_000 + number).getrandbits(48)
