"""Sentences about events over the board: faults of a list or a report, and refusals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from django.utils.functional import _StrPromise

SENTENCES: dict[str, _StrPromise] = {
    "board-event-bad": _(
        "An event over the board is for people, without clocks, ratings and automatic "
        "pairing here. Arenas and ladders are played online."
    ),
    "federation-bad": _("The federation of an event is a code of three letters, such as ESP."),
    "days-bad": _("The last day comes before the first. Exchange the two."),
    "not-over-the-board": _("This is for events over the board only."),
    "list-empty": _("The list has no names."),
    "list-large": _("A list has at most 2,000 players."),
    "entry-deleted": _("This entry has been deleted meanwhile."),
    "not-listed": _("Only players without an account can be deleted. Withdraw this one."),
    "rating-late": _("The pairing numbers were given by the ratings. This number is fixed."),
    "round-closed": _("This round takes no more results. Correct the game instead."),
    "no-such-board": _("The round has no such board. Look up its number in the pairings."),
    "board-report-entered": _("The arbiter has entered the result. Ask the arbiter to change it."),
    "board-report-off": _(
        "Players do not report the results of this event. Give yours to the arbiter."
    ),
    "board-report-account": _(
        "This player has an account. Only this account reports the player's results: sign in with it."
    ),
    "board-report-phone": _(
        "This phone has reported for the opponent. The opponent reports from another phone, or both tell the arbiter."
    ),
    "board-report-side": _("This player does not play at this board. Choose your name again."),
    "results-missing": _("Some results are still missing."),
    "report-format": _("This line breaks the format of a FIDE report."),
    "report-players": _("An event has 2 to 5,000 players."),
    "report-teams": _(
        "This is a team event of an older dialect (013), and other lines break the format. Write it as TRF-2026, with records 310."
    ),
    "report-team-system": _(
        "Teams are ranked by match points here. This system of teams cannot be imported."
    ),
    "report-boards": _("A match of teams has 2 to 20 boards."),
    "report-match-points": _(
        "These match points (362) cannot be kept. A match is worth 2 – 1 – 0, 3 – 1 – 0 or 1 – ½ – 0."
    ),
    "report-board-colours": _(
        "These colours cannot be kept: the first team of a match has White at boards 1, 3, 5 and so on, or at all boards."
    ),
    "report-team-bye": _(
        "These points of a team's bye cannot be kept: each board is won if the match is, and drawn if the match is."
    ),
    "report-no-team": _("This player is a member of no team (310)."),
    "report-team-name": _("A team needs a name that no other team has."),
    "report-match": _("The results of this round are not the boards of one match of two teams."),
    "report-matches": _("A report of a Double-Swiss cannot be imported."),
    "report-abnormal": _(
        "Points of single players against the rule (299) cannot be imported, except deductions in a round that the player was in."
    ),
    "report-rounds": _("An event has 1 to 30 rounds."),
    "report-point-system": _(
        "This point system cannot be kept: here a forfeit and a full-point bye are worth a win, a half-point bye a draw, and two draws no more than a win and a loss."
    ),
    "report-points": _("The points of this player or team are not those of the results."),
    "report-result": _("This result of one player does not fit the other's."),
    "report-second-bye": _("This player has the pairing-allocated bye a second time."),
    "report-problems": _("This file has problems. They are listed below."),
    "report-obstacle": _(
        "The next round cannot be paired from this file. The event can be imported as finished."
    ),
    "report-baku-by-name": _(
        "The file accelerates by name only, and some players were not paired in round 1. If one of them entered late, group A differs from that of the start (C.04.7 1.3). A record 250 in the file tells who has virtual points."
    ),
    "report-round-of-byes": _(
        "The last column has byes only. It counts as a round that was played. Delete the "
        "column to pair that round here."
    ),
    "tie-early": _("Ties are ordered by hand when the event is over."),
    "tie-order": _(
        "These are not the players who share a place. Write each of their pairing numbers once."
    ),
    "draft-last": _(
        "The draft becomes, or no longer is, the final round, and would be paired otherwise. Discard it first."
    ),
    "report-no-rounds": _("No round has been played that could be kept."),
    "report-differs": _(
        "The event here would not be the one of the file: it has records that cannot be kept."
    ),
    "claim-not-listed": _("This entry belongs to a person with an account."),
    "claimed-already": _("You have already claimed this entry. The organiser will review it."),
    "claim-answered": _("This claim has been answered already."),
    "claim-entered": _("This player has entered the event in another entry."),
    "list-macros": _("A spreadsheet with macros is not read. Save it as XLSX without macros."),
    "list-sheet": _("This spreadsheet cannot be read. Save it as XLSX or CSV."),
    "rating-list-bad": _(
        "This file is no rating list. Known are FIDE's text and XML, and tables with a heading."
    ),
    "rating-list-changed": _("The list or the entries have changed. Please compare them again."),
    "rating-list-kind": _("A rating list has standard, rapid or blitz ratings."),
    "rating-list-large": _("This rating list is too large."),
    "rating-list-name": _("A rating list needs a name of at most 40 characters."),
    "rating-source-address": _(
        "The address must begin with https://, have no password, and lead to a public host."
    ),
    "rating-source-answer": _("The address answers without a file. Check the address."),
    "rating-source-broken": _("The download broke off, or the host could not be reached."),
    "rating-source-late": _("The download took too long."),
    "rating-source-smaller": _(
        "The list has far fewer players than before. Upload it as a file if it is right."
    ),
    "rating-source-unfinished": _("The update began then and has not ended."),
    "merge-accounts": _("Both entries belong to accounts. One of them must withdraw."),
    "merge-claim": _(
        "One entry has rounds, the other an account. Let the player claim the entry with the rounds."
    ),
    "merge-claims": _("A player claims the entry that would be deleted. Answer the claim first."),
    "merge-other-way": _(
        "The other entry has an account or rounds. Choose it as the entry that stays."
    ),
    "merge-played": _(
        "Both entries have rounds that were published. Withdraw one of them instead."
    ),
    "merge-same": _("Choose two different entries."),
    "merge-teams": _("Entries of an event of teams are not merged. Delete one of them instead."),
    "line-bad": _("Write a board and its result, such as 12 1, 12 = or 12 +."),
    "tie-later-results": _(
        "A later game of this tie has a result, and would not have been played. Clear that result first."
    ),
    "line-game": _("Write the board with its game and the result, such as 3.2 =."),
    "sanction-format": _(
        "Points are not deducted here: in this format they do not decide, or a pairing has two games. Note a warning instead."
    ),
    "sanction-kind": _("There is no such penalty."),
    "sanction-points": _("At most the points of the round are deducted. Choose another round."),
    "sanction-round": _("This player has no place in a published round of that number."),
    "fee-bad": _("Write the fee as an amount and a currency, such as 12.50 EUR."),
    "fee-none": _("This event has no fee. Set one in its settings."),
    "fee-state": _("A fee is paid, not paid or waived."),
    "no-such-result": _("There is no such result."),
    # Faults of a row of a list, as `player_lists.Problem` has them.
    "listed-no-name": _("The name is missing."),
    "listed-name-long": _("A name has at most 40 characters."),
    "listed-name-characters": _("Use letters in the name and no invisible characters."),
    "listed-rating": _("A rating is a whole number up to 4000."),
    "listed-federation": _("A federation is a code of three letters, such as ESP."),
    "listed-club-long": _("A club has at most 60 characters."),
    "listed-fide-id": _("A FIDE id has at most 11 digits."),
    "listed-category-long": _("A category has at most 20 characters."),
    "listed-title": _("A title has at most 3 letters."),
    "listed-sex": _("A sex is m or w, or is left empty."),
    "listed-birth": _("A birth date is a date such as 1990-05-17, or a year."),
    "listed-national-id": _("A national id has at most 20 characters."),
    "listed-columns": _("This row has more columns than the list."),
    "listed-broken": _("This row cannot be read."),
    "listed-record": _("This line breaks the format of a FIDE report."),
}


# Data of a report without a field in an event, by the code of the record or the name of the column.
NOT_KEPT: dict[str, _StrPromise] = {
    "032": _("a federation that is no code of three letters (032)"),
    "042": _("a start date that cannot be read (042)"),
    "052": _("an end date that cannot be read, or comes before the start (052)"),
    "172": _("an unknown kind of starting rank (172)"),
    "202": _("the tie-breaks (202, 212)"),
    "222": _("the encoded time control (222)"),
    "###": _("comments (###)"),
    "nickname": _("the short names of teams (310)"),
    "sex": _("a sex other than m and w"),
    "born": _("birth dates that cannot be read"),
}


# Changes of an older file, by `trf.Adjustment`.
_ADJUSTED: dict[str, _StrPromise] = {
    "ruler": _("Lines that number or name the columns are left out: lines %(lines)s."),
    "bye": _("Results without an opponent are read as byes of equal worth: lines %(lines)s."),
    "team": _("Teams of the older dialect (013) are read as records 310: lines %(lines)s."),
}


def adjustments(lines: Mapping[str, Sequence[int]]) -> list[str]:
    """Return a sentence for each change of an older file."""
    return [
        _ADJUSTED[kind] % {"lines": ", ".join(map(str, numbers))} for kind, numbers in lines.items()
    ]


def compared_rounds(
    differing: Mapping[int, Sequence[int]], not_compared: Sequence[int]
) -> Iterator[str]:
    """Yield a sentence for each round that differs from the pairing rules, one for those not compared, and the effect."""
    for number, boards in differing.items():
        words = {"round": number, "boards": ", ".join(map(str, boards))}
        if boards:
            yield (
                gettext("Round %(round)d: the pairing rules do not give boards %(boards)s.") % words
            )
        else:
            yield gettext("Round %(round)d: the pairing rules do not give this round.") % words
    if not_compared:
        rounds = ", ".join(map(str, not_compared))
        yield gettext("Rounds not compared with the pairing rules: %(rounds)s.") % {
            "rounds": rounds
        }
    if differing or not_compared:
        yield gettext(
            "The event will be marked as not by FIDE's rules, and its report file will name these rounds."
        )
