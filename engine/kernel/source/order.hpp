// Moves in order of their ranks, one at a time: most nodes need but the first.
#pragma once

#include "rules.hpp"

namespace kernel {

// Moves and their ranks. From the second move on those that are left lie as a heap with its top at
// the end of the list, so that the move that leaves it takes the place of the last of the heap.
struct MoveOrder {
    Move* moves;
    i32* ranks;
    u32 count;

    // Brings the best of the moves from place `next` on to that place. For 0, 1, 2 and so on.
    void pick(u32 next) {
        if (next == 0) return bring_best();
        if (next == 1)
            for (u32 k = (count - next) / 2; k--;) sink(k, count - next);
        swap(next, count - 1);
        sink(0, count - next - 1);
    }

private:
    void bring_best() {
        u32 best = 0;
        for (u32 k = 1; k < count; ++k)
            if (ranks[k] > ranks[best]) best = k;
        swap(0, best);
    }
    void swap(u32 a, u32 b) {
        const Move move = moves[a];
        const i32 rank = ranks[a];
        moves[a] = moves[b], ranks[a] = ranks[b];
        moves[b] = move, ranks[b] = rank;
    }
    // Lets the element `k` of a heap of `size` sink to its place; element 0 is the top.
    void sink(u32 k, u32 size) {
        const u32 last = count - 1;
        for (u32 child; (child = 2 * k + 1) < size; k = child) {
            if (child + 1 < size && ranks[last - child - 1] > ranks[last - child]) ++child;
            if (ranks[last - k] >= ranks[last - child]) return;
            swap(last - k, last - child);
        }
    }
};

}  // namespace kernel
