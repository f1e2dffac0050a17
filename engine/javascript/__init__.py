"""Bots in JavaScript: the program of an author and an interpreter as one WebAssembly module.

The interpreter is QuickJS-ng (MIT), and sucrase (MIT) removes the types of TypeScript.
`python -m engine.javascript build` makes both from their archives.
"""

from engine.javascript.modules import (
    INTERPRETER,
    LIBRARY,
    MAX_SOURCE_BYTES,
    TRANSPILER,
    module_of,
)

__all__ = ["INTERPRETER", "LIBRARY", "MAX_SOURCE_BYTES", "TRANSPILER", "module_of"]
