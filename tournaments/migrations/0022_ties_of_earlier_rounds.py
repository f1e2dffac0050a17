"""Ties that were paired before ties had a number of games are ties of one game."""

from django.db import migrations

_FORMATS = ["knockout", "double-knockout", "groups-knockout"]
_MEETINGS = {"tie", "third-place", "losers-tie", "final", "reset-final"}


def number_ties(apps, schema_editor):
    rounds = apps.get_model("tournaments", "Round").objects.filter(event__format__in=_FORMATS)
    for round_ in rounds.only("pk", "evidence").iterator(chunk_size=100):
        boards = round_.evidence.get("boards", ())
        ties = [board["first"] for board in boards if board.get("meeting") in _MEETINGS]
        if ties:
            pairings = round_.pairings.filter(tie_games=None, first__tpn__in=ties)
            pairings.update(tie_games=1)


class Migration(migrations.Migration):

    dependencies = [("tournaments", "0021_games_of_ties")]

    operations = [migrations.RunPython(number_ties, migrations.RunPython.noop)]
