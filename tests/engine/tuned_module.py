"""A module with the option `Depth`, which decides its moves: the sample of Morlox in JavaScript with changes."""

from __future__ import annotations

from pathlib import Path

from engine.javascript import module_of

_SAMPLE = Path(__file__).resolve().parents[2] / "engine/sdk/samples/javascript/morlox.js"
_CHANGES = {
    'let turn = "b";\n': 'let turn = "b";\nlet depth = 3;\n',
    '"id name morlox.js\\nugiok"': '"option name Depth type spin default 3 min 1 max 9\\nugiok"',
    '} else if (word === "isready")': '} else if (words[1] === "Depth") {\n    depth = Number(words[3]);\n'
    '  } else if (word === "isready")',
    "Math.floor(Math.random() * choices.length)": "(depth * 5) % choices.length",
}


def tuned_module() -> bytes:
    """Return the module. It plays a move in 100 million units of fuel."""
    source = _SAMPLE.read_text()
    for old, new in _CHANGES.items():
        assert old in source, old
        source = source.replace(old, new, 1)
    return module_of(source.encode())
