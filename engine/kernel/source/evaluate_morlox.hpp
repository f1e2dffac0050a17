// What the search knows of Morlox: how far each colour is from joining its edges.
#pragma once

#include "guide.hpp"
#include "morlox.hpp"

namespace kernel {

namespace morlox {

// By self-play: `docs/strength.md`.
enum Weight : u32 {
    kControl,  // a square more than the enemy has where one may put a stone
    kWeights,
};
inline constexpr i32 kInPlay[kWeights] = {40};
inline WeightList<kWeights> weights(kInPlay);

}  // namespace morlox

template <u32 kBelow, u32 kCapacity>
struct Guide<Morlox<kBelow, kCapacity>> {
    using Position = Morlox<kBelow, kCapacity>;
    using Board = typename Position::Board;
    using Cells = typename Board::Cells;
    static constexpr Level kLevels[8] = {
        {50, 800}, {80, 700}, {100, 570}, {200, 430}, {400, 260}, {1000, 140}, {3000, 50}, {12000, 0},
    };
    static constexpr float kExploration = 0.1f;
    static constexpr float kAmaf = 300;
    static constexpr bool kLooksAhead = true;
    static constexpr i32 kEven = 200;

    static auto& weights() { return morlox::weights; }
    static u32 kind(Move move) { return u32(move); }
    static Method method(const Position& position) { return level_method(position); }
    // On larger boards no evaluation sees what random games see.
    static Method level_method(const Position& position) { return position.board().size() < 11 ? kPrincipal : kTree; }
    static i32 permille(i32 value) {
        const i32 far = value < 0 ? -value : value;
        return 500 + value * 500 / (far + kEven);
    }
    static bool is_restless(const Position&) { return false; }
    static bool is_sharp(const Position&, Move) { return false; }
    static i32 rank(const Position&, Move) { return 0; }

    static i32 evaluate(const Position& position) {
        const u32 turn = position.turn();
        const i32 own = distance(position.board(), turn), hostile = distance(position.board(), turn ^ 1);
        const i32 control = i32(position.board().legal(turn).count()) - i32(position.board().legal(turn ^ 1).count());
        return (200 * (hostile - own) + 100) * 10 / (hostile + own + 1) + morlox::weights[morlox::kControl] * control;
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

    // The cost of the cheapest way between the edges of `colour`: its stones cost nothing, squares
    // where it may put a stone 1, all others 3.
    static i32 distance(const Board& board, u32 colour) {
        const Cells &own = board.stones(colour), &cheap = board.legal(colour);
        const Cells dear = board.squares() - own - cheap, near = board.edge(colour, false), far = board.edge(colour, true);
        Cells now = with_chains(near & own, own), one_before, two_before;
        i32 cost = 0;
        for (; (now & far).none(); ++cost) {
            Cells step = (spread(now) | near) & cheap;
            if (cost > 1) step |= (spread(two_before) | near) & dear;
            two_before = one_before;
            one_before = now;
            now = with_chains(now | step, own);
        }
        return cost;
    }
};

}  // namespace kernel
