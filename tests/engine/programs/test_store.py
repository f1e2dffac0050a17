from __future__ import annotations

import hashlib
import multiprocessing
import os
import warnings
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import LaunchError
from engine.programs import (
    DamagedProgramError,
    Program,
    ProgramKind,
    UploadRefusedError,
    load,
    python_libraries,
    store,
    unpack,
    upload_of,
    verify,
)
from engine.wasm.conversation import Conversation
from engine.wasm.host import Host, loaded
from tests.engine.programs import zips
from tests.engine.programs.zips import MAIN, zip_of
from tests.engine.wasm.modules import module

SAMPLE = Path(__file__).resolve().parents[3] / "engine/sdk/samples/wasm/morlox.wasm"
BOT = zip_of(("bot/main.py", MAIN), ("bot/lib/__init__.py", b""), ("bot/lib/book.txt", b"a1\n"))


def everything(directory: Path) -> set[str]:
    return {path.relative_to(directory).as_posix() for path in directory.rglob("*")}


def set_modes(home: Path, *, directory: int, file: int) -> None:
    for path in (home, *home.rglob("*")):
        if not path.is_symlink():
            path.chmod(directory if path.is_dir() else file)


def test_program_is_named_after_its_upload(tmp_path):
    program = unpack(BOT, "bot.zip", tmp_path)
    assert program.digest == hashlib.sha256(BOT).hexdigest()
    assert program.root == tmp_path / program.digest / "tree"
    assert (program.kind, program.entry) == (ProgramKind.PYTHON, "main.py")
    assert (program.size_bytes, program.files) == (len(MAIN) + 3, 3)


def test_tree_is_what_was_in_the_archive_and_the_upload_is_kept(tmp_path):
    program = unpack(BOT, "bot.zip", tmp_path)
    assert everything(program.root) == {"main.py", "lib", "lib/__init__.py", "lib/book.txt"}
    assert (program.root / "lib/book.txt").read_bytes() == b"a1\n"
    assert upload_of(program).read_bytes() == BOT
    assert upload_of(program).suffix == ".zip"


def test_tree_is_readable_by_all_and_writable_by_nobody_whatever_the_umask(tmp_path):
    before = os.umask(0o077)
    try:
        program = unpack(BOT, "bot.zip", tmp_path)
    finally:
        os.umask(before)
    home = program.root.parent
    modes = {path.stat().st_mode & 0o7777 for path in (home, *home.rglob("*"))}
    assert modes == {0o555, 0o444}


def test_setuid_bits_are_lost(tmp_path):
    program = unpack(zip_of((zips.with_mode("main.py", 0o104755), MAIN)), "bot.zip", tmp_path)
    assert (program.root / "main.py").stat().st_mode & 0o7777 == 0o444


def test_same_upload_is_stored_once(tmp_path):
    first = unpack(BOT, "bot.zip", tmp_path)
    inode = (first.root / "main.py").stat().st_ino
    assert unpack(BOT, "other name.zip", tmp_path) == first
    assert (first.root / "main.py").stat().st_ino == inode
    assert os.listdir(tmp_path) == [first.digest]


def test_stored_program_is_found_by_its_digest(tmp_path):
    program = unpack(BOT, "bot.zip", tmp_path)
    assert load(program.digest, tmp_path) == program
    with pytest.raises(DamagedProgramError):
        load("0" * 64, tmp_path)


def test_refused_upload_leaves_nothing(tmp_path):
    with pytest.raises(UploadRefusedError):
        unpack(zip_of(("main.py", MAIN), ("../../evil.py", b"")), "bot.zip", tmp_path / "store")
    assert everything(tmp_path) == set()


@pytest.mark.long
@settings(max_examples=60)  # a process for each good one
@given(
    st.lists(
        st.tuples(st.text("./\\\\aA:\0\u00e9 ", max_size=8), st.binary(max_size=9)), max_size=3
    ),
    st.integers(0, 0o177777),
    st.booleans(),
)
def test_any_upload_is_a_sound_program_or_leaves_nothing(tmp_path_factory, extra, mode, is_cut):
    outside = tmp_path_factory.mktemp("outside")
    inside = outside / "store"
    with warnings.catch_warnings(action="ignore"):  # of names that are there twice
        upload = zip_of(
            ("main.py", MAIN), *((zips.with_mode(name, mode), content) for name, content in extra)
        )
    try:
        program = unpack(upload[: -1 if is_cut else None], "bot.zip", inside)
    except UploadRefusedError:
        assert everything(outside) == set()
    else:
        verify(program)
        assert os.listdir(outside) == ["store"]
        assert os.listdir(inside) == [program.digest]


def test_failed_write_leaves_nothing(tmp_path, monkeypatch):
    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr(store, "_publish", fail)
    with pytest.raises(OSError, match="disk full"):
        unpack(BOT, "bot.zip", tmp_path)
    assert everything(tmp_path) == set()


def test_slower_of_two_takes_the_copy_of_the_faster(tmp_path, monkeypatch):
    publish = store._publish

    def slower(new, home):
        monkeypatch.setattr(store, "_publish", publish)
        unpack(BOT, "bot.zip", tmp_path)
        publish(new, home)

    monkeypatch.setattr(store, "_publish", slower)
    program = unpack(BOT, "bot.zip", tmp_path)
    assert os.listdir(tmp_path) == [program.digest]


@pytest.mark.long
def test_many_processes_may_store_the_same_at_once(tmp_path):
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        programs = pool.starmap(unpack, [(BOT, "bot.zip", tmp_path)] * 4)
    assert len(set(programs)) == 1
    assert os.listdir(tmp_path) == [programs[0].digest]


