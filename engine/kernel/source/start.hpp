// The position in which a game begins where its rules have but one.
#pragma once

#include "rules.hpp"

namespace kernel {

inline void write_rows(Writer& writer, u32 size, Text first, Text middle, Text last) {
    for (u32 row = 0; row < size; ++row) {
        if (row) writer.put('/');
        // In a pattern `*` stands for the rest of the row, of the character before it or empty.
        const Text pattern = !row ? first : row + 1 == size ? last : middle;
        for (u32 k = 0; k < pattern.length; ++k) {
            if (pattern.data[k] == '*') writer.number(size - (pattern.length - 1));
            else if (pattern.data[k] != '+') writer.put(pattern.data[k]);
            else for (u32 n = pattern.length - 1; n < size; ++n) writer.put(pattern.data[k - 1]);
        }
    }
}

inline bool write_morelli_start(Writer& writer, u32 size, Text setup) {
    if (setup == "placement" || setup == "free") {
        write_rows(writer, size, "*", "*", "*");
        writer.put(" b - placement 0 - -");
        return true;
    }
    if (setup == "facing") write_rows(writer, size, "wb+", "w*w", "b+w");
    else if (setup == "adjacent") write_rows(writer, size, "bw+", "b*w", "b+w");
    else return false;
    writer.put(" b - play 0 - -");
    return true;
}

inline void write_perfect_start(Writer& writer, Text first) {
    writer.put("......BBBB/.......BBB/........BB/.........B/........../........../R........./RR......../RRR......./RRRR......");
    writer.put(" ......bbbb/.......bbb/........bb/.........b/........../........../r........./rr......../rrr......./rrrr...... ");
    writer.put(first);
    writer.put(" tiles 0 19,21,19,21");
}

// The text of the position; false where a start must be drawn, or for another game.
inline bool write_start(Writer& writer, Text key_text) {
    RulesetKey key;
    if (!key.read(key_text)) return false;
    const auto number = [&](u32 place) {
        u32 value = 0;
        Reader(key.value(place, "size")).number(value, 2);
        return value;
    };
    if (key.family() == "morelli") return write_morelli_start(writer, number(1), key.value(2, "setup"));
    if (key.family() == "perfect") return write_perfect_start(writer, key.value(0, "first")), true;
    if (!(key.family() == "morlox")) return false;
    write_rows(writer, number(0), ".+", ".+", ".+");
    writer.put(" b 0 -");
    return true;
}

}  // namespace kernel
