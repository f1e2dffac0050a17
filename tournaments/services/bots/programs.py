"""Uploaded programs.

The database stores them by their content, and every machine that runs them unpacks them.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from django.conf import settings

from engine import kernel, programs
from engine import players as engines
from engine.match import BotSpec
from engine.programs import reading
from tournaments import database_time
from tournaments.errors import RefusedError
from tournaments.models import Bot, Program

KERNEL_BOT = Path(kernel.__file__).parent / "bot.wasm"
MAX_UPLOAD_BYTES = reading.MAX_UPLOAD_BYTES
SUFFIXES = reading.SUFFIXES


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


@cache
def kernel_digest() -> str:
    """The digest of the site's kernel as a bot, by which uploads of it are marked."""
    return hashlib.sha256(KERNEL_BOT.read_bytes()).hexdigest()


def of(bot: Bot) -> Program:
    """Return the program of an author's bot. Its bytes are read on access."""
    return Program.objects.defer("upload").get(bots=bot)


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
    return local(of(bot).digest).spec(bot.player.name, seed=str(seed), fuel=fuel)
