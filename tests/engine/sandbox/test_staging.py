from __future__ import annotations

import os
import tempfile

import pytest

from engine.sandbox import staging, users
from engine.sandbox.refusals import IsolationReason, UnavailableError

STRANGER = 64_000


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Where copies go, on a path that everybody can walk."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "place"))
    (tmp_path / "place").mkdir()
    for directory in (tmp_path, *list(tmp_path.parents)[:3], tmp_path / "place"):
        directory.chmod(0o755)
    for function in (staging._copy_of, staging.for_user):
        function.cache_clear()
    yield tmp_path / "place"
    for function in (staging._copy_of, staging.for_user):
        function.cache_clear()


@pytest.fixture
def tree(tmp_path):
    tree = tmp_path / "tree"
    (tree / "inner").mkdir(parents=True)
    (tree / "main.py").write_text("import inner.more\n")
    (tree / "inner" / "more.py").write_text("")
    (tree / "link").symlink_to("/etc/passwd")
    for path in (tree, tree / "inner"):
        path.chmod(0o755)
    for path in (tree / "main.py", tree / "inner" / "more.py"):
        path.chmod(0o644)
    return tree


def test_tree_that_its_user_reads_stays_where_it_is(place, tree):
    assert staging.for_user(tree, STRANGER) == tree


@pytest.mark.parametrize("closed", ["main.py", "inner", "inner/more.py", "."])
def test_tree_with_anything_closed_is_copied_and_the_copy_is_open(place, tree, closed):
    (tree / closed).chmod(0o700)
    copy = staging.for_user(tree, STRANGER)
    assert copy.is_relative_to(place)
    assert (copy / "main.py").read_text() == "import inner.more\n"
    assert users.can_read(copy, STRANGER)
    # A link would lead out of the tree.
    assert not (copy / "link").exists()


def test_same_content_is_copied_once(place, tree):
    tree.chmod(0o700)
    one = staging.for_user(tree, STRANGER)
    for function in (staging._copy_of, staging.for_user):
        function.cache_clear()
    inode = one.parent.stat().st_ino
    assert staging.for_user(tree, STRANGER) == one
    assert one.parent.stat().st_ino == inode


def test_spoilt_copy_is_made_again(place, tree):
    tree.chmod(0o700)
    (staging.for_user(tree, STRANGER) / "inner" / "more.py").unlink()
    for function in (staging._copy_of, staging.for_user):
        function.cache_clear()
    assert (staging.for_user(tree, STRANGER) / "inner" / "more.py").exists()


def test_directory_that_somebody_else_writes_to_is_no_place_for_copies(place, tree, monkeypatch):
    monkeypatch.setattr(staging, "_PLACES", ())
    trap = place / f"rayuela-box-{os.geteuid()}"
    trap.mkdir()
    trap.chmod(0o777)
    tree.chmod(0o700)
    with pytest.raises(UnavailableError) as caught:
        staging.for_user(tree, STRANGER)
    assert caught.value.refusal.reason is IsolationReason.NO_PLACE


def test_packages_hold_what_a_program_may_import(place):
    copy = staging.packages(STRANGER)
    assert (copy / "games" / "__init__.py").exists()
    assert (copy / "engine" / "sandbox" / "inside.py").exists()
    assert not (copy / "tournaments").exists()
    assert users.can_read(copy, STRANGER)


def test_packages_hold_further_libraries(place, tree):
    copy = staging.packages(STRANGER, (str(tree),))
    assert (copy / "tree" / "main.py").exists()
    assert copy != staging.packages(STRANGER)
