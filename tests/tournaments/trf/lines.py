"""Small report files for tests, and their lines."""

from __future__ import annotations

from tournaments import trf
from tournaments.pairing import PairingProblem


def line(number: int, rounds: str, points: str = "0.0") -> str:
    """A `001` line: rounds as `opponent colour result` separated by commas."""
    head = f"001 {number:>4}      {f'Player {number}':33} {3000 - number:4} {'':26} {points:>4} {number:>4}"
    cells = [r.split() for r in rounds.split(",") if r.strip()]
    return head + "".join(f"  {o:>4} {c} {r}" for o, c, r in cells)


FOUR = "\n".join(
    [
        "012 Four",
        "142 3",
        "152 W",
        line(1, "3 w 1", "1.0"),
        line(2, "4 b =", "0.5"),
        line(3, "1 b 0", "0.0"),
        line(4, "2 w =", "0.5"),
        "",
    ]
)


def next_problem(text: str) -> PairingProblem:
    """The problem of the round after those of the file."""
    return trf.pairing_problem(trf.read(text))


def abnormal(code: str, points: str, round_number: str, *ids: int, match: str = "") -> str:
    """A `299` record: the points end in column 17, the round in 22."""
    words = "".join(f" {i:>4}" for i in ids)
    return f"299 {code:1}{match:>6}{points:>6}{round_number:>5}{words}\n"
