"""Studies: analyses that are stored under a short link."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from django.db import transaction

from games import variations
from tournaments import database_time, limits
from tournaments.errors import RefusedError
from tournaments.models import Study
from tournaments.models.studies import KEY_LENGTH
from tournaments.queries.records.analyses import Analysis
from tournaments.services.accounts import throttles

_DIGITS = "23456789abcdefghijkmnpqrstuvwxyz"


def keep(analysis: Analysis, *, visitor: throttles.Visitor) -> Study:
    """Store the analysis under a short key for `visitor`. Equal analyses are stored once.

    Raises:
        RefusedError: `study-large`.
        TooManyError: too many were stored today.
    """
    source, tree = analysis.source, analysis.tree.text()
    if len(tree) > variations.MAX_TREE:
        raise RefusedError("study-large")
    ruleset, start = source.start.ruleset.key, source.start.text()
    game = source.game.pk if source.game else None
    key = _key([ruleset, start, tree, analysis.at, game])
    now = database_time.now()
    with transaction.atomic():
        study = Study.objects.filter(key=key).first()
        if study is not None:
            return study
        throttles.count(visitor, limits.STUDIES, limits.STUDIES_OF_PLACE)
        study, _ = Study.objects.get_or_create(
            key=key,
            defaults={
                "ruleset": ruleset,
                "start": start,
                "tree": tree,
                "at": analysis.at,
                "game_id": game,
                "created_at": now,
            },
        )
        return study


def _key(parts: Sequence[object]) -> str:
    """Return the key of the stored parts: ten unmistakable letters and digits, 50 bits of their hash."""
    number = int.from_bytes(hashlib.sha256(json.dumps(parts).encode()).digest())
    letters = []
    for _ in range(KEY_LENGTH):
        number, digit = divmod(number, len(_DIGITS))
        letters.append(_DIGITS[digit])
    return "".join(letters)
