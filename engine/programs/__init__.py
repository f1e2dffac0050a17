"""Uploads of bot authors: checked, stored and made into programs that can be run."""

from engine.programs.errors import DamagedProgramError, UploadRefusal, UploadRefusedError
from engine.programs.launch import run_in_place
from engine.programs.program import Program, ProgramKind, python_libraries
from engine.programs.store import load, unpack, upload_of, verify

__all__ = [
    "DamagedProgramError",
    "Program",
    "ProgramKind",
    "UploadRefusal",
    "UploadRefusedError",
    "load",
    "python_libraries",
    "run_in_place",
    "unpack",
    "upload_of",
    "verify",
]
