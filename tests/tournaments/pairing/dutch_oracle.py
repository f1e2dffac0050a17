"""The Dutch system by brute force: every pairing of a bracket judged, ties broken by writing out the order of generation.

Slow and obvious, for fields of ten. Nothing of the engine is used: scores, floats and preferences come from the records
(`dutch_records`), and every criterion is counted here as its article says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

from tests.tournaments.pairing.dutch_records import BLACK, WHITE, Player, ranked_players, white_of
from tournaments.pairing import NoPairingError, PairingProblem

Pairs = tuple[tuple[int, int], ...]


class OracleBracket(NamedTuple):
    """Places of the moved-down players, of the score group and of all players below by score group."""

    mdps: tuple[int, ...]
    residents: tuple[int, ...]
    below: tuple[tuple[int, ...], ...]

    @property
    def members(self) -> tuple[int, ...]:
        return (*self.mdps, *self.residents)

    def floaters(self, pairs: Pairs) -> tuple[int, ...]:
        paired = {place for pair in pairs for place in pair}
        return tuple(place for place in self.members if place not in paired)


class Oracle:
    """One round.

    `dropped` are criteria that do not count. `together` (places) must meet, or have the bye with
    None.
    """

    def __init__(
        self,
        problem: PairingProblem,
        dropped: Sequence[str] = (),
        together: tuple[int, int | None] | None = None,
    ) -> None:
        self.problem = problem
        self.dropped = frozenset(dropped)
        self.players = ranked_players(problem)
        self.together = together
        self.pairable = cache(self._pairable)

    def boards(self) -> set[frozenset[int]]:
        """Boards as sets of TPNs, the bye as a set of one. Raises NoPairingError."""
        boards = set()
        left: tuple[int, ...] = ()
        for bracket, pairs in self.rounds_of_brackets():
            boards |= {frozenset(self.players[p].tpn for p in pair) for pair in pairs}
            left = bracket.floaters(pairs)
        return boards | {frozenset((self.players[place].tpn,)) for place in left}

    def rounds_of_brackets(self) -> Iterator[tuple[OracleBracket, Pairs]]:
        """Every bracket from the top, with the pairing that the rules single out."""
        bye = self.bye()
        groups = self.groups()
        left: tuple[int, ...] = ()
        for number, group in enumerate(groups):
            bracket = OracleBracket(left, group, groups[number + 1 :])
            pairs = self.best(bracket, bye)
            yield bracket, pairs
            left = bracket.floaters(pairs)

    def best(self, bracket: OracleBracket, bye: frozenset[int]) -> Pairs:
        """The best pairing of a bracket, of equals the one generated first (3.8)."""
        return min(
            self.candidates(bracket, bye),
            key=lambda pairs: (
                self._judged(bracket, bye, pairs),
                generation(bracket, pairs, self.dropped),
            ),
        )

    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Places by score group, the highest first."""
        scores = sorted({p.score for p in self.players}, reverse=True)
        places = range(len(self.players))
        return tuple(tuple(p for p in places if self.players[p].score == s) for s in scores)

    def may_meet(self, one: int, other: int) -> bool:
        """Return whether C1, C3, forbidden pairs and `together` permit the pair."""
        together = {*self.together} if self.together is not None else set()
        if {one, other} & together and {one, other} != together:
            return False
        a, b = self.players[one], self.players[other]
        if "C1" not in self.dropped and (a.tpn in b.opponents or b.tpn in a.opponents):
            return False
        if frozenset((a.tpn, b.tpn)) in self.problem.forbidden:
            return False
        is_absolute = a.strength == 3 and b.strength == 3 and a.preference == b.preference
        if "C3" in self.dropped or a.is_topscorer or b.is_topscorer:
            return True
        return not is_absolute

    def bye(self) -> frozenset[int]:
        """C2 and C5: players who may have the bye."""
        everybody = tuple(range(len(self.players)))
        if len(everybody) % 2 == 0:
            if not self.pairable(everybody, frozenset(), frozenset()):
                raise NoPairingError("even")
            return frozenset()
        eligible = [p for p in everybody if self.players[p].may_have_bye or "C2" in self.dropped]
        choices = [
            frozenset(p for p in eligible if self.players[p].score == score)
            for score in sorted({self.players[p].score for p in eligible})
        ]
        if "C5" in self.dropped:
            choices = [frozenset(eligible)]
        for bye in choices:
            if self.pairable(everybody, frozenset(), bye):
                return bye
        raise NoPairingError("odd")

    def _pairable(
        self, places: tuple[int, ...], apart: frozenset[int], bye: frozenset[int]
    ) -> bool:
        """Return whether all can be paired, those `apart` not with each other, one of an odd number with the bye."""
        if not places:
            return True
        first, rest = places[0], places[1:]
        if len(places) % 2 and first in bye and self.pairable(rest, apart, frozenset()):
            return True
        return any(
            self.may_meet(first, other)
            and not (first in apart and other in apart)
            and self.pairable(tuple(p for p in rest if p != other), apart, bye)
            for other in rest
        )

    def _matchings(self, players: tuple[int, ...], mdps: frozenset[int]) -> Iterator[Pairs]:
        if not players:
            yield ()
            return
        first, rest = players[0], players[1:]
        yield from self._matchings(rest, mdps)
        for other in rest:
            if self.may_meet(first, other) and not (first in mdps and other in mdps):
                for pairs in self._matchings(tuple(p for p in rest if p != other), mdps):
                    yield ((first, other), *pairs)

    def candidates(self, bracket: OracleBracket, bye: frozenset[int]) -> Iterator[Pairs]:
        """Every pairing of the bracket after which the round can be completed (C4, C5)."""
        rest = tuple(p for group in bracket.below for p in group)
        for pairs in self._matchings(bracket.members, frozenset(bracket.mdps)):
            left = bracket.floaters(pairs)
            if "C4" in self.dropped or self.pairable((*left, *rest), frozenset(left), bye):
                yield pairs

    def _judged(self, bracket: OracleBracket, bye: frozenset[int], pairs: Pairs) -> Any:
        values = self.values(bracket, bye, pairs)
        return [value for code, value in values.items() if code not in self.dropped]

    def values(
        self, bracket: OracleBracket, bye: frozenset[int], pairs: Pairs
    ) -> dict[str, tuple[int, ...]]:
        """C6 to C21 of a pairing of the bracket, by code, each to be as small as possible (2.4)."""
        floaters = [self.players[p] for p in bracket.floaters(pairs)]
        values = {"C6": (len(floaters),), "C7": _descending(p.score for p in floaters)}
        if bracket.below:
            values["C8"] = self._next(bracket, bye, bracket.floaters(pairs))
        if bye and not any(p in bye for g in bracket.below for p in g) and len(floaters) == 1:
            values["C9"] = (floaters[0].unplayed,)
        return values | self._colours(pairs) | self._floats(bracket, pairs)

    def _next(
        self, bracket: OracleBracket, bye: frozenset[int], left: tuple[int, ...]
    ) -> tuple[int, ...]:
        """C8: how many the next bracket leaves over at best, and their scores."""
        following = OracleBracket(left, bracket.below[0], bracket.below[1:])
        return min(
            (len(rest := following.floaters(p)), *_descending(self.players[r].score for r in rest))
            for p in self.candidates(following, bye)
        )

    def _colours(self, pairs: Pairs) -> dict[str, tuple[int, ...]]:
        wide = thrice = refused = strongly_refused = 0
        for one, two in pairs:
            a, b = self.players[one], self.players[two]
            white = white_of(self.problem, a, b)
            for player, opponent in ((a, b), (b, a)):
                colour = WHITE if player is white else BLACK
                if not player.preference or player.preference == colour:
                    continue
                refused += 1
                strongly_refused += player.strength >= 2
                if player.is_topscorer or opponent.is_topscorer:
                    change = 1 if colour == WHITE else -1
                    wide += abs(player.difference + change) > 2
                    thrice += player.history[-2:] == (colour, colour)
        return {
            "C10": (wide,),
            "C11": (thrice,),
            "C12": (refused,),
            "C13": (strongly_refused,),
        }

    def _floats(self, bracket: OracleBracket, pairs: Pairs) -> dict[str, tuple[int, ...]]:
        resident_score = self.players[bracket.residents[0]].score
        floaters = bracket.floaters(pairs)
        residents = [self.players[p] for p in floaters if p in bracket.residents]
        limbo = [self.players[p] for p in floaters if p in bracket.mdps]
        games = [(self.players[a], self.players[b]) for a, b in pairs if a in bracket.mdps]
        values: dict[str, tuple[int, ...]] = {}
        for name, c14, c15, c18, c19 in (
            ("float_last", "C14", "C15", "C18", "C19"),
            ("float_before", "C16", "C17", "C20", "C21"),
        ):

            def went(player: Player, way: str, name: str = name) -> bool:
                return bool(getattr(player, name) == way)

            values[c14] = (sum(went(p, "down") for p in residents),)
            values[c15] = (sum(went(opponent, "up") for _, opponent in games),)
            falls = [mdp.score - resident_score for mdp, _ in games if went(mdp, "down")]
            # A player who floats again has no opponent yet, but a lower one than any here.
            falls += [mdp.score - resident_score + 1 for mdp in limbo if went(mdp, "down")]
            values[c18] = _descending(falls)
            values[c19] = _descending(m.score - o.score for m, o in games if went(o, "up"))
        return {f"C{n}": values[f"C{n}"] for n in range(14, 22)}


