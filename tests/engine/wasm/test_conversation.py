from __future__ import annotations

import io

import pytest

from engine.wasm.conversation import (
    IDLE_UNITS,
    SETUP_UNITS,
    Conversation,
    NewGameError,
    ReadTooEarlyError,
)

MOVE = ("position startpos", "go fuel 700")


class Allowed:
    """A meter that only records the fuel that it was asked to allow."""

    def __init__(self) -> None:
        self.budgets: list[int | None] = []
        self.counts_cpu = False

    def allow(self, units: int) -> None:
        self.budgets.append(units)

    def allow_real_time(self) -> None:
        self.budgets.append(None)

    def count_cpu(self) -> None:
        self.counts_cpu = True


def conversation(*lines: str, default_units: int | None = None) -> Conversation:
    return Conversation(
        lines=io.BytesIO("".join(f"{line}\n" for line in lines).encode()),
        output=io.BytesIO(),
        errors=io.BytesIO(),
        default_units=default_units,
    )


@pytest.mark.parametrize("clock", ["cpu", "wall"])
def test_the_clock_is_that_of_the_referee(clock):
    meter, talk = Allowed(), conversation(f"setoption name Clock value {clock}")
    talk.begin(meter)
    talk.read(1000)
    assert meter.counts_cpu == (clock == "cpu")


def budgets(*lines: str, default_units: int | None = None) -> list[int | None]:
    """Return the fuel that was allowed from the start to the end of the lines, by a bot that answers each `go`."""
    meter, talk = Allowed(), conversation(*lines, default_units=default_units)
    talk.begin(meter)
    while line := talk.read(1000):
        if line.startswith(b"go"):
            talk.write(b"bestmove a1\n")
    return meter.budgets


def test_budget_of_a_move_comes_with_its_position():
    assert budgets("ugi", *MOVE) == [SETUP_UNITS, SETUP_UNITS, 700]


def test_go_without_fuel_has_the_clock_or_the_budget_of_the_host():
    assert budgets("position startpos", "go movetime 5")[1:] == [None]
    assert budgets("position startpos", "go movetime 5", default_units=9)[1:] == [9]
    assert budgets(*MOVE, default_units=9)[1:] == [700]


def test_nobody_can_think_on_while_he_is_asked_whether_he_is_ready():
    assert budgets("isready", *MOVE, "isready", *MOVE, "gameover 1-0 reason rules")[1:] == [
        SETUP_UNITS,
        700,
        IDLE_UNITS,
        700,
        SETUP_UNITS,
    ]
    assert SETUP_UNITS / IDLE_UNITS == 500


def test_end_of_input_brings_no_fuel():
    meter, talk = Allowed(), conversation()
    talk.begin(meter)
    assert [talk.read(10), talk.read(10)] == [b"", b""]
    assert meter.budgets == [SETUP_UNITS]


def test_line_longer_than_the_buffer_comes_in_parts():
    talk = conversation("isready", "quit")
    talk.begin(Allowed())
    assert [talk.read(5), talk.read(5), talk.read(100)] == [b"isrea", b"dy\n", b"quit\n"]


def test_reading_is_refused_from_go_until_the_move():
    talk = conversation(*MOVE, "isready")
    talk.begin(Allowed())
    assert [talk.read(100), talk.read(100)] == [b"position startpos\n", b"go fuel 700\n"]
    assert not talk.has_input
    with pytest.raises(ReadTooEarlyError):
        talk.read(100)
    talk.write(b"info depth 1\nbestmove a1\n")
    assert talk.read(100) == b"isready\n"


def test_second_game_is_for_another_instance():
    talk = conversation("ugi", "ucinewgame", "ucinewgame")
    talk.begin(Allowed())
    assert [talk.read(100), talk.read(100)] == [b"ugi\n", b"ucinewgame\n"]
    with pytest.raises(NewGameError):
        talk.read(100)
    talk.begin(Allowed())
    assert [talk.read(100), talk.read(100)] == [b"ugi\n", b"ucinewgame\n"]
