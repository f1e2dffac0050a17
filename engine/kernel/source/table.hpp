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
        const TableEntry& entry = entries_[hash >> (64 - kBits)];
        return entry.bound && entry.hash == hash ? &entry : nullptr;
    }
    void keep(u64 hash, Move move, i32 value, i32 depth, Bound bound) {
        TableEntry& entry = entries_[hash >> (64 - kBits)];
        if (entry.hash == hash && !move) move = entry.move;
        entry = {hash, move, short(value), u8(larger(depth, 0)), bound};
    }

private:
    static constexpr u32 kBits = 18;

    TableEntry entries_[1u << kBits];
};
inline Table table;

}  // namespace kernel
