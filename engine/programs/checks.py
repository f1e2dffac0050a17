"""What only a compiler can say about a program, asked in a child process: hostile sources exhaust or crash compilers."""

from __future__ import annotations

import subprocess
import sys

from engine.programs.errors import CheckFailedError, Refusal, RefusedError
from engine.programs.launch import PACKAGES
from engine.programs.program import WASM_HOST, wasmtime_directory

# Parsers need up to 500 bytes of memory for a byte of source. Large tables belong into files beside the program.
MAX_MAIN_BYTES = 1 << 20
# The greeting must come 5 seconds after the start, and the module is compiled before.
MAX_MODULE_BYTES = 2 << 20
_SECONDS = 5
# As in the sandbox: what is too large here could not be run there.
_MEMORY_BYTES = 512 << 20
_SENTENCE = 300

_LIMITS = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_CPU, ({_SECONDS}, {_SECONDS}))
resource.setrlimit(resource.RLIMIT_AS, ({_MEMORY_BYTES}, {_MEMORY_BYTES}))
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
"""
_COMPILE = (
    _LIMITS
    + """
try:
    compile(sys.stdin.buffer.read(), "main.py", "exec")
except SyntaxError as error:
    print(f"line {error.lineno}: {error.msg}")
except (ValueError, RecursionError, MemoryError, OverflowError) as error:
    print(f"{type(error).__name__}: {error}")
"""
)
_RUN_HOST = (
    _LIMITS + "import runpy; del sys.argv[0]; runpy.run_path(sys.argv[0], run_name='__main__')"
)


def check_python(source: bytes) -> None:
    """Nothing, if `source` is a program that compiles. It is not run. Raises RefusedError, CheckFailedError."""
    if len(source) > MAX_MAIN_BYTES:
        detail = f"main.py has {len(source)} bytes, allowed are {MAX_MAIN_BYTES}; put tables into files of their own"
        raise RefusedError(Refusal.DOES_NOT_COMPILE, detail)
    try:
        source.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RefusedError(
            Refusal.NOT_UTF8, f"main.py is not UTF-8 text at byte {error.start}"
        ) from error
    said = _asked(("-S", "-c", _COMPILE), source, Refusal.DOES_NOT_COMPILE)
    if said:
        raise RefusedError(Refusal.DOES_NOT_COMPILE, f"main.py does not compile: {said}")


def check_module(module: bytes) -> None:
    """Nothing, if `module` is a WebAssembly module that can be started.

    Raises:
        RefusedError: it cannot.
        CheckFailedError: nobody could say.
        LaunchError: this interpreter cannot run modules at all.
    """
    wasmtime_directory()
    if len(module) > MAX_MODULE_BYTES:
        detail = f"a module of {len(module)} bytes, allowed are {MAX_MODULE_BYTES}: too long to compile at each start"
        raise RefusedError(Refusal.BAD_MODULE, detail)
    command = ("-c", _RUN_HOST, f"{PACKAGES}/{WASM_HOST}", "--check")
    code, _, said = _asked(command, module, Refusal.BAD_MODULE).partition(": ")
    if code:
        raise RefusedError(Refusal(code), said)


def _asked(command: tuple[str, ...], stdin: bytes, refusal: Refusal) -> str:
    """What a child process with limits says about `stdin`; nothing is good. Raises RefusedError where it perishes."""
    argv = [sys.executable, "-I", "-B", "-W", "ignore", *command]
    try:
        done = subprocess.run(  # noqa: S603  # our own interpreter and script
            argv,
            input=stdin,
            capture_output=True,
            env={},
            cwd="/",
            timeout=4 * _SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise RefusedError(refusal, f"it takes over {_SECONDS} s to compile") from error
    except OSError as error:
        raise CheckFailedError(f"cannot start {sys.executable}: {error}") from error
    if done.returncode < 0:
        detail = f"compiling it takes over {_SECONDS} s or {_MEMORY_BYTES >> 20} MiB of memory"
        raise RefusedError(refusal, detail)
    if done.returncode:
        raise CheckFailedError(done.stderr.decode("utf-8", errors="replace")[-_SENTENCE:])
    return done.stdout.decode("utf-8", errors="replace").strip()[:_SENTENCE]
