"""Pages of authors: their contents, and their visitors."""

from __future__ import annotations

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from engine.programs import UploadRefusal, UploadRefusedError
from engine.programs.checks import check_python
from tests.tournaments import authors, pages, uploads
from tests.tournaments.conftest import event_of
from tournaments import database_time
from tournaments.models import (
    Bot,
    Event,
    Game,
    Player,
    Ply,
    Pool,
    Program,
    Rating,
    SandboxReport,
    Transcript,
    User,
)
from tournaments.queues import Queue
from tournaments.services.accounts import players
from tournaments.services.bots import checks, programs
from tournaments.services.bots import versions as services
from tournaments.services.events import entries
from tournaments.services.games import play
from tournaments.text import refusals as refusal_text
from tournaments.text import verdicts

HOSTILE = "<b onmouseover=alert(1)>\u202e\x1b[31m"
TRANSCRIPT = (
    f"bot Nilo 1\n0 0.151 > ugi\n0 21.904 < ugiok\n0 80.170 ! {HOSTILE}\n1 90.000 # a note\n"
)


@pytest.fixture
def bot(ana: User) -> Bot:
    """Ana's, which plays."""
    return uploads.ready(uploads.line(ana, note="Takes moves away."), is_active=True)


@pytest.fixture
def game(bot: Bot, ben: User) -> Game:
    """Lost by the bot after one ply, with its transcript and its opponent's."""
    row = pages.new_game(bot.player, ben.player, "morlox(size=5)")
    play.play_move(game_id=row.pk, player=bot.player, ply=0, move=pages.legal(row))
    row.refresh_from_db()
    play.resign(game_id=row.pk, player=bot.player)
    row.refresh_from_db()
    Transcript.objects.create(game=row, side="first", attempt=1, text=TRANSCRIPT)
    Transcript.objects.create(
        game=row, side="second", attempt=1, text="bot Ben\n0 1.000 < my secret\n"
    )
    return row


LOOKS = ["bot-line", "bot-version", "bot-download", "bot-transcript"]
ACTS = ["bot-activate", "bot-retire", "bot-recheck"]


def _address(name: str, bot: Bot, game: Game | None = None) -> str:
    match name:
        case "bot-line" | "bot-upload":
            return reverse(name, args=[bot.line_id])
        case "bot-transcript":
            assert game is not None
            return reverse(name, args=[bot.pk, game.pk])
        case _:
            return reverse(name, args=[bot.pk])


@pytest.mark.parametrize("name", LOOKS)
def test_a_version_is_shown_to_its_author_and_the_staff_alone(
    client: Client, ana: User, ben: User, staff: User, bot: Bot, game: Game, name: str
) -> None:
    address = _address(name, bot, game)
    assert pages.member(ana).get(address).status_code == 200
    assert pages.member(staff).get(address).status_code == 200
    assert pages.member(ben).get(address).status_code == 404
    assert client.get(address)["Location"] == f"/sign-in/?next={address}"


def test_new_versions_come_from_the_author_alone(
    client: Client, ana: User, ben: User, staff: User, bot: Bot
) -> None:
    address = _address("bot-upload", bot)
    assert pages.member(ana).get(address).status_code == 200
    for other in (ben, staff):
        assert pages.member(other).get(address).status_code == 404
        assert pages.member(other).post(address, _sent()).status_code == 404
    assert client.post(address, _sent())["Location"] == f"/sign-in/?next={address}"
    assert Bot.objects.count() == 1


@pytest.mark.parametrize("name", ACTS)
def test_only_the_author_decides_about_a_version(
    client: Client, ana: User, ben: User, staff: User, bot: Bot, name: str
) -> None:
    Bot.objects.filter(pk=bot.pk).update(
        state="ready" if name != "bot-recheck" else "suspended", is_active=False
    )
    before = Bot.objects.values().get()
    address = _address(name, bot)
    assert pages.member(ana).get(address).status_code == 405
    assert client.post(address, {"next": "/bots/"})["Location"] == "/sign-in/?next=/bots/"
    assert pages.member(ben).post(address).status_code == 404
    pages.member(staff).post(address)
    assert Bot.objects.values().get() == before
    pages.member(ana).post(address)
    assert Bot.objects.values().get() != before


@pytest.mark.parametrize("name", [*LOOKS, *ACTS, "bot-upload"])
def test_what_does_not_exist_is_not_found(ana: User, name: str) -> None:
    args = [99, 98] if name == "bot-transcript" else [99]
    client = pages.member(ana)
    ask = client.post if name in ACTS else client.get
    assert ask(reverse(name, args=args)).status_code == 404


