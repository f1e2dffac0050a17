// What a bot asks of WASI preview 1: lines, the clock and a few random bytes.
#pragma once

#include "base.hpp"

#define WASI(NAME) extern "C" __attribute__((import_module("wasi_snapshot_preview1"), import_name(#NAME)))

namespace kernel::wasi {

struct Buffer {
    char* data;
    u32 length;
};

WASI(fd_read) u32 fd_read(u32 descriptor, const Buffer* buffers, u32 count, u32* bytes);
WASI(fd_write) u32 fd_write(u32 descriptor, const Buffer* buffers, u32 count, u32* bytes);
WASI(clock_time_get) u32 clock_time_get(u32 clock, u64 precision, u64* time);
WASI(random_get) u32 random_get(void* data, u32 length);

constexpr u32 kInput = 0, kOutput = 1, kMonotonic = 1;

// In nanoseconds; where fuel is metered, in units of it.
inline u64 now() {
    u64 time = 0;
    clock_time_get(kMonotonic, 1, &time);
    return time;
}

inline u64 random_number() {
    u64 number = 0;
    random_get(&number, sizeof number);
    return number;
}

inline void write(Text text) {
    while (text.length) {
        const Buffer buffer{const_cast<char*>(text.data), text.length};
        u32 bytes = 0;
        if (fd_write(kOutput, &buffer, 1, &bytes) || !bytes) return;
        text = {text.data + bytes, text.length - bytes};
    }
}

// One line at a time, as long as `Capacity` characters; the rest of a longer one is dropped.
template <u32 Capacity>
class Lines {
public:
    // The next line without its end; false when there is none.
    bool next(Text& line) {
        drop(end_);
        for (u32 k = 0;; ++k) {
            if (k == length_ && !fill()) return false;
            if (data_[k] != '\n') continue;
            end_ = k + 1;
            line = {data_, k && data_[k - 1] == '\r' ? k - 1 : k};
            return true;
        }
    }

private:
    void drop(u32 count) {
        for (u32 k = count; k < length_; ++k) data_[k - count] = data_[k];
        length_ -= count;
    }
    bool fill() {
        if (length_ == Capacity) --length_;
        const Buffer buffer{data_ + length_, Capacity - length_};
        u32 bytes = 0;
        if (fd_read(kInput, &buffer, 1, &bytes)) return false;
        length_ += bytes;
        return bytes;
    }

    char data_[Capacity];
    u32 length_ = 0, end_ = 0;
};

}  // namespace kernel::wasi