def oracle_boards(problem: PairingProblem, dropped: Sequence[str] = ()) -> set[frozenset[int]]:
    """Boards as sets of TPNs, the bye as a set of one. Raises NoPairingError."""
    return Oracle(problem, dropped).boards()


def _descending(numbers: Any) -> tuple[int, ...]:
    return tuple(sorted(numbers, reverse=True))


def generation(bracket: OracleBracket, pairs: Pairs, dropped: frozenset[str] = frozenset()) -> Any:
    """Return the rank of this candidate in the order of 3.6-3.7: smaller is earlier.

    A `dropped` article decides last, reversed.
    """
    mdps = set(bracket.mdps)
    opponents = dict(pair for pair in pairs if pair[0] in mdps)
    mdp_set = [bracket.mdps.index(p) for p in sorted(opponents)]  # 4.4
    order = [opponents[p] for p in sorted(opponents)]  # 4.2
    remainder = [p for p in bracket.residents if p not in order]
    exchange = _exchange(remainder, [p for p in pairs if p[0] not in mdps])
    articles = {"4.4": mdp_set, "4.2-mdp": order, **exchange}
    counted = [value for article, value in articles.items() if article not in dropped]
    return [*counted, *(_negated(v) for article, v in articles.items() if article in dropped)]


def _negated(value: Any) -> Any:
    return [_negated(v) for v in value] if isinstance(value, list) else -value


