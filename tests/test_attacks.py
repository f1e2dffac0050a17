"""The list of attacks is true: each names tests that exist, and no attack of the campaign is left out."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.engine.sandbox.campaign.matches import HOSTILE
from tests.engine.sandbox.campaign.table import EVERYTHING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
_TEST = re.compile(r"^`(\S+::\w+)`$", re.MULTILINE)
_NAME = re.compile(r"`([^`]+)`")


def _named_tests() -> Iterator[tuple[str, str]]:
    """Yield each test of the list without its case, and the case or an empty text."""
    text = (ROOT / "docs/reference/attacks.md").read_text()
    for section in text.split("\n## ")[1:]:
        (common,) = _TEST.findall(section)
        for row in re.findall(r"^\|.*\|$", section, re.MULTILINE)[2:]:
            for name in _NAME.findall(row.split(" | ")[-1]):
                test, _, case = name.partition("[")
                yield (test, case.removesuffix("]")) if "::" in name else (common, name)


@pytest.fixture(scope="module")
def cases() -> dict[str, list[str]]:
    """The cases of every test in the files that the list names."""
    files = sorted({f"tests/{test.partition('::')[0]}" for test, _ in _named_tests()})
    options = ["--collect-only", "-q", "-p", "no:cacheprovider", "-p", "no:randomly"]
    argv = [sys.executable, "-m", "pytest", *options, *files]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    collected = defaultdict(list)
    for line in done.stdout.splitlines():
        test, _, case = line.removeprefix("tests/").partition("[")
        collected[test].append(case.removesuffix("]"))
    return collected


def test_every_attack_names_tests_that_exist(cases: dict[str, list[str]]) -> None:
    missing = [
        f"{test}[{name}]"
        for test, name in _named_tests()
        if not any(case == name or case.endswith(f"-{name}") or not name for case in cases[test])
    ]
    assert missing == []


def test_every_attack_of_the_campaign_is_in_the_list() -> None:
    named = {name for _, name in _named_tests()}
    assert {*EVERYTHING, *HOSTILE} - named == set()
