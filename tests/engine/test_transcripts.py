from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from engine import players

pytestmark = pytest.mark.engine

DOCUMENT = Path(__file__).resolve().parents[2] / "docs/reference/protocol.md"
_BLOCK = re.compile(r"```transcript (\S+) (\d+)\n(.*?)```", re.DOTALL)


BLOCKS = _BLOCK.findall(DOCUMENT.read_text())


@pytest.mark.parametrize(("name", "seed", "text"), BLOCKS, ids=[block[0] for block in BLOCKS])
def test_transcript_in_the_documentation_is_what_the_bot_says(tmp_path, name, seed, text):
    lines = text.splitlines()
    output = subprocess.run(
        players.command(name, seed=int(seed)),
        input="".join(f"{line[2:]}\n" for line in lines if line.startswith("> ")),
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={},
        timeout=30,
        check=True,
    ).stdout
    # Measurements differ each time. An ellipsis replaces them.
    lines_shown = [line[2:] for line in lines if line.startswith("< ")]
    pattern = ".*".join(map(re.escape, "\n".join(lines_shown).split("…")))
    assert re.fullmatch(pattern, output.rstrip()), output
