"""Compiler checks of a program, in a child process with limits.

Hostile sources exhaust or crash compilers.
"""

from __future__ import annotations

import subprocess
import sys

from engine.programs.errors import CheckFailedError, UploadRefusal, UploadRefusedError
from engine.programs.launch import PACKAGES
from engine.programs.program import WASM_HOST, wasmtime_directory
from games.messages import message

# Parsers need up to 500 bytes of memory for a byte of source. Large tables belong into files beside
# the program.
MAX_MAIN_BYTES = 1 << 20
# The greeting must come 5 seconds after the start, and the module is compiled before.
MAX_MODULE_BYTES = 2 << 20
_SECONDS = 5
# On the wall of a busy machine.
_PATIENCE_S = 60 * _SECONDS
# The limit of the sandbox: a module that is too large here could not be run there.
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


def check_text(name: str, source: bytes, most: int) -> None:
    """Refuse a source of more than `most` bytes, or one that is not UTF-8. Raises UploadRefusedError."""
    if len(source) > most:
        raise UploadRefusedError(
            UploadRefusal.DOES_NOT_COMPILE,
            message(
                "%(name)s has %(size)s bytes, allowed are %(most)s. Put tables into separate files"
            ),
            name=name,
            size=str(len(source)),
            most=str(most),
        )
    try:
        source.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UploadRefusedError(
            UploadRefusal.NOT_UTF8,
            message("%(name)s is not UTF-8 text at byte %(byte)s"),
            name=name,
            byte=str(error.start),
        ) from error


def check_python(source: bytes) -> None:
    """Refuse a source that does not compile. It is not run.

    Raises UploadRefusedError, CheckFailedError.
    """
    check_text("main.py", source, MAX_MAIN_BYTES)
    output = _compiler_message(("-S", "-c", _COMPILE), source, UploadRefusal.DOES_NOT_COMPILE)
    if output:
        raise UploadRefusedError(
            UploadRefusal.DOES_NOT_COMPILE,
            message("main.py does not compile: %(output)s"),
            output=output,
        )


def check_module(module: bytes) -> None:
    """Refuse a WebAssembly module that cannot be started.

    Raises:
        UploadRefusedError: it cannot.
        CheckFailedError: the check gave no answer.
        LaunchError: this interpreter cannot run modules at all.
    """
    wasmtime_directory()
    if len(module) > MAX_MODULE_BYTES:
        raise UploadRefusedError(
            UploadRefusal.BAD_MODULE,
            message(
                "a module of %(size)s bytes, allowed are %(most)s: too long to compile at each start"
            ),
            size=str(len(module)),
            most=str(MAX_MODULE_BYTES),
        )
    command = ("-c", _RUN_HOST, f"{PACKAGES}/{WASM_HOST}", "--check")
    code, _, output = _compiler_message(command, module, UploadRefusal.BAD_MODULE).partition(": ")
    if code:
        raise UploadRefusedError(UploadRefusal(code), output)


def _compiler_message(command: tuple[str, ...], stdin: bytes, refusal: UploadRefusal) -> str:
    """Return the message of a child process about `stdin`, or an empty text without a problem.

    Raises UploadRefusedError when the child crashes or takes too long.
    """
    argv = [sys.executable, "-I", "-B", "-W", "ignore", *command]
    try:
        process = subprocess.run(  # noqa: S603  # our own interpreter and script
            argv,
            input=stdin,
            capture_output=True,
            env={},
            cwd="/",
            timeout=_PATIENCE_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        # It would have been killed after its seconds of processor time: it did not get them.
        raise CheckFailedError(f"no {_SECONDS} s of a processor in {_PATIENCE_S} s") from error
    except OSError as error:
        raise CheckFailedError(f"cannot start {sys.executable}: {error}") from error
    if process.returncode < 0:
        raise UploadRefusedError(
            refusal,
            message("compiling it takes over %(seconds)s s or %(mebibytes)s MiB of memory"),
            seconds=str(_SECONDS),
            mebibytes=str(_MEMORY_BYTES >> 20),
        )
    if process.returncode:
        raise CheckFailedError(process.stderr.decode("utf-8", errors="replace")[-_SENTENCE:])
    return process.stdout.decode("utf-8", errors="replace").strip()[:_SENTENCE]
