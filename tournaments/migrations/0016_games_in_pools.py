"""Every rated game is told its pool. The ledgers follow when the service is next prepared (`services.replays.settle`)."""

import re
from datetime import date

from django.db import migrations

_MINUTE = 60_000
_DAY = 24 * 60 * _MINUTE


def _time_class(initial_ms, increment_ms):
    if initial_ms >= _DAY or increment_ms >= _DAY // 24:
        return "correspondence"
    allowed_ms = initial_ms + 60 * increment_ms
    if allowed_ms <= 10 * _MINUTE:
        return "blitz"
    return "rapid" if allowed_ms < 60 * _MINUTE else "standard"


def _played(ruleset):
    """Family, edition and size class of a rule set's canonical key, which leaves nothing out."""
    family = ruleset.partition("(")[0]
    options = dict(re.findall(r"(\w+)=(\w+)", ruleset))
    size_class = ""
    if "size" in options:
        size = int(options["size"])
        size_class = "small" if size <= 9 else "large" if size <= 13 else "giant"
    return family, options.get("edition", ""), size_class


def _kind(game):
    if game.pairing_id is not None:
        return {"people": "events", "bots": "bots", "both": "mixed"}[game.pairing.event.admits]
    return ("people", "mixed", "bots")[(game.first.kind == "bot") + (game.second.kind == "bot")]


_SYSTEMS = {"events": "lists", "people": "glicko2", "mixed": "glicko2", "bots": "running"}


def house(apps, schema_editor):
    Game = apps.get_model("tournaments", "Game")
    Pool = apps.get_model("tournaments", "Pool")
    rated = Game.objects.filter(is_rated=True)
    first_ended = rated.filter(ended_at__isnull=False).order_by("ended_at").first()
    closed_until = first_ended and first_ended.ended_at.date().replace(day=1)
    pools = {}
    by_pool = {}
    columns = ("pk", "ruleset", "clock_initial_ms", "clock_increment_ms", "pairing", "first", "second")
    found = rated.select_related("pairing__event", "first", "second").only(
        *columns, "pairing__event__admits", "first__kind", "second__kind"
    )
    for game in found.iterator():
        family, edition, size_class = _played(game.ruleset)
        time_class = _time_class(game.clock_initial_ms, game.clock_increment_ms)
        kind = _kind(game)
        key = "-".join(filter(None, [family, edition, size_class, time_class, kind]))
        pools[key] = {
            "family": family,
            "edition": edition,
            "size_class": size_class,
            "time_class": time_class,
            "kind": kind,
            "system": _SYSTEMS[kind],
            "closed_until": closed_until if kind == "events" else None,
        }
        by_pool.setdefault(key, []).append(game.pk)
    this_month = date.today().replace(day=1)
    for key, facts in pools.items():
        if facts["system"] == "lists" and facts["closed_until"] is None:
            facts["closed_until"] = this_month
        pool, _ = Pool.objects.get_or_create(key=key, defaults=facts)
        for start in range(0, len(by_pool[key]), 500):
            Game.objects.filter(pk__in=by_pool[key][start : start + 500]).update(pool=pool)


def leave(apps, schema_editor):
    """The way back. A ledger that has closed months cannot go it: the old one had no such rows."""
    LedgerEntry = apps.get_model("tournaments", "LedgerEntry")
    if LedgerEntry.objects.filter(game__isnull=True).exists():
        raise RuntimeError("a ledger has closed months: there is no way back from that")
    apps.get_model("tournaments", "Game").objects.update(pool=None)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0015_pools")]

    operations = [migrations.RunPython(house, leave)]
