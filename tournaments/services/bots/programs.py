"""Uploaded programs.

The database stores them by their content, and every machine that runs them unpacks them.
"""

from __future__ import annotations

import errno
import hashlib
from functools import cache
from pathlib import Path
from typing import TextIO

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from engine import kernel, programs, toolchain
from engine import players as engines
from engine.match import BotSpec
from engine.programs import reading
from games.messages import message
from tournaments import database_time
from tournaments.errors import RefusedError
from tournaments.models import Bot, Build, Program, statements

KERNEL_BOT = Path(kernel.__file__).parent / "bot.wasm"
MAX_UPLOAD_BYTES = reading.MAX_UPLOAD_BYTES
SUFFIXES = reading.SUFFIXES
LANGUAGES = reading.LANGUAGES


def keep(*, data: bytes, filename: str) -> Program:
    """Return the program in the upload `data`. Equal uploads share one row, from any author.

    In the caller's transaction.

    Nothing is compiled or run here: the check does this, on a machine with a sandbox.

    Raises:
        RefusedError: `program-` and the name of an `engine.programs.Refusal`. The detail is a
            sentence for its author.
    """
    try:
        tree = reading.contents(data, filename)
    except programs.UploadRefusedError as error:
        code = f"program-{error.refusal.value}"
        raise RefusedError(code, error.pattern, **error.parts) from error
    program, _ = Program.objects.defer("upload").get_or_create(
        digest=hashlib.sha256(data).hexdigest(),
        defaults={
            "kind": tree.kind.value,
            # An author who sends equal bytes must not learn another author's file name.
            "filename": f"upload{reading.suffix_of(filename)}",
            "upload": data,
            "size_bytes": len(data),
            "created_at": database_time.now(),
        },
    )
    return program


def compilers() -> str:
    """Return the names of the compilers that this machine can use."""
    return ", ".join(tool.name for tool in toolchain.tools(settings.HOME))


def _tool_for(filename: str) -> toolchain.Tool | None:
    return toolchain.tool_for(reading.suffix_of(filename), settings.HOME)


def may_be_checked_here(bot_id: int) -> bool:
    """Return whether this machine can build the version's program, or need not."""
    sources = Program.objects.filter(bots=bot_id, kind=Program.Kind.SOURCE, build=None)
    return all(map(_tool_for, sources.values_list("filename", flat=True)))


def build(program: Program, out: TextIO) -> None:
    """Build the module of a source unless there is one, and write the compiler's log. Other programs have none.

    Raises:
        UploadRefusedError: the source has faults. `DOES_NOT_COMPILE`, with the first one.
        BuildError: this machine cannot build it.
    """
    if program.kind == Program.Kind.SOURCE:
        row = Build.objects.filter(source=program).first()
        out.write(row.log if row is not None else _new_build(program, out).log)


def _new_build(program: Program, out: TextIO) -> Build:
    tool = _tool_for(program.filename)
    if tool is None:
        raise toolchain.BuildError("no compiler is installed")
    built = tool.build(reading.contents(bytes(program.upload), program.filename).files)
    if built.module is None:
        out.write(built.log)
        faults = [line for line in built.log.splitlines() if "error" in line.lower()] or [
            "no module"
        ]
        raise programs.UploadRefusedError(
            programs.UploadRefusal.DOES_NOT_COMPILE,
            message("the compiler refuses the source: %(output)s"),
            output=faults[0],
        )
    # A fault of the author's: the module can be too large.
    reading.contents(built.module, reading.MODULE)
    with transaction.atomic():
        module = keep(data=built.module, filename=reading.MODULE)
        log = f"{built.log}{tool.name}: a module of {module.size_bytes} bytes, sha256 {module.digest}\n"
        row, _ = Build.objects.get_or_create(
            source=program,
            defaults={"module": module, "log": log, "built_at": database_time.now()},
        )
    return row


def is_disk_full(error: BaseException | None) -> bool:
    """Return whether the machine had no room for a program. That is no fault of the program."""
    if isinstance(error, OSError) and error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return True
    return error is not None and is_disk_full(error.__cause__)


@cache
def kernel_digest() -> str:
    """The digest of the site's kernel as a bot, by which uploads of it are marked."""
    return hashlib.sha256(KERNEL_BOT.read_bytes()).hexdigest()


def of(bot: Bot) -> Program:
    """Return the program of an author's bot, with its module. Their bytes are read on access."""
    program = _of.one(bot=bot.pk)
    if program is None:
        raise Program.DoesNotExist(bot.pk)
    return program


@statements.query
def _of(bot: int) -> QuerySet[Program]:
    rows = Program.objects.select_related("build__module").defer("upload", "build__module__upload")
    return rows.filter(bots=bot)


def name_of(bot: Bot, program: Program) -> str:
    """The name of the file under which its author gets a program back."""
    return f"bot-{bot.line_id}-{bot.version}.{program.filename.rpartition('.')[2]}"


def store() -> Path:
    """Return the folder of this machine's unpacked programs."""
    return settings.HOME / "programs"


def local(digest: str) -> programs.Program:
    """Return the program of that digest on this machine, verified each time.

    It is unpacked from the database if it is new here.

    Raises:
        programs.RefusedError: it is no program, as a compiler finds.
        DamagedProgramError: the stored files were changed.
        CheckFailedError: this machine cannot verify it.
        OSError: the store cannot be written.
    """
    if (store() / digest).exists():
        return programs.load(digest, store())
    program = Program.objects.get(digest=digest)
    return programs.unpack(bytes(program.upload), program.filename, store())


def spec(bot: Bot, seed: int, *, fuel: int | None = None) -> BotSpec:
    """Return the command that starts the program of a bot.

    `seed` is for bots that use random numbers, `fuel` for metered modules.

    Raises:
        EngineError: as `local`, or fuel for a program that cannot be metered.
    """
    if bot.program_id is None:
        return engines.spec(bot.engine, seed=seed)
    return local(of(bot).runnable.digest).spec(bot.player.name, seed=str(seed), fuel=fuel)
