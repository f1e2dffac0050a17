// The levels of play: how many nodes, and which errors. Never time.
#pragma once

#include "searcher.hpp"

namespace kernel {

struct Level {
    u32 nodes;
};

constexpr u32 kLevels = 8;
inline constexpr Level kLevelTable[kLevels] = {
    {10}, {30}, {80}, {200}, {500}, {1500}, {5000}, {20000},
};

// The move of a level, 1 to 8, or kNoMove in a finished game.
template <Game G>
Move level_move(Searcher<G>& search, const G& position, const SearchWords& words) {
    search.begin(position, words);
    search.step(kLevelTable[words.level - 1].nodes);
    return search.best();
}

}  // namespace kernel
