"""The explanation of a board or a bye: the short one of the pairings page, and a separate page.

Pairing numbers of reasons, names and questions are those with which the round was paired.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from tournaments.models import Entry, Pairing, Round, Seat
from tournaments.queries import formats
from tournaments.services.arbiter.explanations import (
    PlainReasons,
    Refusal,
    RoundReasons,
    TooManyEdgesError,
    plain_reasons,
    round_reasons,
)
from tournaments.text.points import halves
from tournaments.views.events.explanations import brackets, byes, counterfactuals, sides, systems
from tournaments.views.events.explanations.speech import Speech

BYE = "bye"


@dataclass(frozen=True, slots=True)
class ExplainedBoard:
    """A pairing with its reasons, one sentence each."""

    pairing: Pairing
    reasons: Sequence[str]


@dataclass(frozen=True, slots=True)
class Counterfactual:
    """The question why one player did not meet another, as a line, and its answer."""

    question: str
    answer: Sequence[str]


@dataclass(frozen=True, slots=True)
class ExplainedPlayer:
    """One of a board, or the one on the bye.

    Attributes:
        entry: the player.
        points: the score with which the round was paired.
        colours: the sides so far, oldest first, as pairs of side and its name.
        story: how the player came to this board.
        counterfactuals: why not others whom one would expect.
    """

    entry: Entry
    points: str
    colours: Sequence[tuple[str, str]]
    story: Sequence[str]
    counterfactuals: Sequence[Counterfactual]


@dataclass(frozen=True, slots=True)
class Question:
    """The question why one player of a board did not meet another player.

    Attributes:
        who: the pairing number of the player, or empty.
        other: the pairing number of the other player, `BYE`, or empty.
    """

    who: str = ""
    other: str = ""


@dataclass(frozen=True, slots=True)
class CounterfactualForm:
    """The form "why not ...?": the player, the other player, and the answer to the last question.

    `choices` and `wanted` are pairs of value and name.
    """

    askers: Sequence[tuple[str, str]]
    choices: Sequence[tuple[str, str]]
    asker: str
    question: str
    answer: Counterfactual | None


def explained(round_: Round, pairings: Iterable[Pairing]) -> list[ExplainedBoard]:
    """Every board of the round with why these two meet, and why with these sides."""
    boards = round_.evidence_by_pair
    return [
        ExplainedBoard(pairing, _short(round_, pairing, boards.get(_tpns(pairing))))
        for pairing in pairings
    ]


def _tpns(pairing: Pairing) -> tuple[int, int]:
    return pairing.first.tpn or 0, pairing.second.tpn or 0


def _short(round_: Round, pairing: Pairing, board: Mapping[str, Any] | None) -> list[str]:
    if board is None:
        return [by_hand()] if round_.edits else []
    rule = sides.rule(str(board["colour_rule"]))
    return [systems.meeting(board) or _scores(pairing, board), *([rule] if rule else [])]


def by_hand() -> str:
    """Return the text of a pairing that the organiser changed."""
    return _("The organiser changed this pairing by hand.")


def objections(
    round_: Round, pairs: Sequence[tuple[int, int | None]], speech: Speech
) -> list[Counterfactual]:
    """Return the reasons against these pairs by the pairing system, each of two TPNs, or one and the bye.

    Pairs that the system made are left out. Systems that give no reasons return an empty list.
    """
    reasons = round_reasons(round_) or plain_reasons(round_)
    if reasons is None:
        return []
    answers = []
    for tpn, other in pairs:
        try:
            refusal = reasons.why_not(tpn, other)
        except TooManyEdgesError:
            continue
        if refusal is None or not refusal.is_objection:
            continue
        names = {"player": speech.name(tpn), "other": speech.name(other or 0)}
        title = _("%(player)s – %(other)s") % names if other else _("Bye: %(player)s") % names
        answers.append(Counterfactual(title, _sentences(speech, reasons, refusal)))
    if isinstance(reasons, RoundReasons):
        answers += _side_objections(reasons, pairs, speech)
    return answers


def _sentences(speech: Speech, reasons: RoundReasons | PlainReasons, refusal: Refusal) -> list[str]:
    if isinstance(reasons, PlainReasons):
        return counterfactuals.plain_answer(speech, reasons.system, refusal)
    return counterfactuals.answer(speech, reasons, refusal)


def _side_objections(
    reasons: RoundReasons, pairs: Sequence[tuple[int, int | None]], speech: Speech
) -> list[Counterfactual]:
    """The objections of the rules to the sides of these pairs (C.04.3 5.2)."""
    answers = []
    for first, second in pairs:
        article = "" if second is None else reasons.side_objection(first, second)
        if second is None or not article:
            continue
        names = {"player": speech.name(first), "other": speech.name(second)}
        usual = _("The rules give %(player)s %(side)s.") % {
            "player": speech.name(second),
            "side": speech.side("first"),
        }
        due = [sides.due(speech, reasons.facts(tpn), reasons.system) for tpn in (first, second)]
        title = _("%(player)s – %(other)s: colours") % names
        answers.append(Counterfactual(title, [*due, usual, sides.rule(article)]))
    return answers


def _scores(pairing: Pairing, board: Mapping[str, Any]) -> str:
    first, second = int(board["first_halves"]), int(board["second_halves"])
    if first == second:
        return _("Both had scored %(points)s.") % {"points": halves(first)}
    upper, lower = (
        (pairing.first, pairing.second) if first > second else (pairing.second, pairing.first)
    )
    return _(
        "No possible opponent was left for %(upper)s in the score group of %(more)s, so "
        "%(upper)s meets %(lower)s with %(less)s."
    ) % {
        "upper": upper.player.name,
        "more": halves(max(first, second)),
        "lower": lower.player.name,
        "less": halves(min(first, second)),
    }


def board_page(
    round_: Round, pairing: Pairing, speech: Speech, question: Question
) -> dict[str, Any]:
    """Return the context of the page of a board."""
    board = round_.evidence_by_pair.get(_tpns(pairing))
    one, two = (round_.numbers.then(tpn) for tpn in _tpns(pairing))
    context: dict[str, Any] = {"reasons": _short(round_, pairing, board)}
    if board is None and round_.edits:
        context["objections"] = objections(round_, [(one, two)], speech)
    reasons = round_reasons(round_) if board is not None else None
    if reasons is None or board is None:
        plain = plain_reasons(round_) if board is not None else None
        if plain is not None:
            context["form"] = _form(speech, plain, [one, two], question)
        return context
    context["players"] = [
        _player(speech, reasons, pairing.first, one, two),
        _player(speech, reasons, pairing.second, two, one),
    ]
    context["rule"] = sides.rule(str(board["colour_rule"]))
    number = reasons.way(one)[-1]
    context["bracket"] = brackets.bracket_rows(speech, reasons, number)
    context["rules"] = formats.FORMATS[reasons.system].rules
    context["form"] = _form(speech, reasons, [one, two], question)
    return context


def bye_page(round_: Round, seat: Seat, speech: Speech, question: Question) -> dict[str, Any]:
    """Return the context of the page of a bye or an absence."""
    entry, tpn = seat.entry, round_.numbers.then(seat.entry.tpn or 0)
    if seat.kind != Seat.Kind.PAIRING_BYE:
        return {"reasons": [byes.reason(round_, seat, speech)]}
    reasons = round_reasons(round_)
    if reasons is None:
        plain = plain_reasons(round_)
        if plain is not None and plain.bye != tpn:
            return {"reasons": [by_hand()], "objections": objections(round_, [(tpn, None)], speech)}
        form = _form(speech, plain, [tpn], question) if plain is not None else None
        return {"reasons": _odd_number(round_), "form": form}
    if reasons.bye != tpn:
        return {"reasons": [by_hand()], "objections": objections(round_, [(tpn, None)], speech)}
    # A system that gives the bye first has no bracket for it.
    own = [brackets.bracket_rows(speech, reasons, number) for number in reasons.way(tpn)[-1:]]
    return {
        "players": [_player(speech, reasons, entry, tpn, None)],
        "bracket": own[0] if own else None,
        "rules": formats.FORMATS[reasons.system].rules,
        "form": _form(speech, reasons, [tpn], question),
    }


def _odd_number(round_: Round) -> list[str]:
    """Return the reasons for the bye in a Swiss whose evidence has no brackets."""
    players = 2 * len(round_.evidence_by_pair) + 1
    sentences = [
        _("%(players)d players were to be paired, an odd number, so one of them has the bye.")
        % {"players": players}
    ]
    about_bye = formats.of(round_.event).about_bye
    if about_bye:
        sentences.append(str(about_bye))
    return sentences


def _player(
    speech: Speech, reasons: RoundReasons, entry: Entry, tpn: int, opponent: int | None
) -> ExplainedPlayer:
    facts = reasons.facts(tpn)
    story = [
        brackets.score(speech, facts),
        *brackets.way(speech, reasons, tpn, opponent),
    ]
    if opponent is None:
        story.append(str(formats.FORMATS[reasons.system].about_bye))
    else:
        story.append(sides.due(speech, facts, reasons.system))
    return ExplainedPlayer(
        entry=entry,
        points=halves(facts.halves),
        colours=[(speech.colours[side != "first"], speech.side(side)) for side in facts.colours],
        story=story,
        counterfactuals=[
            counterfactual
            for other in reasons.usual_opponents(tpn)
            if (counterfactual := _quick_counterfactual(speech, reasons, tpn, other)) is not None
        ],
    )


def _counterfactual(
    speech: Speech, reasons: RoundReasons | PlainReasons, tpn: int, other: int | None
) -> Counterfactual | None:
    refusal = reasons.why_not(tpn, other)
    if refusal is None:
        return None
    return Counterfactual(_question(speech, tpn, other), _sentences(speech, reasons, refusal))


def _question(speech: Speech, tpn: int, other: int | None) -> str:
    if other is None:
        return _("Why not the bye for %(player)s?") % {"player": speech.name(tpn)}
    names = {"player": speech.name(tpn), "other": speech.name(other)}
    return _("Why not %(player)s against %(other)s?") % names


def _quick_counterfactual(
    speech: Speech, reasons: RoundReasons, tpn: int, other: int
) -> Counterfactual | None:
    """Return the counterfactual for a question that no reader has asked, or None also if it would take minutes."""
    try:
        return _counterfactual(speech, reasons, tpn, other)
    except TooManyEdgesError:
        return None


def _answered(
    speech: Speech, reasons: RoundReasons | PlainReasons, tpn: int, other: int | None
) -> Counterfactual | None:
    try:
        return _counterfactual(speech, reasons, tpn, other)
    except TooManyEdgesError:
        sentence = _(
            "This page cannot tell: of so large a score group every other pairing would have to be compared, which takes minutes."
        )
        return Counterfactual(_question(speech, tpn, other), [sentence])


def _form(
    speech: Speech,
    reasons: RoundReasons | PlainReasons,
    tpns: Sequence[int],
    question: Question,
) -> CounterfactualForm:
    askers = [(str(tpn), speech.names[tpn]) for tpn in tpns]
    others = sorted(
        ((str(tpn), name) for tpn, name in speech.names.items()),
        key=lambda item: item[1].casefold(),
    )
    if reasons.bye is not None:
        others.insert(0, (BYE, _("the bye")))
    who, other = question.who, question.other
    answer = None
    if who in dict(askers) and other in dict(others):
        answer = _answered(speech, reasons, int(who), None if other == BYE else int(other))
    return CounterfactualForm(askers, others, who, other, answer)
