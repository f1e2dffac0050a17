// What the search knows of Morelli: who holds the Throne, and who is near to holding a frame.
#pragma once

#include "guide.hpp"
#include "morelli.hpp"

namespace kernel {

namespace morelli {

// Thousandths of winning.
struct Weights {
    i32 throne = 350;         // to hold the Throne at the start of a game
    i32 urgency = 450;        // and so much more at its end
    i32 corners[5] = {0, 0, 5, 30, 50};  // by the number of one's pieces on the corners of a frame
    i32 blocked = 50;         // per cent of it where an enemy's piece stands on another corner
};
inline Weights weights;

}  // namespace morelli

template <u32 kLargest>
struct Guide<Morelli<kLargest>> {
    using Position = Morelli<kLargest>;
    static constexpr Method kMethod = kPrincipal;
    static constexpr Level kLevels[8] = {
        {100, 800}, {200, 650}, {400, 400}, {1000, 300}, {2000, 150}, {4000, 60}, {10000, 20}, {40000, 0},
    };
    static constexpr float kExploration = 0.3f;
    static constexpr float kAmaf = 300;
    static constexpr u32 kVisitsToExpand = 2;
    static constexpr float kMix = 0, kPrior = 0;
    static constexpr u32 kBias = 0;

    static constexpr bool kLooksAhead = true;
    static constexpr i32 kEven = 500;

    static bool is_restless(const Position&) { return false; }
    static bool is_sharp(const Position&, Move move) { return move >> 20 & 511; }
    static i32 rank(const Position&, Move move) { return i32(count_of(u32(move >> 20 & 255))) * 16 + i32(move >> 28 & 1) * 1000; }
    // By where the piece comes from and goes to.
    static u32 kind(Move move) { return u32((move & 0xFFFFF) * 0x9E3779B1u) >> 18; }
    static i32 permille(i32 value) { return smaller(larger(500 + value / 2, 10), 990); }

    // A move that random games should rather make than draw one.
    static Move urgent_move(const Position& position) { return position.enthroning_turn(); }

    // Twice the thousandths above one half.
    static i32 evaluate(const Position& position) {
        const auto& weights = morelli::weights;
        const i32 side = i32(position.side());
        i32 frames = 0;
        position.each_frame([&](u32 black, u32 white) {
            const i32 b = weights.corners[black] * (white ? weights.blocked : 100);
            const i32 w = weights.corners[white] * (black ? weights.blocked : 100);
            frames += b - w;
        });
        frames /= 100;
        i32 value = side ? -frames : frames;
        if (const u32 holder = position.throne()) {
            const i32 size = i32(position.size()), longest = (size * size * size) / 12;
            const i32 urgency = smaller(weights.urgency, weights.urgency * i32(position.ply()) / longest);
            value += (holder == u32(side) + 1 ? 1 : -1) * (weights.throne + urgency);
        }
        return value;
    }
};

}  // namespace kernel
