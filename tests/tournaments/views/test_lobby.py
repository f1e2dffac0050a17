"""The lobby: one choice for every kind of opponent, and clocks of one's own."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

import games
from tests.tournaments import pages
from tournaments.models import Bot, Challenge, Game, Invitation, Player, Seek, User
from tournaments.queries.clocks import game_clocks
from tournaments.queries.lobby import last_choice
from tournaments.services.accounts import players
from tournaments.services.lobby import challenges, seeks
from tournaments.services.notifications import news
from tournaments.text import rulesets

FORM = {"ruleset": "morelli(size=5)", "clock": "600+10"}
CUSTOM = {**FORM, "clock": "custom"}


@pytest.fixture
def bot(db: None) -> Player:
    return players.add_bot(name="Rocamadour", engine="random")


def test_games_and_clocks_are_listed_once(client: Client, bot: Player, ana: User) -> None:
    for visitor in (client, pages.member(ana)):
        page = visitor.get(reverse("lobby")).content.decode()
        keys = re.findall(r'<input type="radio" name="ruleset" value="([^"]+)"', page)
        offered = [key for _game, choices in rulesets.ruleset_choices() for key, _name in choices]
        assert keys == offered
        assert len(re.findall(r'name="ruleset" [^>]* checked', page)) == 1
        assert page.count('<select name="clock"') == 1


def test_one_click_on_a_clock_seeks_an_opponent_whatever_clock_is_chosen(ana: User) -> None:
    client = pages.member(ana)
    page = client.get(reverse("lobby")).content.decode()
    select, grid = page.index('<select name="clock"'), page.index('name="clock" value="180+2"')
    assert select < grid  # the last value of a form counts
    client.post(reverse("seek-create"), {"ruleset": FORM["ruleset"], "clock": ["600+10", "180+2"]})
    assert Seek.objects.get().clock_initial_ms == 180_000


def test_the_tile_of_a_game_has_its_board_and_the_chosen_rule_set(client: Client, db: None) -> None:
    answer = client.get(reverse("lobby"), {"ruleset": "morlox(size=6)"})
    special, *tiles = answer.context["tiles"]
    assert [chip.is_chosen for chip in special.chips] == [True]
    assert special.board is None
    assert [tile.name for tile in tiles] == [each.presentation.name for each in games.available()]
    assert all(tile.board for tile in tiles)


def test_the_game_of_a_link_is_chosen_for_its_reader_alone(client: Client, bot: Player) -> None:
    def chosen(**parameters: str) -> list[str]:
        page = client.get(reverse("lobby"), parameters).content.decode()
        return re.findall(r'name="ruleset" value="([^"]+)" [^>]* checked', page)

    (usual,) = chosen()
    for key in ("morlox(size=6)", "morlox(size=7)"):
        linked = rulesets.canonical_key(key)
        assert linked != usual
        assert chosen(ruleset=key) == [linked]
        assert chosen() == [usual]


def test_a_refused_form_without_a_game_has_none_chosen(ana: User, bot: Player) -> None:
    answer = pages.member(ana).post(reverse("seek-create"), {**FORM, "ruleset": "chess"})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert 'name="ruleset"' in page
    assert not re.findall(r'name="ruleset" [^>]* checked', page)


def test_visitors_without_an_account_share_the_levels_of_bots(
    client: Client, bot: Player, ana: User
) -> None:
    def opponent(visitor: Client, **parameters: str) -> str:
        page = visitor.get(reverse("lobby"), parameters).content.decode()
        _before, levels = page.split('<div id="levels">')
        return levels[: levels.index("<details")].split('name="bot" value="')[1].partition('"')[0]

    assert opponent(client) == "Rocamadour"
    Player.objects.filter(pk=bot.pk).update(name="Babs")
    assert opponent(client) == "Rocamadour"
    assert opponent(client, ruleset="morlox(size=5)") == "Babs"
    assert opponent(pages.member(ana)) == "Babs"
    news.announce(news.SITE, "seek", {})
    assert opponent(client) == "Babs"


def test_what_is_open_is_one_list(client: Client, ana: User, ben: User) -> None:
    clock = game_clocks.Clock(600_000, 10_000)
    seeks.create(player=ana.player, ruleset=FORM["ruleset"], clock=clock)
    challenges.challenge(challenger=ben.player, opponent=None, ruleset=FORM["ruleset"], clock=clock)
    page = client.get(reverse("lobby")).content.decode()
    assert page.count('class="rows card"') == 1
    text = pages.text_of(page.encode())
    assert "1 person is waiting" in text
    assert "Ben" in text


@pytest.mark.parametrize("side", ["first", "second"])
def test_one_chooses_who_begins_against_a_bot(ana: User, bot: Player, side: str) -> None:
    pages.member(ana).post(reverse("challenge"), {**FORM, "bot": bot.name, "side": side})
    assert Game.objects.get().side_of(ana.player) == side


def test_a_clock_of_ones_own(ana: User, bot: Player) -> None:
    plan = {**CUSTOM, "bot": bot.name, "minutes": "7", "increment_s": "3"}
    pages.member(ana).post(reverse("challenge"), plan)
    game = Game.objects.get()
    assert (game.clock_initial_ms, game.clock_increment_ms) == (420_000, 3_000)


@pytest.mark.parametrize(
    ("figures", "field", "words"),
    [
        ({"minutes": "0", "increment_s": "3"}, "minutes", "1 to 180 minutes"),
        ({"minutes": "181", "increment_s": "3"}, "minutes", "1 to 180 minutes"),
        ({"increment_s": "3"}, "minutes", "1 to 180 minutes"),
        ({"minutes": "5", "increment_s": "-1"}, "increment_s", "0 to 180 seconds"),
        ({"minutes": "5", "increment_s": "181"}, "increment_s", "0 to 180 seconds"),
        ({"minutes": "5"}, "increment_s", "0 to 180 seconds"),
        ({"minutes": "5", "increment_s": "9" * 400}, "increment_s", ""),
    ],
)
def test_a_clock_that_nobody_has_is_refused_by_its_name(
    ana: User, bot: Player, figures: dict[str, str], field: str, words: str
) -> None:
    refused = pages.member(ana).post(reverse("challenge"), {**CUSTOM, "bot": bot.name, **figures})
    assert refused.status_code == 422
    assert set(refused.context["form"].errors) == {field}
    assert words in pages.text_of(refused.content)
    assert not Game.objects.exists()


def test_figures_of_a_clock_that_is_not_chosen_count_for_nothing(ana: User, bot: Player) -> None:
    plan = {**FORM, "bot": bot.name, "minutes": "none", "increment_s": "-4"}
    pages.member(ana).post(reverse("challenge"), plan)
    assert Game.objects.get().clock_initial_ms == 600_000


@pytest.mark.parametrize("clock", ["custom", "unlimited"])
def test_a_rated_game_has_a_clock_of_the_list(ana: User, bot: Player, clock: str) -> None:
    plan = {
        **FORM,
        "clock": clock,
        "minutes": "5",
        "increment_s": "5",
        "bot": bot.name,
    }
    refused = pages.member(ana).post(reverse("challenge"), {**plan, "is_rated": "on"})
    assert refused.status_code == 422
    assert set(refused.context["form"].errors) == {"is_rated"}
    pages.member(ana).post(reverse("challenge"), plan)
    assert not Game.objects.get().is_rated


@pytest.mark.parametrize("clock", ["custom", "unlimited"])
def test_quick_pairing_has_a_clock_of_the_list(ana: User, clock: str) -> None:
    plan = {**FORM, "clock": clock, "minutes": "5", "increment_s": "5"}
    refused = pages.member(ana).post(reverse("seek-create"), plan)
    assert refused.status_code == 422
    assert set(refused.context["form"].errors) == {"clock"}


def test_a_friend_is_invited_to_a_game_without_a_clock(client: Client, db: None) -> None:
    link = client.post(reverse("invite"), {**FORM, "clock": "unlimited"})["Location"]
    assert "no clock" in pages.text_of(client.get(link).content)
    assert Invitation.objects.get().is_unlimited


def test_a_refused_challenge_keeps_its_opponent(ana: User) -> None:
    """Without a name the next press of the button would challenge all players."""
    answer = pages.member(ana).post(reverse("challenge"), {**FORM, "opponent": "Ana"})
    assert answer.status_code == 422
    form = answer.context["form"]
    assert form.errors["opponent"]
    assert form["opponent"].value() == "Ana"
    assert not Challenge.objects.exists()


def test_a_bot_is_challenged_to_a_game_that_it_plays(ana: User, bot: Player) -> None:
    Bot.objects.filter(player=bot).update(families=["morlox"])
    page = pages.member(ana).get(reverse("lobby"), {"opponent": bot.name})
    assert page.context["form"]["ruleset"].value().startswith("morlox(")


def test_enter_in_the_field_of_a_name_is_a_challenge(ana: User, ben: User) -> None:
    """The first button of the form is that of quick pairing, and Enter presses it."""
    pages.member(ana).post(reverse("seek-create"), {**FORM, "opponent": "Ben"})
    assert Challenge.objects.get().opponent == ben.player


@pytest.mark.long
def test_the_first_games_are_casual_until_one_chooses_otherwise(
    ana: User, ben: User, bot: Player
) -> None:
    of_ana = pages.member(ana)

    def proposes_rated() -> bool:
        form = of_ana.get(reverse("lobby")).context["form"]
        return bool(form["is_rated"].value())

    assert not proposes_rated()
    of_ana.post(reverse("challenge"), {**FORM, "bot": bot.name})
    assert not Game.objects.latest("pk").is_rated
    assert not proposes_rated()
    of_ana.post(reverse("challenge"), {**FORM, "bot": bot.name, "is_rated": "on"})
    assert Game.objects.latest("pk").is_rated
    assert proposes_rated()
    of_ana.post(reverse("challenge"), {**FORM, "bot": bot.name})
    assert not proposes_rated()
    assert last_choice.of_player(ben.player) is None


@pytest.mark.long
def test_the_lobby_remembers_game_and_clock(client: Client, ana: User, bot: Player) -> None:
    of_ana = pages.member(ana)
    for visitor in (client, of_ana):
        visitor.post(
            reverse("challenge"), {"ruleset": "morlox(size=5)", "clock": "180+2", "bot": bot.name}
        )
        form = visitor.get(reverse("lobby")).context["form"]
        assert str(form["ruleset"].value()).startswith("morlox(size=5")
        assert form["clock"].value() == "180+2"
    of_ana.post(
        reverse("challenge"), {**CUSTOM, "minutes": "7", "increment_s": "3", "bot": bot.name}
    )
    form = of_ana.get(reverse("lobby")).context["form"]
    assert str(form["ruleset"].value()).startswith("morelli(")
    assert form["clock"].value() == "600+10", "no clock of the list"
    link = of_ana.get(reverse("lobby"), {"ruleset": "morelli(size=7)"}).context["form"]
    assert "size=7" in str(link["ruleset"].value())


@pytest.mark.long
def test_games_of_others_are_being_played(ana: User, ben: User, client: Client) -> None:
    game = pages.new_game(ana.player, ben.player)
    pages.move(game)
    for path in ("/", reverse("home-live"), reverse("watch"), reverse("watch-live")):
        cards = client.get(path).content.decode().count('class="card board-card')
        of_ana = pages.member(ana).get(path).content.decode().count('class="card board-card')
        assert (cards, of_ana) == (1, 0), path


def test_levels_of_another_game_can_be_asked_for(client: Client, bot: Player) -> None:
    fragment = client.get(reverse("levels"), {"ruleset": "morlox(size=5)", "clock": "custom"})
    assert fragment.status_code == 200
    assert bot.name in fragment.content.decode()
    assert client.get(reverse("levels"), {"ruleset": "x", "clock": "y"}).status_code == 200


def test_the_last_level_of_a_game_is_chosen_again_and_a_level_of_the_request_first(
    ana: User, bot: Player
) -> None:
    strong = players.add_bot(name="Strong", engine="level:2")
    of_ana = pages.member(ana)

    def chosen(**parameters: str) -> int:
        return int(of_ana.get(reverse("levels"), parameters).context["chosen_level"])

    weak = players.add_bot(name="Weak", engine="level:1")
    assert chosen(ruleset=FORM["ruleset"]) == 2, "recommended to newcomers"
    of_ana.post(reverse("challenge"), {**FORM, "bot": weak.name})
    assert chosen(ruleset=FORM["ruleset"]) == 1
    assert chosen(ruleset="morlox(size=5)") == 2
    assert chosen(ruleset=FORM["ruleset"], level="2") == 2
    assert chosen(ruleset=FORM["ruleset"], level="9") == 1
    refused = of_ana.post(reverse("challenge"), {**FORM, "clock": "custom", "level": "2"})
    assert (refused.status_code, refused.context["chosen_level"]) == (422, 2)
    assert f'value="{strong.name}"' in refused.content.decode()


@pytest.fixture
def challenged(ana: User, ben: User) -> Challenge:
    """Ana's casual challenge to Ben."""
    clock = game_clocks.Clock(600_000, 10_000)
    return challenges.challenge(
        challenger=ana.player,
        opponent=ben.player,
        ruleset=FORM["ruleset"],
        clock=clock,
        is_rated=False,
    )


