"""The mutator itself: its changes, the code that it leaves, and noticed and unnoticed faults."""

from __future__ import annotations

import ast
import gc
import os
from pathlib import Path

import pytest

from tests.mutation.choice import ROOT, TESTS, files_for
from tests.mutation.forks import Limit, Outcome, outcomes
from tests.mutation.inject import swap, swaps
from tests.mutation.mutants import Mutant, mutants_of, mutated_tree
from tests.mutation.report import table

# Looking for users of the code takes long in a process with many imports.
LIMIT = Limit(cpu_s=60, wall_s=300)
# A mutant without an end takes all of it.
BRIEF = Limit(cpu_s=0.3, wall_s=20)


def _mutated(source: str, operator: str) -> set[str]:
    """Return the whole sources that an operator makes of one."""
    return {
        ast.unparse(mutated_tree(source, mutant))
        for mutant in mutants_of(Path("snippet.py"), source)
        if mutant.operator == operator
    }


@pytest.mark.parametrize(
    ("operator", "source", "expected"),
    [
        ("comparison", "a < b", {"a <= b", "a >= b"}),
        ("comparison", "a is b", {"a is not b"}),
        ("arithmetic", "a + b", {"a - b"}),
        ("arithmetic", "a += b", {"a -= b"}),
        ("arithmetic", "'a' + b", set()),
        ("boolean operator", "a and b", {"a or b"}),
        ("sign", "-a", {"a"}),
        ("condition", "a if b else c", {"a if not b else c"}),
        ("condition", "a if not b else c", {"a if b else c"}),
        ("condition", "[a for a in b if c]", {"[a for a in b if not c]"}),
        ("constant", "a[3]", {"a[4]", "a[2]"}),
        ("constant", "a(True)", {"a(False)"}),
        ("constant", "a('text')", set()),
        ("function", "min(a)", {"max(a)"}),
        ("count", "len(a)", {"len(a) + 1"}),
        ("slice", "a[b:]", {"a[:]", "a[b + 1:]"}),
        ("return", "def f():\n    return a", {"def f():\n    return None"}),
        ("deletion", "if a:\n    raise b", {"if a:\n    pass"}),
        ("deletion", "a.b = c", {"pass"}),
        ("deletion", "a()", {"pass"}),
    ],
)
def test_each_operator_changes_one_thing(operator: str, source: str, expected: set[str]) -> None:
    assert _mutated(source, operator) == expected


@pytest.mark.parametrize(
    "source",
    [
        '"""A text with 1 < 2."""',
        "def f(a: Literal[1]) -> Literal[2]:\n    '''Of 3.'''",
        "a: dict[int, Literal[1]]",
        "if TYPE_CHECKING:\n    a = 1",
        "class A:\n    def __repr__(self):\n        return str(self.a + 1)",
        "assert a == 1, a + 1",
        "c = zip(a, b, strict=True)",
        "def f():\n    raise ValueError(a + 1)",
        "Number = int | None",
        "@cache(1)\nclass A:\n    pass",
    ],
)
def test_what_is_for_readers_and_the_type_checker_stays(source: str) -> None:
    assert mutants_of(Path("snippet.py"), source) == []


def test_a_mutant_knows_its_line_and_whether_it_is_in_a_function() -> None:
    one, other = mutants_of(Path("snippet.py"), "A = a < 'b'\n\n\ndef f():\n    return a == b\n")[
        ::2
    ][:2]
    assert (one.line, one.is_live, one.mutated) == (1, False, "a <= 'b'")
    assert (other.line, other.is_live) == (5, True)


def _killed_by(check: str, source: str, tmp_path: Path, limit: Limit = LIMIT) -> dict[str, Outcome]:
    """Return the result of each mutant of a module under one expression as its test."""
    path = tmp_path / "module.py"
    path.write_text(source)
    names: dict[str, object] = {}
    exec(compile(source, path, "exec"), names)  # noqa: S102 - the module under test

    def work(mutant: Mutant) -> int:
        swap(swaps(mutant))
        return int(not eval(check, names))  # noqa: S307 - the test

    mutants = mutants_of(path, source)
    return {m.mutated: o for m, o in outcomes(mutants, work, limit=limit, jobs=2)}


@pytest.mark.long
def test_a_fault_is_killed_by_a_test_that_looks_and_survives_one_that_does_not(
    tmp_path: Path,
) -> None:
    source = "def is_adult(age):\n    return age >= limit\nlimit = int('18')\n"
    assert _killed_by("is_adult(30) and not is_adult(3)", source, tmp_path) == {
        "age > limit": Outcome.SURVIVED,
        "age < limit": Outcome.KILLED,
        "return None": Outcome.KILLED,
    }
    assert set(_killed_by("is_adult(18) and not is_adult(3)", source, tmp_path).values()) == {
        Outcome.KILLED
    }


@pytest.mark.long
def test_a_function_is_found_though_the_collector_has_frozen_it(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text("def f():\n    return 1\n")
    names: dict[str, object] = {}
    exec(compile(path.read_text(), path, "exec"), names)  # noqa: S102 - the module under test
    gc.freeze()
    assert all(
        pairs[0][0] is names["f"] for pairs in map(swaps, mutants_of(path, path.read_text()))
    )


@pytest.mark.long
def test_a_mutant_without_an_end_is_stopped(tmp_path: Path) -> None:
    source = "def count(n):\n    while n > 0:\n        n -= 1\n    return n\n"
    fates = _killed_by("count(3) == 0", source, tmp_path, BRIEF)
    assert fates["n += 1"] is Outcome.TIMEOUT


@pytest.mark.long
def test_a_child_of_somebody_else_is_left_to_them(tmp_path: Path) -> None:
    other = os.fork()
    if not other:
        os._exit(7)
    fates = _killed_by("f() == 1", "def f():\n    return 1\n", tmp_path)
    assert set(fates.values()) == {Outcome.KILLED}
    assert os.waitstatus_to_exitcode(os.waitpid(other, 0)[1]) == 7


@pytest.mark.long
def test_no_file_and_no_function_of_this_process_is_changed(tmp_path: Path) -> None:
    source = "def f():\n    return 1\n"
    _killed_by("f() == 1", source, tmp_path)
    assert (tmp_path / "module.py").read_text() == source


def test_the_table_counts_and_names_survivors() -> None:
    mutants = mutants_of(ROOT / "games" / "snippet.py", "def f():\n    return a < b\n")
    results = dict(zip(mutants, [Outcome.SURVIVED, Outcome.KILLED, Outcome.TIMEOUT], strict=True))
    lines = table(results).splitlines()
    assert lines[1].split() == ["games/snippet.py", "3", "1", "1", "1", "66%"]
    assert lines[-1] == f"games/snippet.py:2 {mutants[0].operator}: return a < b  ->  return None"


def test_the_longest_beginning_chooses_the_tests() -> None:
    assert files_for(ROOT / "games/morlox/board.py") == TESTS["games/morlox/"]
    with pytest.raises(KeyError):
        files_for(ROOT / "config/urls.py")
    files = {word for words in TESTS.values() for word in words if word.endswith(".py")}
    assert all((ROOT / file).exists() for file in files)


def test_what_a_mutant_prints_is_not_seen(capfd: pytest.CaptureFixture[str]) -> None:
    def work(_: int) -> int:
        os.write(1, b"noise")
        return 0

    assert list(outcomes([1], work, limit=LIMIT, jobs=1)) == [(1, Outcome.SURVIVED)]
    assert capfd.readouterr().out == ""
