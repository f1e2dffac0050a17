"""Dry runs: a service runs, its answer is shown, and the transaction is rolled back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeVar

from django.db import transaction
from pydantic import BaseModel, Field

T = TypeVar("T")


class DryRunQuery(BaseModel):
    """The choice of a dry run."""

    dry_run: Annotated[bool, Field(description="Answer as if, and change nothing.")] = False


def run(act: Callable[[], T], *, is_dry: bool) -> T:
    """Return the result of `act`.

    If it `is_dry`, roll back its transaction with the announcements of it.

    `act` makes the whole answer, because its rows are deleted afterwards.
    """
    return act() if not is_dry else run_whole(act, is_dry=True)


def run_whole(act: Callable[[], T], *, is_dry: bool) -> T:
    """Return the result of several services, which run all together or not at all. See `run`."""
    with transaction.atomic():
        result = act()
        transaction.set_rollback(is_dry)
    return result