def test_the_challenged_reports_the_challenger_from_the_list(
    ben: User, challenged: Challenge
) -> None:
    of_ben = pages.member(ben)
    address = f"{challenged.challenger.get_absolute_url()}#report-text"
    assert f'href="{address}"' in of_ben.get(reverse("lobby")).content.decode()
    assert 'id="report-text"' in of_ben.get(address).content.decode()


def test_a_challenge_is_told_with_who_and_what_to_the_challenged_alone(
    client: Client, ana: User, ben: User, challenged: Challenge
) -> None:
    address = reverse("challenge-message", args=[challenged.pk])
    message = pages.text_of(pages.member(ben).get(address).content)
    sentence = "Ana challenges you: Morelli 5×5, 10 min + 10 s, not rated"
    assert message == f"{sentence} Accept Decline"
    notices = pages.text_of(pages.member(ben).get(reverse("notices")).content)
    assert sentence in notices
    assert [visitor.get(address).status_code for visitor in (client, pages.member(ana))] == [
        404
    ] * 2
    challenges.decline(challenge_id=challenged.pk, player=ben.player)
    assert pages.member(ben).get(address).status_code == 404


def test_a_challenge_to_anybody_is_told_to_nobody(client: Client, ana: User) -> None:
    row = challenges.challenge(
        challenger=ana.player, opponent=None, ruleset=FORM["ruleset"], clock=pages.CLOCK
    )
    assert client.get(reverse("challenge-message", args=[row.pk])).status_code == 404


