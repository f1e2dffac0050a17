"""An upload as a tree of files, or the reason for its refusal."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, assert_never

from engine import javascript, toolchain
from engine.programs import archive, checks
from engine.programs.errors import UploadRefusal, UploadRefusedError
from engine.programs.program import ProgramKind
from games.messages import message

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# A module is the largest upload. Any other has `MAX_PACKED_BYTES` at most.
MAX_UPLOAD_BYTES = checks.MAX_MODULE_BYTES
MAX_PACKED_BYTES = 5_000_000
# Languages of programs in one file that become a module, by the ends of the names of uploads.
LANGUAGES = {".js": "JavaScript", **toolchain.LANGUAGES}
# Ends of the names of uploads: text of a language, an archive of Python, C or C++, or a module.
SUFFIXES = (".py", *LANGUAGES, toolchain.ARCHIVE, ".wasm")
MAIN = "main.py"
SOURCE_MAINS = tuple(f"main{suffix}" for suffix in toolchain.DRIVERS)
SCRIPT = "main.js"
MODULE = "main.wasm"
_WASM_MAGIC = b"\0asm\x01\0\0\0"
_ZIP_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
_NATIVE_SUFFIXES = {".so", ".pyd", ".dll", ".dylib"}
# ELF, and Mach-O in both orders, 32 and 64 bit and fat. Windows' begins with two letters, as a text
# may.
_NATIVE_MAGIC = (
    b"\x7fELF",
    b"\xcf\xfa\xed\xfe",
    b"\xce\xfa\xed\xfe",
    b"\xfe\xed\xfa\xcf",
    b"\xfe\xed\xfa\xce",
    b"\xca\xfe\xba\xbe",
)


@dataclass(frozen=True, slots=True)
class ProgramTree:
    """The files of a program by their paths, and which of them to start.

    Attributes:
        translation: a module as machine code, if a compiler was asked.
    """

    kind: ProgramKind
    entry: str
    files: Mapping[str, bytes]
    translation: bytes = b""


def suffix_of(filename: str) -> str:
    """Return one of `SUFFIXES`. Raises UploadRefusedError for any other file."""
    suffix = PurePosixPath(filename).suffix.lower()
    if suffix not in SUFFIXES:
        raise UploadRefusedError(
            UploadRefusal.UNKNOWN_KIND,
            message("a %(suffixes)s file is wanted, not %(name)s"),
            suffixes=", ".join(SUFFIXES),
            name=repr(filename[:100]),
        )
    return suffix


def read_upload(upload: bytes, filename: str) -> ProgramTree:
    """Return the program in `upload`, of the kind that the end of `filename` tells. No code is run.

    Raises:
        UploadRefusedError: it is not a program.
        CheckFailedError: the machine cannot tell.
    """
    tree = contents(upload, filename)
    match tree.kind:
        case ProgramKind.PYTHON:
            checks.check_python(tree.files[tree.entry])
        case ProgramKind.WASM:
            return replace(tree, translation=checks.translated(tree.files[tree.entry]))
        case ProgramKind.SOURCE:
            pass  # its compiler checks it
        case _:
            assert_never(tree.kind)
    return tree


def contents(upload: bytes, filename: str) -> ProgramTree:
    """Return the program like `read_upload`, but without asking a compiler.

    It is enough for an upload that was read before. Raises UploadRefusedError.
    """
    suffix = suffix_of(filename)
    if not upload:
        raise UploadRefusedError(UploadRefusal.EMPTY, message("the file is empty"))
    most = MAX_UPLOAD_BYTES if suffix == ".wasm" else MAX_PACKED_BYTES
    if len(upload) > most:
        raise UploadRefusedError(
            UploadRefusal.UPLOAD_TOO_LARGE,
            message("the file has %(bytes)s bytes, allowed are %(most)s"),
            bytes=str(len(upload)),
            most=str(most),
        )
    _require_content(suffix, upload)
    if suffix == ".py":
        return ProgramTree(ProgramKind.PYTHON, MAIN, {MAIN: upload})
    if suffix == ".wasm":
        return ProgramTree(ProgramKind.WASM, MODULE, {MODULE: upload})
    if suffix == ".js":
        checks.check_text(SCRIPT, upload, javascript.MAX_SOURCE_BYTES)
        return ProgramTree(ProgramKind.WASM, MODULE, {MODULE: javascript.module_of(upload)})
    if suffix in toolchain.TEXTS:
        name = f"main{suffix}"
        checks.check_text(name, upload, toolchain.MAX_SOURCE_BYTES)
        return ProgramTree(ProgramKind.SOURCE, name, {name: upload})
    main, files = _from_main(archive.files_of(upload))
    _require_no_native_code(files)
    if main == MAIN:
        return ProgramTree(ProgramKind.PYTHON, MAIN, files)
    for name in toolchain.sources(files):
        checks.check_text(name, files[name], toolchain.MAX_SOURCE_BYTES)
    return ProgramTree(ProgramKind.SOURCE, main, files)


def _require_content(suffix: str, upload: bytes) -> None:
    """Refuse an upload whose first bytes belong to another kind of file than its suffix.

    So one upload is of one kind only.
    """
    looks = "" if suffix in {".wasm", ".zip"} else suffix
    if upload.startswith(_WASM_MAGIC):
        looks = ".wasm"
    elif upload.startswith(_ZIP_MAGIC):
        looks = ".zip"
    if looks != suffix:
        raise UploadRefusedError(
            UploadRefusal.WRONG_CONTENT,
            message("this is no %(suffix)s file by its first bytes"),
            suffix=suffix,
        )
    _require_no_native_code({f"upload{suffix}": upload})


def _from_main(files: Mapping[str, bytes]) -> tuple[str, dict[str, bytes]]:
    """Return the name of the main file, and `files` relative to its directory: the top, or the only one there.

    An archive without a main.py is one of C or C++.
    """
    mains = _mains(files, (MAIN,)) or _mains(files, SOURCE_MAINS)
    tops = {name.partition("/")[0] for name in files}
    if len(mains) > 1:
        raise UploadRefusedError(
            UploadRefusal.SEVERAL_MAINS,
            message("there are several: %(names)s. Leave one"),
            names=", ".join(mains[:3])[:200],
        )
    if mains and mains[0] in (MAIN, *SOURCE_MAINS):
        return mains[0], dict(files)
    if not mains or len(tops) > 1:
        raise UploadRefusedError(
            UploadRefusal.NO_MAIN,
            message("there is no %(names)s at the top, nor in a directory that holds everything"),
            names=" / ".join((MAIN, *SOURCE_MAINS)),
        )
    return mains[0].partition("/")[2], {
        name.partition("/")[2]: content for name, content in files.items()
    }


def _mains(files: Mapping[str, bytes], names: Sequence[str]) -> Sequence[str]:
    """Return the paths of files of these names, at the top or in a directory there."""
    return [path for path in sorted(files) if path.partition("/")[2] in names or path in names]


def _require_no_native_code(files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        suffixes = {suffix.lower() for suffix in PurePosixPath(name).suffixes}
        if suffixes & _NATIVE_SUFFIXES or content.startswith(_NATIVE_MAGIC):
            raise UploadRefusedError(
                UploadRefusal.NATIVE_CODE,
                message(
                    "%(name)s is machine code. Only Python, JavaScript and WebAssembly can be run"
                ),
                name=repr(name),
            )
