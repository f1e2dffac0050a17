"""Programs on disk, never rewritten: `DIGEST/upload.zip` and `DIGEST/tree/`.

Beside a module is its machine code for this machine, which saves two seconds for each mebibyte at
each start. The digest is the upload's SHA-256, so a stored program can be checked at any time, and storing it
twice is storing it once. The process that unpacks owns the store. Processes that run bots only
read.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from engine.programs import checks, reading
from engine.programs.errors import DamagedProgramError, UploadRefusedError
from engine.programs.program import Program, ProgramKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.programs.reading import ProgramTree

_DIRECTORY_MODE = 0o555
_OPEN_DIRECTORY_MODE = 0o755
_FILE_MODE = 0o444
_STEM = "upload"
_TREE = "tree"
# Names end with it as in `engine.wasm.host`, which needs wasmtime.
_TRANSLATION = ".cwasm"


def unpack(data: bytes, filename: str, store: Path) -> Program:
    """Return the program in the upload `data`, stored in the directory `store`, which is made if missing.

    Args:
        data: the upload as it came.
        filename: its name, of which only the end is used.
        store: absolute path.

    Raises:
        UploadRefusedError: it is no program, see `UploadRefusal`. Nothing was stored.
        DamagedProgramError: it was stored before and has been changed since.
        CheckFailedError: the machine cannot tell.
        OSError: the store cannot be written.
    """
    tree = reading.read_upload(data, filename)
    digest = hashlib.sha256(data).hexdigest()
    home = store / digest
    if not home.exists():
        store.mkdir(mode=0o755, parents=True, exist_ok=True)
        with _new_directory(store) as new:
            _write(new, data, reading.suffix_of(filename), tree)
            # Fails if another process was faster. Its copy is as good.
            with contextlib.suppress(FileExistsError):
                _publish(new, home)
    program = _program(digest, home, tree)
    verify(program)
    return program


def load(digest: str, store: Path) -> Program:
    """Return the program that was stored under `digest`, after `verify`.

    A module is translated again after an upgrade of wasmtime.

    Raises DamagedProgramError, and as `checks.translated`.
    """
    home = store / digest
    tree = _uploaded_tree(digest, _upload_path(home))
    program = _program(digest, home, tree)
    verify(program)
    if tree.kind is ProgramKind.WASM and not _translations(program.root, _wasmtime()):
        _add_translation(program, checks.translated(tree.files[tree.entry]))
    return program


def upload_of(program: Program) -> Path:
    """Return the file of the upload, whose suffix tells its kind. Raises DamagedProgramError."""
    return _upload_path(program.root.parent)


def verify(program: Program) -> None:
    """Check that every byte on disk is as `program.digest` says. Raises DamagedProgramError.

    Names, contents, kinds of files and the missing right to write are compared. The name of a
    translation has its digest.
    """
    expected = _uploaded_tree(program.digest, upload_of(program)).files
    paths = dict(_files_in(program.root))
    for path in _translations(program.root):
        if program.kind is ProgramKind.WASM and path.name == _translation_name(
            path.read_bytes(), path.name.partition("-")[0]
        ):
            del paths[path.name]
    if paths.keys() != expected.keys():
        differences = sorted(paths.keys() ^ expected.keys())[:3]
        raise DamagedProgramError(f"{program.digest}: missing or strange files {differences}")
    for name, path in paths.items():
        if path.read_bytes() != expected[name]:
            raise DamagedProgramError(f"{program.digest}: {name} was changed")


def _uploaded_tree(digest: str, upload: Path) -> ProgramTree:
    """Return the tree that belongs to the upload. Raises DamagedProgramError."""
    data = upload.read_bytes()
    if hashlib.sha256(data).hexdigest() != digest:
        raise DamagedProgramError(f"{upload} has not the digest {digest}")
    try:
        return reading.contents(data, upload.name)
    except UploadRefusedError as error:
        raise DamagedProgramError(f"{upload} would be refused today: {error}") from error


def _program(digest: str, home: Path, tree: ProgramTree) -> Program:
    return Program(
        digest=digest,
        kind=tree.kind,
        root=home / _TREE,
        entry=tree.entry,
        size_bytes=sum(map(len, tree.files.values())),
        files=len(tree.files),
    )


def _wasmtime() -> str:
    """Return the version that translates. Machine code of another one is not taken."""
    return version("wasmtime")


def _translations(root: Path, version_: str = "*") -> list[Path]:
    """Return the machine code in a tree: of all versions of wasmtime, or of one."""
    return list(root.glob(f"{version_}-*{_TRANSLATION}"))


def _translation_name(translation: bytes, version_: str) -> str:
    return f"{version_}-{hashlib.sha256(translation).hexdigest()}{_TRANSLATION}"


def _add_translation(program: Program, translation: bytes) -> None:
    """Put machine code of this version of wasmtime in the place of others. Another process may be faster."""
    root, older = program.root, _translations(program.root)
    name = _translation_name(translation, _wasmtime())
    with _new_directory(root.parents[1]) as new, contextlib.suppress(PermissionError):
        _write_file(new / name, translation)
        os.chmod(root, _OPEN_DIRECTORY_MODE)
        (new / name).rename(root / name)
        for path in older:
            path.unlink(missing_ok=True)
    os.chmod(root, _DIRECTORY_MODE)


def _upload_path(home: Path) -> Path:
    uploads = sorted(home.glob(f"{_STEM}.*"))
    if len(uploads) != 1 or uploads[0].is_symlink():
        raise DamagedProgramError(f"no program is stored in {home}")
    return uploads[0]


def _files_in(root: Path) -> Iterator[tuple[str, Path]]:
    """Yield every file below `root` by its path from there.

    Raises DamagedProgramError for a file of a kind that a program never has.
    """
    for directory, subdirectories, names in os.walk(root):
        here = Path(directory)
        for path in (here, *(here / name for name in (*names, *subdirectories))):
            if path.is_symlink() or path.stat().st_mode & 0o222:
                raise DamagedProgramError(f"{path} is a link, or may be written")
        for name in names:
            yield (here / name).relative_to(root).as_posix(), here / name


@contextlib.contextmanager
def _new_directory(store: Path) -> Iterator[Path]:
    """Yield a directory beside the programs, which is gone at the end unless it was renamed."""
    new = Path(tempfile.mkdtemp(prefix=".new-", dir=store))
    try:
        yield new
    finally:
        _remove(new)


def _write(new: Path, data: bytes, suffix: str, tree: ProgramTree) -> None:
    _write_file(new / f"{_STEM}{suffix}", data)
    files = dict(tree.files)
    if tree.translation:
        files[_translation_name(tree.translation, _wasmtime())] = tree.translation
    for name, content in files.items():
        _write_file(new / _TREE / name, content)
    for directory, _, _ in os.walk(new):
        os.chmod(directory, _DIRECTORY_MODE)


def _write_file(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        os.fchmod(file.fileno(), _FILE_MODE)
        os.fsync(file.fileno())


def _publish(new: Path, home: Path) -> None:
    """Rename `new` to `home` atomically and durably. Raises FileExistsError."""
    try:
        new.rename(home)
    except OSError as error:
        if home.is_dir():
            raise FileExistsError(str(home)) from error
        raise
    handle = os.open(home.parent, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _remove(new: Path) -> None:
    if not new.exists():
        return
    for directory, _, _ in os.walk(new):
        os.chmod(directory, 0o700)
    shutil.rmtree(new)
