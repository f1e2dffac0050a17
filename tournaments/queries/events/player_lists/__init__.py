"""Lists of players as organisers have them, read row by row: pasted names, CSV, a sheet, or a TRF file.

No player is entered here. Every row has its content, its problem and its line.
"""

from tournaments.queries.events.player_lists.reading import MAX_CHARACTERS, MAX_ROWS, decoded, read
from tournaments.queries.events.player_lists.reports import row_of_record
from tournaments.queries.events.player_lists.rows import (
    MAX_CATEGORY,
    MAX_CLUB,
    MAX_ELO,
    MAX_FIDE_ID,
    TEXTS,
    ListedPlayer,
    PlayerList,
    Problem,
    Row,
    checked,
    keys_of_player,
)

__all__ = [
    "MAX_CATEGORY",
    "MAX_CHARACTERS",
    "MAX_CLUB",
    "MAX_ELO",
    "MAX_FIDE_ID",
    "MAX_ROWS",
    "TEXTS",
    "ListedPlayer",
    "PlayerList",
    "Problem",
    "Row",
    "checked",
    "decoded",
    "keys_of_player",
    "read",
    "row_of_record",
]
