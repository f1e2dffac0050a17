"""Each act of a page has an operation, or a reason in `tests/data/page_acts.txt` why it has none."""

from __future__ import annotations

from pathlib import Path

import config.urls  # noqa: F401 - declares the addresses
import tournaments.api.v1  # noqa: F401 - declares the operations
from tournaments.api.operations import ROUTES
from tournaments.views import limits

TABLE = Path(__file__).parents[2] / "data" / "page_acts.txt"


def _rows() -> dict[str, str]:
    lines = [line for line in TABLE.read_text().splitlines() if not line.startswith("#")]
    rows = {act: rest for act, _space, rest in (line.partition(" ") for line in lines)}
    assert len(rows) == len(lines), "an act has two lines"
    return {act: rest.strip() for act, rest in rows.items()}


def test_each_act_of_a_page_has_an_operation_or_a_reason() -> None:
    acts = {*limits.LIMITS, *limits.EXEMPT}
    missing = acts - set(ROUTES) - set(_rows())
    assert not missing, f"give each an operation, or a line in {TABLE.name}: {sorted(missing)}"
    assert not set(_rows()) - acts, "these addresses do not exist"


def test_each_named_operation_exists() -> None:
    names = {rest for rest in _rows().values() if not rest.startswith("- ")}
    assert not names - set(ROUTES)
