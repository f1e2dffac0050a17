"""What bot authors upload, checked, stored for good and made into something that can be run."""

from engine.programs.errors import DamagedProgramError, Refusal, RefusedError
from engine.programs.launch import unboxed
from engine.programs.program import Kind, Program
from engine.programs.store import load, unpack, upload_of, verify

__all__ = [
    "DamagedProgramError",
    "Kind",
    "Program",
    "Refusal",
    "RefusedError",
    "load",
    "unboxed",
    "unpack",
    "upload_of",
    "verify",
]
