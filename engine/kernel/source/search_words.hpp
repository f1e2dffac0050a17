// What a search is asked for: words such as `lines=3 seed=1`.
#pragma once

#include "base.hpp"

namespace kernel {

struct SearchWords {
    u32 lines = 1;        // how many of the best moves are reported
    u32 seed = 1;
    u32 level = 0;        // 1 to 8 where a level is asked for
    u32 exploration = 0;  // thousandths; 0 here and below: the game's own
    u32 amaf = 0;         // how many visits the moves of later plies outweigh, plus one

    u32 reduction = 0;    // 1: late moves are searched as deeply as the first

    // Any order, all optional, each once at most; spaces between.
    bool read(Reader& reader) {
        const struct { Text name; u32* value; u32 least, most; } known[] = {
            {"lines", &lines, 1, 16},
            {"seed", &seed, 0, 999'999'999},
            {"level", &level, 1, 8},
            {"exploration", &exploration, 1, 100'000},
            {"amaf", &amaf, 1, 1'000'001},
            {"reduction", &reduction, 0, 1},
        };
        u32 seen = 0;
        for (;;) {
            while (reader.take(' ')) {}
            if (reader.is_done()) return true;
            const Text name = reader.until("= ");
            if (!reader.take('=')) return false;
            bool is_known = false;
            for (u32 k = 0; k < sizeof known / sizeof *known; ++k) {
                if (!(known[k].name == name) || (seen >> k & 1)) continue;
                is_known = true;
                seen |= 1u << k;
                if (!reader.number(*known[k].value)) return false;
                if (*known[k].value < known[k].least || *known[k].value > known[k].most) return false;
            }
            if (!is_known || !(reader.is_done() || reader.peek() == ' ')) return false;
        }
    }
};

}  // namespace kernel
