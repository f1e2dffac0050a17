// What the search knows of Morelli: who holds the Throne, how far the enemy can still go to take it,
// and who has more pieces.
#pragma once

#include "guide.hpp"
#include "morelli.hpp"

namespace kernel {

namespace morelli {

// Thousandths of the logarithm of the odds of winning, by logistic regression over games of the search
// with itself: `engine/kernel/EXPERIMENTS.md`.
enum Weight : u32 {
    kThrone,  // to hold the Throne when the enemy's pieces can go nowhere
    kWay,     // of that, the way that they had at the start takes so much
    kPieces,  // to have all pieces
    kWeights,
};
inline constexpr i32 kInPlay[kWeights] = {4400, 5200, 5000};
inline WeightList<kWeights> weights(kInPlay);

}  // namespace morelli

template <u32 kLargest>
struct Guide<Morelli<kLargest>> {
    using Position = Morelli<kLargest>;
    static constexpr Level kLevels[8] = {
        {50, 864}, {90, 729}, {200, 532}, {490, 339}, {1330, 172}, {4500, 53}, {14000, 12}, {50000, 0},
    };
    static constexpr float kExploration = 0.3f;
    static constexpr float kAmaf = 300;

    static constexpr bool kLooksAhead = true;

    static bool is_restless(const Position&) { return false; }
    // Who can take the Throne at once is better off than the board looks.
    static u32 urgent_moves(const Position& position, Move* list) { return position.frame_turns(list); }
    // Late-move reductions were worth nothing here and in Morlox: `engine/kernel/EXPERIMENTS.md`.
    static bool may_reduce(const Position&, Move) { return false; }
    static i32 rank(const Position&, Move move) { return i32(count_of(u32(move >> 20 & 255))) * 16 + i32(move >> 28 & 1) * 1000; }
    static auto& weights() { return morelli::weights; }
    // By where the piece comes from and goes to.
    static u32 kind(Move move) { return u32((move & 0xFFFFF) * 0x9E3779B1u) >> 18; }
    // While the ring is laid there is nothing to evaluate.
    static Method method(const Position& position) { return position.is_placing() ? kTree : kPrincipal; }
    static Method level_method(const Position&) { return kPrincipal; }
    static i32 permille(i32 value) { return smaller(larger(logistic(value), 10), 990); }

    template <class Weights>
    static auto evaluate(const Position& position, const Weights& weights) {
        using namespace morelli;
        const u32 side = position.side();
        const i32 size = i32(position.size()), ring = 4 * (size - 1), start = ring / 2 * (size / 2 - 1);
        auto value = weights[kPieces] * (count_pieces(position, side) - count_pieces(position, side ^ 1)) / ring;
        if (const u32 holder = position.throne()) {
            const u32 other = 2 - holder;
            const auto throne = larger(weights[kThrone] - weights[kWay] * way(position, other) / start, 0);
            value += other == side ? -throne : throne;
        }
        return value;
    }

private:
    static i32 count_pieces(const Position& position, u32 side) {
        i32 count = 0;
        for (u32 file = 0; file < position.size(); ++file) count += i32(count_of(position.men(side, file)));
        return count;
    }
    // How many bands the pieces of a side could go inwards, all together, were nothing in their way.
    static i32 way(const Position& position, u32 side) {
        const u32 centre = position.size() / 2;
        i32 bands = 0;
        for (u32 file = 0; file < position.size(); ++file) {
            const u32 men = position.men(side, file), off = file < centre ? centre - file : file - centre;
            if (off) bands += i32(off - 1) * i32(count_of(men));
            for (u32 band = larger(off, 1u); band < centre; ++band) {
                const u32 within = ((2u << 2 * band) - 1) << (centre - band);
                bands += i32(count_of(men & ~within));
            }
        }
        return bands;
    }
};

}  // namespace kernel
