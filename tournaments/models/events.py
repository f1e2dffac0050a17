"""Events: how they are played, and how far they are."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tournaments.house_rules import USUAL_RULES
from tournaments.models import statements
from tournaments.models.timing import Timed, clock_constraints

# For events whose number of rounds the organiser chooses. In tables and leagues the number follows
# from the players.
MAX_ROUNDS = 30
MAX_ROUNDS_OF_TABLES = 400
MAX_ENTRIES = 5000
# Boards of a match of teams.
MAX_BOARDS = 20
# Games of a match or of a tie of a knock-out, and after a level one.
MAX_TIE_GAMES = 24
MAX_EXTRA_GAMES = 8
# The second player's time in an armageddon game, in percent of the first player's.
ARMAGEDDON_PERCENTS = (10, 100)
ARMAGEDDON_IN_RANGE = Q(
    armageddon_percent__gte=ARMAGEDDON_PERCENTS[0], armageddon_percent__lte=ARMAGEDDON_PERCENTS[1]
)


class EventQuerySet(models.QuerySet["Event"]):
    def open(self) -> EventQuerySet:
        return self.filter(state__in=[Event.State.REGISTRATION, Event.State.RUNNING])

    def running(self) -> EventQuerySet:
        return self.filter(state=Event.State.RUNNING)

    def listed(self) -> EventQuerySet:
        return self.filter(is_listed=True)


class EventFormat(models.TextChoices):
    """The formats: names of pairing systems, each with a class in `queries.formats`."""

    DUTCH = "dutch", _("Swiss (FIDE Dutch system)")
    DUTCH_2017 = "dutch-2017", _("Swiss (FIDE Dutch system of 2017)")
    DUBOV = "dubov", _("Swiss (Dubov system)")
    BURSTEIN = "burstein", _("Swiss (Burstein system)")
    LIM = "lim", _("Swiss (Lim system)")
    DOUBLE_SWISS = "double-swiss", _("Double-Swiss (matches of two games)")
    SWISS = "swiss", _("Swiss (weighted matching)")
    KEIZER = "keizer", _("Keizer")
    MCMAHON = "mcmahon", _("McMahon")
    TEAM = "team", _("Swiss of teams (FIDE)")
    TEAM_ROUND_ROBIN = "team-round-robin", _("Round robin of teams")
    TEAM_MATCH = "team-match", _("Match of two teams")
    SCHEVENINGEN = "scheveningen", _("Scheveningen match of two teams")
    TEAM_KNOCKOUT = "team-knockout", _("Single elimination of teams")
    ROUND_ROBIN = "round-robin", _("Round robin")
    MATCH = "match", _("Match of two players")
    KNOCKOUT = "knockout", _("Single elimination")
    DOUBLE_KNOCKOUT = "double-knockout", _("Double elimination")
    GROUPS_KNOCKOUT = "groups-knockout", _("Groups, then knock-out")
    LEAGUE = "league", _("League with divisions")
    ARENA = "arena", _("Arena")
    LADDER = "ladder", _("Bot ladder")

    @property
    def is_of_teams(self) -> bool:
        """Return whether teams meet, at several boards."""
        return self in (
            EventFormat.TEAM,
            EventFormat.TEAM_ROUND_ROBIN,
            EventFormat.TEAM_MATCH,
            EventFormat.SCHEVENINGEN,
            EventFormat.TEAM_KNOCKOUT,
        )


class MatchPoints(models.TextChoices):
    """The points of a match of teams: won, drawn, lost."""

    TWO = "2-1-0", "2 – 1 – 0"
    THREE = "3-1-0", "3 – 1 – 0"
    ONE = "1-0.5-0", "1 – ½ – 0"

    @property
    def halves(self) -> tuple[int, int, int]:
        """Half match points for a match won, drawn and lost."""
        win, draw, loss = (round(2 * float(each)) for each in self.value.split("-"))
        return win, draw, loss


class MatchBye(models.TextChoices):
    """The worth of a team's bye: the match is won or drawn, and so are its boards."""

    WIN = "win", _("a match won")
    DRAW = "draw", _("a match drawn")


