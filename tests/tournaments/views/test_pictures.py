"""Pictures of shared pages: previews as PNG, and games as GIF."""

from __future__ import annotations

import hashlib
import html
import io
import itertools
import re

import pytest
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse
from PIL import Image, ImageSequence

from tests.tournaments import events, pages, puzzle_rows
from tests.tournaments.conftest import enter, event_of
from tournaments import limits
from tournaments.models import Event, Game, Picture, Player, Study, User
from tournaments.pictures import animations, cards
from tournaments.queries import previews
from tournaments.queries.records import analyses
from tournaments.services import enqueue, pictures
from tournaments.services.accounts import players
from tournaments.services.accounts.throttles import Visitor
from tournaments.services.events import entries
from tournaments.services.games import play
from tournaments.services.records import studies
from tournaments.services.rounds import lifecycle

RULESET = "morelli(size=5)"


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the rows for which a worker was sent."""
    pks: list[int] = []
    monkeypatch.setattr(enqueue, "picture", pks.append)
    return pks


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw whatever is asked for immediately."""
    monkeypatch.setattr(enqueue, "picture", pictures.draw)


@pytest.fixture
def game(ana: User, ben: User) -> Game:
    return pages.new_game(ana.player, ben.player, RULESET)


def _addresses_of_pictures(client: Client, path: str) -> list[str]:
    page = html.unescape(client.get(path).content.decode())
    return re.findall(r'property="og:image" content="([^"]*)"', page)


def _picture_of(client: Client, path: str, site_url: str) -> Image.Image:
    (address,) = _addresses_of_pictures(client, path)
    assert address.startswith(site_url)
    answer = client.get(address.removeprefix(site_url))
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
    assert "immutable" in answer["Cache-Control"]
    return Image.open(io.BytesIO(answer.content))


@pytest.mark.long
@pytest.mark.parametrize("kind", ["game", "event", "player", "puzzle", "study"])
def test_a_page_names_a_picture_of_1200_by_630(
    client: Client, settings: LazySettings, worker: None, game: Game, ana: User, kind: str
) -> None:
    path = {
        "game": game.get_absolute_url,
        "event": lambda: event_of(ana).get_absolute_url(),
        "player": ana.player.get_absolute_url,
        "puzzle": lambda: puzzle_rows.stored().get_absolute_url(),
        "study": lambda: _study(game).get_absolute_url(),
    }[kind]()
    picture = _picture_of(client, path, settings.SITE_URL)
    assert (picture.format, picture.size) == ("PNG", (1200, 630))


def _study(game: Game) -> Study:
    source = analyses.of_game(game, None)
    return studies.keep(analyses.analyse(source), visitor=Visitor())


@pytest.mark.long
def test_another_position_is_another_picture_at_another_address(
    client: Client, settings: LazySettings, worker: None, game: Game
) -> None:
    seen = set()
    for _ in range(3):
        (address,) = _addresses_of_pictures(client, game.get_absolute_url())
        client.get(address.removeprefix(settings.SITE_URL))  # an earlier one, while this is drawn
        answer = client.get(address.removeprefix(settings.SITE_URL))
        seen.add((address, hashlib.sha256(answer.content).hexdigest()))
        pages.move(game)
    assert len({address for address, _ in seen}) == len({content for _, content in seen}) == 3


@pytest.mark.long
def test_an_event_shows_the_top_board_of_its_latest_round_that_has_moves(ana: User) -> None:
    event = event_of(ana, rounds_total=2, pause_s=0)
    sample = previews.of(event)
    assert sample is not None
    assert sample.board() == previews.poster_board("morelli")
    for name in ("Cleo", "Dora", "Eva", "Fredo"):
        user = players.sign_up(name=name, password="rayuela-1963")
        entries.enter(event_id=event.pk, player=user.player, actor=user)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    second, first = Game.objects.order_by("-pairing__board")
    for game in (second, first, second):
        pages.move(game)
    _assert_shows(event, first)
    events.decide(event, events.lower_number_wins)
    lifecycle.advance_event(event.pk)
    lifecycle.advance_event(event.pk)
    event.refresh_from_db()
    _assert_shows(event, first)
    last = Game.objects.get(pairing__round__number=2, pairing__board=1)
    pages.move(last)
    _assert_shows(event, last)


def _assert_shows(event: Event, game: Game) -> None:
    game.refresh_from_db()
    of_event, of_game = previews.of(event), previews.of(game)
    assert of_event is not None
    assert of_game is not None
    assert of_event.board() == of_game.board()
    assert of_event.state == f"{game.pk}/{of_game.state}"


@pytest.mark.long
def test_a_picture_is_drawn_once_for_each_state(
    client: Client, sent: list[int], game: Game
) -> None:
    address = reverse("game-preview", args=[game.pk])
    for _ in range(3):
        answer = client.get(address)
        assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert len(sent) == 1
    pictures.draw(sent[0])
    first = client.get(address)
    assert client.get(address, headers={"If-None-Match": first["ETag"]}).status_code == 304
    assert len(sent) == 1
    pages.move(game)
    again = client.get(address)
    assert again.content == first.content, "the earlier one while a worker draws"
    assert "immutable" not in again["Cache-Control"]
    assert len(sent) == 2


