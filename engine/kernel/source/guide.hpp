// What the search knows of a game beside its rules; the games have specialisations. `method` is the
// strongest way to search a position, `level_method` that by which the levels were calibrated.
#pragma once

#include "playout.hpp"
#include "search_words.hpp"

namespace kernel {

// How many nodes a level of play searches, and how many thousandths of the moves it overlooks.
struct Level {
    u32 nodes, overlook;
};

// The numbers of an evaluation: as they are in play, or as a match between two choices sets them.
template <u32 kCount>
struct WeightList {
    const i32 (&in_play)[kCount];
    i32 now[kCount];

    constexpr explicit WeightList(const i32 (&values)[kCount]) : in_play(values), now{} { set(SearchWords()); }
    constexpr void set(const SearchWords& words) {
        for (u32 k = 0; k < kCount; ++k) now[k] = words.weight[k] ? i32(words.weight[k] - 1) : in_play[k];
    }
    constexpr i32 operator[](u32 k) const { return now[k]; }
};

// `evaluate(position, weights)` takes integers or `DualWeights`, and gives an integer or a `Dual`.
template <Game G>
struct Guide;

// Per mille of winning where the logarithm of the odds is so many thousandths.
inline i32 logistic(i32 thousandths) {
    constexpr u32 kSquarings = 10;
    float odds = 1 + float(thousandths) / float(1000 << kSquarings);
    for (u32 k = 0; k < kSquarings; ++k) odds *= odds;
    return i32(1000 * odds / (1 + odds) + 0.5f);
}

// By the weights of the search, for the side to move: what the search compares.
template <Game G>
i32 static_value(const G& position) {
    return Guide<G>::evaluate(position, Guide<G>::weights());
}

// Per mille of winning for the side to move.
template <Game G>
i32 evaluation(const G& position) {
    return Guide<G>::permille(static_value(position));
}

}  // namespace kernel
