"""The compilers' commands: `python -m engine.toolchain install ARCHIVE --folder FOLDER`, and `build` for the service."""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import wasmtime

from engine import javascript, pyodide
from engine.installation import Archive, Package
from engine.javascript import types
from engine.toolchain import ARCHIVE, DRIVERS, NATIVES, sources, typescript
from engine.toolchain.outcome import ABOUT, BuildError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_CLANG_SHA256 = "6230ea1afa9691fa065935cf68c01642ff9b31c183fe8ac64cdfda025df06009"
_MODULE, _CODE, _RESOURCES = "llvm.core.wasm", "llvm.cwasm", "usr"
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
    """Run the command. Return 0, 1 for a source with faults or an installation that failed, or 2 for refused archives."""
    parser = argparse.ArgumentParser(prog="python -m engine.toolchain", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    setup = commands.add_parser("install", help="unpack a compiler, or Python for the editor")
    setup.add_argument("archives", type=Path, nargs="+", help="see docs/operate/compiler.md")
    setup.add_argument("--folder", type=Path, required=True, help="such as var/toolchain")
    build = commands.add_parser("build", help="read a source or an archive, and write its module")
    build.add_argument("folder", type=Path)
    build.add_argument("suffix", choices=[*DRIVERS, ARCHIVE])
    commands.add_parser("packages", help="list the folders of all that can be installed")
    downloads = commands.add_parser("downloads", help="print the commands that get the archives")
    downloads.add_argument("package", choices=[package.folder for package in PACKAGES])
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
        return _install(arguments.archives, arguments.folder)
    if arguments.command == "packages":
        return _print(package.folder for package in PACKAGES)
    if arguments.command == "downloads":
        (package,) = (each for each in PACKAGES if each.folder == arguments.package)
        return _print(archive.download for archive in package.archives)
    return _build(arguments.folder, arguments.suffix)


def _print(lines: Iterable[str]) -> int:
    sys.stdout.writelines(f"{line}\n" for line in lines)
    return 0


def _install(archives: Sequence[Path], folder: Path) -> int:
    """Install the package that the archives belong to, by their SHA-256."""
    given = {_sha256(archive): archive for archive in archives}
    first = next(iter(given))
    package = next((each for each in PACKAGES if first in _digests(each)), None)
    digests = [] if package is None else _digests(package)
    foreign = [path.name for digest, path in given.items() if digest not in digests]
    if package is None or foreign:
        sys.stderr.write(f"another archive, or one that belongs to another package: {foreign[0]}\n")
        return 2
    missing = [each.download for each in package.archives if each.sha256 not in given]
    if missing:
        sys.stderr.write(f"an archive of {package.name} is missing: {missing[0]}\n")
        return 2
    try:
        package.install([given[digest] for digest in digests], folder)
    except (BuildError, OSError, subprocess.SubprocessError) as error:
        sys.stderr.write(f"{package.name} cannot be installed here: {error}\n")
        return 1
    sys.stdout.write(f"{package.name} is installed in {folder}\n")
    return 0


def _sha256(archive: Path) -> str:
    return hashlib.sha256(archive.read_bytes()).hexdigest()


def _digests(package: Package) -> Sequence[str]:
    return [archive.sha256 for archive in package.archives]


def _unpack_clang(archives: Sequence[Path], folder: Path) -> None:
    (archive,) = archives
    with tarfile.open(archive) as files, tempfile.TemporaryDirectory(dir=folder) as name:
        files.extractall(name, filter="data")
        content = Path(name) / "package/gen"
        with tarfile.open(content / "llvm-resources.tar") as resources:
            resources.extractall(folder / _RESOURCES, filter="data")
        # Takes a minute of the processor and 2 GB.
        module = wasmtime.Module.from_file(_engine(), str(content / _MODULE))
        (folder / _CODE).write_bytes(module.serialize())
        version = _run(folder, ("clang", "--version"), Path(name))
    number = re.search(r"clang version ([0-9.]+)", version)
    compiler = f"clang {number[1] if number else ''}".strip()
    (folder / ABOUT).write_text(json.dumps({"name": compiler, "archive": _CLANG_SHA256}))


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


PACKAGES = (
    Package(
        name="clang",
        folder="toolchain",
        archives=(Archive("npm pack @yowasp/clang@22.0.0-git20542-10", _CLANG_SHA256),),
        unpack=_unpack_clang,
    ),
    *NATIVES,
    types.PACKAGE,
    pyodide.PACKAGE,
)

if __name__ == "__main__":
    sys.exit(main())