@pytest.mark.long
@pytest.mark.parametrize("name", ["bot-enter", "bot-leave"])
def test_only_the_author_takes_a_version_to_events(
    client: Client, ana: User, ben: User, staff: User, bot: Bot, name: str
) -> None:
    Event.objects.filter(pk=event_of(ana, ruleset="morlox(size=5)").pk).update(organiser=staff)
    event = Event.objects.get()
    if name == "bot-leave":
        entries.enter(event_id=event.pk, player=bot.player, actor=ana)
    before = event.entries.active().count()
    address, sent = _address(name, bot), {"event": event.slug}
    assert client.post(address, sent)["Location"].startswith("/sign-in/")
    assert pages.member(ben).post(address, sent).status_code == 404
    assert pages.member(ana).post(address, {"event": "none"}).status_code == 404
    assert event.entries.active().count() == before
    page = pages.member(ana).get(_address("bot-version", bot)).content.decode()
    assert address in page
    pages.member(ana).post(address, sent)
    assert event.entries.active().count() == 1 - before


def test_our_own_bots_have_no_pages_for_authors(staff: User, bots: list[Player]) -> None:
    address = reverse("bot-version", args=[bots[0].bot.pk])
    assert pages.member(staff).get(address).status_code == 404


def _sent(
    data: bytes = uploads.GOOD, filename: str = "main.py", **changes: object
) -> dict[str, object]:
    return {
        "file": SimpleUploadedFile(filename, data),
        "families": ["morlox"],
        "takes_over": "on",
        **changes,
    }


def test_a_bot_is_uploaded_by_the_form_and_a_second_click_changes_nothing(ana: User) -> None:
    client = pages.member(ana)
    page = client.get("/bots/new/").content.decode()
    (key,) = re.findall(r'name="key" value="([^"]+)"', page)
    answers = [client.post("/bots/new/", _sent(name="Nilo", key=key)) for _ in range(2)]
    row = Bot.objects.get()
    assert [answer["Location"] for answer in answers] == [f"/bots/versions/{row.pk}/"] * 2
    assert (row.families, row.takes_over, row.passes_on) == (["morlox"], True, False)


def test_every_form_has_a_key_of_its_own(ana: User) -> None:
    keys = {
        re.findall(
            r'name="key" value="([^"]+)"', pages.member(ana).get("/bots/new/").content.decode()
        )[0]
        for _ in range(3)
    }
    assert len(keys) == 3


def test_a_new_version_is_uploaded_by_its_form(ana: User, bot: Bot) -> None:
    client = pages.member(ana)
    sent = _sent(uploads.CHEAT, note="Cheats.", passes_on="on")
    assert client.post(_address("bot-upload", bot), sent).status_code == 302
    row = Bot.objects.get(version=2)
    assert (row.description, row.takes_over, row.passes_on) == ("Cheats.", True, True)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"data": b""}, "The file is empty."),
        ({"filename": "main.pl"}, "The site does not run files of this kind."),
        ({"data": b"\x7fELF<b>"}, "The program contains native code"),
        ({"data": b"x" * 5_000_001}, "The file is too large: 5 MB at most"),
        ({"families": []}, "This field is required."),
        ({"families": ["chess"]}, "chess is not one of the available choices"),
        ({"name": "Ana"}, "Another player has this name already."),
        ({"name": "\u202eevil"}, "Please choose another name."),
    ],
    ids=["empty", "kind", "native", "large", "no games", "other games", "taken", "bad name"],
)
def test_what_is_wrong_with_an_upload_is_said_beside_its_field(
    ana: User, changes: dict[str, object], sentence: str
) -> None:
    sent = _sent(**{"name": "Nilo", **changes})  # type: ignore[arg-type]  # data and filename too
    answer = pages.member(ana).post("/bots/new/", sent)
    assert answer.status_code == 422
    assert sentence in pages.text_of(answer.content)
    assert not Bot.objects.of_authors().exists()


def test_limits_are_said_in_words(ana: User, bot: Bot) -> None:
    for _ in range(services.MAX_IN_CHECK):
        uploads.version(bot, uploads.GOOD)
    answer = pages.member(ana).post(_address("bot-upload", bot), _sent())
    assert answer.status_code == 422
    assert "Three of your versions are being checked" in pages.text_of(answer.content)


@pytest.mark.parametrize("refusal", UploadRefusal)
def test_every_reason_to_refuse_an_upload_has_a_sentence(refusal: UploadRefusal) -> None:
    assert f"program-{refusal.value}" in verdicts.SENTENCES
    assert refusal_text.sentence_of(f"program-{refusal.value}") != (
        "This is not available now. Reload the page and try again."
    )


