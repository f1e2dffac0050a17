// What the search knows of a game beside its rules; the games have specialisations.
#pragma once

#include "playout.hpp"

namespace kernel {

template <Game G>
struct Guide {
    // Constants of the search, chosen by matches: `docs/strength.md`.
    static constexpr float kExploration = 0.3f;
    static constexpr float kAmaf = 300;
    static constexpr u32 kVisitsToExpand = 2;

    // A number below 16,384 that moves of one kind share.
    static u32 kind(Move move) { return u32(scrambled(move) >> 50); }
};

// Per mille of winning for the side to move.
template <Game G>
i32 evaluation(const G& position) {
    if constexpr (requires { Guide<G>::evaluate(position); })
        return Guide<G>::permille(Guide<G>::evaluate(position));
    constexpr u32 games = 50;
    const Tally tally = play_out_often(position, games, position.hash());
    const u64 wins = tally.outcomes[kFirstWon + position.side()];
    return i32((2 * wins + tally.outcomes[kDraw]) * 1000 / (2 * games));
}

}  // namespace kernel
