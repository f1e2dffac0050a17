"""Entries of an event: lists of players without accounts, bots, byes, and who must not meet."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from tournaments.models import Entry, Event, Player, RatedPlayer, User
from tournaments.models.events import MAX_ROUNDS
from tournaments.models.players import NAME_LENGTH
from tournaments.queries.events import personal_data, player_lists, rating_lists
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.services.events import bot_requests


class ListedPlayerForm(forms.Form):
    """A player as a list has it."""

    name = forms.CharField(label=_("Name"), max_length=NAME_LENGTH)
    rating = forms.IntegerField(
        label=_("Rating"), required=False, min_value=0, max_value=player_lists.MAX_ELO
    )
    federation = forms.CharField(label=_("Federation"), required=False, max_length=3)
    club = forms.CharField(label=_("Club"), required=False, max_length=player_lists.MAX_CLUB)
    fide_id = forms.CharField(
        label=_("FIDE id"), required=False, max_length=player_lists.MAX_FIDE_ID
    )
    category = forms.CharField(
        label=_("Category"), required=False, max_length=player_lists.MAX_CATEGORY
    )

    title = forms.CharField(
        label=_("Title"), required=False, max_length=personal_data.LONGEST_TITLE
    )
    sex = forms.ChoiceField(
        label=_("Sex"), required=False, choices=[("", _("not given")), *Entry.Sex.choices]
    )
    birth = forms.CharField(
        label=_("Birth date"),
        required=False,
        max_length=20,
        help_text=_(
            "Or the year. Only the staff sees the date. Public report files have the year."
        ),
    )
    national_rating = forms.IntegerField(
        label=_("National rating"), required=False, min_value=0, max_value=player_lists.MAX_ELO
    )
    national_id = forms.CharField(
        label=_("National id"), required=False, max_length=personal_data.LONGEST_NATIONAL_ID
    )

    def player(self) -> ListedPlayer:
        """Return the player of the form."""
        cleaned = self.cleaned_data
        return ListedPlayer(
            name=cleaned["name"],
            rating_elo=cleaned["rating"] or None,
            national_elo=cleaned["national_rating"] or None,
            **{name: cleaned[name] for name in player_lists.TEXTS},
        )

    @classmethod
    def of_entry(cls, entry: Entry) -> ListedPlayerForm:
        """Return the form with the list's current data about the entry."""
        ratings = {"rating": entry.listed_centielo, "national_rating": entry.national_centielo}
        form = cls(
            initial={
                **{name: getattr(entry, name) for name in player_lists.TEXTS},
                **{name: None if each is None else each // 100 for name, each in ratings.items()},
                "name": entry.player.name,
            }
        )
        if not entry.player.is_listed:
            form.fields["name"].widget.attrs["readonly"] = True
        return form


class NewPlayerForm(ListedPlayerForm):
    """A player to be entered. If the player may be in the event already, the form asks first."""

    is_another = forms.BooleanField(
        label=_("This is another person: enter both"), required=False, widget=forms.HiddenInput
    )
    # The player of a rating list from whom the form was filled.
    rated = forms.IntegerField(required=False, max_value=10**18, widget=forms.HiddenInput)

    def player(self) -> ListedPlayer:
        """Return the player of the form, with the rating list as the source of a rating that it has."""
        player = super().player()
        rows = RatedPlayer.objects.filter(list__is_current=True).select_related("list")
        rated = rows.filter(pk=self.cleaned_data["rated"], rating_elo=player.rating_elo).first()
        return replace(player, source=rated.list.dated_name) if rated else player

    @classmethod
    def of_player(cls, rated: RatedPlayer) -> NewPlayerForm:
        """Return the form filled with the data of a player of a rating list."""
        player = rating_lists.listed(rated)
        texts = {name: getattr(player, name) for name in player_lists.TEXTS}
        ratings = {"rating": player.rating_elo, "national_rating": player.national_elo}
        return cls(initial={"name": player.name, "rated": rated.pk, **ratings, **texts})

    def ask_about_duplicates(self) -> None:
        """Show the box to tick for a second player who looks like one of the event."""
        self.fields["is_another"].widget = forms.CheckboxInput()


class PlayerListForm(forms.Form):
    """A list as text, or a file with one."""

    text = forms.CharField(
        label=_("Names, one a line"),
        required=False,
        max_length=player_lists.MAX_CHARACTERS,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
        help_text=_(
            "Or with more fields: Name; rating; federation; club; FIDE id; category. You "
            "can also paste a CSV table with a heading, or a TRF report."
        ),
    )
    upload = forms.FileField(label=_("Or a file (XLSX, CSV, TRF, text)"), required=False)

    def list_text(self) -> str:
        """The list. Raises RefusedError `list-large`."""
        upload = self.cleaned_data["upload"]
        if upload is None:
            text: str = self.cleaned_data["text"]
            return text
        return player_lists.decoded(upload.read(4 * player_lists.MAX_CHARACTERS + 1))


class ConfirmedListForm(forms.Form):
    """The list of a preview, and the lines of it that are to be entered."""

    text = forms.CharField(
        max_length=player_lists.MAX_CHARACTERS, strip=False, widget=forms.HiddenInput
    )
    lines = forms.TypedMultipleChoiceField(coerce=int, required=False)

    def __init__(self, data: object, *, lines: list[int]) -> None:
        super().__init__(data)  # type: ignore[arg-type]  # a QueryDict, as all forms take it
        field = self.fields["lines"]
        assert isinstance(field, forms.TypedMultipleChoiceField)
        field.choices = [(line, str(line)) for line in lines]


class EntryField(forms.ModelChoiceField):
    """An entry of an event, by the player's name with its number and rating."""

    def label_from_instance(self, obj: Entry) -> str:
        parts = [obj.player.name, obj.fide_id, obj.club, obj.federation]
        return ", ".join(filter(None, parts))


class MergeForm(forms.Form):
    """Two entries of an event, of which the first stays."""

    entry = EntryField(label=_("Entry that stays"), queryset=Entry.objects.none())
    other = EntryField(label=_("Entry that is deleted"), queryset=Entry.objects.none())

    def __init__(self, data: QueryDict | None, *, event: Event) -> None:
        super().__init__(data)
        for field in self.fields.values():
            assert isinstance(field, forms.ModelChoiceField)
            field.queryset = event.entries.select_related("player").order_by("player__canonical")

    @classmethod
    def of(cls, entry: Entry, other: Entry) -> MergeForm:
        """Return the form with these entries."""
        data = QueryDict(mutable=True)
        data.update({"entry": str(entry.pk), "other": str(other.pk)})
        return cls(data, event=entry.event)

    def ids(self) -> dict[str, int]:
        """The ids of the two entries, as arguments of a merge."""
        return {f"{name}_id": self.cleaned_data[name].pk for name in ("entry", "other")}


class EntriesField(forms.ModelMultipleChoiceField):
    """Some of an event's entries, by the players' names."""

    def label_from_instance(self, obj: Entry) -> str:
        return obj.player.name


class ProhibitionForm(forms.Form):
    """Players who must not meet, and the rounds."""

    entries = EntriesField(
        label=_("Players"),
        queryset=Entry.objects.none(),
        widget=forms.CheckboxSelectMultiple,
    )
    first_round = forms.IntegerField(
        label=_("From round"), min_value=1, max_value=MAX_ROUNDS, initial=1
    )
    last_round = forms.IntegerField(
        label=_("To round"),
        required=False,
        min_value=1,
        max_value=MAX_ROUNDS,
        help_text=_("Leave it empty for all rounds."),
    )
    note = forms.CharField(
        label=_("Reason"),
        required=False,
        max_length=100,
        help_text=_("For example a club or a family. Visible to everyone."),
    )

    def __init__(self, data: QueryDict | None = None, *, event: Event) -> None:
        super().__init__(data)
        field = self.fields["entries"]
        assert isinstance(field, forms.ModelMultipleChoiceField)
        field.queryset = event.entries.active().select_related("player")


class ByeForm(forms.Form):
    round_number = forms.IntegerField(min_value=1, max_value=MAX_ROUNDS)
    kind = forms.ChoiceField(choices=[("half", _("half-point bye")), ("zero", _("zero-point bye"))])


class BotEntryForm(forms.Form):
    """Bots to be entered in an event, several in one step, and bots whose authors can be asked.

    Bots that have entered are not offered, nor those whose authors would refuse.
    """

    bots = forms.ModelMultipleChoiceField(
        label=_("Bots"), queryset=Player.objects.none(), widget=forms.CheckboxSelectMultiple
    )
    askable = forms.ModelMultipleChoiceField(
        label=_("Bots"), queryset=Player.objects.none(), widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, data: QueryDict | None = None, *, event: Event, user: User) -> None:
        """The bots for `event` as the organiser or deputy `user` may enter them."""
        super().__init__(data)
        choices = bot_requests.choices(event, user)
        self.requests = choices.requests
        self._offer("bots", choices.enterable)
        self._offer("askable", choices.askable)

    def _offer(self, name: str, players: Collection[int]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ModelMultipleChoiceField)
        field.queryset = Player.objects.filter(pk__in=players).order_by("canonical")
        if not players:
            del self.fields[name]

    def chosen(self, name: str) -> list[Player]:
        """Return the ticked players of `bots` or `askable`, or an empty list without an offered one."""
        self.is_valid()
        return list(self.cleaned_data.get(name, ()))
