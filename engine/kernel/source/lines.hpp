// Sorts lines of text in place.
#pragma once

#include "base.hpp"

namespace kernel {

// Whether the line at `a` stands before the one at `b` by code point. Both end with '\n', which is
// less than every character of a move.
inline bool is_before(const char* a, const char* b) {
    while (*a == *b && *a != '\n') ++a, ++b;
    return u8(*a) < u8(*b);
}

inline void sink(const char* text, u64* starts, u32 from, u32 count) {
    for (u32 child; (child = 2 * from + 1) < count; from = child) {
        if (child + 1 < count && is_before(text + starts[child], text + starts[child + 1])) ++child;
        if (!is_before(text + starts[from], text + starts[child])) return;
        const u64 parent = starts[from];
        starts[from] = starts[child];
        starts[child] = parent;
    }
}

// Writes the lines of `text` in order of code points; returns how many there are. `starts` has
// room for one number a line.
inline u32 write_sorted(Text text, u64* starts, Writer& writer) {
    u32 count = 0;
    for (u32 at = 0; at < text.length; ++at)
        if (!at || text.data[at - 1] == '\n') starts[count++] = at;
    for (u32 from = count / 2; from--;) sink(text.data, starts, from, count);
    for (u32 size = count; size > 1;) {
        const u64 last = starts[0];
        starts[0] = starts[--size];
        starts[size] = last;
        sink(text.data, starts, 0, size);
    }
    for (u32 k = 0; k < count; ++k) {
        const char* at = text.data + starts[k];
        do writer.put(*at);
        while (*at++ != '\n');
    }
    return count;
}

}  // namespace kernel