class NumberRating(models.TextChoices):
    """The rating of a player that decides the pairing number (C.04.2 2.1)."""

    LIST_FIRST = "list-first", _("the list's rating, else the national one")
    NATIONAL_FIRST = "national-first", _("the national rating, else the list's")
    HIGHER = "higher", _("the higher of the two")
    LOWER = "lower", _("the lower of the two")
    LIST = "list", _("the list's rating alone")
    NATIONAL = "national", _("the national rating alone")
    SITE = "site", _("the rating on this site, for accounts")


class TieBreakRating(models.TextChoices):
    """The rating of an opponent in tie-breaks, if the player has several."""

    START = "start", _("the rating at the start")
    ROUND = "round", _("the rating of the round of the game")


# For constraints alone: elsewhere the classes of formats say it.
_SWISS = [
    EventFormat.DUTCH.value,
    EventFormat.DUTCH_2017.value,
    EventFormat.DUBOV.value,
    EventFormat.BURSTEIN.value,
    EventFormat.LIM.value,
    EventFormat.DOUBLE_SWISS.value,
    EventFormat.SWISS.value,
]
_OF_TEAMS = [each.value for each in EventFormat if each.is_of_teams]
_CONTINUOUS = [EventFormat.ARENA.value, EventFormat.LADDER.value]


