// Perft: the number of sequences of exactly so many legal moves.
#pragma once

#include "rules.hpp"

namespace kernel {

// The moves that a walk down the tree keeps at once: each level's list stands behind the one before.
struct MoveStack {
    static constexpr u32 kCapacity = 1u << 18;
    Move list[kCapacity];
};

template <Game G>
class Perft {
public:
    explicit Perft(MoveStack& stack) : stack_(stack) {}

    u64 count(const G& position, u32 depth) {
        is_too_deep_ = depth > kMostDepth;
        return is_too_deep_ || !depth ? !depth : below(position, depth, 0);
    }
    // Whether there was no room for all levels: then the count is worth nothing.
    bool is_too_deep() const { return is_too_deep_; }

private:
    // Each level takes a position's bytes of the module's stack.
    static constexpr u32 kMostDepth = 64;

    u64 below(const G& position, u32 depth, u32 base) {
        if constexpr (requires { position.move_count(); })
            if (depth == 1) return position.move_count();
        if (base + G::kMaxMoves > MoveStack::kCapacity) return is_too_deep_ = true, 0;
        Move* list = stack_.list + base;
        const u32 count = position.moves(list);
        if (depth == 1) return count;
        u64 sum = 0;
        for (u32 k = 0; k < count && !is_too_deep_; ++k) {
            G next = position;
            next.play(list[k]);
            sum += below(next, depth - 1, base + count);
        }
        return sum;
    }

    MoveStack& stack_;
    bool is_too_deep_ = false;
};

}  // namespace kernel
