"""FIDE's checklist in the documentation: every question has an answer, and the tests that it names exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROWS = re.findall(
    r"^\| (\d+) \| (.+?) \| (.+?) \| (.+) \|$",
    (ROOT / "docs/reference/fide-checklist.md").read_text(),
    re.MULTILINE,
)
QUESTIONS = 225
_TEST = re.compile(r"`(\S+)::(\w+)`")


def test_every_question_has_one_row() -> None:
    assert [int(number) for number, *_ in ROWS] == list(range(1, QUESTIONS + 1))
    assert {state for _, _, state, _ in ROWS} == {"done", "not applicable", "open"}


@pytest.mark.parametrize(
    ("number", "evidence"), [(row[0], row[3]) for row in ROWS if row[2] == "done"]
)
def test_an_answer_that_is_done_names_tests_that_exist(number: str, evidence: str) -> None:
    named = _TEST.findall(evidence)
    assert named, number
    assert not _TEST.sub("", evidence).strip()
    for path, name in named:
        assert re.search(rf"^def {name}\(", (ROOT / "tests" / path).read_text(), re.MULTILINE)


def test_other_answers_name_no_test() -> None:
    assert not [row for row in ROWS if row[2] != "done" and _TEST.search(row[3])]
