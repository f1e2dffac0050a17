// Random games: each legal move equally likely at every ply.
#pragma once

#include "rules.hpp"

namespace kernel {

// Plays to the end; returns the outcome. A game may bring a faster `playout` of the same chances.
template <Game G>
u32 play_out(G& position, Rng& rng) {
    if constexpr (requires { position.playout(rng); }) {
        return position.playout(rng);
    } else {
        while (const Move move = position.random_move(rng)) position.play(move);
        return position.outcome();
    }
}

// How many games ended in each outcome, and their plies together.
struct Tally {
    u64 outcomes[4] = {};
    u64 plies = 0;
};

template <Game G>
Tally play_out_often(const G& start, u32 count, u64 seed) {
    Rng rng(seed);
    Tally tally;
    while (count--) {
        G position = start;
        ++tally.outcomes[play_out(position, rng)];
        tally.plies += position.ply() - start.ply();
    }
    return tally;
}

// Writes the moves of one random game, one a line.
template <Game G>
void write_random_game(G position, u64 seed, Writer& writer) {
    Rng rng(seed);
    while (const Move move = position.random_move(rng)) {
        position.write_move(move, writer);
        writer.put('\n');
        position.play(move);
    }
}

}  // namespace kernel
