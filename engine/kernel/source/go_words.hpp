// What a bot is told with `go`.
#pragma once

#include "base.hpp"

namespace kernel {

// Times in milliseconds, 0 where nothing is said.
struct GoWords {
    u64 fuel = 0, nodes = 0, movetime = 0;
    u64 time[2] = {}, increment[2] = {};
    bool has_clock = false;

    // Words that it does not know, and their values, are passed over.
    void read(Reader& reader) {
        const struct { Text name; u64* value; } options[] = {
            {"fuel", &fuel}, {"nodes", &nodes}, {"movetime", &movetime},
            {"p1time", &time[0]}, {"p2time", &time[1]}, {"p1inc", &increment[0]}, {"p2inc", &increment[1]},
        };
        while (!reader.is_done()) {
            const Text word = reader.until(" ");
            reader.skip();
            for (const auto& [name, value] : options) {
                if (!(name == word)) continue;
                *value = number(reader.until(" "));
                reader.skip();
                has_clock |= value == &time[0] || value == &time[1];
            }
        }
    }

    // How long to think, in nanoseconds or units of fuel.
    u64 budget(u32 side) const {
        if (fuel) return fuel;
        if (movetime) return slightly_less(movetime);
        if (!has_clock) return nodes ? ~0ull >> 2 : slightly_less(kUsual);
        const u64 share = time[side] / kPliesLeft + increment[side] * 3 / 4;
        return slightly_less(smaller(share, time[side] / 2));
    }

private:
    static constexpr u64 kNanoseconds = 1'000'000, kUsual = 300, kPliesLeft = 30, kOverhead = 30;

    static u64 slightly_less(u64 milliseconds) {
        return (milliseconds > kOverhead ? milliseconds - kOverhead : 1) * kNanoseconds;
    }
    static u64 number(Text text) {
        u64 value = 0;
        for (u32 k = 0; k < text.length && k < 18; ++k) {
            if (text.data[k] < '0' || text.data[k] > '9') return 0;
            value = value * 10 + u64(text.data[k] - '0');
        }
        return value;
    }
};

}  // namespace kernel
