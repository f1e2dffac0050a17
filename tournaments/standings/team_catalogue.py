"""Every tie-break for teams (C.07 12 and 13)."""

from __future__ import annotations

from tournaments.standings import teams
from tournaments.standings.entry import Combination, Entry


def team_entries() -> list[Entry]:
    """Return the entries of the catalogue that need teams."""
    scores = {"M": teams.MATCH, "G": teams.GAME}
    words = {"M": "match points", "G": "game points"}
    chains = {
        "EDE": (),
        "EDEBT": (teams.count, teams.top_boards),
        "EDEBB": (teams.count, teams.bottom_boards),
        "EDET": (teams.top_boards,),
        "EDEB": (teams.bottom_boards,),
    }
    return [
        Entry("MPVGP", "13.1", "the score that is not the primary one", teams.other_score, scale=2),
        *(
            Entry(
                f"E{theirs}{own}SB",
                "13.2",
                f"the opponents' {words[theirs]}, each times the {words[own]} against that opponent",
                teams.sonneborn_of(scores[theirs], scores[own]),
                scale=4,
                allowed="CMP",
            )
            for theirs in "MG"
            for own in "MG"
        ),
        *(
            Entry(
                code,
                "13.3",
                "extended direct encounter: by both scores among the tied",
                teams.nothing,
                Combination.ENCOUNTER,
                allowed="P",
                split=teams.extended_encounter(*chain),
            )
            for code, chain in chains.items()
        ),
        Entry(
            "SSSC",
            "13.4",
            "the secondary score, and a part of the Buchholz of the primary one",
            teams.secondary_and_buchholz,
            scale=teams.SSSC_SCALE,
            allowed="FPK",
        ),
        Entry(
            "BC",
            "12.1",
            "board count: the number of each board times the points on it, the lower first",
            teams.board_count,
            scale=2,
            is_higher_better=False,
        ),
        *(
            Entry(
                code,
                article,
                meaning,
                teams.nothing,
                Combination.ENCOUNTER,
                split=teams.by_boards(key),
            )
            for code, article, meaning, key in (
                ("TBR", "12.2", "points on board 1, then on board 2", teams.top_boards),
                ("BBE", "12.3", "points without the last boards", teams.bottom_boards),
            )
        ),
    ]