def test_an_upload_comes_back_as_it_was_and_no_browser_runs_it(ana: User, bot: Bot) -> None:
    answer = pages.member(ana).get(_address("bot-download", bot))
    assert answer.content == uploads.GOOD
    assert answer["Content-Type"] == "application/octet-stream"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Disposition"] == f'attachment; filename="bot-{bot.line_id}-1.py"'


def test_a_transcript_is_shown_by_plies_with_the_clocks_and_nothing_in_it_acts(
    ana: User, bot: Bot, game: Game
) -> None:
    ply = game.plies.get()
    page = pages.member(ana).get(_address("bot-transcript", bot, game)).content.decode()
    text = pages.text_of(page.encode())
    assert f"Ply 1 {ply.move} charged {ply.spent_ms} ms" in text
    assert "21.904 < ugiok" in text
    assert "<b onmouseover" not in page
    assert "\u202e" not in page
    assert "\x1b" not in page
    assert "\\u202e\\x1b[31m" in text
    assert "my secret" not in page


def test_wall_and_processor_time_are_shown_where_they_were_measured(
    ana: User, bot: Bot, ben: User
) -> None:
    row = pages.new_game(bot.player, ben.player, "morlox(size=5)")
    Ply.objects.create(
        game=row, number=1, side="first", move="c3", spent_ms=12, remaining_ms=9_000,
        wall_ms=34, cpu_ms=11, made_at=database_time.now(),
    )  # fmt: skip
    Transcript.objects.create(game=row, side="first", attempt=1, text=TRANSCRIPT)
    page = pages.member(ana).get(_address("bot-transcript", bot, row))
    assert "wall 34 ms · charged 12 ms · CPU 11 ms · " in pages.text_of(page.content)


def test_an_unreadable_transcript_is_no_error(ana: User, bot: Bot, ben: User) -> None:
    row = pages.new_game(bot.player, ben.player, "morlox(size=5)")
    Transcript.objects.create(game=row, side="first", attempt=1, text="nonsense")
    for attempt in ("²", "9" * 5_000):
        page = pages.member(ana).get(f"{_address('bot-transcript', bot, row)}?attempt={attempt}")
        assert "There is no transcript of this game" in pages.text_of(page.content)


def test_a_game_of_others_has_no_transcript_here(ana: User, ben: User, bot: Bot) -> None:
    other = pages.new_game(ana.player, ben.player)
    assert pages.member(ana).get(_address("bot-transcript", bot, other)).status_code == 404


def test_a_refused_version_says_why_with_its_log_and_nothing_in_it_acts(ana: User) -> None:
    bot = uploads.line(ana)
    Bot.objects.filter(pk=bot.pk).update(
        state="refused", state_code="check-failed", takes_over=False, check_log=f"ply 1\n{HOSTILE}"
    )
    page = pages.member(ana).get(_address("bot-version", bot)).content.decode()
    assert str(verdicts.SENTENCES["check-failed"]) in pages.text_of(page.encode())
    assert "ply 1\n&lt;b onmouseover=alert(1)&gt;\\u202e\\x1b[31m" in page
    # The next step is another version, and not a ladder.
    assert reverse("bot-upload", args=[bot.line_id]) in page
    assert f'href="{reverse("bot-ladders")}"' not in page


@pytest.mark.long
def test_the_particulars_of_a_refusal_are_in_the_readers_language(ana: User) -> None:
    bot = uploads.line(ana)
    claim = checks.claim(bot.pk)
    assert claim is not None
    assert checks.refuse(
        claim,
        code="program-several-mains",
        reason="there are several: %(names)s. Leave one",
        parts={"names": "a/main.py, <b>/main.py"},
        log_text="",
    )
    member = pages.member(ana)
    page = member.get(reverse("bot-version", args=[bot.pk])).content.decode()
    assert "there are several: a/main.py, &lt;b&gt;/main.py. Leave one" in page
    member.cookies["rayuela_language"] = "ja"
    page = member.get(reverse("bot-version", args=[bot.pk])).content.decode()
    assert "a/main.py, &lt;b&gt;/main.py" in page
    assert "there are several" not in page


@pytest.mark.long
def test_what_a_compiler_says_stays_as_it_is(ana: User) -> None:
    bot = uploads.line(ana)
    claim = checks.claim(bot.pk)
    assert claim is not None
    with pytest.raises(UploadRefusedError) as refusal:
        check_python(b"print('%(seconds)s' % {}\n)(\n")
    checks.refuse(
        claim,
        code="program-does-not-compile",
        reason=refusal.value.pattern,
        parts=refusal.value.parts,
        log_text="",
    )
    page = pages.member(ana).get(reverse("bot-version", args=[bot.pk])).content
    assert f"main.py does not compile: {refusal.value.parts['output']}" in pages.text_of(page)


