"""A record as JSON. This module reads the members that decide a game.

The document contains names of players, clocks and ratings too. docs/reference/records.md has the
schema.
"""

from __future__ import annotations

import json
from typing import Any

from games.core import BadRecordError, Outcome, quote
from games.record import ENDINGS, MAX_PLIES, Record

SCHEMA = "rayuela-record/1"
# A ply of JSON takes some two hundred characters.
MAX_JSON = 4_000_000


def parse_json(text: str) -> Record:
    """Return the record in a document of our schema.

    Members that do not decide the game are skipped.

    Raises:
        BadRecordError: with line and column if the text is no JSON, with the member's name
            otherwise.
    """
    if len(text) > MAX_JSON:
        raise BadRecordError(f"{quote(text)}: longer than {MAX_JSON} characters")
    document = _document(text)
    schema = document.get("schema")
    if schema != SCHEMA:
        raise BadRecordError(f"schema: {quote(str(schema))} is not {quote(SCHEMA)}")
    return Record(
        ruleset=_text(document, "ruleset"),
        setup=_text(document, "setup"),
        moves=_moves(document.get("plies")),
        outcome=_outcome(document.get("result")),
        ending=_ending(document.get("ending")),
    )


def _document(text: str) -> dict[str, Any]:
    """Return the outermost object. JSON is `Any` until its type is verified."""
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise BadRecordError(
            f"line {error.lineno}, column {error.colno}: {error.msg}",
            line=error.lineno,
            column=error.colno,
        ) from error
    except (
        RecursionError,
        ValueError,
    ) as error:  # nested without end; a number of a million digits
        raise BadRecordError(f"{quote(text)}: {error}") from error
    if not isinstance(document, dict):
        raise BadRecordError(f"{quote(text)} is no object", line=1, column=1)
    return document


def _text(document: dict[str, Any], name: str) -> str:
    value = document.get(name)
    if not isinstance(value, str):
        raise BadRecordError(f"{name}: {quote(str(value))} is no text")
    return value


def _moves(plies: object) -> tuple[str, ...]:
    if not isinstance(plies, list) or len(plies) > MAX_PLIES:
        raise BadRecordError(f"plies: needs a list of at most {MAX_PLIES}")
    moves = []
    for number, ply in enumerate(plies, start=1):
        if not isinstance(ply, dict) or ply.get("number") != number:
            raise BadRecordError(f"plies: the {number}. is no object with this number")
        moves.append(_text(ply, "move"))
    return tuple(moves)


def _outcome(value: object) -> Outcome | None:
    if value is None:
        return None
    if isinstance(value, str) and value in set(Outcome):
        return Outcome(value)
    raise BadRecordError(f"result: {quote(str(value))} is no result")


def _ending(value: object) -> str | None:
    if value is None:
        return None
    if isinstance(value, str) and value in ENDINGS:
        return value
    raise BadRecordError(f"ending: {quote(str(value))} is no ending")
