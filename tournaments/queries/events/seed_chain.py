"""A commit-reveal chain of hashes that gives the seeds of the rounds' set-ups.

Its end is public before the first pairing, so that no set-up can be chosen.

A secret is hashed repeatedly. The last hash is the commitment, shown with the event from its first
day. Round n is set up by the link that gives the commitment after n more hashes, and the link is
shown with the round. Hashing it n times proves that it was fixed before the pairings were known.
The link after that of the last round is shown when the event is over. It draws lots for ties.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from functools import lru_cache

from django.db.models import Max

from tournaments.models import Event

# One for each possible round. Draws of continuous formats have higher numbers.
ROUNDS_LENGTH = 400
CONTINUOUS_LENGTH = 32_767
_MARK_EVERY = 256


@dataclass(frozen=True, slots=True)
class SeedChain:
    """The secret beginning of a chain and its public end, both as 64 hexadecimal digits."""

    secret: str
    commitment: str


def new_seed_chain(length: int, seed: int | None = None) -> SeedChain:
    """A chain of `length` hashes from a fresh secret, or from `seed` (demos and tests)."""
    secret = secrets.token_hex(32) if seed is None else _hash(f"lot {seed}", 1)
    return SeedChain(secret, _hash(_marks(secret, length)[-1], length % _MARK_EVERY))


def round_seed(secret: str, length: int, number: int) -> str:
    """The link of round `number`, from 1 to `length`."""
    if not 1 <= number <= length:
        raise ValueError(f"round {number} has no link in a chain of {length}")
    marks, rest = divmod(length - number, _MARK_EVERY)
    return _hash(_marks(secret, length)[marks], rest)


def lots_seed(event: Event) -> str:
    """Return the link from which lots are drawn: empty until the event is over, and if no link is left."""
    if event.state != Event.State.FINISHED:
        return ""
    number = 1 + (event.rounds.aggregate(last=Max("number"))["last"] or 0)
    is_left = number <= ROUNDS_LENGTH
    return round_seed(event.seed_secret, ROUNDS_LENGTH, number) if is_left else ""


def is_committed(commitment: str, number: int, seed: str) -> bool:
    """Return whether `seed` is the committed seed of round `number`."""
    return _hash(seed, number) == commitment


@lru_cache(maxsize=32)
def _marks(secret: str, length: int) -> tuple[str, ...]:
    """Every 256th hash of a chain: a ladder draws some rounds a second, and each hashed 33,000 times."""
    marks = [secret]
    for _ in range(length // _MARK_EVERY):
        marks.append(_hash(marks[-1], _MARK_EVERY))
    return tuple(marks)


def _hash(text: str, times: int) -> str:
    """SHA-256 of the text in hexadecimal, again and again."""
    for _ in range(times):
        text = hashlib.sha256(text.encode()).hexdigest()
    return text