def test_the_list_of_open_games_is_served_alone(
    client: Client, ana: User, ben: User, challenged: Challenge
) -> None:
    row = f'data-part="challenge {challenged.pk}"'
    address = reverse("open-games")
    for visitor, is_shown in (
        (pages.member(ben), True),
        (pages.member(ana), True),
        (client, False),
    ):
        part = visitor.get(address).content.decode()
        assert (row in part) == is_shown
        assert "<html" not in part
    page = pages.member(ben).get(reverse("lobby")).content.decode()
    assert row in page
    assert f"t=site&t=user:{ben.pk}&after=site=0;user:{ben.pk}=1" in page.replace("&amp;", "&")


def test_lists_hear_of_a_challenge_that_is_over(
    ana: User, ben: User, challenged: Challenge
) -> None:
    challenges.decline(challenge_id=challenged.pk, player=ana.player)
    kinds = [item.kind for item in news.after(news.of_user(ben.pk), 0)]
    assert kinds == ["challenge", "challenge-over"]
    for answer in (challenges.decline, challenges.accept):
        row = challenges.challenge(
            challenger=ana.player, opponent=None, ruleset=FORM["ruleset"], clock=pages.CLOCK
        )
        answer(
            challenge_id=row.pk, player=ana.player if answer == challenges.decline else ben.player
        )
    kinds = [item.kind for item in news.after(news.SITE, 0)]
    assert kinds == ["challenge", "challenge-over"] * 2


def test_challenges_to_oneself_stand_first_and_ones_own_last(ana: User, ben: User) -> None:
    to_ben, to_anybody, own = (
        challenges.challenge(
            challenger=who, opponent=opponent, ruleset=FORM["ruleset"], clock=pages.CLOCK
        ).pk
        for who, opponent in ((ana.player, ben.player), (ana.player, None), (ben.player, None))
    )
    part = pages.member(ben).get(reverse("open-games"))
    assert [row.pk for row in part.context["challenges"]] == [to_ben, to_anybody, own]
