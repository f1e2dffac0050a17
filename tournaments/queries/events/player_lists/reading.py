"""Lists in any of the forms: a FIDE report, objects of JSON, or a table."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from tournaments.errors import RefusedError
from tournaments.queries.events.duplicates import SameBy
from tournaments.queries.events.player_lists import spreadsheets
from tournaments.queries.events.player_lists.reports import report_rows, unused_records
from tournaments.queries.events.player_lists.rows import (
    PlayerList,
    Problem,
    Row,
    keys_of_player,
    row_of,
)
from tournaments.queries.events.player_lists.tables import table_of

MAX_CHARACTERS = 400_000
MAX_ROWS = 2000


def decoded(upload: bytes) -> str:
    """The text of a file: UTF-16 or UTF-8 by its mark, UTF-8 without one, else Windows-1252.

    A spreadsheet becomes a table. Raises RefusedError `list-large`, `list-sheet`, `list-macros`.
    """
    if len(upload) > 4 * MAX_CHARACTERS:
        raise RefusedError("list-large", f"{len(upload)} bytes")
    if spreadsheets.is_spreadsheet(upload):
        return spreadsheets.text_of(upload)
    marked = upload.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ("utf-16",) if marked else ("utf-8-sig", "cp1252"):
        try:
            return upload.decode(encoding)
        except UnicodeDecodeError:
            continue
    return upload.decode("latin-1")


def read(text: str, *, entered: Collection[Mapping[SameBy, str]] = ()) -> PlayerList:
    """Return the players of a list in any of the forms.

    `entered` are the names and ids of the event's entries, as `duplicates.keys` returns them.

    Raises:
        RefusedError: `list-large`, or `list-empty` without a row.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
    if len(text) > MAX_CHARACTERS:
        raise RefusedError("list-large", f"{len(text)} characters")
    if re.search(r"^001 +\d", text, re.MULTILINE):
        player_list = PlayerList(list(report_rows(text)), unused=unused_records(text))
    elif text.lstrip().startswith("{"):
        player_list = _objects(text.split("\n"))
    else:
        player_list = table_of(text.split("\n"))
    if not player_list.rows:
        raise RefusedError("list-empty")
    if len(player_list.rows) > MAX_ROWS:
        raise RefusedError("list-large", f"{len(player_list.rows)} rows")
    return replace(player_list, rows=_with_duplicates(player_list.rows, entered))


def _with_duplicates(rows: Sequence[Row], entered: Collection[Mapping[SameBy, str]]) -> list[Row]:
    lines = {key: 0 for each in entered for key in each.items()}
    marked = []
    for row in rows:
        if row.player is None:
            marked.append(row)
            continue
        keys = list(keys_of_player(row.player).items())
        same = next((key for key in keys if key in lines), None)
        if same is not None:
            row = replace(row, same_as=lines[same], same_by=same[0])
        marked.append(row)
        for key in keys:
            lines.setdefault(key, row.line)
    return marked


def _objects(lines: Sequence[str]) -> PlayerList:
    """Return the list of an object of JSON a line (NDJSON), as lichess sends results and members."""
    rows = []
    unused: dict[str, None] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            content = json.loads(line)
        except (ValueError, RecursionError):
            content = None
        if not isinstance(content, dict):
            rows.append(Row(number, None, Problem.BROKEN, line[:60]))
            continue
        name = content.get("username") or content.get("name") or content.get("id") or ""
        cells = {kind: str(content.get(kind) or "") for kind in ("rating", "title")}
        rows.append(row_of(number, {"name": str(name), **cells}))
        unused |= dict.fromkeys(content.keys() - {"username", "name", "id", *cells})
    return PlayerList(rows, unused=sorted(unused))
