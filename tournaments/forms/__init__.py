"""Forms: parse the input of people and check its form. Services decide on its meaning."""

from tournaments.forms.accounts import (
    CodeForm,
    FactorForm,
    IntroductionForm,
    PasswordChangeForm,
    PasswordForm,
    PasswordResetForm,
    PasswordSetForm,
    SignInForm,
    SignUpForm,
    TokenForm,
)
from tournaments.forms.applications import ApplicationForm, NewApplicationForm
from tournaments.forms.archive import ArchiveForm
from tournaments.forms.bot_consents import ConsentForm
from tournaments.forms.bot_games import BotGamesForm, ComparisonForm
from tournaments.forms.bots import BotForm, RemoteBotForm, RemoteGamesForm, VersionForm
from tournaments.forms.entries import BotEntryForm, ByeForm, ProhibitionForm
from tournaments.forms.events import EventForm
from tournaments.forms.forecasts import ForecastForm
from tournaments.forms.games import MoveForm, PasteForm, VacationForm
from tournaments.forms.gauntlets import (
    GauntletForm,
    GauntletListForm,
    GauntletTermsForm,
    RegressionForm,
    TuningForm,
)
from tournaments.forms.lobby import PlayForm, QuickForm
from tournaments.forms.ratings import CasualChangeForm, FideChangeForm, LedgerChangeForm
from tournaments.forms.sprt import SprtListForm, SprtTestForm
from tournaments.forms.suites import SuiteForm
from tournaments.forms.webhooks import NewWebhookForm, WebhookForm
from tournaments.forms.workers import WorkerForm

__all__ = [
    "ApplicationForm",
    "ArchiveForm",
    "BotEntryForm",
    "BotForm",
    "BotGamesForm",
    "ByeForm",
    "CasualChangeForm",
    "CodeForm",
    "ComparisonForm",
    "ConsentForm",
    "EventForm",
    "FactorForm",
    "FideChangeForm",
    "ForecastForm",
    "GauntletForm",
    "GauntletListForm",
    "GauntletTermsForm",
    "IntroductionForm",
    "LedgerChangeForm",
    "MoveForm",
    "NewApplicationForm",
    "NewWebhookForm",
    "PasswordChangeForm",
    "PasswordForm",
    "PasswordResetForm",
    "PasswordSetForm",
    "PasteForm",
    "PlayForm",
    "ProhibitionForm",
    "QuickForm",
    "RegressionForm",
    "RemoteBotForm",
    "RemoteGamesForm",
    "SignInForm",
    "SignUpForm",
    "SprtListForm",
    "SprtTestForm",
    "SuiteForm",
    "TokenForm",
    "TuningForm",
    "VacationForm",
    "VersionForm",
    "WebhookForm",
    "WorkerForm",
]
