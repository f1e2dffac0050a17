from __future__ import annotations

import multiprocessing
import os
import tempfile
from multiprocessing.queues import SimpleQueue
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from engine.sandbox import staging, users
from engine.sandbox.refusals import IsolationReason, UnavailableError

STRANGER = 64_000


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Make the folder of copies, on a path that all users can walk."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "place"))
    (tmp_path / "place").mkdir()
    for directory in (tmp_path, *list(tmp_path.parents)[:3], tmp_path / "place"):
        directory.chmod(0o755)
    staging.look_again()
    yield tmp_path / "place"
    staging.look_again()


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
    staging.look_again()
    inode = one.parent.stat().st_ino
    assert staging.for_user(tree, STRANGER) == one
    assert one.parent.stat().st_ino == inode


def _copy_in_a_worker(tree: Path, barrier: Barrier, results: SimpleQueue[tuple[Path, int]]) -> None:
    barrier.wait()
    copy = staging.for_user(tree, STRANGER)
    inode = copy.stat().st_ino
    barrier.wait()
    results.put((copy, inode))


@pytest.mark.long
def test_workers_that_start_together_share_one_copy_that_never_moves(place, tree):
    tree.chmod(0o700)
    fork = multiprocessing.get_context("fork")
    for content in range(5):
        (tree / "main.py").write_text(f"content = {content}\n")
        barrier, results = fork.Barrier(3), fork.SimpleQueue()
        workers = [
            fork.Process(target=_copy_in_a_worker, args=(tree, barrier, results)) for _ in range(3)
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        ((copy, inode),) = {results.get() for _ in workers}
        assert copy.stat().st_ino == inode
    assert not list(place.rglob("tmp*"))


def test_leftovers_of_killed_workers_are_removed_after_the_longest_match(place, tree):
    tree.chmod(0o700)
    home = staging.for_user(tree, STRANGER).parents[1]
    fresh, old = home / "tmpfresh", home / "tmpold"
    for leftover in (fresh, old):
        (leftover / "spoilt").mkdir(parents=True)
    os.utime(old, (0, 0))
    staging.look_again()
    staging.for_user(tree, STRANGER)
    assert fresh.exists()
    assert not old.exists()


def test_spoilt_copy_is_made_again(place, tree):
    tree.chmod(0o700)
    (staging.for_user(tree, STRANGER) / "inner" / "more.py").unlink()
    staging.look_again()
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


@pytest.mark.long
def test_packages_hold_what_a_program_may_import(place):
    copy = staging.packages(STRANGER)
    assert (copy / "games" / "__init__.py").exists()
    assert (copy / "engine" / "sandbox" / "inside.py").exists()
    assert not (copy / "tournaments").exists()
    assert users.can_read(copy, STRANGER)


@pytest.mark.long
def test_packages_hold_further_libraries(place, tree):
    copy = staging.packages(STRANGER, (str(tree),))
    assert (copy / "tree" / "main.py").exists()
    assert copy != staging.packages(STRANGER)
