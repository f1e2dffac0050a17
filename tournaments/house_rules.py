"""The parameters of Keizer, McMahon and Lim, which organisers choose for themselves."""

# No `from __future__ import annotations`: see `tournaments.pairing.problem`.
from collections.abc import Iterable
from typing import NamedTuple, Self


class HouseRules(NamedTuple):
    """The parameters of the three systems.

    Attributes:
        rematch_gap: Keizer: the number of rounds before two may meet again.
        bye_percent: Keizer: the share of the own value for a bye or a forfeit win.
        absence_percent: Keizer: that value for an absence with notice, which is a half-point bye.
        bar_elo: McMahon: the rating from which all begin with equal scores.
        floor_elo: McMahon: the rating up to which all begin with nothing.
        step_elo: McMahon: the rating points between two scores to begin with.
        maxi_elo: Lim: the rating points within which colours choose another floater or opponent, 100 in a
            Maxi-tournament (C.04.4.3 3.2.3, 3.8, 5.7); 0 without a limit.
    """

    rematch_gap: int = 3
    bye_percent: int = 50
    absence_percent: int = 33
    bar_elo: int = 2000
    floor_elo: int = 1000
    step_elo: int = 100
    maxi_elo: int = 0

    def start(self, rating: int | None) -> int:
        """The McMahon score to begin with; nothing for the unrated."""
        counted = min(max(rating or 0, self.floor_elo), max(self.bar_elo, self.floor_elo))
        return (counted - self.floor_elo) // self.step_elo

    def words(self) -> str:
        """Return the differences from the usual rules, as words of record 192: `rematch_gap=5`."""
        return " ".join(
            f"{name}={value}"
            for name, value in self._asdict().items()
            if value != getattr(USUAL_RULES, name)
        )

    @classmethod
    def of_words(cls, words: Iterable[str]) -> Self:
        """The rules that such words say. Raises ValueError for others."""
        values = {}
        for word in words:
            name, _, value = word.partition("=")
            if name not in cls._fields or not (
                value.isascii() and value.isdigit() and len(value) < 6
            ):
                raise ValueError(word)
            values[name] = int(value)
        if not values.get("step_elo", 1):
            raise ValueError("step_elo=0")
        return cls(**values)


USUAL_RULES = HouseRules()
