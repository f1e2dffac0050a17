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
MAX_MODULE_BYTES = 8 << 20
_SECONDS = 5
# A module of 3 MiB of Go takes half of both: its functions are loops over tables of jumps. Usual code takes a fifth of
# that for each mebibyte (tests.bench.wasm).
_MODULE_SECONDS = 60
_MODULE_MEMORY_BYTES = 1 << 30
# On the wall of a busy machine, for each second of its processor.
_PATIENCE = 60
# The limit of the sandbox.
_MEMORY_BYTES = 512 << 20
_SENTENCE = 300
# Machine code of wasmtime is an ELF file.
_ELF = b"\x7fELF"

# The arguments are the seconds of processor time and the bytes of memory, which the child takes off.
_LIMITS = """
import resource, sys
seconds, memory = map(int, (sys.argv.pop(1), sys.argv.pop(1)))
resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
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
    output = _text(_compiler_output(("-S", "-c", _COMPILE), source, UploadRefusal.DOES_NOT_COMPILE))
    if output:
        raise UploadRefusedError(
            UploadRefusal.DOES_NOT_COMPILE,
            message("main.py does not compile: %(output)s"),
            output=output,
        )


def translated(module: bytes) -> bytes:
    """Return a WebAssembly module as machine code for wasmtime on this machine.

    Raises:
        UploadRefusedError: it cannot be started.
        CheckFailedError: the check gave no answer.
        LaunchError: this interpreter cannot run modules at all.
    """
    wasmtime_directory()
    if len(module) > MAX_MODULE_BYTES:
        raise UploadRefusedError(
            UploadRefusal.BAD_MODULE,
            message("a module of %(size)s bytes, allowed are %(most)s"),
            size=str(len(module)),
            most=str(MAX_MODULE_BYTES),
        )
    output = _compiler_output(
        ("-c", _RUN_HOST),
        module,
        UploadRefusal.BAD_MODULE,
        seconds=_MODULE_SECONDS,
        memory_bytes=_MODULE_MEMORY_BYTES,
        arguments=(f"{PACKAGES}/{WASM_HOST}", "--translate"),
    )
    if output.startswith(_ELF):
        return output
    code, _, sentence = _text(output).partition(": ")
    raise UploadRefusedError(UploadRefusal(code), sentence)


def _text(output: bytes) -> str:
    return output.decode("utf-8", errors="replace").strip()[:_SENTENCE]


def _compiler_output(
    command: tuple[str, ...],
    stdin: bytes,
    refusal: UploadRefusal,
    *,
    seconds: int = _SECONDS,
    memory_bytes: int = _MEMORY_BYTES,
    arguments: tuple[str, ...] = (),
) -> bytes:
    """Return the output of a child process about `stdin`.

    Raises UploadRefusedError when the child crashes or takes too long.
    """
    limits = (str(seconds), str(memory_bytes))
    argv = [sys.executable, "-I", "-B", "-W", "ignore", *command, *limits, *arguments]
    try:
        process = subprocess.run(  # noqa: S603  # our own interpreter and script
            argv,
            input=stdin,
            capture_output=True,
            env={},
            cwd="/",
            timeout=_PATIENCE * seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        # It would have been killed after its seconds of processor time: it did not get them.
        raise CheckFailedError(
            f"no {seconds} s of a processor in {_PATIENCE * seconds} s"
        ) from error
    except OSError as error:
        raise CheckFailedError(f"cannot start {sys.executable}: {error}") from error
    if process.returncode < 0:
        raise UploadRefusedError(
            refusal,
            message("compiling it takes over %(seconds)s s or %(mebibytes)s MiB of memory"),
            seconds=str(seconds),
            mebibytes=str(memory_bytes >> 20),
        )
    if process.returncode:
        raise CheckFailedError(_text(process.stderr[-_SENTENCE:]))
    return process.stdout
