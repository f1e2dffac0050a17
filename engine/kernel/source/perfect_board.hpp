// The board of The Perfect Game?: its squares, their colours, and the ways of the men.
#pragma once

#include "base.hpp"

namespace kernel::perfect {

constexpr u32 kSize = 10, kStride = kSize + 1, kMen = 10, kTiles = 80;

// Square 11 * rank + file, both from 0; the unused number after each row keeps shifts in their row.
using Squares = Bits<kStride * kSize>;

enum Colour : u32 { kRed = 0, kBlue = 1 };

constexpr u32 square_at(u32 file, u32 rank) { return rank * kStride + file; }
constexpr u32 file_of(u32 square) { return square % kStride; }
constexpr u32 rank_of(u32 square) { return square / kStride; }

template <class Test>
constexpr Squares squares_where(Test test) {
    Squares squares;
    for (u32 rank = 0; rank < kSize; ++rank)
        for (u32 file = 0; file < kSize; ++file)
            if (test(file, rank)) squares.set(square_at(file, rank));
    return squares;
}

inline constexpr Squares kBoard = squares_where([](u32, u32) { return true; });
// D-P1: Red starts in the corner triangle at a1, Blue in the one at j10.
inline constexpr Squares kHomes[2] = {
    squares_where([](u32 file, u32 rank) { return file + rank < 4; }),
    squares_where([](u32 file, u32 rank) { return file + rank > 14; }),
};
inline constexpr Squares kNeutral = kBoard - kHomes[kRed] - kHomes[kBlue];
// Red and blue tiles lie on purple squares, orange and green ones on yellow squares.
inline constexpr Squares kGrounds[2] = {
    squares_where([](u32 file, u32 rank) { return (file + rank) % 2 == 1; }) & kNeutral,
    squares_where([](u32 file, u32 rank) { return (file + rank) % 2 == 0; }) & kNeutral,
};
inline constexpr u32 kTilesOf[2] = {19, 21};  // of each colour, for purple and for yellow squares

// The four ways of a step and the four of a jump, as differences of square numbers.
inline constexpr i32 kSteps[4] = {kStride, 1, -1, -i32(kStride)};
inline constexpr i32 kDiagonals[4] = {kStride + 1, kStride - 1, 1 - i32(kStride), -1 - i32(kStride)};

// `squares` moved by one of these differences, with stray numbers outside the board.
template <i32 kWay>
constexpr Squares shift(const Squares& squares) {
    if constexpr (kWay > 0) return squares.up(u32(kWay));
    else return squares.down(u32(-kWay));
}

// `squares` and their orthogonal neighbours, with stray numbers outside the board.
constexpr Squares spread(const Squares& squares) {
    return squares | shift<1>(squares) | shift<-1>(squares) | shift<i32(kStride)>(squares) |
           shift<-i32(kStride)>(squares);
}

// The squares of `members` connected orthogonally to `seed`, itself one of them.
constexpr Squares group_of(u32 seed, const Squares& members) {
    Squares group = Squares::one(seed);
    for (;;) {
        const Squares wider = spread(group) & members;
        if (wider == group) return group;
        group = wider;
    }
}

// For each square the ways of `kDiagonals`, as bits, in which a jump stays on the board.
struct JumpTable {
    u8 ways[kStride * kSize] = {};

    constexpr JumpTable() {
        for (u32 square = 0; square < kStride * kSize; ++square)
            for (u32 way = 0; way < 4; ++way) {
                const u32 landing = square + u32(2 * kDiagonals[way]);
                const bool is_off_board = landing >= kStride * kSize || !kBoard.test(landing);
                ways[square] |= u8(u32(!is_off_board) << way);
            }
    }
};
inline constexpr JumpTable kJumps;

}  // namespace kernel::perfect
