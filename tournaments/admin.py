from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminPasswordChangeForm
from django.db import models, transaction
from django.forms import ModelForm
from django.http import HttpRequest

from tournaments.models import (
    AuditEntry,
    Bot,
    Challenge,
    Computation,
    Entry,
    Event,
    Game,
    LedgerEntry,
    LostWork,
    Match,
    Outage,
    Picture,
    Player,
    Pool,
    Rating,
    Recomputation,
    Round,
    SandboxReport,
    SiteText,
    User,
    Vacation,
)
from tournaments.services import security


class ReadOnlyAdmin(admin.ModelAdmin):
    """Services own these rows: they are looked at here, and changed nowhere but there."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False


@admin.register(Player)
class PlayerAdmin(ReadOnlyAdmin):
    list_display = ["name", "kind", "user", "created_at"]
    list_filter = ["kind"]
    list_select_related = ["user"]
    search_fields = ["canonical"]


@admin.register(Bot)
class BotAdmin(admin.ModelAdmin):
    """Bots may be paused and described; their engine belongs to their history."""

    list_display = ["player", "engine", "owner", "state", "is_active"]
    list_filter = ["is_active", "state"]
    list_select_related = ["player", "owner"]
    search_fields = ["player__canonical"]
    fields = ["player", "engine", "owner", "state", "state_code", "description", "is_active"]
    readonly_fields = ["player", "engine", "owner", "state", "state_code"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False


@admin.register(Event)
class EventAdmin(ReadOnlyAdmin):
    # The secret of future set-ups, and the code of entry. An administrator may play.
    exclude = ["seed_secret", "access_code"]
    list_display = ["name", "ruleset", "state", "organiser", "created_at"]
    list_filter = ["state", "admits"]
    list_select_related = ["organiser"]
    search_fields = ["name"]


@admin.register(Entry)
class EntryAdmin(ReadOnlyAdmin):
    list_display = ["event", "player", "tpn", "state"]
    list_filter = ["state"]
    list_select_related = ["event", "player"]
    search_fields = ["player__canonical", "event__name"]


@admin.register(Round)
class RoundAdmin(ReadOnlyAdmin):
    list_display = ["event", "number", "state", "engine", "published_at", "closed_at"]
    list_filter = ["state"]
    list_select_related = ["event"]

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[Round]:
        """No drafts: they are their organiser's."""
        return super().get_queryset(request).exclude(state=Round.State.DRAFT)


@admin.register(Game)
class GameAdmin(ReadOnlyAdmin):
    list_display = ["pk", "first", "second", "ruleset", "result", "ending", "created_at"]
    list_filter = ["result", "ending"]
    list_select_related = ["first", "second"]
    search_fields = ["first__canonical", "second__canonical"]


@admin.register(Match)
class MatchAdmin(ReadOnlyAdmin):
    list_display = ["pk", "state", "is_sandboxed", "attempt", "losses", "due_at", "fault"]
    list_filter = ["state", "is_sandboxed"]


@admin.register(LostWork)
class LostWorkAdmin(ReadOnlyAdmin):
    """Work that processes died at, which is tried again at the next moment that is due."""

    list_display = ["kind", "key", "losses", "lost_at", "due_at"]
    list_filter = ["kind"]


@admin.register(Computation)
class ComputationAdmin(ReadOnlyAdmin):
    """Tables, files and explanations of large events that workers have computed in the last hour."""

    exclude = ["value"]
    list_display = ["event", "name", "arguments", "asked_at", "computed_at", "cost_s"]
    list_select_related = ["event"]


@admin.register(Picture)
class PictureAdmin(ReadOnlyAdmin):
    """Pictures for other sites that workers have drawn."""

    exclude = ["content"]
    list_display = ["kind", "name", "size", "asked_at"]
    list_filter = ["kind"]


@admin.register(SandboxReport)
class SandboxReportAdmin(ReadOnlyAdmin):
    """Machines with a sandbox, and the reasons why others have none."""

    list_display = ["host", "queue", "isolator", "python", "numpy", "report", "checked_at"]


@admin.register(Challenge)
class ChallengeAdmin(ReadOnlyAdmin):
    exclude = ["vote"]  # which is sealed
    list_display = ["challenger", "opponent", "ruleset", "state", "created_at"]
    list_filter = ["state"]
    list_select_related = ["challenger", "opponent"]


@admin.register(Outage)
class OutageAdmin(ReadOnlyAdmin):
    list_display = ["started_at", "ended_at"]


@admin.register(Vacation)
class VacationAdmin(ReadOnlyAdmin):
    list_display = ["player", "days", "started_at", "ends_at", "ended_at"]
    list_select_related = ["player"]
    search_fields = ["player__canonical"]


@admin.register(Rating)
class RatingAdmin(ReadOnlyAdmin):
    list_display = ["player", "pool", "elo", "games"]
    list_filter = ["pool"]
    list_select_related = ["player", "pool"]
    search_fields = ["player__canonical"]


@admin.register(LedgerEntry)
class LedgerAdmin(ReadOnlyAdmin):
    list_display = ["player", "pool", "seq", "before", "delta", "after", "formula"]
    list_filter = ["pool"]
    list_select_related = ["player", "pool"]
    search_fields = ["player__canonical"]


@admin.register(AuditEntry)
class AuditAdmin(ReadOnlyAdmin):
    list_display = ["done_at", "event", "actor", "action", "detail"]
    list_filter = ["action"]
    list_select_related = ["event", "actor"]


admin.site.register(Pool, ReadOnlyAdmin)


@admin.register(Recomputation)
class RecomputationAdmin(ReadOnlyAdmin):
    list_display = ["pool", "begun_at", "finished_at", "games_done", "games_total", "attempts"]
    list_select_related = ["pool"]


class _PasswordForm(AdminPasswordChangeForm):
    @transaction.atomic
    def save(self, commit: bool = True) -> User:
        user: User = super().save(commit)
        security.note(security.PASSWORD_SET, user)
        return user


@admin.register(User)
class AccountAdmin(UserAdmin):
    """Django's admin of accounts, whose changes of rights and passwords are security events."""

    change_password_form = _PasswordForm

    def save_model(self, request: HttpRequest, obj: User, form: ModelForm, change: bool) -> None:
        """Store the account, and record the rights of administration that it got or lost."""
        super().save_model(request, obj, form, change)
        actor = request.user if isinstance(request.user, User) else None
        for name in {"is_staff", "is_superuser"} & set(form.changed_data):
            kind = security.ROLE_GIVE if getattr(obj, name) else security.ROLE_TAKE
            security.note(kind, obj, actor=actor, detail=name.removeprefix("is_"))


@admin.register(SiteText)
class SiteTextAdmin(admin.ModelAdmin):
    """The operator's words, which `manage.py setup` writes too."""

    list_display = ["kind", "text"]
