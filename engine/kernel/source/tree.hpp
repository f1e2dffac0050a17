// The tree of a search with playouts: its nodes, and what is proved about them.
#pragma once

#include "rules.hpp"

namespace kernel {

// What is proved of a move, as the side that makes it sees it.
enum Proof : u32 { kOpen = 0, kWon = 1, kLost = 2, kDrawn = 3 };

constexpr Proof opposite(Proof proof) {
    return proof == kWon ? kLost : proof == kLost ? kWon : proof;
}
constexpr Proof proof_of(u32 outcome, u32 side) {
    if (outcome == kDraw) return kDrawn;
    return outcome == kFirstWon + side ? kWon : kLost;
}

// A move and the position after it. Values are those of the side that makes the move, from 0 to 1.
struct TreeNode {
    Move move;
    float sum;        // of the values of the visits
    float amaf_sum;   // of the visits of siblings in which the same side made this move later
    u32 visits;
    u32 amaf_visits;
    u32 first;        // the children lie one behind the other
    u16 count;
    u16 proof : 2;
    u16 length : 14;  // of a proof: plies to the end, this move among them

    float mean() const { return sum / float(visits); }
};
static_assert(sizeof(TreeNode) == 32);

// The nodes of the one search that is going on.
struct TreePool {
    static constexpr u32 kCapacity = 3u << 18;

    u32 size = 0;
    TreeNode node[kCapacity];

    bool has_room(u32 count) const { return size + count <= kCapacity; }
};
inline TreePool pool;

}  // namespace kernel
