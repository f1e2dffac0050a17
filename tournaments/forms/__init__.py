"""What people send: parsed and checked for form. What it means is for the services to say."""

from tournaments.forms.accounts import SignUpForm
from tournaments.forms.analysis import PasteForm
from tournaments.forms.bots import BotForm, VersionForm
from tournaments.forms.events import BotEntryForm, ByeForm, EventForm, ProhibitionForm
from tournaments.forms.games import ChallengeForm, InvitationForm, MoveForm, QuickForm, VacationForm
from tournaments.forms.ratings import CasualChangeForm, FideChangeForm, LedgerChangeForm
from tournaments.forms.sprt import SprtTestForm

__all__ = [
    "BotEntryForm",
    "BotForm",
    "ByeForm",
    "CasualChangeForm",
    "ChallengeForm",
    "EventForm",
    "FideChangeForm",
    "InvitationForm",
    "LedgerChangeForm",
    "MoveForm",
    "PasteForm",
    "ProhibitionForm",
    "QuickForm",
    "SignUpForm",
    "SprtTestForm",
    "VacationForm",
    "VersionForm",
]
