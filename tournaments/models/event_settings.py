"""The settings of an event, each declared once.

A declaration gives the type, default, range, words and the time until which a setting can be
changed. Derived from it: the columns of an event, its form, the shape of the API, the words of
confirmations and of the public log, and facts on the overview. `python -m
tests.tournaments.settings_table` prints the derived values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import date, datetime

from django.utils.translation import gettext_lazy as _

from tournaments.clocks import TimeControl
from tournaments.house_rules import USUAL_RULES
from tournaments.models.events import (
    ARMAGEDDON_PERCENTS,
    MAX_BOARDS,
    MAX_ENTRIES,
    MAX_EXTRA_GAMES,
    MAX_ROUNDS,
    MAX_TIE_GAMES,
    Event,
    MatchBye,
    MatchPoints,
    NumberRating,
    TieBreakRating,
)
from tournaments.models.setting_types import Level, Part, Setting, Unit, Until, setting

_WEEK_S, _YEAR_S = 7 * 24 * 3600, 366 * 24 * 3600
_RATINGS = (100_00, 4000_00)
_HALVES = (0, 20)
_OPTIONS = (1, 100)
_ROUNDS = (1, MAX_ROUNDS)
_PERCENT = (0, 100)
_STARTS = (0, 4000)
_NEXT_ROUND = _("from the next round on")
_ALL_ROUNDS = _("the standings are computed again immediately, for all rounds")


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPlan:
    """The decisions of an organiser about an event, in the order of the form.

    `seed` is drawn when None.
    """

    name: str = setting(..., _("Name"), is_required=True, until=Until.EVER, refusals=["name-bad"])
    ruleset: str = setting(..., _("Game"), unit=Unit.RULESET, refusals=["ruleset-bad"])
    format: str = setting(
        Event.Format.DUTCH.value,
        _("Format"),
        choices=Event.Format,
        is_required=True,
        help_text=_(
            "The FIDE Dutch system needs more players than rounds. For a small group "
            "with many rounds choose weighted matching."
        ),
        refusals=["format-bad", "options-bad"],
    )
    rounds_total: int = setting(
        5,
        _("Rounds"),
        within=_ROUNDS,
        until=Until.END,
        effect=_("the event ends after that round. Accelerations stay as they are"),
        level=Level.DOUBLE,
        refusals=["rounds-bad", "rounds-played", "draft-last"],
    )
    games_per_pairing: int = setting(
        1,
        _("Games per pairing"),
        within=(1, 2),
        menu=[(1, _("one")), (2, _("two, the second with the sides exchanged"))],
        help_text=_(
            "Each pairing is two games with sides swapped. Both count. A bye counts double."
        ),
        refusals=["options-bad", "mini-matches-swiss", "mini-matches-plain"],
    )
    boards: int = setting(
        4,
        _("Boards of a team"),
        within=(2, MAX_BOARDS),
        refusals=["options-bad"],
        help_text=_("A team has any number of further members, who are reserves."),
    )
    match_points: str = setting(
        MatchPoints.TWO.value,
        _("Match points: win – draw – loss"),
        choices=MatchPoints,
    )
    match_bye: str = setting(
        MatchBye.DRAW.value,
        _("A bye counts as"),
        choices=MatchBye,
    )
    has_fixed_order: bool = setting(
        True,
        _("Members play in the order of their list"),
        until=Until.END,
        effect=_NEXT_ROUND,
        help_text=_("A reserve plays on the last boards, and the others move up."),
    )
    alternates_boards: bool = setting(
        True,
        _("Colours alternate from board to board"),
        help_text=_("Otherwise the team that is named first has the first ply at all boards."),
        fact=(
            _("Colours of a match"),
            _("the team that is named first has the first ply at all boards"),
        ),
    )
    line_up_s: int = setting(
        0,
        _("Time for line-ups"),
        unit=Unit.SPAN,
        within=(0, _WEEK_S),
        until=Until.END,
        effect=_NEXT_ROUND,
        help_text=_(
            "Captains choose their players between the publication of a round and its start. "
            "A team without a choice plays in the order of its list."
        ),
    )
    cycles: int = setting(
        1,
        _("Number of cycles"),
        within=(1, 2),
        menu=[(1, _("Single round robin")), (2, _("Double round robin"))],
    )
    exchanges_rounds: bool = setting(
        True,
        _("Exchange the last two rounds of the first cycle"),
        help_text=_(
            "In a double round robin no player then has one side three times in a row (C.05 annex 1)."
        ),
        fact=(
            _("Double round robin"),
            _("the last two rounds of the first cycle are not exchanged"),
        ),
    )
    groups: int = setting(2, _("Groups or divisions"), within=_OPTIONS)
    qualifiers: int = setting(2, _("Qualifiers per group"), within=_OPTIONS)
    has_third_place: bool = setting(
        False,
        _("Match for third place"),
        help_text=_("The losers of the semi-finals meet in the round of the final."),
        fact=(_("Third place"), _("the losers of the semi-finals play for it")),
    )
    tie_games: int = setting(
        1,
        _("Games of a tie"),
        within=(1, MAX_TIE_GAMES),
        until=Until.END,
        effect=_NEXT_ROUND,
        help_text=_("Sides alternate. The tie ends as soon as one player cannot be caught."),
        fact=(_("Games of a tie"), None),
    )
    extra_games: int = setting(
        2,
        _("Extra games of a level tie"),
        within=(0, MAX_EXTRA_GAMES),
        until=Until.END,
        effect=_("for games that have not begun"),
        help_text=_(
            "The most games after a level match. The first that is not drawn decides. Then the higher seed advances, over "
            "the board the player whom you name."
        ),
        fact=(_("Extra games of a level tie"), None),
    )
    has_extra_pairs: bool = setting(
        False,
        _("Extra games in pairs"),
        until=Until.END,
        effect=_NEXT_ROUND,
        help_text=_(
            "Both games of a pair are played, with the sides exchanged. The first pair that is not level decides."
        ),
        fact=(_("Extra games"), _("in pairs, with the sides exchanged")),
    )
    extra_clock: str = setting(
        "",
        _("Clock of extra games"),
        until=Until.END,
        effect=_("for games that have not begun"),
        help_text=_("As another clock is written, for example 180+2. Empty for the event's clock."),
        fact=(_("Clock of extra games"), None),
        refusals=["extra-clock-bad", "extra-clock-short"],
    )
    armageddon_percent: int | None = setting(
        None,
        _("Armageddon game: time of the second player in percent"),
        within=ARMAGEDDON_PERCENTS,
        until=Until.END,
        effect=_("for games that have not begun"),
        help_text=_(
            "One game after level extra games, which a draw decides for the second player. The first player has "
            "the clock of extra games. Leave empty for no such game."
        ),
        fact=(_("Armageddon game: time of the second player in percent"), None),
        refusals=["options-bad", "armageddon-fuel"],
    )
    promotion_places: int = setting(1, _("Promotion and relegation places"), within=(0, 100))
    seasons: int = setting(1, _("Seasons"), within=_OPTIONS)
    rematch_gap: int = setting(
        USUAL_RULES.rematch_gap,
        _("Rounds before two meet again"),
        within=(0, MAX_ROUNDS),
        until=Until.END,
        effect=_NEXT_ROUND,
        help_text=_("Fewer if the round cannot be paired otherwise."),
    )
    bye_percent: int = setting(
        USUAL_RULES.bye_percent,
        _("Bye, in percent of the own value"),
        within=_PERCENT,
        until=Until.END,
        effect=_ALL_ROUNDS,
        help_text=_(
            "Keizer points for a bye, and for a win by forfeit. The value of a player depends on "
            "the place in the standings: a win brings the opponent's value."
        ),
    )
    absence_percent: int = setting(
        USUAL_RULES.absence_percent,
        _("Absence with notice, in percent of the own value"),
        within=_PERCENT,
        until=Until.END,
        effect=_ALL_ROUNDS,
        help_text=_("Keizer points for a half-point bye."),
    )
    bar_elo: int = setting(
        USUAL_RULES.bar_elo,
        _("McMahon bar"),
        within=_STARTS,
        help_text=_("The rating from which all players begin with equal scores."),
    )
    floor_elo: int = setting(
        USUAL_RULES.floor_elo,
        _("McMahon floor"),
        within=_STARTS,
        help_text=_(
            "The rating up to which all players begin with 0. An account without rated games has "
            "1500, a listed player without a rating begins with 0."
        ),
    )
    step_elo: int = setting(
        USUAL_RULES.step_elo,
        _("Rating points for one more to begin with"),
        within=(1, 1000),
    )
    maxi_elo: int = setting(
        USUAL_RULES.maxi_elo,
        _("Rating points for exchanges"),
        within=_STARTS,
        help_text=_(
            "100 makes a Maxi-tournament of the Lim system: for a colour, a player takes the place of another only if "
            "their ratings differ by no more. 0 is no limit."
        ),
        fact=(_("Rating points for exchanges"), None),
    )
    duration_s: int = setting(
        0,
        _("Duration"),
        unit=Unit.SPAN,
        within=(0, _YEAR_S),
        menu=[
            (1800, _("half an hour")),
            (3600, _("1 hour")),
            (5400, _("1½ hours")),
            (7200, _("2 hours")),
            (86400, _("1 day")),
            (604800, _("1 week")),
        ],
        about="Length of arenas and ladders; 0 until you end it.",
        refusals=["duration-bad"],
    )
    is_over_the_board: bool = setting(
        False,
        _("Over the board"),
        help_text=_(
            "Played on real boards: you enter players by name and type the results. No "
            "clock runs here and no game is rated. You publish and close each round "
            "yourself."
        ),
        refusals=["board-event-bad"],
    )
    board_time: str = setting(
        "",
        _("Time at the board"),
        help_text=_("In your words, for the players: 25 minutes each, for example."),
        refusals=["board-event-bad"],
    )
    has_player_reports: bool = setting(
        False,
        _("Players report their results"),
        until=Until.END,
        help_text=_(
            "Sheets and screens that the staff opens have QR codes. A result that both players "
            "report from their accounts is entered. You confirm the others."
        ),
        refusals=["board-event-bad"],
    )
    clock: TimeControl = setting(
        ...,
        _("Clock"),
        unit=Unit.CLOCK,
        until=Until.END,
        effect=_("from the next round on. Games that have begun keep their clocks"),
        refusals=["clock-bad", "clock-bots", "clock-short"],
    )
    allows_vacation: bool = setting(
        True,
        _("Clocks stop during vacations"),
        help_text=_("Correspondence only: up to 30 vacation days a year for each player."),
    )
    admits: str = setting(
        Event.Admits.PEOPLE.value,
        _("Admission"),
        choices=Event.Admits,
        is_required=True,
        refusals=["admits-bad"],
    )
    admits_remote: bool = setting(
        False,
        _("Remote bots may enter"),
        about="True if remote bots may enter.",
        help_text=_(
            "Remote bots run on their authors' computers, whose strength is unknown. All "
            "games will be rated in the “with remote bots” pool."
        ),
    )
    fuel: int | None = setting(
        None,
        _("Fuel instead of the clock"),
        within=(1, 10**12),
        menu=[
            ("", _("none: the clock runs")),
            (10**7, _("10 million units per ply")),
            (10**8, _("100 million units per ply")),
            (10**9, _("1,000 million units per ply")),
            (10**10, _("10,000 million units per ply")),
        ],
        help_text=_(
            "Only for WebAssembly modules: their work is counted, so that each game can "
            "be reproduced. A search uses 3 to 5 million units in a millisecond."
        ),
        refusals=["fuel-bad"],
    )
    allows_volunteers: bool = setting(
        False,
        _("Volunteers' machines may play its matches"),
        about="True if volunteers' machines may play its matches.",
        until=Until.END,
        effect=_("for matches that are scheduled from now on"),
        help_text=_(
            "Only for ladders under fuel, and only for bots whose authors lend their modules. The "
            "site plays a random share of the matches again, and takes wrong results back."
        ),
        refusals=["volunteers-ladder"],
    )
    max_entries: int = setting(
        64,
        _("Maximum number of players"),
        within=(2, MAX_ENTRIES),
        is_required=True,
        until=Until.END,
        effect=_("immediately. Players on the waiting list move up"),
        refusals=["entries-bad", "entries-many"],
    )
    win_halves: int = setting(
        2, _("Points for a win"), unit=Unit.HALVES, within=_HALVES, refusals=["points-bad"]
    )
    draw_halves: int = setting(1, _("Points for a draw"), unit=Unit.HALVES, within=_HALVES)
    loss_halves: int = setting(0, _("Points for a loss"), unit=Unit.HALVES, within=_HALVES)
    bye_halves: int = setting(2, _("Points for a bye"), unit=Unit.HALVES, within=_HALVES)
    is_accelerated: bool = setting(
        False,
        _("Accelerated (Baku)"),
        help_text=_("For large fields with few rounds: the upper half starts with virtual points."),
        refusals=["acceleration-bad"],
    )
    is_rated: bool = setting(True, _("Rated"))
    is_automatic: bool = setting(
        True,
        _("Automatic pairing"),
        until=Until.END,
        effect=_NEXT_ROUND,
        help_text=_("Otherwise you draft, check and publish each round yourself."),
    )
    pause_s: int = setting(
        60,
        _("Pause between rounds"),
        unit=Unit.SPAN,
        within=(0, _WEEK_S),
        is_required=True,
        menu=[
            (0, _("none")),
            (60, _("1 minute")),
            (300, _("5 minutes")),
            (900, _("15 minutes")),
            (86400, _("1 day")),
        ],
        until=Until.END,
        effect=_NEXT_ROUND,
    )
    description: str = setting("", _("Description"), until=Until.EVER)
    tie_breaks: str = setting(
        "",
        _("Tie-breaks"),
        unit=Unit.TIE_BREAKS,
        about="In their order; none: as usual in the format.",
        until=Until.END,
        effect=_ALL_ROUNDS,
        level=Level.DOUBLE,
        refusals=["tie-breaks-bad"],
    )
    starts_at: datetime | None = setting(
        None,
        _("Starts at"),
        unit=Unit.MOMENT,
        part=Part.CONDITIONS,
        help_text=_(
            "With automatic pairing the event starts at this time. Otherwise the time is shown only."
        ),
    )
    registration_closes_at: datetime | None = setting(
        None,
        _("Registration closes"),
        unit=Unit.MOMENT,
        part=Part.CONDITIONS,
        until=Until.END,
    )
    check_in_opens_at: datetime | None = setting(
        None,
        _("Check-in opens"),
        unit=Unit.MOMENT,
        part=Part.CONDITIONS,
        help_text=_(
            "Players must check in between this time and the start. Players who "
            "do not check in are withdrawn."
        ),
        refusals=["check-in-bad"],
    )
    min_centielo: int | None = setting(
        None,
        _("Minimum rating"),
        unit=Unit.RATING,
        within=_RATINGS,
        part=Part.CONDITIONS,
        until=Until.END,
        binds_entries=True,
        refusals=["rating-band"],
    )
    max_centielo: int | None = setting(
        None,
        _("Maximum rating"),
        unit=Unit.RATING,
        within=_RATINGS,
        part=Part.CONDITIONS,
        until=Until.END,
        binds_entries=True,
    )
    min_games: int = setting(
        0,
        _("Minimum rated games"),
        within=(0, 1000),
        part=Part.CONDITIONS,
        until=Until.END,
        binds_entries=True,
    )
    needs_approval: bool = setting(
        False,
        _("You approve each entry"),
        part=Part.CONDITIONS,
        until=Until.END,
        binds_entries=True,
        fact=(_("Approval"), _("the organiser approves each entry")),
    )
    has_waiting_list: bool = setting(
        False,
        _("Waiting list"),
        part=Part.CONDITIONS,
        until=Until.END,
        help_text=_(
            "When the event is full, new players join a waiting list and get places in order of entry."
        ),
        fact=(_("Waiting list"), _("when all places are taken")),
    )
    access_code: str = setting(
        "",
        _("Access code"),
        part=Part.CONDITIONS,
        until=Until.END,
        binds_entries=True,
        is_secret=True,
        help_text=_("All players need it to enter. The invitation link contains it."),
        about="Shown to those who have the settings as a task.",
        refusals=["access-code-bad"],
    )
    is_private: bool = setting(
        False,
        _("Private"),
        part=Part.CONDITIONS,
        until=Until.END,
        help_text=_(
            "Unlisted. Visible only to participants, staff and people with the access code."
        ),
    )
    is_listed: bool = setting(
        True,
        _("In the lists of events"),
        part=Part.CONDITIONS,
        until=Until.EVER,
        help_text=_(
            "The front page and the page of all events show it. Without this, people find the event by its address."
        ),
    )
    gives_late_half_point: bool = setting(
        False,
        _("Half a point for a late entry"),
        part=Part.CONDITIONS,
        until=Until.END,
        effect=_("for entries that come later"),
        help_text=_(
            "A player who enters after the start has a half-point bye in the last missed round, and "
            "zero points in the others."
        ),
    )
    club_players: int = setting(
        0,
        _("Table of clubs: players that count"),
        within=(0, MAX_BOARDS),
        part=Part.CONDITIONS,
        until=Until.EVER,
        help_text=_("The best players of each club by points. 0 for no such table."),
    )
    number_rating: str = setting(
        NumberRating.LIST_FIRST.value,
        _("Ratings for numbers"),
        choices=NumberRating,
        part=Part.CONDITIONS,
        help_text=_(
            "The list's rating is FIDE's, or one that you set. Accounts without any of these have "
            "their rating on this site."
        ),
        fact=(_("Ratings for numbers"), None),
    )
    rating_lists: str = setting(
        "",
        _("Order of rating lists"),
        part=Part.CONDITIONS,
        until=Until.EVER,
        effect=_("for players who are looked up later"),
        help_text=_(
            "Names with semicolons between them: a player's rating is that of the first list with one. "
            "Leave empty for the usual order by the time at the board: rapid, then standard in a rapid event."
        ),
    )
    tells_new_lists: bool = setting(
        True,
        _("Announce new rating lists"),
        part=Part.CONDITIONS,
        until=Until.EVER,
        help_text=_(
            "The desk says if a list of the event was uploaded again and has other ratings. No rating "
            "changes without your choice."
        ),
    )
    tie_break_rating: str = setting(
        TieBreakRating.START.value,
        _("Ratings in tie-breaks"),
        choices=TieBreakRating,
        part=Part.CONDITIONS,
        until=Until.END,
        effect=_ALL_ROUNDS,
        level=Level.DOUBLE,
        help_text=_(
            "In a long event a player may have several ratings, each from a round on. Pairing "
            "numbers follow the first one."
        ),
        fact=(_("Ratings in tie-breaks"), None),
    )
    chat: str = setting(
        Event.Chat.MEMBERS.value,
        _("Chat"),
        choices=Event.Chat,
        part=Part.CONDITIONS,
        until=Until.EVER,
        help_text=_(
            "The staff deletes messages and mutes players. Visitors read a chat of signed-in users."
        ),
    )
    keeps_clubs_apart: bool = setting(
        False,
        _("Players of one club do not meet"),
        part=Part.CONDITIONS,
        until=Until.END,
        effect=_("in rounds that are not drafted yet"),
    )
    forbids_engine: bool = setting(
        False,
        _("No engine for the players until the event is over"),
        part=Part.CONDITIONS,
        until=Until.END,
        effect=_("immediately, on all pages with a board"),
        help_text=_(
            "On the pages of this site. During their own games players see no evaluations in any event."
        ),
        fact=(_("Engine"), _("hidden from the players until the event is over")),
    )
    most_half_byes: int = setting(
        1,
        _("Half-point byes per player"),
        within=(0, MAX_ROUNDS),
        part=Part.CONDITIONS,
        until=Until.END,
    )
    last_half_bye_round: int | None = setting(
        None,
        _("Last round with half-point byes"),
        within=_ROUNDS,
        part=Part.CONDITIONS,
        until=Until.END,
    )
    last_late_round: int | None = setting(
        None,
        _("Late entries until round"),
        within=_ROUNDS,
        part=Part.CONDITIONS,
        until=Until.END,
        help_text=_("Leave empty to accept late entries until half of the rounds are paired."),
    )
    start_mode: str = setting(
        Event.Start.PUBLICATION.value,
        _("Clocks start"),
        choices=Event.Start,
        part=Part.CONDITIONS,
        until=Until.END,
        effect=_NEXT_ROUND,
        about="publication, button or presence",
        refusals=["start-mode-bad"],
    )
    grace_s: int | None = setting(
        None,
        _("Grace time"),
        unit=Unit.SPAN,
        within=(1, _WEEK_S),
        part=Part.CONDITIONS,
        until=Until.END,
        effect=_NEXT_ROUND,
        help_text=_(
            "A player who has not opened the game by then forfeits. Leave empty to let the clock decide."
        ),
        refusals=["grace-bad", "grace-needed"],
    )
    round_days: int | None = setting(
        None,
        _("Days for a round"),
        within=(1, 366),
        part=Part.CONDITIONS,
        until=Until.END,
        effect=_NEXT_ROUND,
        help_text=_(
            "Only with a clock of a day or more: the round has a deadline this number of days after the "
            "start of its games. Leave empty to let the clocks decide."
        ),
        fact=(_("Days for a round"), None),
        refusals=["round-days-bad", "round-days-clock"],
    )
    at_deadline: str = setting(
        Event.AtDeadline.ARBITER.value,
        _("Games that are not over at the deadline"),
        choices=Event.AtDeadline,
        part=Part.CONDITIONS,
        until=Until.END,
        effect=_("at the next deadline"),
        about="The rule at the deadline of a round: arbiter, side-to-move (which loses) or draw.",
    )
    min_guests: int = setting(
        0,
        _("Guests before the next round"),
        within=(0, 1000),
        part=Part.CONDITIONS,
        until=Until.END,
        effect=_NEXT_ROUND,
        about="People and bots of authors without whom no further round begins.",
        help_text=_(
            "After the first round the event waits until this number of people or bots of authors take part. The site's own bots do not count."
        ),
    )
    place: str = setting(
        "",
        _("Place of the event"),
        part=Part.HEAD,
        until=Until.EVER,
        fact=(_("Place of the event"), None),
        help_text=_("The city, for example. It appears on the overview, on sheets and in reports."),
    )
    federation: str = setting(
        "",
        _("Federation of the event"),
        part=Part.HEAD,
        until=Until.EVER,
        fact=(_("Federation"), None),
        help_text=_("Three letters, such as ESP."),
        refusals=["federation-bad"],
    )
    first_day: date | None = setting(
        None,
        _("First day"),
        unit=Unit.DAY,
        part=Part.HEAD,
        until=Until.EVER,
        fact=(_("First day"), None),
        help_text=_(
            "For reports of events over the board. Leave empty to use the day of the start here."
        ),
        refusals=["days-bad"],
    )
    last_day: date | None = setting(
        None,
        _("Last day"),
        unit=Unit.DAY,
        part=Part.HEAD,
        until=Until.EVER,
        fact=(_("Last day"), None),
    )
    fee: str = setting(
        "",
        _("Entry fee"),
        part=Part.CONDITIONS,
        until=Until.EVER,
        fact=(_("Entry fee"), None),
        help_text=_(
            "Amount and currency, such as 12.50 EUR. The desk notes who has paid it. Leave empty "
            "without a fee."
        ),
        refusals=["fee-bad"],
    )
    organiser_name: str = setting(
        "",
        _("Organised by"),
        part=Part.HEAD,
        until=Until.EVER,
        fact=(_("Organiser"), None),
        help_text=_("A club, for example. Leave empty if it is the account that runs the event."),
    )
    organising_club: str = setting(
        "",
        _("Organising club"),
        part=Part.HEAD,
        until=Until.EVER,
        help_text=_(
            "The name of a club of this site of which you are an officer. Its page lists the event."
        ),
        refusals=["club-unknown", "club-officer"],
    )
    chief_arbiter: str = setting(
        "",
        _("Chief arbiter"),
        part=Part.HEAD,
        until=Until.EVER,
        fact=(_("Chief arbiter"), None),
    )
    arbiters: str = setting(
        "",
        _("Other arbiters"),
        part=Part.HEAD,
        until=Until.EVER,
        fact=(_("Other arbiters"), None),
        help_text=_("With semicolons between them."),
    )
    seed: int | None = None


SETTINGS: Mapping[str, Setting] = {
    each.name: replace(each.metadata["setting"], name=each.name)
    for each in fields(EventPlan)
    if "setting" in each.metadata
}
