// Random games: each legal move equally likely at every ply.
#pragma once

#include "rules.hpp"

namespace kernel {

// Plays to the end; returns the outcome. `visit(position, move)` sees each move before it is played.
template <Game G, class Visit>
u32 walk_at_random(G& position, Rng& rng, Visit visit) {
    if constexpr (requires { position.playout(rng, visit); }) {
        return position.playout(rng, visit);
    } else {
        while (const Move move = position.random_move(rng)) {
            visit(position, move);
            position.play(move);
        }
        return position.outcome();
    }
}

// The same without a witness. A game may bring a faster way, with the same chances.
template <Game G>
u32 play_out(G& position, Rng& rng) {
    if constexpr (requires { position.playout(rng); }) return position.playout(rng);
    else return walk_at_random(position, rng, [](const G&, Move) {});
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
    walk_at_random(position, rng, [&](const G& here, Move move) {
        here.write_move(move, writer);
        writer.put('\n');
    });
}

}  // namespace kernel
