"""Refusals of services, by the caller's options.

`code` is stable. The interface owns the sentence.
"""

from __future__ import annotations

import sqlite3
from typing import Self

from django.db import DatabaseError

import games
from tournaments.limits import Limit

# PostgreSQL, appendix A: lock_not_available, deadlock_detected.
_REFUSED_LOCKS = {"55P03", "40P01"}
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_PRIMARY_CODE = 0xFF


def is_lock_refused(error: DatabaseError) -> bool:
    """Return whether a statement gave up its wait for a lock, by the code of the database.

    Its words depend on its language.
    """
    cause = error.__cause__
    if (state := getattr(cause, "sqlstate", None)) is not None:
        return state in _REFUSED_LOCKS
    return getattr(cause, "sqlite_errorcode", 0) & _PRIMARY_CODE in _BUSY


class TournamentError(Exception):
    """Base of every refusal.

    `detail` is `pattern`, in English, with `parts` in its places: for logs, and for people where
    `tournaments.text.refusals` says so.
    """

    def __init__(self, code: str, detail: str = "", **parts: str) -> None:
        self.pattern = detail
        self.parts = parts
        self.detail = detail % parts if parts else detail
        super().__init__(f"{code}: {self.detail}" if detail else code)
        self.code = code


class NotAllowedError(TournamentError):
    """The action is allowed to another user, not to this one."""


class StaleError(TournamentError):
    """The world has moved on since the caller looked; look again."""


class RefusedError(TournamentError):
    """The request contradicts the rules or the state.

    `rule` is the paragraph when it is a rule of the game.
    """

    def __init__(self, code: str, detail: str = "", *, rule: str = "", **parts: str) -> None:
        super().__init__(code, detail, **parts)
        self.rule = rule

    @classmethod
    def of_move(cls, error: games.IllegalMoveError) -> Self:
        """The refusal of a move, with the paragraph and what is wrong."""
        return cls("illegal-move", error.pattern, rule=error.rule, **error.parts)

    @property
    def paragraph(self) -> str:
        """The number of the paragraph as its rule sheet writes it, such as `4.2.1`."""
        return self.rule.partition("/")[2]


class TooManyError(Exception):
    """A limit is reached, and waiting helps.

    No `TournamentError`, for it says nothing about what was asked for: it passes every handler of
    refusals and is answered in one place, by 429 with `Retry-After`.

    Attributes:
        limit: the limit.
        retry_after_s: when another try may be made.
    """

    def __init__(self, limit: Limit, retry_after_s: int) -> None:
        super().__init__(f"{limit.name}: again in {retry_after_s} s")
        self.limit = limit
        self.retry_after_s = retry_after_s
