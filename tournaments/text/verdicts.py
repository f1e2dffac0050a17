"""Sentences for the reasons by which uploads and versions of bots are refused or suspended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

SENTENCES: dict[str, _StrPromise] = {
    "bot-other-game": _("This bot does not play this game."),
    "families-bad": _("Choose at least one game that the bot plays."),
    "too-many-checks": _("Three of your versions are being checked. Wait for one of them."),
    "too-many-lines": _("You have ten bots. Upload a new version of one of them."),
    "version-not-ready": _("This version has not passed its check, or was taken out of play."),
    "version-not-suspended": _("This version does not need another check."),
    # Faults of an upload: `engine.programs.Refusal`.
    "program-empty": _("The file is empty."),
    "program-upload-too-large": _(
        "The file is too large: 5 MB at most, or 8 MiB for a .wasm module."
    ),
    "program-unknown-kind": _("The site does not run files of this kind."),
    "program-wrong-content": _("The content of the file does not match its name."),
    "program-bad-archive": _("This .zip file is damaged."),
    "program-too-many-files": _("There are too many files in the .zip file."),
    "program-unpacked-too-large": _("The files of the .zip file are too large together."),
    "program-unsafe-name": _("A name in the .zip file leads out of it, or cannot be used."),
    "program-name-too-long": _("A name in the .zip file is too long."),
    "program-duplicate-name": _("Two files in the .zip file have one name."),
    "program-special-file": _("There is a link or a special file in the .zip file."),
    "program-encrypted": _("The .zip file is encrypted."),
    "program-compression": _("The .zip file is compressed by a method that is not supported."),
    "program-native-code": _(
        "The program contains native code. Only Python, JavaScript and WebAssembly are run."
    ),
    "program-no-main": _("There is no main.py, main.c or main.cpp."),
    "program-several-mains": _("There are several main files. Keep one."),
    "program-not-utf8": _("The program is not UTF-8 text."),
    "program-does-not-compile": _("The program does not compile."),
    "program-bad-module": _("This is not a WebAssembly module that can be run."),
    "program-no-compiler": _("This site has no compiler for this language. Send a .wasm module."),
    "program-foreign-import": _("The module imports something that is not there."),
    "program-no-entry": _("The module has no _start."),
    # Results of the check, and of games.
    "check-failed": _("It failed in the games of its check. See the log."),
    "check-position": _(
        "It failed in the games of its check that began with “position fen F”, and in no game from the start. Let it set up the position F, then play the moves after “moves” on it. See the log."
    ),
    "check-lost": _(
        "Its check could not be finished because of an error on our side. Please request another."
    ),
    "faults-in-a-row": _("It failed in three games in a row."),
    "faults-many": _("It failed in more than a tenth of its games."),
}
