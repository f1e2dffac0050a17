// What the search knows of Morelli: who holds the Throne, and who is near to holding a frame.
#pragma once

#include "guide.hpp"
#include "morelli.hpp"

namespace kernel {

namespace morelli {

// Thousandths of winning. By self-play: `docs/strength.md`.
enum Weight : u32 {
    kThroneHeld,    // to hold the Throne at the start of a game
    kUrgency,       // and so much more at its end
    kTwoCorners,    // two of one's pieces on the corners of a frame
    kThreeCorners,
    kFourCorners,
    kBlocked,       // per cent of these where an enemy's piece stands on another corner
    kWeights,
};
inline constexpr i32 kInPlay[kWeights] = {350, 450, 5, 30, 50, 50};
inline WeightList<kWeights> weights(kInPlay);

}  // namespace morelli

template <u32 kLargest>
struct Guide<Morelli<kLargest>> {
    using Position = Morelli<kLargest>;
    static constexpr Level kLevels[8] = {
        {100, 800}, {200, 650}, {400, 420}, {1000, 300}, {2000, 160}, {5000, 50}, {14000, 10}, {50000, 0},
    };
    static constexpr float kExploration = 0.3f;
    static constexpr float kAmaf = 300;

    static constexpr bool kLooksAhead = true;
    static constexpr i32 kEven = 500;

    static bool is_restless(const Position&) { return false; }
    static bool is_sharp(const Position&, Move move) { return move >> 20 & 511; }
    static i32 rank(const Position&, Move move) { return i32(count_of(u32(move >> 20 & 255))) * 16 + i32(move >> 28 & 1) * 1000; }
    static auto& weights() { return morelli::weights; }
    // By where the piece comes from and goes to.
    static u32 kind(Move move) { return u32((move & 0xFFFFF) * 0x9E3779B1u) >> 18; }
    // Random games judge an open position best; where few turns are left, only a search through all
    // replies sees that a side is about to be stuck. By play against UCT: `docs/strength.md`.
    static Method method(const Position& position) {
        const u32 squares = position.size() * position.size();
        return position.is_placing() || position.move_count() >= squares ? kTree : kPrincipal;
    }
    static Method level_method(const Position&) { return kPrincipal; }
    static i32 permille(i32 value) { return smaller(larger(500 + value / 2, 10), 990); }

    // Twice the thousandths above one half.
    static i32 evaluate(const Position& position) {
        using namespace morelli;
        const i32 corners[5] = {0, 0, morelli::weights[kTwoCorners], morelli::weights[kThreeCorners], morelli::weights[kFourCorners]};
        const i32 share_if_blocked = morelli::weights[kBlocked];
        const i32 side = i32(position.side());
        i32 frames = 0;
        position.each_frame([&](u32 black, u32 white) {
            const i32 b = corners[black] * (white ? share_if_blocked : 100);
            const i32 w = corners[white] * (black ? share_if_blocked : 100);
            frames += b - w;
        });
        frames /= 100;
        i32 value = side ? -frames : frames;
        if (const u32 holder = position.throne()) {
            const i32 size = i32(position.size()), longest = (size * size * size) / 12;
            const i32 urgency = smaller(morelli::weights[kUrgency], morelli::weights[kUrgency] * i32(position.ply()) / longest);
            value += (holder == u32(side) + 1 ? 1 : -1) * (morelli::weights[kThroneHeld] + urgency);
        }
        return value;
    }
};

}  // namespace kernel
