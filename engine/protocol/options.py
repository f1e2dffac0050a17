"""Options that a program declares in its greeting, in the words of UCI."""

from __future__ import annotations

from dataclasses import dataclass

# Options of the protocol. A program may declare them, and only the referee sets them.
RESERVED = frozenset({"Game", "Clock", "Seed"})
_WORDS = ("name", "type", "default", "min", "max", "var")


@dataclass(frozen=True, slots=True)
class DeclaredOption:
    """An option of a program's own, such as `option name Depth type spin default 3 min 1 max 9`.

    `kind` is the word after `type`. The other members are the words of the line, empty if absent.
    """

    name: str
    kind: str = ""
    default: str = ""
    low: str = ""
    high: str = ""


def option_in(description: str) -> DeclaredOption | None:
    """Return the option in the line after the word `option`, or None for a line without a name."""
    values: dict[str, list[str]] = {}
    current: list[str] = []
    for word in description.split():
        if word in _WORDS and word not in values:
            current = values.setdefault(word, [])
        else:
            current.append(word)
    name, kind, default, low, high, _var = (" ".join(values.get(word, ())) for word in _WORDS)
    return DeclaredOption(name, kind, default, low, high) if name else None