class Event(Timed):
    """A tournament. Its state only moves forward, by services.events and services.rounds."""

    Format = EventFormat

    class State(models.TextChoices):
        REGISTRATION = "registration", _("registration open")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")
        CANCELLED = "cancelled", _("cancelled")

    class Admits(models.TextChoices):
        PEOPLE = "people", _("people")
        BOTS = "bots", _("bots")
        BOTH = "both", _("people and bots")

    class Start(models.TextChoices):
        # The clocks of a published round begin at this time.
        PUBLICATION = "publication", _("when the round is published")
        BUTTON = "button", _("when the organiser starts them")
        PRESENCE = "presence", _("in each game when both players are there")

    class Chat(models.TextChoices):
        # The readers and writers of its chat. Members of the site write, and all visitors read.
        OFF = "off", _("off")
        ENTRANTS = "entrants", _("players and staff")
        MEMBERS = "members", _("signed-in users")

    class AtDeadline(models.TextChoices):
        """The rule for games that are not over at the deadline of their round."""

        ARBITER = "arbiter", _("the arbiter decides them")
        SIDE_TO_MOVE = "side-to-move", _("the side to move loses")
        DRAW = "draw", _("they are drawn")

    name = models.CharField(max_length=80)
    slug = models.SlugField(max_length=80, unique=True)
    description = models.TextField(blank=True, max_length=2000)
    organiser = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="events"
    )
    ruleset = models.CharField(max_length=120)
    format = models.CharField(max_length=16, choices=Format.choices, default=Format.DUTCH)
    state = models.CharField(max_length=12, choices=State.choices, default=State.REGISTRATION)
    admits = models.CharField(max_length=6, choices=Admits.choices, default=Admits.PEOPLE)
    # Set at the start if the format itself gives the number. None in formats without common rounds.
    rounds_total = models.PositiveSmallIntegerField()
    # Options of formats, as in tournaments.pairing.FormatOptions.
    cycles = models.PositiveSmallIntegerField(default=1)
    exchanges_rounds = models.BooleanField(default=True)
    groups = models.PositiveSmallIntegerField(default=2)
    has_third_place = models.BooleanField(default=False)
    # Knock-outs: the games of a tie, the most games after a level tie, whether they come in pairs, and
    # their clock as `TimeControl.text` writes it, the event's clock if empty. In the armageddon game
    # the second player has this percentage of the first player's time. None without such a game.
    tie_games = models.PositiveSmallIntegerField(default=1)
    extra_games = models.PositiveSmallIntegerField(default=2)
    has_extra_pairs = models.BooleanField(default=False)
    extra_clock = models.CharField(max_length=40, blank=True)
    armageddon_percent = models.PositiveSmallIntegerField(null=True, blank=True)
    promotion_places = models.PositiveSmallIntegerField(default=1)
    qualifiers = models.PositiveSmallIntegerField(default=2)
    seasons = models.PositiveSmallIntegerField(default=1)
    # Duration of arenas and ladders. 0 until the organiser ends them.
    duration_s = models.PositiveIntegerField(default=0)
    ends_at = models.DateTimeField(null=True, blank=True)
    # Worth of a game and of a pairing-allocated bye, in half points.
    win_halves = models.PositiveSmallIntegerField(default=2)
    draw_halves = models.PositiveSmallIntegerField(default=1)
    loss_halves = models.PositiveSmallIntegerField(default=0)
    bye_halves = models.PositiveSmallIntegerField(default=2)
    # Names of tie-breaks (C.07) in their order, with commas. Empty for the usual ones of the
    # format.
    tie_breaks = models.CharField(max_length=80, blank=True)
    # Swiss only: 2 for mini-matches, in which the second game has the sides exchanged (C.04.5).
    games_per_pairing = models.PositiveSmallIntegerField(default=1)
    # The number of boards of a match of teams. No effect in an event of individuals.
    boards = models.PositiveSmallIntegerField(default=4)
    # Worth of a match of teams and of the bye of one. The points of results above are game points
    # then.
    match_points = models.CharField(
        max_length=7, choices=MatchPoints.choices, default=MatchPoints.TWO
    )
    match_bye = models.CharField(max_length=4, choices=MatchBye.choices, default=MatchBye.DRAW)
    # True if members play in the order of their list: a reserve plays on the last boards.
    has_fixed_order = models.BooleanField(default=True)
    # True if the team that is named first has the first ply at the boards with odd numbers. Otherwise it
    # has the first ply at all boards.
    alternates_boards = models.BooleanField(default=True)
    # The time for line-ups between the publication of a round and its start.
    line_up_s = models.PositiveIntegerField(default=0)
    # The parameters of Keizer, McMahon and Lim, as tournaments.house_rules.HouseRules has them.
    rematch_gap = models.PositiveSmallIntegerField(default=USUAL_RULES.rematch_gap)
    bye_percent = models.PositiveSmallIntegerField(default=USUAL_RULES.bye_percent)
    absence_percent = models.PositiveSmallIntegerField(default=USUAL_RULES.absence_percent)
    bar_elo = models.PositiveSmallIntegerField(default=USUAL_RULES.bar_elo)
    floor_elo = models.PositiveSmallIntegerField(default=USUAL_RULES.floor_elo)
    step_elo = models.PositiveSmallIntegerField(default=USUAL_RULES.step_elo)
    maxi_elo = models.PositiveSmallIntegerField(default=USUAL_RULES.maxi_elo)
    # Baku acceleration (C.04.7): group A ends with this TPN, for the whole event.
    is_accelerated = models.BooleanField(default=False)
    # The pairing numbers of each shared place that the arbiter has ordered by hand, the best first.
    tie_orders = models.JSONField(default=list, blank=True)
    accelerated_upto_tpn = models.PositiveSmallIntegerField(null=True, blank=True)
    # True if remote bots may enter, which run on their authors' machines of unknown strength.
    admits_remote = models.BooleanField(default=False)
    max_entries = models.PositiveSmallIntegerField(default=64)
    # The key of the pool, for the house's own ladder of a rating pool.
    standing_pool = models.CharField(max_length=60, blank=True)
    # Played on real boards: no clocks here, and the organiser enters the results.
    is_over_the_board = models.BooleanField(default=False)
    # The time on the players' real clocks, in the organiser's words.
    board_time = models.CharField(max_length=60, blank=True)
    # Amount and currency, such as 12.50 EUR. Empty without an entry fee.
    fee = models.CharField(max_length=20, blank=True)
    # Over the board: players report their results themselves.
    has_player_reports = models.BooleanField(default=False)
    # The head of report files. The days are those of an event over the board.
    place = models.CharField(max_length=80, blank=True)
    federation = models.CharField(max_length=3, blank=True)
    first_day = models.DateField(null=True, blank=True)
    last_day = models.DateField(null=True, blank=True)
    organiser_name = models.CharField(max_length=80, blank=True)
    # The name of a club of the site, of which an organiser is an officer.
    organising_club = models.CharField(max_length=60, blank=True, db_index=True)
    chief_arbiter = models.CharField(max_length=80, blank=True)
    # With semicolons between them.
    arbiters = models.CharField(max_length=300, blank=True)
    # True if a bank of days stops while its owner is on vacation.
    allows_vacation = models.BooleanField(default=True)
    # Deterministic leagues, for WebAssembly modules only: units of fuel for each ply.
    fuel = models.PositiveBigIntegerField(null=True, blank=True)
    # Ladders under fuel: volunteers' workers may play the matches.
    allows_volunteers = models.BooleanField(default=False)
    is_rated = models.BooleanField(default=True)
    # Rounds are closed, paired and published automatically. Otherwise the organiser does each step.
    is_automatic = models.BooleanField(default=True)
    # In automatic events the next round is drafted this long after the last one closed.
    pause_s = models.PositiveIntegerField(default=60)
    start_mode = models.CharField(max_length=11, choices=Start.choices, default=Start.PUBLICATION)
    # A player who has not come to the board this long after the start of the round forfeits the
    # game (FIDE Laws 6.7). None if the clock alone decides.
    grace_s = models.PositiveIntegerField(null=True, blank=True)
    # The deadline of a round comes this number of days after the start of its games. None without one.
    round_days = models.PositiveSmallIntegerField(null=True, blank=True)
    at_deadline = models.CharField(
        max_length=12, choices=AtDeadline.choices, default=AtDeadline.ARBITER
    )
    # The organiser has halted the event: no round is closed, paired or published meanwhile.
    paused_at = models.DateTimeField(null=True, blank=True)
    # The next round waits until this number of people (not bots) take part.
    min_guests = models.PositiveSmallIntegerField(default=0)
    seed = models.BigIntegerField()
    # The set-ups of the rounds come from a chain of hashes whose end is published beforehand
    # (services.events.seed_chain).
    seed_secret = models.CharField(max_length=64)
    seed_commitment = models.CharField(max_length=64)
    # A worker is pairing the next round until then, and has come so far (per cent).
    pairing_until = models.DateTimeField(null=True, blank=True)
    pairing_claims = models.PositiveIntegerField(default=0)
    pairing_percent = models.PositiveSmallIntegerField(default=0)
    # The organiser has asked for the draft of a large field, which a worker makes.
    is_draft_requested = models.BooleanField(default=False)
    next_step_at = models.DateTimeField(null=True, blank=True)
    # The code of the refusal for which an automatic event waits, or empty.
    hold_reason = models.CharField(max_length=40, blank=True)
    # Names of the departures from FIDE's rules that stay when their act is taken back, each with the
    # first round after the act, or 0 for an event that has never followed the rules.
    departures = models.JSONField(default=dict, blank=True)
    # The planned start, the end of registration, and the start of the check-in.
    starts_at = models.DateTimeField(null=True, blank=True)
    registration_closes_at = models.DateTimeField(null=True, blank=True)
    check_in_opens_at = models.DateTimeField(null=True, blank=True)
    # The planned start of which the players were reminded.
    reminded_start_at = models.DateTimeField(null=True, blank=True)
    # Conditions of entry: ratings in hundredths of a point and rated games in the event's pool.
    min_centielo = models.IntegerField(null=True, blank=True)
    max_centielo = models.IntegerField(null=True, blank=True)
    min_games = models.PositiveSmallIntegerField(default=0)
    needs_approval = models.BooleanField(default=False)
    has_waiting_list = models.BooleanField(default=False)
    # A private event is in no list and opens by `access_code`. Any event with a code asks for it on
    # entry.
    is_private = models.BooleanField(default=False)
    # False if lists for visitors leave the event out: measurements among bots, for example.
    is_listed = models.BooleanField(default=True)
    chat = models.CharField(max_length=8, choices=Chat.choices, default=Chat.MEMBERS)
    access_code = models.CharField(max_length=40, blank=True)
    # Half-point byes on request: how many for each player, and in which rounds at the latest.
    most_half_byes = models.PositiveSmallIntegerField(default=1)
    last_half_bye_round = models.PositiveSmallIntegerField(null=True, blank=True)
    # The round until whose pairing a Swiss takes entries. Half of the rounds if empty.
    last_late_round = models.PositiveSmallIntegerField(null=True, blank=True)
    # True if a late entry into a Swiss has half a point for the last round that it missed.
    gives_late_half_point = models.BooleanField(default=False)
    # The number of players that count for a club in the table of clubs. 0 for no such table.
    club_players = models.PositiveSmallIntegerField(default=0)
    # The rating by which entries are numbered.
    number_rating = models.CharField(
        max_length=14, choices=NumberRating.choices, default=NumberRating.LIST_FIRST
    )
    tie_break_rating = models.CharField(
        max_length=5, choices=TieBreakRating.choices, default=TieBreakRating.START
    )
    # Names of rating lists in their order, with semicolons. Empty for the usual order.
    rating_lists = models.CharField(max_length=200, blank=True)
    # True if the desk tells of later uploads with other ratings.
    tells_new_lists = models.BooleanField(default=True)
    # Players of one club are not paired with each other.
    keeps_clubs_apart = models.BooleanField(default=False)
    # During the event its players have no engine on pages, and its games have none for any visitor.
    forbids_engine = models.BooleanField(default=False)
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = EventQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(chat__in=["off", "entrants", "members"]), name="event_chat_known"
            ),
            models.CheckConstraint(
                condition=Q(rounds_total__lte=MAX_ROUNDS_OF_TABLES)
                & (Q(rounds_total__gte=1) | Q(format__in=_CONTINUOUS)),
                name="event_rounds_in_range",
            ),
            models.CheckConstraint(
                condition=Q(max_entries__gte=2, max_entries__lte=MAX_ENTRIES),
                name="event_entries_in_range",
            ),
            models.CheckConstraint(
                condition=Q(
                    name__length__gte=1, name__length__lte=80, description__length__lte=2000
                ),
                name="event_text_lengths",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["registration", "running", "finished", "cancelled"]),
                name="event_state_known",
            ),
            models.CheckConstraint(
                condition=Q(admits__in=["people", "bots", "both"])
                & Q(start_mode__in=["publication", "button", "presence"])
                & Q(format__in=EventFormat.values),
                name="event_words_known",
            ),
            models.CheckConstraint(
                condition=Q(cycles__in=[1, 2])
                & Q(groups__gte=1, promotion_places__gte=0, qualifiers__gte=1)
                & Q(seasons__gte=1, seasons__lte=100, step_elo__gte=1),
                name="event_options_in_range",
            ),
            models.CheckConstraint(
                condition=Q(win_halves__gt=F("draw_halves"), win_halves__lte=20)
                & Q(draw_halves__gte=F("loss_halves"), bye_halves__lte=F("win_halves")),
                name="event_points_in_order",
            ),
            models.CheckConstraint(
                condition=Q(seed_secret__length=64, seed_commitment__length=64),
                name="event_seed_is_committed",
            ),
            models.CheckConstraint(
                condition=Q(games_per_pairing=1)
                | Q(games_per_pairing=2, format__in=_SWISS, is_accelerated=False)
                | Q(games_per_pairing=F("boards"), format__in=_OF_TEAMS),
                name="event_mini_matches_in_a_swiss",
            ),
            models.CheckConstraint(
                condition=Q(boards__gte=2, boards__lte=MAX_BOARDS)
                & (
                    ~Q(format__in=_OF_TEAMS)
                    | Q(games_per_pairing=F("boards"), is_accelerated=False)
                ),
                name="event_boards_of_teams",
            ),
            models.CheckConstraint(
                condition=Q(match_points__in=MatchPoints.values, match_bye__in=MatchBye.values),
                name="event_match_points_known",
            ),
            # No clock runs here, and no time class rates it.
            models.CheckConstraint(
                condition=Q(is_over_the_board=False)
                | Q(clock_kind="unlimited", is_rated=False, is_automatic=False),
                name="event_over_the_board_by_hand",
            ),
            models.CheckConstraint(
                condition=Q(tie_games__gte=1, tie_games__lte=MAX_TIE_GAMES)
                & Q(extra_games__lte=MAX_EXTRA_GAMES),
                name="event_games_of_ties_in_range",
            ),
            models.CheckConstraint(
                condition=Q(armageddon_percent__isnull=True) | ARMAGEDDON_IN_RANGE,
                name="event_armageddon_in_range",
            ),
            models.CheckConstraint(
                condition=Q(board_time="") | Q(is_over_the_board=True),
                name="event_board_time_over_the_board",
            ),
            models.CheckConstraint(
                condition=Q(federation="") | Q(federation__length=3), name="event_federation_code"
            ),
            models.CheckConstraint(
                condition=Q(first_day__isnull=True)
                | Q(last_day__isnull=True)
                | Q(first_day__lte=F("last_day")),
                name="event_days_in_order",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["registration", "cancelled"]) | Q(started_at__isnull=False),
                name="event_started_when_running",
            ),
            models.CheckConstraint(
                condition=Q(state="finished", finished_at__isnull=False)
                | (~Q(state="finished") & Q(finished_at__isnull=True)),
                name="event_finished_when_finished",
            ),
            models.CheckConstraint(
                condition=Q(is_private=False) | ~Q(access_code=""), name="event_private_has_a_code"
            ),
            models.CheckConstraint(
                condition=Q(min_centielo__isnull=True)
                | Q(max_centielo__isnull=True)
                | Q(min_centielo__lte=F("max_centielo")),
                name="event_rating_band_in_order",
            ),
            models.CheckConstraint(
                condition=Q(standing_pool="") | Q(format="ladder"), name="event_standing_ladder"
            ),
            models.UniqueConstraint(
                fields=["standing_pool"],
                condition=~Q(standing_pool="") & Q(state__in=["registration", "running"]),
                name="event_one_standing_ladder",
            ),
            *clock_constraints("event"),
        ]
        indexes = [
            models.Index(
                fields=["starts_at"], condition=Q(state="registration"), name="event_starts"
            ),
            models.Index(fields=["next_step_at"], condition=Q(state="running"), name="event_due"),
        ]

    def __str__(self) -> str:
        return self.name

    @classmethod
    def locked(cls, pk: int) -> Event:
        """Return the event, its row locked until the transaction ends.

        Raises DoesNotExist.
        """
        event = _locked.one(pk=pk)
        if event is None:
            raise cls.DoesNotExist(pk)
        return event

    @property
    def is_of_teams(self) -> bool:
        """Return whether teams meet, whose members play at several boards."""
        return EventFormat(self.format).is_of_teams

    def is_first_at(self, board: int) -> bool:
        """Return whether the team that is named first in a match has the first ply at this board, from 1."""
        return board % 2 == 1 or not self.alternates_boards

    @property
    def is_open(self) -> bool:
        """Return whether it has not ended: registration is open, or it is running."""
        return self.state in {self.State.REGISTRATION, self.State.RUNNING}

    def get_absolute_url(self) -> str:
        return reverse("event", args=[self.slug])


@statements.query
def _locked(pk: int) -> models.QuerySet[Event]:
    return Event.objects.select_for_update(no_key=True).filter(pk=pk)
