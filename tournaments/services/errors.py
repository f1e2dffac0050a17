"""What a service refuses, by what the caller can do about it.

`code` is stable; the interface owns the sentence.
"""

from __future__ import annotations


class TournamentError(Exception):
    """Base of every refusal."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code = code
        self.detail = detail


class NotAllowedError(TournamentError):
    """Somebody else may do this, not the one who asked."""


class StaleError(TournamentError):
    """The world has moved on since the caller looked; look again."""


class RefusedError(TournamentError):
    """The request contradicts the rules or the state.

    `rule` is the paragraph when it is a rule of the game.
    """

    def __init__(self, code: str, detail: str = "", *, rule: str = "") -> None:
        super().__init__(code, detail)
        self.rule = rule

    @property
    def paragraph(self) -> str:
        """The number of the paragraph as its rule sheet writes it, such as `4.2.1`."""
        return self.rule.partition("/")[2]
