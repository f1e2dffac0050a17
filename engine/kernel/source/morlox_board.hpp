// The squares of a Morlox board: what they see, who controls them, where a stone may go.
#pragma once

#include "base.hpp"

namespace kernel {

// The stones of a board of up to kCapacity files, and what follows from them.
//
// The board lies in a square of cells with walls around it, so that a walk ends without a look at
// its coordinates. Sight is kept up to date from stone to stone: a new stone is seen along its
// eight rays up to the first stone on each, and only the squares walked over are judged again.
template <u32 kCapacity>
class MorloxBoard {
public:
    static constexpr u32 kBlack = 0, kWhite = 1;
    static constexpr u32 kStride = kCapacity + 2;
    static constexpr u32 kCells = kStride * kStride;
    using Cells = Bits<kCells>;

    static constexpr u32 cell(u32 file, u32 rank) { return (rank + 1) * kStride + file + 1; }
    static constexpr u32 file_of(u32 cell) { return cell % kStride - 1; }
    static constexpr u32 rank_of(u32 cell) { return cell / kStride - 1; }

    // Empties the board and gives it `size` files and ranks, 2 to kCapacity.
    void clear(u32 size) {
        size_ = u8(size);
        for (u32 c = 0; c < kCells; ++c) {
            ground_[c] = kWall;
            sight_[c] = 0;
        }
        legal_[kBlack] = legal_[kWhite] = stones_[kBlack] = stones_[kWhite] = squares_ = Cells();
        for (u32 rank = 0; rank < size; ++rank)
            for (u32 file = 0; file < size; ++file) {
                const bool is_inner = rank && file && rank + 1 < size && file + 1 < size;
                ground_[cell(file, rank)] = is_inner ? 0 : kPerimeter;
                squares_.set(cell(file, rank));
                judge(cell(file, rank));
            }
    }

    u32 size() const { return size_; }
    bool is_empty(u32 cell) const { return !(ground_[cell] & kStones); }
    bool has_stone(u32 cell, u32 colour) const { return ground_[cell] >> colour & 1; }

    // How many stones of `colour` there are.
    u32 count(u32 colour) const {
        u32 sum = 0;
        for (const u8 ground : ground_) sum += ground >> colour & 1;
        return sum;
    }

    // Where `colour` may place or flip a stone (morlox/play), whoever is to move.
    const Cells& legal(u32 colour) const { return legal_[colour]; }

    const Cells& stones(u32 colour) const { return stones_[colour]; }
    const Cells& squares() const { return squares_; }
    // The squares on the edge of `colour` from which its chains start, or on the other one.
    Cells edge(u32 colour, bool is_far) const {
        Cells cells;
        for (u32 k = 0; k < size_; ++k) {
            const u32 line = is_far ? size_ - 1u : 0u;
            cells.set(colour == kBlack ? cell(k, line) : cell(line, k));
        }
        return cells;
    }

    // Puts a stone of `colour` on a cell, which is empty or has a stone of the other colour.
    void put(u32 cell, u32 colour) {
        ground_[cell] = u8((ground_[cell] & ~kStones) | 1u << colour);
        stones_[colour].set(cell);
        stones_[colour ^ 1].reset(cell);
        judge(cell);
        show<0, i32(kStride)>(cell, colour);
        show<1, i32(kStride) + 1>(cell, colour);
        show<2, 1>(cell, colour);
        show<3, 1 - i32(kStride)>(cell, colour);
        show<4, -i32(kStride)>(cell, colour);
        show<5, -i32(kStride) - 1>(cell, colour);
        show<6, -1>(cell, colour);
        show<7, i32(kStride) - 1>(cell, colour);
    }

    // Whether a chain of `colour` through its stone on `through` joins its two edges (morlox/win).
    bool has_chain_through(u32 through, u32 colour) const {
        Cells chain;
        return joins_edges(chain, through, colour);
    }

    // Whether any chain of `colour` joins its two edges.
    bool has_chain(u32 colour) const {
        Cells chain;
        for (u32 i = 0; i < size_; ++i) {
            const u32 near = colour == kBlack ? cell(i, 0) : cell(0, i);
            if (!chain.test(near) && joins_edges(chain, near, colour)) return true;
        }
        return false;
    }

