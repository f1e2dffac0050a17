"""Names of visitors in the tests of pages: one site with its demo serves all of them, and refuses a name that is taken."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from tournaments.services import house

_SIGN_UP = re.compile(r'\bsign_up\(\w+, "([^"]+)"\)')


def test_no_two_tests_of_pages_sign_up_by_one_name() -> None:
    tests = sorted((Path(__file__).parent / "browser").glob("*.py"))
    names = Counter(name for path in tests for name in _SIGN_UP.findall(path.read_text()))
    names.update(name for name, _engine, _description in house.BOTS)
    assert len(names) > 30
    assert [name for name, count in names.items() if count > 1] == []