def _exchange(remainder: Sequence[int], pairs: list[tuple[int, int]]) -> dict[str, Any]:
    """The first exchange (4.3) after which each pair has one player of S1, and its transposition (4.2)."""
    first, second = remainder[: len(pairs)], remainder[len(pairs) :]
    partner = dict(pairs) | {b: a for a, b in pairs}
    bsn = {p: n for n, p in enumerate(remainder, start=1)}
    for size in range(len(first) + 1):
        swaps = [(x, y) for x in combinations(first, size) for y in combinations(second, size)]

        def key(swap: tuple[tuple[int, ...], tuple[int, ...]]) -> Any:
            leaving, entering = swap
            difference = sum(bsn[p] for p in entering) - sum(bsn[p] for p in leaving)
            return difference, [-bsn[p] for p in sorted(leaving, reverse=True)], list(entering)

        for swap in sorted(swaps, key=key):
            s1 = sorted({*first, *swap[1]} - {*swap[0]})
            if all((a in s1) is not (b in s1) for a, b in pairs):
                difference, leaving, entering = key(swap)
                transposition = [bsn[partner[p]] for p in s1]
                return {
                    "4.3.1": size,
                    "4.3.2": difference,
                    "4.3.3": leaving,
                    "4.3.4": entering,
                    "4.2": transposition,
                }
    raise AssertionError("every set of pairs has a choice of one of each")
