// What the search knows of Morlox: how far each colour is from joining its edges.
#pragma once

#include "guide.hpp"
#include "morlox.hpp"

namespace kernel {

namespace morlox {

// Thousandths of the logarithm of the odds of winning, by logistic regression over games of the search
// with itself: `engine/kernel/EXPERIMENTS.md`.
enum Weight : u32 {
    kDistance,  // by how much the enemy's way between his edges is longer, as a share of both ways
    kTurn,      // to be on the move
    kControl,   // a square more than the enemy has where one may put a stone
    kWeights,
};
inline constexpr i32 kInPlay[kWeights] = {9600, 400, 118};
inline WeightList<kWeights> weights(kInPlay);

}  // namespace morlox

template <u32 kBelow, u32 kCapacity>
struct Guide<Morlox<kBelow, kCapacity>> {
    using Position = Morlox<kBelow, kCapacity>;
    using Board = typename Position::Board;
    using Cells = typename Board::Cells;
    static constexpr Level kLevels[8] = {
        {50, 757}, {70, 677}, {90, 578}, {150, 458}, {220, 356}, {370, 241}, {900, 106}, {5000, 0},
    };
    static constexpr float kExploration = 0.1f;
    static constexpr float kAmaf = 300;
    static constexpr morlox::RandomPlay kRandomPlay = {.plies = 20, .flips = 2};
    static constexpr bool kLooksAhead = true;

    static auto& weights() { return morlox::weights; }
    static u32 kind(Move move) { return u32(move); }
    static Method method(const Position&) { return kTree; }
    static Method level_method(const Position&) { return kTree; }
    static i32 permille(i32 value) { return smaller(larger(logistic(value), 10), 990); }
    static bool is_restless(const Position&) { return false; }
    static u32 urgent_moves(const Position&, Move*) { return 0; }
    static bool may_reduce(const Position&, Move) { return false; }
    static i32 rank(const Position&, Move) { return 0; }

    template <class Weights>
    static auto evaluate(const Position& position, const Weights& weights) {
        const u32 turn = position.turn();
        const i32 own = distance(position.board(), turn), hostile = distance(position.board(), turn ^ 1);
        const i32 control = i32(position.board().legal(turn).count()) - i32(position.board().legal(turn ^ 1).count());
        // Half a step ahead, for it is this side's turn.
        const auto lead = weights[morlox::kDistance] * (2 * (hostile - own) + 1) / (2 * (hostile + own + 1));
        return lead + weights[morlox::kTurn] + weights[morlox::kControl] * control;
    }

private:
    static Cells spread(const Cells& cells) {
        return cells | cells.up(1) | cells.down(1) | cells.up(Board::kStride) | cells.down(Board::kStride);
    }
    // `cells` and the stones of `own` that hang together with them.
    static Cells with_chains(Cells cells, const Cells& own) {
        for (;;) {
            const Cells wider = cells | (spread(cells) & own);
            if (wider == cells) return cells;
            cells = wider;
        }
    }

    // The cost of the cheapest way between the edges of `colour`. Its stones that the enemy cannot flip
    // cost nothing; its others, and what it alone may take, 1; squares where both may put a stone 2;
    // all others 4.
    static i32 distance(const Board& board, u32 colour) {
        const Cells &stones = board.stones(colour), &own = board.legal(colour), &hostile = board.legal(colour ^ 1);
        const Cells safe = stones - hostile, single = (own - hostile) | (stones & hostile), common = own & hostile;
        const Cells dear = board.squares() - stones - own, near = board.edge(colour, false), far = board.edge(colour, true);
        Cells before[4];  // what was within the costs before this one
        Cells now = with_chains(near & safe, safe);
        i32 cost = 0;
        for (; (now & far).none(); ++cost) {
            Cells step = (spread(now) | near) & single;
            if (cost >= 1) step |= (spread(before[(cost - 1) % 4]) | near) & common;
            if (cost >= 3) step |= (spread(before[(cost - 3) % 4]) | near) & dear;
            before[cost % 4] = now;
            now = with_chains(now | step, safe);
        }
        return cost;
    }
};

}  // namespace kernel
