"""The way of a player through the brackets, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.services.arbiter.explanations import (
    BracketEvidence,
    FloatReason,
    PlayerFacts,
    RoundReasons,
)
from tournaments.views.events.explanations import criteria
from tournaments.views.events.explanations.speech import Speech, points


@dataclass(frozen=True, slots=True)
class ToldFloater:
    """A player who moved down from a bracket, and the reason."""

    name: str
    reasons: Sequence[str]


@dataclass(frozen=True, slots=True)
class BracketRows:
    """A bracket as the page shows it.

    Attributes:
        points: of its residents.
        residents, came, rose: how many belonged to it, and the names of those who had come down or up.
        pairs: how many pairs it made.
        floaters: players who moved on, and why.
        told_rows, idle_rows: the criteria that count something, with the first in any case, and the others.
    """

    points: str
    residents: int
    came: Sequence[str]
    rose: Sequence[str]
    pairs: int
    floaters: Sequence[ToldFloater]
    told_rows: Sequence[criteria.CriterionRow]
    idle_rows: Sequence[criteria.CriterionRow]


def bracket_rows(speech: Speech, reasons: RoundReasons, number: int) -> BracketRows:
    """A bracket with its floaters and criteria in words."""
    bracket = reasons.bracket(number)
    rows = criteria.rows(bracket.criteria, reasons.system)
    rose = [tpn for tpn in bracket.mdps if reasons.facts(tpn).halves < bracket.halves]
    return BracketRows(
        points=points(bracket.halves),
        residents=len(bracket.residents),
        came=[speech.name(tpn) for tpn in bracket.mdps if tpn not in rose],
        rose=[speech.name(tpn) for tpn in rose],
        pairs=len(bracket.pairs),
        floaters=[
            ToldFloater(speech.name(reason.tpn), floated(speech, bracket, reason))
            for reason in bracket.floats
        ],
        told_rows=[row for row in rows if not row.is_idle or row == rows[0]],
        idle_rows=[row for row in rows[1:] if row.is_idle],
    )


def score(speech: Speech, facts: PlayerFacts) -> str:
    """Return the player's points, with the number of other players who had equal points."""
    words = {
        "player": speech.player(facts.tpn),
        "points": points(facts.halves),
        "count": facts.peers,
    }
    if not facts.peers:
        return _("%(player)s had scored %(points)s, alone in the score group.") % words
    return (
        ngettext(
            "%(player)s had scored %(points)s, with %(count)d other player in the score group.",
            "%(player)s had scored %(points)s, with %(count)d other players in the score group.",
            facts.peers,
        )
        % words
    )


def way(speech: Speech, reasons: RoundReasons, tpn: int, opponent: int | None) -> list[str]:
    """From the player's score group down to the bracket in which the opponent was found."""
    numbers = reasons.way(tpn)
    sentences = []
    for number in numbers:
        bracket = reasons.bracket(number)
        for reason in bracket.floats:
            if reason.tpn == tpn:
                sentences += floated(speech, bracket, reason)
    if opponent is None:
        return sentences
    last = reasons.bracket(numbers[-1])
    halves = {each: reasons.facts(each).halves for each in (tpn, opponent)}
    if tpn in last.residents and opponent in last.mdps and halves[opponent] < last.halves:
        sentences.append(
            _("The score group needed %(opponent)s from below, who got %(player)s.")
            % {"opponent": speech.name(opponent), "player": speech.name(tpn)}
        )
    elif tpn in last.mdps and halves[tpn] < last.halves:
        sentences.append(
            _("%(player)s floated up to the score group of %(points)s, which needed an opponent.")
            % {"player": speech.player(tpn), "points": points(last.halves)}
        )
    elif tpn in last.residents and opponent in last.mdps:
        sentences.append(
            _("%(opponent)s had floated down to this bracket and got %(player)s.")
            % {"opponent": speech.name(opponent), "player": speech.name(tpn)}
        )
    return sentences


def floated(speech: Speech, bracket: BracketEvidence, reason: FloatReason) -> list[str]:
    """Return the reasons why a player moved down from the bracket."""
    words = {
        "player": speech.player(reason.tpn),
        "points": points(bracket.halves),
        "count": len(bracket.residents) + len(bracket.mdps),
    }
    if reason.cause == "no-opponent":
        return [_alone(words, reason)]
    sentences = [_cause(words, reason)]
    if reason.choice == "last":
        sentences.append(_("The lowest-ranked player of the bracket floated down."))
    if reason.instead is not None:
        instead = {"other": speech.name(reason.instead)}
        sentences.append(
            _("Usually the lowest-ranked player, %(other)s, would have floated down.") % instead
        )
    elif reason.is_paired_otherwise:
        sentences.append(_("Suppose that %(player)s had been paired in this bracket.") % words)
    else:
        return sentences
    if reason.choice == "order":
        sentences.append(
            criteria.cited(
                _(
                    "That pairing would have been as good in every criterion, but comes later in order."
                ),
                "3.8, 4",
            )
        )
    elif reason.criterion == "C4":
        sentences.append(criteria.incomplete())
    else:
        sentences.append(criteria.then(reason.criterion, reason.value, reason.other))
    return sentences


def _cause(words: dict[str, object], reason: FloatReason) -> str:
    match reason.cause:
        case "odd":
            sentence = _(
                "%(player)s floated down from the score group of %(points)s: its bracket "
                "had an odd number of players (%(count)d)."
            )
            return criteria.cited(sentence % words, "C6, 2.4.1")
        case "no-matching":
            sentence = _(
                "%(player)s floated down from the score group of %(points)s: the pairs that "
                "are allowed among the %(count)d players of its bracket leave more than one "
                "unpaired."
            )
            return criteria.cited(sentence % words, "C6, 2.4.1")
        case _:
            sentence = _(
                "%(player)s floated down from the score group of %(points)s: with fewer who "
                "float down the players below could not all have been paired."
            )
            return criteria.cited(sentence % words, "C4, 2.2.1")


def _alone(words: dict[str, object], reason: FloatReason) -> str:
    sentence = _(
        "%(player)s floated down from the score group of %(points)s: no player in its "
        "bracket was a possible opponent (already met: %(met)d, same absolute colour "
        "preference: %(colour)d, forbidden by the organiser: %(forbidden)d)."
    )
    counts = {"met": reason.met, "colour": reason.colour, "forbidden": reason.forbidden}
    return criteria.cited(sentence % {**words, **counts}, "2.1")
