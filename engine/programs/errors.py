"""Reasons for refusing an upload, and the errors of stored programs."""

from __future__ import annotations

from enum import StrEnum

from engine.errors import EngineError


class UploadRefusal(StrEnum):
    """The reason for refusing an upload. Stable: interfaces name it."""

    EMPTY = "empty"
    UPLOAD_TOO_LARGE = "upload-too-large"
    UNKNOWN_KIND = "unknown-kind"
    WRONG_CONTENT = "wrong-content"

    BAD_ARCHIVE = "bad-archive"
    TOO_MANY_FILES = "too-many-files"
    UNPACKED_TOO_LARGE = "unpacked-too-large"
    UNSAFE_NAME = "unsafe-name"
    NAME_TOO_LONG = "name-too-long"
    DUPLICATE_NAME = "duplicate-name"
    SPECIAL_FILE = "special-file"
    ENCRYPTED = "encrypted"
    COMPRESSION = "compression"
    NATIVE_CODE = "native-code"

    NO_MAIN = "no-main"
    SEVERAL_MAINS = "several-mains"
    NOT_UTF8 = "not-utf8"
    DOES_NOT_COMPILE = "does-not-compile"

    BAD_MODULE = "bad-module"
    FOREIGN_IMPORT = "foreign-import"
    NO_ENTRY = "no-entry"


class UploadRefusedError(EngineError, ValueError):
    """An upload that is not taken.

    Attributes:
        refusal: which law it breaks.
        detail: one English sentence for its author: `pattern` with `parts` in its places.
    """

    code = "refused-program"

    def __init__(self, refusal: UploadRefusal, pattern: str, **parts: str) -> None:
        self.refusal = refusal
        self.pattern = pattern
        self.parts = parts
        self.detail = pattern % parts if parts else pattern
        super().__init__(f"{refusal.value}: {self.detail}")


class DamagedProgramError(EngineError):
    """A stored program does not match its digest. The machine is at fault: games with it are void."""

    code = "damaged-program"


class CheckFailedError(EngineError):
    """A check could not be made. The machine is at fault, and the upload may be tried again."""

    code = "check-failed"