    // 1 for a cell on the near edge of `colour` (bottom, left), 2 on the far edge, 0 elsewhere.
    u32 edges_of(u32 cell, u32 colour) const {
        const u32 line = colour == kBlack ? rank_of(cell) : file_of(cell);
        return (line == 0 ? 1u : 0u) | (line + 1u == size_ ? 2u : 0u);
    }

private:
    static constexpr u8 kStones = 3, kPerimeter = 4, kWall = 8;

    // Whether stones of one colour seen in these directions (bit 0 north, clockwise) give it control.
    static constexpr bool is_control(u32 sight, bool is_perimeter) {
        constexpr u32 kNorth = 1, kNorthEast = 2, kEast = 4, kSouthEast = 8;
        constexpr u32 kSouth = 16, kSouthWest = 32, kWest = 64, kNorthWest = 128;
        const auto sees = [sight](u32 ways) { return (sight & ways) == ways; };
        u32 orthogonals = 0;
        for (u32 way = 0; way < 8; way += 2) orthogonals += sight >> way & 1;
        if (orthogonals >= (is_perimeter ? 2 : 3)) return true;  // D-X3
        // D-X4: two adjacent orthogonals with the diagonals that touch exactly one of them.
        const bool is_falling = sees(kNorth | kEast) || sees(kSouth | kWest);
        const bool is_rising = sees(kNorth | kWest) || sees(kSouth | kEast);
        return (is_falling && sees(kNorthWest | kSouthEast)) ||
                      (is_rising && sees(kNorthEast | kSouthWest));
    }

    struct ControlTable {
        u8 is_control[512];  // by what is in sight, from 256 on for squares of the perimeter

        constexpr ControlTable() : is_control{} {
            for (u32 sight = 0; sight < 512; ++sight)
                is_control[sight] = MorloxBoard::is_control(sight & 255, sight > 255);
        }
    };
    static const ControlTable kControl;

    // Lets the squares on the ray of `way` from `cell` see the stone of `colour` there (D-X1).
    template <u32 kWay, i32 kOffset>
    void show(u32 cell, u32 colour) {
        constexpr u32 kBack = kWay ^ 4;
        const u16 other_ways = u16(~(0x101u << kBack));
        const u16 stone = u16((colour == kBlack ? 1u : 0x100u) << kBack);
        for (u32 at = cell + kOffset; !(ground_[at] & kWall); at += kOffset) {
            const u16 sight = u16((sight_[at] & other_ways) | stone);
            if (sight != sight_[at]) {
                sight_[at] = sight;
                judge(at);
            }
            if (ground_[at] & kStones) return;
        }
    }

    // Finds anew whether either colour may place or flip a stone on `cell`.
    void judge(u32 cell) {
        const u32 sight = sight_[cell], ground = ground_[cell];
        const u32 edge = ground & kPerimeter ? 256 : 0;
        const u32 black = kControl.is_control[edge | (sight & 255)];
        const u32 white = kControl.is_control[edge | sight >> 8];
        const u32 is_empty = !(ground & kStones);
        write(legal_[kBlack], cell, (is_empty & ~white) | (ground >> kWhite & black));
        write(legal_[kWhite], cell, (is_empty & ~black) | (ground >> kBlack & white));
    }

    static void write(Cells& cells, u32 cell, u32 is_in) {
        u64& word = cells.word[cell / 64];
        word = (word & ~(1ull << cell % 64)) | u64(is_in & 1) << cell % 64;
    }

    bool joins_edges(Cells& chain, u32 start, u32 colour) const {
        u16 open[kCells];
        u32 count = 0, edges = 0;
        const auto reach = [&](u32 cell) {
            if (!has_stone(cell, colour) || chain.test(cell)) return;
            chain.set(cell);
            open[count++] = u16(cell);
        };
        reach(start);
        while (count && edges != 3) {
            const u32 at = open[--count];
            edges |= edges_of(at, colour);
            reach(at + 1);
            reach(at - 1);
            reach(at + kStride);
            reach(at - kStride);
        }
        return edges == 3;  // D-X13: a corner stone touches both edges it lies on
    }

    Cells legal_[2], stones_[2];
    Cells squares_;
    u16 sight_[kCells];  // low byte: directions with a black stone first, high byte: white
    u8 ground_[kCells];
    u8 size_;
};

template <u32 kCapacity>
inline constexpr typename MorloxBoard<kCapacity>::ControlTable MorloxBoard<kCapacity>::kControl{};

}  // namespace kernel
