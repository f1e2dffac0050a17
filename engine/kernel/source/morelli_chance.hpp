// Morelli: random turns and games, each legal turn equally likely, mostly without a list of them.
#pragma once

#include "morelli.hpp"

namespace kernel {

namespace morelli {

// The pieces of both sides as lists to draw from.
struct Crowd {
    u16 cell[2][120];
    u32 count[2] = {};

    void add(u32 side, Cell at) { cell[side][count[side]++] = u16(at); }
    void remove(u32 side, Cell at) {
        u32 k = 0;
        while (cell[side][k] != at) ++k;
        cell[side][k] = cell[side][--count[side]];
    }
};

// The turns that are more than a step: how many there are, and the first of them.
struct Effects {
    static constexpr u32 kFirst = 64;
    u32 count = 0;
    Move first[kFirst];
};

}  // namespace morelli

template <u32 kLargest>
Move Morelli<kLargest>::random_move(Rng& rng) const {
    if (is_agreed_) return kNoMove;
    if (is_placing_) return random_placement(rng);
    morelli::Crowd crowd;
    each_piece(side_, [&](Cell cell) { crowd.add(side_, cell); });
    return counted_turn(crowd, effects(), rng).move;
}

// A turn from an exact count of all.
template <u32 kLargest>
auto Morelli<kLargest>::counted_turn(const morelli::Crowd& crowd, const morelli::Effects& effects, Rng& rng) const
    -> CountedTurn {
    using namespace morelli;
    const u32 pieces = crowd.count[side_];
    u32 steps[120], total = 0;
    for (u32 k = 0; k < pieces; ++k) total += steps[k] = steps_from(crowd.cell[side_][k]);
    if (!total) return {kNoMove, 0};
    // In the original edition every step is a turn without effects; the others come on top.
    u32 number = rng.below(total + effects.count);
    if (number >= total) return {turn_with_effects(effects, number - total), total};
    u32 piece = 0;
    while (number >= steps[piece]) number -= steps[piece++];
    const Cell start = crowd.cell[side_][piece];
    const Way* way = board.way[start];
    for (u32 here; number >= (here = steps_along(start, *way)); ++way) number -= here;
    const u32 far = number + 1 + (number + 1 >= way->throne);
    return {turn_of_step(start, Cell(i32(start) + i32(far) * way->step)), total};
}

// A turn by draws, or kNoMove after too many.
//
// A draw is from all steps of the pieces on an empty board, padded to the same number for every
// piece, and is kept if it is legal here. So every legal step has the same chance in each draw, and
// it has the same chance in the count that follows many failures: the choice is uniform.
template <u32 kLargest>
Move Morelli<kLargest>::drawn_turn(const morelli::Crowd& crowd, const morelli::Effects& effects, Rng& rng) const {
    using namespace morelli;
    constexpr u32 draws = 24;
    const u32 pieces = crowd.count[side_];
    if (!pieces) return kNoMove;
    const u32 span = pieces * board.most_targets;
    for (u32 k = 0; k < draws; ++k) {
        if (effects.count) {
            const u32 number = rng.below(span + effects.count);
            if (number >= span) return turn_with_effects(effects, number - span);
        }
        const auto [piece, choice] = rng.pair_below(pieces, board.most_targets);
        const Cell start = crowd.cell[side_][piece];
        if (choice >= board.target_count[start]) continue;
        const Target& target = board.target[start][choice];
        if (!(lines_[target.axis][target.line] & target.path)) return turn_of_step(start, target.end);
    }
    return kNoMove;
}

// The turn of a step: in the revised edition with all its effects, in the original one without any.
template <u32 kLargest>
Move Morelli<kLargest>::turn_of_step(Cell start, Cell end) const {
    if (rules_.edition == morelli::kOriginal) return turn(start, end, 0);
    Move move = kNoMove;
    each_turn(start, end, [&](Move only) { move = only; });
    return move;
}

// Plays to the end; returns the outcome.
template <u32 kLargest>
template <class Visit>
u32 Morelli<kLargest>::playout(Rng& rng, Visit visit) {
    if (is_agreed_) return outcome();
    while (is_placing_) {
        const Move move = random_placement(rng);
        visit(*this, move);
        play(move);
    }
    morelli::Crowd crowd;
    for (u32 side = 0; side < 2; ++side)
        each_piece(side, [&](Cell cell) { crowd.add(side, cell); });
    // A side that has few steps left is counted at once: draws would mostly fail.
    bool is_counted[2] = {};
    for (;;) {
        const morelli::Effects extra = effects();
        Move move = is_counted[side_] ? kNoMove : drawn_turn(crowd, extra, rng);
        if (!move) {
            constexpr u32 sparse = 32;
            const CountedTurn last = counted_turn(crowd, extra, rng);
            move = last.move;
            if (!move) return throne_ ? throne_ : u32(kDraw);
            is_counted[side_] = last.steps * sparse < crowd.count[side_] * morelli::board.most_targets;
        }
        visit(*this, move);
        const u32 mover = side_;
        crowd.remove(mover, start_of(move));
        crowd.add(mover, end_of(move));
        each_neighbour(end_of(move), captures_of(move), [&](Cell cell) {
            crowd.remove(mover ^ 1, cell);
            crowd.add(mover, cell);
        });
        play(move);
    }
}

// None in the revised edition, where a step says it all.
template <u32 kLargest>
morelli::Effects Morelli<kLargest>::effects() const {
    morelli::Effects effects;
    if (rules_.edition == morelli::kRevised) return effects;
    each_turn_with_effects([&](Move move) {
        if (effects.count < effects.kFirst) effects.first[effects.count] = move;
        ++effects.count;
    });
    return effects;
}

template <u32 kLargest>
Move Morelli<kLargest>::turn_with_effects(const morelli::Effects& effects, u32 number) const {
    if (number < effects.kFirst) return effects.first[number];
    Move result = kNoMove;
    each_turn_with_effects([&](Move move) {
        if (number-- == 0) result = move;
    });
    return result;
}

template <u32 kLargest>
Move Morelli<kLargest>::random_placement(Rng& rng) const {
    Cell vacant[120];
    u32 count = 0;
    each_vacant([&](Cell cell) { vacant[count++] = cell; });
    return kPlaces | vacant[rng.below(count)];
}


}  // namespace kernel
