// What a search is asked for: words such as `lines=3 seed=1`.
#pragma once

#include "base.hpp"

namespace kernel {

// By random games in a tree, or by evaluation.
enum Method : u32 { kTree = 1, kPrincipal = 2 };

constexpr u32 kMostWeights = 10;

struct SearchWords {
    u32 lines = 1;        // how many of the best moves are reported
    u32 seed = 1;
    u32 level = 0;        // 1 to 8 where a level is asked for
    u32 method = 0;       // a `Method`; 0: the game's own
    u32 exploration = 0;  // thousandths; 0 here and below: the game's own
    u32 amaf = 0;         // how many visits the moves of later plies outweigh, plus one
    u32 weight[kMostWeights] = {};  // of the evaluation, plus one; 0: as in play
    u32 overlook = 0;     // thousandths of the moves that are not seen, neither one's own nor replies
    u32 uniform = 0;      // 1: random games go to the end, each move equally likely, whatever the game prefers
    u32 reduction = 0;    // 1: late moves are searched as deeply as the first

    // Under which positions are kept in the table: those judged otherwise are others.
    u64 table_key() const {
        u64 key = overlook ? mix(u64(seed) << 10 | overlook) : 0;
        for (u32 k = 0; k < kMostWeights; ++k)
            if (weight[k]) key ^= mix(u64(weight[k]) << 8 | (k + 1));
        return key;
    }
    // A move that is not seen is not seen anywhere in the search.
    bool is_overlooked(u64 move) const {
        return overlook && mix((u64(seed) << 32) + move * 0x9E3779B97F4A7C15ull) % 1000 < overlook;
    }
    // Leaves out of a list the moves that are not seen; how many are left.
    u32 without_overlooked(u64* moves, u32 count) const {
        if (!overlook) return count;
        u32 size = 0;
        for (u32 k = 0; k < count; ++k)
            if (!is_overlooked(moves[k])) moves[size++] = moves[k];
        return size;
    }
    // The same, but that one move is left at least.
    u32 leave_out(u64* moves, u32 count) const {
        if (!count) return 0;
        const u64 first = moves[0];
        const u32 size = without_overlooked(moves, count);
        if (size) return size;
        moves[0] = first;
        return 1;
    }

    // Any order, all optional, each once at most; spaces between.
    bool read(Reader& reader) {
        const struct { Text name; u32* value; u32 least, most; } options[] = {
            {"lines", &lines, 1, 16},
            {"seed", &seed, 0, 999'999'999},
            {"level", &level, 1, 8},
            {"method", &method, kTree, kPrincipal},
            {"exploration", &exploration, 1, 100'000},
            {"amaf", &amaf, 1, 1'000'001},
            {"overlook", &overlook, 0, 950},
            {"w0", &weight[0], 1, 10'001}, {"w1", &weight[1], 1, 10'001}, {"w2", &weight[2], 1, 10'001},
            {"w3", &weight[3], 1, 10'001}, {"w4", &weight[4], 1, 10'001}, {"w5", &weight[5], 1, 10'001},
            {"w6", &weight[6], 1, 10'001}, {"w7", &weight[7], 1, 10'001}, {"w8", &weight[8], 1, 10'001},
            {"w9", &weight[9], 1, 10'001},
            {"uniform", &uniform, 0, 1},
            {"reduction", &reduction, 0, 1},
        };
        u32 earlier = 0;
        for (;;) {
            while (reader.take(' ')) {}
            if (reader.is_done()) return true;
            const Text name = reader.until("= ");
            if (!reader.take('=')) return false;
            bool is_option = false;
            for (u32 k = 0; k < sizeof options / sizeof *options; ++k) {
                if (!(options[k].name == name) || (earlier >> k & 1)) continue;
                is_option = true;
                earlier |= 1u << k;
                if (!reader.number(*options[k].value)) return false;
                if (*options[k].value < options[k].least || *options[k].value > options[k].most) return false;
            }
            if (!is_option || !(reader.is_done() || reader.peek() == ' ')) return false;
        }
    }
};

}  // namespace kernel
