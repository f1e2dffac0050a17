// The table of positions that the search by evaluation has judged. It stays from search to search.
#pragma once

#include "rules.hpp"

namespace kernel {

enum Bound : u8 { kNoBound = 0, kAtLeast = 1, kAtMost = 2, kExact = 3 };

struct TableEntry {
    u64 hash = 0;
    Move move = kNoMove;
    short value = 0;
    u8 depth = 0;
    Bound bound = kNoBound;
};

class Table {
public:
    const TableEntry* find(u64 hash) const {
        const u32 deep = deep_place(hash), place = entries_[deep].hash == hash ? deep : deep + 1;
        const TableEntry& entry = entries_[place];
        return entry.bound && entry.hash == hash ? &entry : nullptr;
    }
    void keep(u64 hash, Move move, i32 value, i32 depth, Bound bound) {
        const u32 deep = deep_place(hash);
        TableEntry &deepest = entries_[deep], &newest = entries_[deep + 1];
        const bool is_deep = deepest.hash == hash || (newest.hash != hash && depth >= deepest.depth);
        if (is_deep && deepest.hash != hash) newest = deepest;
        TableEntry& entry = is_deep ? deepest : newest;
        if (entry.hash == hash && !move) move = entry.move;
        entry = {hash, move, short(value), u8(larger(depth, 0)), bound};
    }

private:
    static constexpr u32 kBits = 18;

    // Two places belong to a hash: that of the position searched most deeply, and after it that of the
    // newest other one.
    static u32 deep_place(u64 hash) { return u32(hash >> (64 - kBits)) & ~1u; }

    TableEntry entries_[1u << kBits];
};
inline Table table;

}  // namespace kernel
