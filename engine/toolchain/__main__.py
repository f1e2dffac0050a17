"""The compiler's commands: `python -m engine.toolchain install ARCHIVE --folder FOLDER`, and `build` for the service."""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import re
import shutil
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import wasmtime

from engine import javascript
from engine.toolchain import ARCHIVE, DRIVERS, sources, typescript, zig

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# `npm pack @yowasp/clang@22.0.0-git20542-10`.
ARCHIVE_SHA256 = "6230ea1afa9691fa065935cf68c01642ff9b31c183fe8ac64cdfda025df06009"
_MODULE, _CODE, _RESOURCES, _ABOUT = "llvm.core.wasm", "llvm.cwasm", "usr", "about.json"
_OUTPUT = ".main.wasm"
_MEMORY_BYTES = 2 << 30
# Templates are deep. Four times as much as usual.
_STACK_BYTES = 2 << 20
_TARGET = ("--target=wasm32-wasip1", "--sysroot=/usr")
_LIBRARIES = "/usr/lib/wasm32-wasip1"
_BUILTINS = "/usr/lib/wasm32-unknown-wasip1/libclang_rt.builtins.a"
_LINKER = (
    *("wasm-ld", "-m", "wasm32", f"-L{_LIBRARIES}", f"{_LIBRARIES}/crt1-command.o"),
    *("--strip-all", "-z", "stack-size=1048576"),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command. Return 0, 1 for a source with faults, or 2 for an archive that is refused."""
    parser = argparse.ArgumentParser(prog="python -m engine.toolchain", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    setup = commands.add_parser(
        "install", help="unpack the archive, and translate it for this machine"
    )
    setup.add_argument(
        "archive", type=Path, help="yowasp-clang-22.0.0-git20542-10.tgz, or a wheel of ziglang"
    )
    setup.add_argument("--folder", type=Path, required=True, help="such as var/toolchain")
    build = commands.add_parser("build", help="read a source or an archive, and write its module")
    build.add_argument("folder", type=Path)
    build.add_argument("suffix", choices=[*DRIVERS, ARCHIVE])
    commands.add_parser("typescript", help="read a source in TypeScript, and write its module")
    checker = commands.add_parser("types", help="read a source in TypeScript, and check its types")
    checker.add_argument("folder", type=Path)
    arguments = parser.parse_args(argv)
    if arguments.command == "typescript":
        return _typescript()
    if arguments.command == "types":
        source = sys.stdin.buffer.read().decode()
        sys.stderr.write(typescript.warnings_of(source, arguments.folder))
        return 0
    if arguments.command == "install":
        is_wheel = arguments.archive.suffix == ".whl"
        return (zig.install if is_wheel else _install)(arguments.archive, arguments.folder)
    return _build(arguments.folder, arguments.suffix)


def _install(archive: Path, folder: Path) -> int:
    """Unpack the archive beside `folder`, which is there when it is complete."""
    if hashlib.sha256(archive.read_bytes()).hexdigest() != ARCHIVE_SHA256:
        sys.stderr.write(f"{archive} is another archive than that of ARCHIVE_SHA256\n")
        return 2
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as name, tarfile.open(archive) as files:
        files.extractall(name, filter="data")
        content, new = Path(name) / "package/gen", Path(name) / "new"
        new.mkdir()
        with tarfile.open(content / "llvm-resources.tar") as resources:
            resources.extractall(new / _RESOURCES, filter="data")
        # Takes a minute of the processor and 2 GB.
        module = wasmtime.Module.from_file(_engine(), str(content / _MODULE))
        (new / _CODE).write_bytes(module.serialize())
        version = _run(new, ("clang", "--version"), Path(name))
        number = re.search(r"clang version ([0-9.]+)", version)
        about = {"name": f"clang {number[1] if number else ''}".strip(), "archive": ARCHIVE_SHA256}
        (new / _ABOUT).write_text(json.dumps(about))
        if folder.exists():
            shutil.rmtree(folder)
        new.rename(folder)
    sys.stdout.write(f"{about['name']} is installed in {folder}\n")
    return 0


def _build(folder: Path, suffix: str) -> int:
    """Compile and link in a folder of its own. The log is on standard error, the module on standard output."""
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        if suffix == ARCHIVE:
            archive = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))
            archive.extractall(work)  # noqa: S202 - paths that lead elsewhere are not followed
        else:
            (work / f"main{suffix}").write_bytes(sys.stdin.buffer.read())
        paths = [str(path.relative_to(work)) for path in work.rglob("*") if path.is_file()]
        try:
            for words in _commands(sources(paths)):
                sys.stderr.write(_run(folder, words, work))
        except _FaultError as fault:
            sys.stderr.write(str(fault))
            return 1
        sys.stdout.buffer.write((work / _OUTPUT).read_bytes())
        return 0


def _typescript() -> int:
    script, log = typescript.script_of(sys.stdin.buffer.read().decode())
    sys.stderr.write(log)
    if script:
        sys.stdout.buffer.write(javascript.module_of(script.encode()))
    return int(not script)


def _commands(paths: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the words that compile each source, and those that link all of them."""
    objects = [f"{path}.o" for path in paths]
    for path, target in zip(paths, objects, strict=True):
        driver, standard = DRIVERS[Path(path).suffix]
        yield driver, *_TARGET, standard, "-O2", "-fno-exceptions", "-I.", "-c", path, "-o", target
    libraries = ("-lc++", "-lc++abi") if any(path.endswith(".cpp") for path in paths) else ()
    yield *_LINKER, *objects, *libraries, "-lc", _BUILTINS, "-o", _OUTPUT


class _FaultError(Exception):
    """The compiler refuses its input. The message is the compiler's."""


def _run(folder: Path, words: Sequence[str], work: Path) -> str:
    """Return what the program said. It sees `work` as its current folder. Raises _FaultError."""
    with tempfile.TemporaryDirectory() as name:
        output = Path(name) / "output"
        status = _status_of(folder, words, work, output)
        log = output.read_text(errors="replace")
    if status:
        raise _FaultError(log)
    return log


def _status_of(folder: Path, words: Sequence[str], work: Path, output: Path) -> int:
    """Run the program. Return its status, 1 if it was trapped. Its words are in `output`."""
    store = wasmtime.Store(_engine())
    store.set_limits(memory_size=_MEMORY_BYTES)
    wasi = wasmtime.WasiConfig()
    wasi.argv = words
    wasi.preopen_dir(str(folder / _RESOURCES), "/usr", fs_mutable=False)
    for place in (".", "/tmp"):  # noqa: S108 - in the eyes of the compiler
        wasi.preopen_dir(str(work), place)
    wasi.stdout_file = wasi.stderr_file = str(output)
    store.set_wasi(wasi)
    linker = wasmtime.Linker(store.engine)
    linker.define_wasi()
    code = wasmtime.Module.deserialize_file(store.engine, str(folder / _CODE))
    start = linker.instantiate(store, code).exports(store)["_start"]
    assert isinstance(start, wasmtime.Func), "a command of WASI"
    try:
        start(store)
    except wasmtime.ExitTrap as end:
        return end.code
    except wasmtime.Trap as trap:
        output.write_text(f"{output.read_text(errors='replace')}{trap}\n")
        return 1
    return 0


def _engine() -> wasmtime.Engine:
    config = wasmtime.Config()
    config.max_wasm_stack = _STACK_BYTES
    return wasmtime.Engine(config)


if __name__ == "__main__":
    sys.exit(main())