@pytest.mark.parametrize(
    ("machines", "sentence"),
    [
        ([], "No machine that runs uploaded programs has reported yet."),
        ([("one", "", "bwrap: user namespaces disabled")], "bwrap: user namespaces disabled"),
        ([("one", "bwrap", "")], "Last report of a machine that runs uploaded programs"),
    ],
    ids=["none", "without", "with"],
)
def test_a_version_that_waits_says_for_what(
    ana: User, machines: list[tuple[str, str, str]], sentence: str
) -> None:
    bot = uploads.line(ana)
    for host, isolator, report in machines:
        SandboxReport.objects.create(
            host=host,
            queue=Queue.CHECKS,
            isolator=isolator,
            report=report,
            checked_at=database_time.now(),
        )
    page = pages.member(ana).get(_address("bot-version", bot))
    assert sentence in pages.text_of(page.content)


def test_the_public_list_names_author_kind_state_and_rating(
    client: Client, bot: Bot, bots: list[Player], game: Game
) -> None:
    page = client.get("/bots/")
    assert "Nilo 1 bot Takes moves away. Python by Ana · Morlox" in pages.text_of(page.content)
    uploads.version(bot, uploads.CHEAT)
    assert "Nilo 2" not in pages.text_of(client.get("/bots/").content)


def test_the_page_of_a_player_leads_the_author_to_the_version(
    client: Client, ana: User, ben: User, bot: Bot
) -> None:
    link = _address("bot-version", bot)
    address = bot.player.get_absolute_url()
    assert link in pages.member(ana).get(address).content.decode()
    assert link not in pages.member(ben).get(address).content.decode()
    assert link not in client.get(address).content.decode()


@pytest.mark.long
def test_lists_of_bots_take_no_more_queries_for_more_rows(
    ana: User, bot: Bot, game: Game, ben: User
) -> None:
    addresses = ["/bots/", "/bots/mine/", _address("bot-line", bot), _address("bot-version", bot)]
    client = pages.member(ana)
    before = {address: len(_queries(client, address)) for address in addresses}
    for number in range(3):
        uploads.ready(uploads.version(bot, b"print(%d)" % number))
        uploads.ready(uploads.line(ana, f"More {number}"), is_active=True)
        pages.play_out(pages.new_game(bot.player, ben.player, "morlox(size=5)"))
    for address in addresses:
        assert len(_queries(client, address)) <= before[address], address


def _queries(client: Client, address: str) -> list[str]:
    client.get(address)
    with CaptureQueriesContext(connection) as caught:
        assert client.get(address).status_code == 200
    return [query["sql"] for query in caught.captured_queries]


@pytest.mark.parametrize("address", ["/bots/mine/", "line", "version"])
def test_lists_of_bots_do_not_read_the_programs(ana: User, bot: Bot, address: str) -> None:
    address = {"line": _address("bot-line", bot), "version": _address("bot-version", bot)}.get(
        address, address
    )
    assert not [sql for sql in _queries(pages.member(ana), address) if '"upload"' in sql]


def test_the_page_of_all_bots_marks_one_program_and_the_kernel(
    client: Client, ana: User, ben: User
) -> None:
    kernel = programs.KERNEL_BOT.read_bytes()
    authors.version(ana, "Copied", kernel, Program.Kind.WASM)
    assert "a copy of another bot" not in client.get("/bots/").content.decode()
    authors.version(ben, "Copy", kernel, Program.Kind.WASM)
    authors.version(ben, "Different")
    page = client.get("/bots/").content.decode()
    assert page.count("a copy of another bot's program") == 2
    assert page.count("the kernel of this site") == 2


@pytest.mark.django_db
def test_bots_are_listed_by_level_then_those_without_by_rating(client: Client) -> None:
    names = {"Third": "level:3", "First": "level:1", "Weak": "random", "Strong": "greedy"}
    for name, engine in names.items():
        players.add_bot(name=name, engine=engine)
    pool = pages.pool_of(Pool.Kind.BOTS)
    for name, centielo in (("Weak", 1400_00), ("Strong", 1700_00)):
        player = Player.objects.get(name=name)
        Rating.objects.create(
            player=player, pool=pool, centielo=centielo, peak_centielo=centielo, games=9
        )
    page = client.get(reverse("bots"))
    cards = page.context["cards"]
    assert [card.bot.player.name for card in cards] == ["First", "Third", "Strong", "Weak"]
    assert [card.level for card in cards] == [1, 3, None, None]
    assert cards[2].bar.x > cards[3].bar.x
    assert cards[0].bar is None
    assert page.content.decode().count('class="error-bar"') == 2
