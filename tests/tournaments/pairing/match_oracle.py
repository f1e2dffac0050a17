"""A literal enumeration of Swiss Team (C.04.6) and Double-Swiss (C.04.5), which shares no code with the search.

It tries every bye, every set of upfloaters and every pairing of a bracket, and takes the first of
the best by the articles. For fields of up to a dozen.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

from tournaments.pairing import Contestant, PairingProblem, RoundKind

if TYPE_CHECKING:
    from collections.abc import Iterator

Pair = tuple[int, int]
_NO_BYE_AFTER = {RoundKind.PAIRING_BYE, RoundKind.FORFEIT_WIN, RoundKind.FULL_BYE}


@dataclass
class Oracle:
    """One round. `is_team` chooses between the two systems."""

    problem: PairingProblem
    is_team: bool

    def boards(self) -> list[Pair] | None:
        """Return White and Black of each board in order, the bye as opponent 0 at the end, or None without a pairing."""
        bye = self._bye()
        if bye is None:
            return None
        left = frozenset(self.here) - {bye}
        pairs = []
        while left:
            bracket = self._bracket(left)
            pairs += bracket
            left -= {tpn for pair in bracket for tpn in pair}
        boards = [self._coloured(pair) for pair in sorted(pairs, key=self._board_order)]
        return boards + ([(bye, 0)] if bye else [])

    @cached_property
    def here(self) -> dict[int, Contestant]:
        return {c.tpn: c for c in self.problem.contestants}

    @cached_property
    def everybody(self) -> dict[int, Contestant]:
        return self.here | {c.tpn: c for c in self.problem.absent}

    def score(self, tpn: int, before: int | None = None) -> int:
        number = before or self.problem.round_number
        one = self.everybody[tpn]
        virtual = one.virtual_halves[number - 1] if number <= len(one.virtual_halves) else 0
        return sum(r.score_halves for r in one.records[: number - 1]) + virtual

    def may_meet(self, one: int, two: int) -> bool:
        met = any(
            r.opponent == two and r.kind.value in ("first", "second", "split")
            for r in self.here[one].records
        )
        return not met and frozenset((one, two)) not in self.problem.forbidden

    def pairings(self, members: frozenset[int]) -> Iterator[list[Pair]]:
        if not members:
            yield []
            return
        one = min(members)
        for two in sorted(members - {one}):
            if self.may_meet(one, two):
                for rest in self.pairings(members - {one, two}):
                    yield [(one, two), *rest]

    def can_pair(self, members: frozenset[int]) -> bool:
        if members not in self._known:
            self._known[members] = next(self.pairings(members), None) is not None
        return self._known[members]

    @cached_property
    def _known(self) -> dict[frozenset[int], bool]:
        return {}

    def _bye(self) -> int | None:
        """The bye, 0 in an even field, None without a complete pairing."""
        everybody = frozenset(self.here)
        if len(everybody) % 2 == 0:
            return 0 if self.can_pair(everybody) else None
        order = sorted(
            everybody,
            key=lambda t: (self.score(t), -sum(r.kind.is_played for r in self.here[t].records), -t),
        )
        for tpn in order:
            barred = any(r.kind in _NO_BYE_AFTER for r in self.here[tpn].records)
            if not barred and self.can_pair(everybody - {tpn}):
                return tpn
        return None

    def _bracket(self, left: frozenset[int]) -> list[Pair]:
        top = max(map(self.score, left))
        residents = frozenset(t for t in left if self.score(t) == top)
        upfloaters = self._upfloaters(residents, left - residents)
        pairings = self.pairings(residents | upfloaters)
        return min(pairings, key=lambda pairs: (self._faults(pairs, top), self._identifier(pairs)))

    def _sets(self, residents: frozenset[int], below: frozenset[int]) -> list[frozenset[int]]:
        """The legal sets of the least size (C3, C4)."""
        for size in range(len(below) + 1):
            legal = [
                frozenset(some)
                for some in combinations(sorted(below), size)
                if self.can_pair(residents | frozenset(some))
                and self.can_pair(below - frozenset(some))
            ]
            if legal:
                return legal
        raise AssertionError("the round can be completed")

    def _upfloaters(self, residents: frozenset[int], below: frozenset[int]) -> frozenset[int]:
        def order(some: frozenset[int]) -> list[tuple[int, int]]:
            return sorted((-self.score(t), t) for t in some)

        sets = self._sets(residents, below)
        best = max(sorted(map(self.score, some)) for some in sets)  # C5
        sets = [some for some in sets if sorted(map(self.score, some)) == best]
        keepers = [some for some in sets if self._keeps_next(residents, below - some)]  # C6
        floated = {some: sum(map(self.floated, some)) for some in sets}  # C7
        return min(keepers or sets, key=lambda some: (floated[some], order(some)))

    def _keeps_next(self, residents: frozenset[int], below: frozenset[int]) -> bool:
        top = self.score(next(iter(residents)))
        score = max((s for s in map(self.score, self.here) if s < top), default=None)
        following = frozenset(t for t in below if self.score(t) == score)
        if not following:
            return True
        size = len(following) % 2
        return any(
            self.can_pair(following | frozenset(some))
            and self.can_pair(below - following - frozenset(some))
            for some in combinations(below - following, size)
        )

    def floated(self, tpn: int) -> bool:
        problem = self.problem
        last_with_floats = problem.rounds_total - (2 if self.is_team else 1)
        if problem.round_number > last_with_floats or problem.round_number == 1:
            return False
        record = self.everybody[tpn].records[-1]
        if record.kind.value not in ("first", "second", "split") or record.opponent is None:
            return False
        number = problem.round_number - 1
        return self.score(tpn, number) != self.score(record.opponent, number)

    def _faults(self, pairs: list[Pair], top: int) -> tuple[int, int, int]:
        """Return C8, C9 and C10 of teams. C8 of Double-Swiss is the last."""
        due = {t: self.due(t) for pair in pairs for t in pair}
        same = [(a, b) for a, b in pairs if due[a][0] and due[a][0] == due[b][0]]
        strong = [(a, b) for a, b in same if due[a][1] == due[b][1] == "strong"]
        floats = sum(
            (self.score(a) < top and self.floated(b)) + (self.score(b) < top and self.floated(a))
            for a, b in pairs
        )
        return len(same), len(strong), floats

    def criteria(self, pairs: list[Pair], left: frozenset[int]) -> dict[str, tuple[int, ...]]:
        """Return what the pairs of the top bracket reach in each criterion, with those `left` below it."""
        members = {tpn for pair in pairs for tpn in pair}
        top = max(map(self.score, members))
        residents = frozenset(tpn for tpn in members if self.score(tpn) == top)
        upfloaters = members - residents
        sides, strong, opponents = self._faults(pairs, top)
        colours = {"C8": (sides,), "C9": (strong,), "C10": (opponents,)}
        return {
            "C4": (len(upfloaters),),
            "C5": tuple(sorted((top - self.score(tpn) for tpn in upfloaters), reverse=True)),
            "C6": (int(not self._keeps_next(residents, left)),) if upfloaters else (),
            "C7": (sum(map(self.floated, upfloaters)),),
        } | (colours if self.is_team else {"C8": (opponents,)})

    @staticmethod
    def _identifier(pairs: list[Pair]) -> list[int]:
        ordered = sorted(sorted(pair) for pair in pairs)
        return [pair[0] for pair in ordered] + [pair[1] for pair in ordered]

    def colours(self, tpn: int) -> str:
        letters = {RoundKind.FIRST: "W", RoundKind.SECOND: "B"}
        return "".join(letters.get(r.kind, "") for r in self.everybody[tpn].records)

    def due(self, tpn: int) -> tuple[str, str]:
        """The colour that a team prefers, and how (1.7)."""
        kind, had = self.problem.options.colour_type, self.colours(tpn)
        if not self.is_team or not kind or not had:
            return "", ""
        apart = had.count("W") - had.count("B")
        if apart < -1 or (apart in (0, -1) and had[-2:] == "BB"):
            return "W", "strong" if kind == "B" else "plain"
        if apart > 1 or (apart in (0, 1) and had[-2:] == "WW"):
            return "B", "strong" if kind == "B" else "plain"
        if kind == "A":
            return "", ""
        is_last = self.problem.round_number == self.problem.rounds_total
        if apart == -1 or (apart == 0 and not is_last and had[-1] == "B"):
            return "W", "mild"
        if apart == 1 or (apart == 0 and not is_last and had[-1] == "W"):
            return "B", "mild"
        return "", ""

    def _board_order(self, pair: Pair) -> tuple[int, int, int]:
        higher, lower = sorted(pair, key=lambda t: (-self.score(t), t))
        tpn = min(pair) if self.is_team else higher
        return -self.score(higher), -self.score(lower), tpn

    def _coloured(self, pair: Pair) -> Pair:
        first, second = sorted(pair, key=self._rank)
        colour = self._team_colour(first, second) if self.is_team else self._colour(first, second)
        return (first, second) if colour == "W" else (second, first)

    def _rank(self, tpn: int) -> tuple[int, ...]:
        if not self.is_team:
            return -self.score(tpn), tpn
        records = self.here[tpn].records
        second = sum(r.second_halves for r in records) * self.problem.options.has_second_score
        return -sum(r.score_halves for r in records), -second, tpn

    def _initial(self, tpn: int) -> str:
        never = [
            c.tpn
            for c in self.problem.absent
            if not any(
                r.opponent or r.kind in (RoundKind.PAIRING_BYE, RoundKind.FORFEIT_WIN)
                for r in c.records
            )
        ]
        number = tpn - sum(other < tpn for other in never)
        return "W" if (number % 2 == 1) == self.problem.odd_tpn_is_first else "B"

    def _colour(self, higher: int, lower: int) -> str:
        mine, theirs = self.colours(higher), self.colours(lower)
        if not mine and not theirs:
            return self._initial(higher)
        if mine.count("W") != theirs.count("W"):
            return "W" if mine.count("W") < theirs.count("W") else "B"
        return self._alternated(mine, theirs)

    def _team_colour(self, first: int, second: int) -> str:
        mine, theirs = self.colours(first), self.colours(second)
        if not mine and not theirs:
            return self._initial(first)
        (one, one_how), (two, two_how) = self.due(first), self.due(second)
        if one and one != two:
            return one
        if two and one != two:
            return _OTHER[two]
        if one and {one_how, two_how} == {"strong", "mild"}:
            return one if one_how == "strong" else _OTHER[one]
        apart = [had.count("W") - had.count("B") for had in (mine, theirs)]
        if apart[0] != apart[1]:
            return "W" if apart[0] < apart[1] else "B"
        return self._alternated(mine, theirs, one)

    @staticmethod
    def _alternated(mine: str, theirs: str, due: str = "") -> str:
        for a, b in zip(mine[::-1], theirs[::-1], strict=False):
            if a != b:
                return _OTHER[a]
        return due or (_OTHER[mine[-1]] if mine else theirs[-1])


_OTHER = {"W": "B", "B": "W"}