def change(path: Path) -> None:
    path.write_bytes(b"print('evil')\n")


def add(path: Path) -> None:
    (path.parent / "sitecustomize.py").write_bytes(b"")


def link(path: Path) -> None:
    content = path.read_bytes()
    path.unlink()
    (path.parent.parent / "elsewhere").write_bytes(content)
    path.symlink_to("../elsewhere")


@pytest.mark.parametrize("damage", [change, add, link, Path.unlink], ids=lambda f: f.__name__)
def test_damaged_tree_is_found(tmp_path, damage):
    program = unpack(BOT, "bot.zip", tmp_path)
    set_modes(program.root.parent, directory=0o700, file=0o600)
    damage(program.root / "main.py")
    set_modes(program.root.parent, directory=0o555, file=0o444)
    for check in (lambda: verify(program), lambda: unpack(BOT, "bot.zip", tmp_path)):
        with pytest.raises(DamagedProgramError):
            check()


def test_tree_that_may_be_written_is_damaged(tmp_path):
    program = unpack(BOT, "bot.zip", tmp_path)
    verify(program)
    (program.root / "main.py").chmod(0o644)
    with pytest.raises(DamagedProgramError, match="may be written"):
        verify(program)


def test_exchanged_upload_is_found(tmp_path):
    program = unpack(BOT, "bot.zip", tmp_path)
    set_modes(program.root.parent, directory=0o700, file=0o600)
    upload_of(program).write_bytes(zip_of(("main.py", MAIN)))
    with pytest.raises(DamagedProgramError, match="digest"):
        verify(program)


def test_spec_of_a_python_program_names_its_tree_and_numpy(tmp_path):
    program = unpack(MAIN, "main.py", tmp_path)
    spec = program.spec("foo")
    assert spec.argv == ("python", "/bot/main.py")
    assert (spec.name, spec.tree, spec.libraries) == ("foo", str(program.root), python_libraries())
    with pytest.raises(LaunchError):
        program.spec("foo", fuel=1000)


def test_spec_of_a_module_starts_its_host_which_needs_wasmtime(tmp_path):
    program = unpack(SAMPLE.read_bytes(), "morlox.wasm", tmp_path)
    spec = program.spec("foo", seed="7", fuel=1000)
    assert spec.argv == (
        "python",
        "/rayuela/engine/wasm/__main__.py",
        "/bot/main.wasm",
        "--seed=7",
        "--fuel=1000",
    )
    assert spec.libraries == program.libraries
    library = Path(*program.libraries)
    assert (library.name, (library / "__init__.py").is_file()) == ("wasmtime", True)


def translations(program: Program) -> list[Path]:
    return sorted(program.root.glob("*.cwasm"))


def test_a_module_has_its_machine_code_beside_it_in_the_tree(tmp_path):
    program = unpack(SAMPLE.read_bytes(), "morlox.wasm", tmp_path)
    (translation,) = translations(program)
    content = translation.read_bytes()
    assert content.startswith(b"\x7fELF")
    assert translation.name.endswith(f"-{hashlib.sha256(content).hexdigest()}.cwasm")
    assert (program.size_bytes, program.files) == (len(SAMPLE.read_bytes()), 1)
    assert load(program.digest, tmp_path) == program


@pytest.mark.long
def test_machine_code_is_what_the_host_runs(tmp_path):
    program = unpack(SAMPLE.read_bytes(), "morlox.wasm", tmp_path)
    other = unpack(module("(call $exit (i32.const 7))"), "other.wasm", tmp_path)
    (translation,), (strange,) = translations(program), translations(other)
    set_modes(program.root, directory=0o755, file=0o644)
    translation.write_bytes(strange.read_bytes())
    host = Host(
        loaded(program.root / program.entry),
        conversation=Conversation(lines=BytesIO(), output=BytesIO(), errors=BytesIO()),
        seed="",
    )
    assert host.serve() == 7


@pytest.mark.parametrize("content", [b"", b"\x7fELF", b"not machine code"])
def test_machine_code_of_another_machine_is_not_run(tmp_path, content):
    program = unpack(module(""), "other.wasm", tmp_path)
    set_modes(program.root, directory=0o755, file=0o644)
    translations(program)[0].write_bytes(content)
    assert loaded(program.root / program.entry).exports


@pytest.mark.parametrize("name", ["{}-0.cwasm", "1.0.0-0.cwasm", "evil.cwasm"])
def test_changed_machine_code_is_damage(tmp_path, name):
    program = unpack(module(""), "other.wasm", tmp_path)
    (translation,) = translations(program)
    set_modes(program.root, directory=0o755, file=0o644)
    translation.rename(program.root / name.format(translation.name.partition("-")[0]))
    set_modes(program.root, directory=0o555, file=0o444)
    with pytest.raises(DamagedProgramError, match="cwasm"):
        load(program.digest, tmp_path)


@pytest.mark.long
def test_a_module_is_translated_again_after_an_upgrade(tmp_path, monkeypatch):
    program = unpack(module(""), "other.wasm", tmp_path)
    (before,) = translations(program)
    monkeypatch.setattr(store, "version", lambda _package: "1000.0.0")
    assert load(program.digest, tmp_path) == program
    (after,) = translations(program)
    assert after.name.startswith("1000.0.0-")
    assert after != before
    assert program.root.stat().st_mode & 0o222 == 0
    verify(program)
