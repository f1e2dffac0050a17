"""The two editions of the rules: their words, and the paragraphs of each rule in both."""

from __future__ import annotations

from enum import Enum, StrEnum, unique

from games.messages import message


@unique
class Law(Enum):
    """A rule of both editions, by its paragraph in the revised rules and in the original ones."""

    TURN = ("4.1", "4.1")
    LINE = ("4.2", "4.2")
    INWARDS = ("4.2.1", "4.2.1")
    OBSTACLE = ("4.2.2", "4.2.2")
    CROSSING_THRONE = ("4.2.3", "4.2.3")
    LANDING_ON_THRONE = ("4.2.4", "4.2.4")
    PLACEMENT = ("2.3", "2.6")
    CAPTURE = ("5.1", "6.1")
    OUTERMOST_IMMUNE = ("5.3.1", "6.3.3")
    ALL_CAPTURES = ("5.5", "6.4")
    RIPPLE = ("5.6", "6.7")
    ENTHRONING = ("7.1", "5.1")
    STANDING_FRAME = ("6.3", "5.2")
    ALREADY_ENTHRONED = ("7.2", "D-M7")
    END = ("8.1", "7.1")
    NOTATION = ("notation", "notation")


class Edition(StrEnum):
    """An edition by its name in a rule set's key."""

    REVISED = "revised"
    ORIGINAL = "original"

    def cite(self, law: Law) -> str:
        """Return the paragraph of `law` as errors name it, such as `morelli-2015/4.2.1`."""
        revised, original = law.value
        return (
            f"morelli-2015/{revised}" if self is Edition.REVISED else f"morelli-original/{original}"
        )

    @property
    def throne(self) -> str:
        """Return the middle cell in this edition's words."""
        return message("Throne") if self is Edition.REVISED else message("Centre")

    @property
    def king(self) -> str:
        """Return the piece on the middle cell in this edition's words."""
        return message("King") if self is Edition.REVISED else message("tower")

    @property
    def piece(self) -> str:
        """Return an ordinary piece in this edition's words."""
        return message("piece") if self is Edition.REVISED else message("stone")
