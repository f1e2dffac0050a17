// The levels of play: how many nodes, and how much is overlooked. Never time.
#pragma once

#include "searcher.hpp"

namespace kernel {

// The move of a level, 1 to 8, or kNoMove in a finished game.
template <Game G>
Move level_move(Searcher<G>& search, const G& position, SearchWords words) {
    const Level level = Guide<G>::kLevels[words.level - 1];
    words.overlook = level.overlook;
    if (!words.method) words.method = Guide<G>::level_method(position);
    search.begin(position, words);
    search.step(level.nodes);
    return search.best();
}

}  // namespace kernel
