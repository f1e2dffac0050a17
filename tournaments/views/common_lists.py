"""Lists that a process keeps for all readers without a private event, until there is news."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, TypeVar

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from tournaments.models import User
from tournaments.services.notifications import until_news

T = TypeVar("T")


def recall(name: str, reader: User | None, make: Callable[[], T], *words: object) -> T:
    """Return the list of this name in the reader's language, or make it (`until_news.recall`).

    `reader` is None if the list may be that of all readers (`conditions.reader_of_lists`). For another it is made each time. The
    list depends on the words, which a program knows: a reader's text would fill the memory of the process.
    """
    if reader is not None:
        return make()
    key = hashlib.sha256(repr((get_language(), words)).encode()).hexdigest()
    return until_news.recall(f"{name}-{key}", make)


def drawn(
    template: str, reader: User | None, context: Callable[[], dict[str, Any]], *words: object
) -> SafeString:
    """Return the template with this context, kept as a list of the template's name."""
    return recall(template, reader, lambda: render_to_string(template, context()), *words)
