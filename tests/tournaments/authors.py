"""Bots of authors, as an upload that has passed its check leaves them."""

from __future__ import annotations

import hashlib
from pathlib import Path

from tournaments import database_time
from tournaments.models import Bot, BotLine, Event, Player, Program, User
from tournaments.models.players import canonical_name
from tournaments.services.accounts import bot_consents
from tournaments.services.accounts.bot_consents import Consent

ROOT = Path(__file__).resolve().parents[2]
MODULE = (ROOT / "engine/sdk/samples/wasm/morlox.wasm").read_bytes()
RANDOM_MOVER = (ROOT / "engine/sdk/samples/random_mover.py").read_bytes()
# Its author permits all users all uses, in events of any format too.
EVERYTHING = Consent(open_formats=Event.Format.values)
# Logs its input, and thinks slowly.
SLOW_MOVER = b"""
import random, sys, time
from rayuela_sdk import run

def choose(position, clock):
    print("thinking", file=sys.stderr, flush=True)
    time.sleep(0.2)
    return position.random_move(random)

run(choose)
"""


def version(
    owner: User,
    name: str,
    data: bytes | None = None,
    kind: str = Program.Kind.PYTHON,
    consent: Consent = EVERYTHING,
) -> Player:
    """Return the first version of a line of the owner's. Equal `data` are one program."""
    data = RANDOM_MOVER + f"# {name}\n".encode() if data is None else data
    now = database_time.now()
    program, _ = Program.objects.get_or_create(
        digest=hashlib.sha256(data).hexdigest(),
        defaults={
            "kind": kind,
            "filename": "main.py" if kind == Program.Kind.PYTHON else "bot.wasm",
            "upload": data,
            "size_bytes": len(data),
            "created_at": now,
        },
    )
    canonical = canonical_name(name)
    line = BotLine.objects.create(owner=owner, name=name, canonical=canonical, created_at=now)
    bot_consents.give(line, consent)
    player = Player.objects.create(
        kind=Player.Kind.BOT, name=name, canonical=canonical, created_at=now
    )
    Bot.objects.create(player=player, line=line, version=1, program=program, owner=owner)
    return player


def module(owner: User, name: str, build: bytes = b"") -> Player:
    """Return the sample module as a version.

    Another `build` makes it another program with equal plies.
    """
    return version(owner, name, MODULE + custom_section(build), Program.Kind.WASM)


def custom_section(content: bytes) -> bytes:
    """A section of a module that no machine reads: its name is `build`."""
    if not content:
        return b""
    body = b"\x05build" + content
    assert len(body) < 128, "lengths above are encoded otherwise"
    return bytes([0, len(body)]) + body
