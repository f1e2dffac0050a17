"""Long lists in pages of a hundred, and the page of a given player."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar
from urllib.parse import urlencode

from django.http import QueryDict

from tournaments.queries.results import categories

T = TypeVar("T")

ROWS = 100
_OTHERS = {"of", "by", *categories.FILTERS}
_MOST_LETTERS = 80


@dataclass(frozen=True, slots=True)
class Window(Generic[T]):
    """A page of a list.

    Attributes:
        rows: the rows of the page.
        number: of the page, from 1.
        count: of all pages.
        find: the name that was looked for, or empty.
        is_missing: whether no player has that name.
        parameters: the other parameters of the address that the links to other pages repeat.
    """

    rows: Sequence[T]
    number: int
    count: int
    find: str = ""
    is_missing: bool = False
    parameters: Sequence[tuple[str, str]] = ()

    @property
    def query(self) -> str:
        """The other parameters, to write before the page's: empty or ending in `&`."""
        return urlencode(self.parameters) + "&" if self.parameters else ""

    @property
    def before(self) -> int | None:
        """The number of the page before, or None."""
        return self.number - 1 if self.number > 1 else None

    @property
    def after(self) -> int | None:
        """The number of the page after, or None."""
        return self.number + 1 if self.number < self.count else None

    @property
    def is_last(self) -> bool:
        """Return whether this is the last page."""
        return self.number == self.count


def window_at(
    total: int,
    query: QueryDict,
    *,
    index: int | None,
    cut: Callable[[int, int], Sequence[T]],
) -> Window[T]:
    """Return the page of the parameter `page`, or the one with `index`, the row of the name in `find`.

    `cut` reads a part of the list.
    """
    count = max(1, -(-total // ROWS))
    find = find_of(query)
    page = query.get("page", "")
    number = int(page) if re.fullmatch(r"[0-9]{1,4}", page) else 1
    if index is not None:
        number = index // ROWS + 1
    number = min(max(number, 1), count)
    start = (number - 1) * ROWS
    return Window(
        cut(start, start + ROWS),
        number,
        count,
        find,
        bool(find) and index is None,
        [(key, value) for key in query if key in _OTHERS and (value := query.get(key))],
    )


def first_index(names: Iterable[str], find: str) -> int | None:
    """Return the index of a name with these letters, first of names that begin with them, or None without a match."""
    letters = find.casefold()
    inside = None
    for index, name in enumerate(names):
        folded = name.casefold()
        if folded.startswith(letters):
            return index
        if inside is None and letters in folded:
            inside = index
    return inside


def find_of(query: QueryDict) -> str:
    """The name that is looked for, or empty."""
    return query.get("find", "").strip()[:_MOST_LETTERS]
