"""Trying what would happen: a service runs, its answer is shown, and nothing of it stays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeVar

from django.db import transaction
from pydantic import BaseModel, Field

T = TypeVar("T")


class DryRunQuery(BaseModel):
    """Whether something is only tried."""

    dry_run: Annotated[bool, Field(description="Answer as if, and change nothing.")] = False


def run(act: Callable[[], T], *, is_dry: bool) -> T:
    """What `act` returns; when it `is_dry` its transaction is rolled back, with what it would have announced.

    `act` makes the whole answer, for its rows are gone afterwards.
    """
    return act() if not is_dry else run_whole(act, is_dry=True)


def run_whole(act: Callable[[], T], *, is_dry: bool) -> T:
    """The same of what several services do: all of it, or nothing."""
    with transaction.atomic():
        result = act()
        transaction.set_rollback(is_dry)
    return result
