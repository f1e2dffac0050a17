"""Events: rounds, seats and entries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from django.db.models import Count, Exists, F, OuterRef, Q

from tournaments.models import Entry, Game, Pairing, Round, Seat, TeamBoard
from tournaments.queries import formats
from tournaments.services.operations.data_checks.offences import Offence


def rounds() -> Iterator[Offence]:
    """The rounds of an event are 1, 2, 3 and so on. A closed one has no game in progress."""
    numbers: dict[int, list[int]] = {}
    for event, number in Round.objects.order_by("event", "number").values_list(
        "event_id", "number"
    ):
        numbers.setdefault(event, []).append(number)
    for event, own in numbers.items():
        if own != [*range(1, len(own) + 1)]:
            yield Offence(f"event {event}", f"its rounds are {own[:20]}")
    open_games = Game.objects.ongoing().filter(
        pairing__round__state=Round.State.CLOSED, pairing__is_postponed=False
    )
    for game, number in open_games.values_list("pk", "pairing__round_id"):
        yield Offence(f"game {game}", f"goes on in the closed round {number}")


def seats() -> Iterator[Offence]:
    """No entry sits twice in a round. Each board has two. A Swiss round has at most one bye."""
    twice = Seat.objects.order_by().values_list("round_id", "entry_id").annotate(n=Count("pk"))
    for round_id, entry, count in twice.filter(n__gt=1):
        yield Offence(f"round {round_id}", f"entry {entry} has {count} seats")
    byes = Seat.objects.filter(kind=Seat.Kind.PAIRING_BYE)
    once = [each.code for each in formats.FORMATS.values() if not each.repeats_byes]
    of_one_bye = byes.filter(round__event__format__in=once).order_by()
    for entry, count in of_one_bye.values_list("entry_id").annotate(n=Count("pk")):
        if count > 1:
            yield Offence(f"entry {entry}", f"has had {count} byes")
    swiss = [each.code for each in formats.FORMATS.values() if each.is_swiss]
    of_swiss = byes.filter(round__event__format__in=swiss).order_by()
    for round_id, count in of_swiss.values_list("round_id").annotate(n=Count("pk")):
        if count > 1:
            yield Offence(f"round {round_id}", f"has {count} byes")
    yield from _boards()
    strays = Seat.objects.exclude(entry__event=F("round__event"))
    for pk in strays.values_list("pk", flat=True):
        yield Offence(f"seat {pk}", "is of an entry of another event")


def _boards() -> Iterator[Offence]:
    seated = {
        (pairing, kind): entry
        for pairing, kind, entry in Seat.objects.filter(pairing__isnull=False).values_list(
            "pairing_id", "kind", "entry_id"
        )
    }
    for pairing in Pairing.objects.select_related("round").defer(
        "round__problem", "round__evidence", "round__report"
    ):
        place = f"pairing {pairing.pk}"
        sides = (seated.get((pairing.pk, "first")), seated.get((pairing.pk, "second")))
        if sides != (pairing.first_id, pairing.second_id):
            yield Offence(place, f"its seats are {sides[0]} and {sides[1]}")
        if pairing.event_id != pairing.round.event_id:
            yield Offence(place, "is of another event than its round")
    games = Game.objects.filter(pairing__isnull=False)
    same = Q(first=F("pairing__first__player"), second=F("pairing__second__player"))
    exchanged = Q(first=F("pairing__second__player"), second=F("pairing__first__player"))
    board = TeamBoard.objects.filter(
        pairing=OuterRef("pairing"),
        first__player=OuterRef("first"),
        second__player=OuterRef("second"),
    )
    others = games.exclude(same | exchanged).exclude(Exists(board))
    for pk in others.values_list("pk", flat=True):
        yield Offence(f"game {pk}", "is of others than its pairing")


def entries() -> Iterator[Offence]:
    """No player enters an event twice, and pairing numbers are given once."""
    rows = Entry.objects.order_by()
    of_players = Counter(rows.values_list("event_id", "player_id"))
    of_numbers = Counter(rows.filter(tpn__isnull=False).values_list("event_id", "tpn"))
    for what, counts in (("player", of_players), ("pairing number", of_numbers)):
        for (event, value), count in counts.items():
            if count > 1:
                yield Offence(f"event {event}", f"has {count} entries of {what} {value}")
