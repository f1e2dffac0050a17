// What the search knows of a game beside its rules; the games have specialisations.
#pragma once

#include "playout.hpp"
#include "search_words.hpp"

namespace kernel {

// How many nodes a level of play searches, and how many thousandths of the moves it overlooks.
struct Level {
    u32 nodes, overlook;
};

template <Game G>
struct Guide;

// Per mille of winning for the side to move.
template <Game G>
i32 evaluation(const G& position) {
    return Guide<G>::permille(Guide<G>::evaluate(position));
}

}  // namespace kernel
