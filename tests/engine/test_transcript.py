from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.transcript import (
    MAX_BYTES,
    MAX_INFO_LINES,
    BadTranscriptError,
    BotTranscript,
    LineMark,
    TranscriptEntry,
    TranscriptRecorder,
    escape,
    parse_transcript,
)
from tests.engine.matches import entries_of_ply

lines = st.text(st.characters(exclude_categories=["Cs"]))
entries = st.builds(
    TranscriptEntry, st.integers(0, 999), st.integers(0, 10**10), st.sampled_from(LineMark), lines
)


@pytest.mark.long
@given(st.builds(BotTranscript, lines, st.lists(entries).map(tuple)))
def test_transcript_reads_back(transcript):
    assert parse_transcript(transcript.text()) == transcript


@given(st.builds(BotTranscript, lines, st.lists(entries).map(tuple)))
def test_nothing_that_does_not_print_gets_out(transcript):
    assert transcript.text().replace("\n", "").isprintable()


@pytest.mark.parametrize(
    ("text", "escaped_text"),
    [
        ("\x1b[31mred", r"\x1b[31mred"),
        ("a\nb", r"a\x0ab"),
        ("\u202egnp.exe", r"\u202egnp.exe"),
        ("\U000e0041", r"\U000e0041"),
        (r"C:\x41", r"C:\\x41"),
        ("schön", "schön"),
    ],
)
def test_control_characters_are_escaped(text, escaped_text):
    assert escape(text) == escaped_text


@pytest.mark.parametrize(
    "text",
    ["", "bot a", "bot a\n1 2 > x\n", "bot a\n1 2.000 ? x\n", "bot a\nx\n", "bot a\n0 0.000 < \\Uffffffff\n"],
)  # fmt: skip
def test_text_that_is_no_transcript_is_refused(text):
    with pytest.raises(BadTranscriptError):
        parse_transcript(text)


def marks(transcript: BotTranscript, ply: int) -> list[str]:
    return [f"{entry.channel.value} {entry.text}" for entry in entries_of_ply(transcript, ply)]


def test_lines_are_kept_with_their_ply_and_time():
    recorder = TranscriptRecorder("bot", began_ns=1_000_000)
    recorder.record_output("ugiok", at_ns=3_500_000)
    recorder.end_ply()
    recorder.record_output("bestmove a1", at_ns=4_000_000)
    assert recorder.transcript().entries == (
        TranscriptEntry(0, 2500, LineMark.FROM_BOT, "ugiok"),
        TranscriptEntry(1, 3000, LineMark.FROM_BOT, "bestmove a1"),
    )


def test_standard_error_is_cut_into_lines_and_half_a_line_stays_with_its_ply():
    recorder = TranscriptRecorder("bot")
    recorder.record_stderr("one\ntw")
    recorder.record_stderr("o\nthree")
    recorder.end_ply()
    recorder.record_stderr("four\n")
    assert marks(recorder.transcript(), 0) == ["! one", "! two", "! three"]
    assert marks(recorder.transcript(), 1) == ["! four"]


def test_info_is_kept_up_to_a_number_of_lines_a_ply():
    recorder = TranscriptRecorder("bot")
    for _ in range(MAX_INFO_LINES + 12):
        recorder.record_output("info depth 1", at_ns=0)
    recorder.record_output("bestmove a1", at_ns=0)
    recorder.end_ply()
    recorder.record_output("info depth 2", at_ns=0)
    first = marks(recorder.transcript(), 0)
    assert first.count("< info depth 1") == MAX_INFO_LINES
    assert first[-2:] == ["< bestmove a1", "# 12 further lines of info were not kept"]
    assert marks(recorder.transcript(), 1) == ["< info depth 2"]


def test_too_much_is_cut_with_a_note_and_leaves_the_other_direction_alone():
    recorder = TranscriptRecorder("bot")
    for _ in range(1000):
        recorder.record_input("position startpos moves" + " a1" * 300, at_ns=0)
    recorder.record_output("bestmove a1", at_ns=0)
    texts = marks(recorder.transcript(), 0)
    assert texts[-2:] == [
        "# truncated: nothing more of what it heard is kept",
        "< bestmove a1",
    ]
    assert len(recorder.transcript().text()) < MAX_BYTES


def test_many_short_lines_are_cut_too():
    recorder = TranscriptRecorder("bot")
    for _ in range(100_000):
        recorder.record_stderr("\n")
    assert len(recorder.transcript().text()) < MAX_BYTES
