"""Rows, constraints and querysets.

Invariants are constraints here, not checks in a service (law 2).
"""

from tournaments.models.attendance import Attendance, WebProcess
from tournaments.models.audit import AuditEntry
from tournaments.models.bots import Bot, Match
from tournaments.models.chat import (
    ChatLine,
    ChatReport,
    EventMute,
    Mute,
    PlayerReport,
    Silence,
)
from tournaments.models.claims import EntryClaim
from tournaments.models.clocks import ClockCharge, Heartbeat, Outage, Vacation
from tournaments.models.clubs import Club, ClubMember
from tournaments.models.computations import Computation
from tournaments.models.consents import BotConsent, BotRequest
from tournaments.models.correspondence import Conditional, Email, Inbox, Note, Reminder
from tournaments.models.entries import ByeRequest, Entry, Prohibition
from tournaments.models.evaluations import Evaluation
from tournaments.models.events import Event
from tournaments.models.exercises import ExerciseDone
from tournaments.models.festivals import Festival, Section
from tournaments.models.follows import Follow
from tournaments.models.forecasts import Forecast
from tournaments.models.form_keys import FormKey
from tournaments.models.games import Game
from tournaments.models.gauntlets import (
    Gauntlet,
    GauntletOpponent,
    GauntletPair,
    Regression,
    TunedPair,
    TunedParameter,
    TuningIteration,
)
from tournaments.models.introductions import Introduction
from tournaments.models.lobby import Challenge, Invitation, Seek
from tournaments.models.lost_work import LostWork
from tournaments.models.news import NewsItem, Topic
from tournaments.models.oauth import Application, Authorization, Grant
from tournaments.models.offers import Offer
from tournaments.models.open_data import DataFile, DataPart
from tournaments.models.pictures import Picture
from tournaments.models.players import Guest, Player, User
from tournaments.models.plies import Correction, Ply
from tournaments.models.pools import Pool
from tournaments.models.prizes import Award, AwardList, Prize, PrizeFund
from tournaments.models.programs import BotLine, Build, Program, SandboxReport
from tournaments.models.push import PushDevice, PushMessage
from tournaments.models.puzzles import Puzzle, PuzzleRating, PuzzleReport, PuzzleSearch, PuzzleTry
from tournaments.models.rated_results import RatedResult
from tournaments.models.rating_lists import (
    RatedPlayer,
    RatingList,
    RatingSource,
    RatingUpload,
    RatingUploadPart,
)
from tournaments.models.ratings import (
    LedgerEntry,
    PairTally,
    PendingGame,
    Rating,
    Recomputation,
)
from tournaments.models.remote_bots import FuelCheck, RemoteBot
from tournaments.models.result_reports import ResultReport
from tournaments.models.rounds import Pairing, Round, Seat, TeamBoard, TieGame
from tournaments.models.sanctions import Sanction
from tournaments.models.schedules import Occurrence, Schedule
from tournaments.models.security import SecurityEvent
from tournaments.models.series import Series, SeriesEvent, SeriesPerson
from tournaments.models.sessions import Session
from tournaments.models.site_texts import SiteText
from tournaments.models.sprt import Annulment, AnnulmentProgress, SprtPair, SprtTest, Transcript
from tournaments.models.staff import Announcement, RoundTime, StaffMember
from tournaments.models.studies import Study
from tournaments.models.suites import Suite
from tournaments.models.throttles import Throttle
from tournaments.models.tokens import AccessToken, Scope
from tournaments.models.upkeep import Upkeep
from tournaments.models.volunteers import SharedMatch, Worker, WorkerRun
from tournaments.models.webhooks import EventTopic, Webhook, WebhookDelivery

__all__ = [
    "AccessToken",
    "Announcement",
    "Annulment",
    "AnnulmentProgress",
    "Application",
    "Attendance",
    "AuditEntry",
    "Authorization",
    "Award",
    "AwardList",
    "Bot",
    "BotConsent",
    "BotLine",
    "BotRequest",
    "Build",
    "ByeRequest",
    "Challenge",
    "ChatLine",
    "ChatReport",
    "ClockCharge",
    "Club",
    "ClubMember",
    "Computation",
    "Conditional",
    "Correction",
    "DataFile",
    "DataPart",
    "Email",
    "Entry",
    "EntryClaim",
    "Evaluation",
    "Event",
    "EventMute",
    "EventTopic",
    "ExerciseDone",
    "Festival",
    "Follow",
    "Forecast",
    "FormKey",
    "FuelCheck",
    "Game",
    "Gauntlet",
    "GauntletOpponent",
    "GauntletPair",
    "Grant",
    "Guest",
    "Heartbeat",
    "Inbox",
    "Introduction",
    "Invitation",
    "LedgerEntry",
    "LostWork",
    "Match",
    "Mute",
    "NewsItem",
    "Note",
    "Occurrence",
    "Offer",
    "Outage",
    "PairTally",
    "Pairing",
    "PendingGame",
    "Picture",
    "Player",
    "PlayerReport",
    "Ply",
    "Pool",
    "Prize",
    "PrizeFund",
    "Program",
    "Prohibition",
    "PushDevice",
    "PushMessage",
    "Puzzle",
    "PuzzleRating",
    "PuzzleReport",
    "PuzzleSearch",
    "PuzzleTry",
    "RatedPlayer",
    "RatedResult",
    "Rating",
    "RatingList",
    "RatingSource",
    "RatingUpload",
    "RatingUploadPart",
    "Recomputation",
    "Regression",
    "Reminder",
    "RemoteBot",
    "ResultReport",
    "Round",
    "RoundTime",
    "Sanction",
    "SandboxReport",
    "Schedule",
    "Scope",
    "Seat",
    "Section",
    "SecurityEvent",
    "Seek",
    "Series",
    "SeriesEvent",
    "SeriesPerson",
    "Session",
    "SharedMatch",
    "Silence",
    "SiteText",
    "SprtPair",
    "SprtTest",
    "StaffMember",
    "Study",
    "Suite",
    "TeamBoard",
    "Throttle",
    "TieGame",
    "Topic",
    "Transcript",
    "TunedPair",
    "TunedParameter",
    "TuningIteration",
    "Upkeep",
    "User",
    "Vacation",
    "WebProcess",
    "Webhook",
    "WebhookDelivery",
    "Worker",
    "WorkerRun",
]