@pytest.mark.long
def test_a_guessed_version_of_an_address_is_not_kept(
    client: Client, worker: None, game: Game
) -> None:
    answer = client.get(reverse("game-preview", args=[game.pk]), {"v": "0" * 16})
    assert answer["Cache-Control"] == "public, max-age=60"


@pytest.mark.long
def test_strangers_have_so_many_pictures_drawn(
    client: Client,
    sent: list[int],
    with_limits: None,
    monkeypatch: pytest.MonkeyPatch,
    game: Game,
    ana: User,
) -> None:
    few = limits.Limit("pictures", limits.By.NETWORK, 1, limits.PICTURES.window)
    monkeypatch.setattr(limits, "PICTURES", few)
    assert client.get(reverse("game-preview", args=[game.pk])).status_code == 503
    assert client.get(reverse("player-preview", args=[ana.player.pk])).status_code == 429
    assert client.get(reverse("player-preview", args=[ana.player.pk])).status_code == 429
    pictures.draw(sent[0])
    assert client.get(reverse("game-preview", args=[game.pk])).status_code == 200
    assert len(sent) == 1


@pytest.mark.long
def test_the_oldest_pictures_are_removed_above_the_bound(
    client: Client, worker: None, monkeypatch: pytest.MonkeyPatch, game: Game, ana: User
) -> None:
    client.get(reverse("game-preview", args=[game.pk]))
    monkeypatch.setattr(pictures, "MOST_BYTES", Picture.objects.get().size)
    monkeypatch.setattr(pictures, "_BATCH", 1)
    client.get(reverse("player-preview", args=[ana.player.pk]))
    assert Picture.objects.get().kind == Picture.Kind.PLAYER


@pytest.fixture
def private_game(people: list[Player], ana: User) -> Game:
    event = event_of(ana, name="Secret Open")
    enter(event, *people[:4])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    lifecycle.advance_event(event.pk)
    Event.objects.filter(pk=event.pk).update(is_private=True, access_code="secret")
    return Game.objects.with_players().filter(pairing__event=event)[0]


def test_objects_of_private_events_have_no_picture_and_no_words(
    client: Client, worker: None, private_game: Game, ana: User
) -> None:
    event = Event.objects.get(name="Secret Open")
    study = _study(private_game)
    for address in (
        reverse("event-preview", args=[event.slug]),
        reverse("game-preview", args=[private_game.pk]),
        reverse("study-preview", args=[study.key]),
        reverse("game-replay-gif", args=[private_game.pk]),
    ):
        assert pages.member(ana).get(address).status_code == 404
    for page in (event.get_absolute_url(), private_game.get_absolute_url()):
        head = pages.member(ana).get(page).content.decode().partition("</head>")[0]
        tags = " ".join(re.findall(r"<meta[^>]*>|<link[^>]*oembed[^>]*>", head))
        assert tags.count('property="og:image"') == 1
        assert "base/preview" in tags
        assert event.name not in tags
        assert private_game.first.name not in tags
    assert not Picture.objects.exists()


def test_a_finished_game_is_a_gif_with_a_frame_for_each_position(
    client: Client, sent: list[int], game: Game
) -> None:
    address = reverse("game-replay-gif", args=[game.pk])
    assert client.get(address).status_code == 404, "not before the end"
    for _ in range(6):
        pages.move(game)
    play.resign(game_id=game.pk, player=game.first)
    waiting = client.get(address)
    assert (waiting.status_code, waiting.has_header("Retry-After")) == (202, True)
    pictures.draw(sent[0])
    answer = client.get(address)
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/gif")
    with Image.open(io.BytesIO(answer.content)) as gif:
        assert len(list(ImageSequence.Iterator(gif))) == 7
        assert gif.info["loop"] == 0


@pytest.mark.parametrize("count", [1, 2, 199, 200, 201, 202, 481, 5000])
def test_a_long_game_keeps_every_kth_position_and_the_last(count: int) -> None:
    chosen = animations.chosen_places(count)
    assert (chosen[0], chosen[-1]) == (0, count - 1)
    assert len(chosen) <= animations.MOST_FRAMES
    assert len({b - a for a, b in itertools.pairwise(chosen[:-1])}) <= 1
    assert len(set(chosen)) == len(chosen)


@pytest.mark.parametrize(
    ("text", "drawn"),
    [("Ana", "Ana"), ("Šárka – 9×9", "Sárka – 9×9"), ("花子", ""), ("Łukasz", "")],
)
def test_words_that_the_font_lacks_are_left_out(text: str, drawn: str) -> None:
    assert cards.latin(text) == drawn
