// Morelli's board: tables of one size at a time.
//
// A cell is `file * 32 + rank`, both from 0, so that cells in order of numbers are in the order of
// the notation. Everything about lines fits into words of 32 bits: no board has more than 31 ranks.
#pragma once

#include "rules.hpp"

namespace kernel::morelli {

using Cell = u32;

constexpr u32 kStride = 32;
constexpr u32 kCells = 31 * kStride;
// On 31x31, from the outermost band: 29 straight ahead but for the Throne, and 29 on both diagonals.
constexpr u32 kMostTargets = 58;
constexpr Cell cell_at(u32 file, u32 rank) { return file * kStride + rank; }
constexpr u32 file_of(Cell cell) { return cell / kStride; }
constexpr u32 rank_of(Cell cell) { return cell % kStride; }

// The lines through a cell: its file, its rank, its diagonal of constant `file - rank`, and its
// diagonal of constant `file + rank`.
enum Axis : u32 { kAlongFile, kAlongRank, kRising, kFalling, kAxes };

// The bit of a cell within the word of its line.
constexpr u32 place_on(u32 axis, Cell cell) { return axis == kAlongFile ? rank_of(cell) : file_of(cell); }

// A direction in which a piece can move inwards.
struct Way {
    u8 axis;
    bool is_forwards;  // towards higher bits of the line's word
    u8 reach;          // cells until the band is no nearer to the Throne than the piece
    u8 throne;         // how far the Throne is, 1 or more, or 255 where it is not on the way
    short step;        // from cell to cell
};

// A cell that a piece could go to on an empty board.
struct Target {
    u32 path;  // the cells that must be free, the target's own among them, in the line's word
    u16 end;
    u8 axis;
    u8 line;
};

struct Board {
    u32 size = 0;
    u32 centre = 0;
    Cell throne = 0;
    u32 ring_length = 0;
    Cell ring[120];             // the outermost band, clockwise from A1
    u8 line[kCells][kAxes];     // which word of an axis a cell belongs to
    u8 way_count[kCells];
    Way way[kCells][3];         // from no cell lead more than three directions inwards
    u64 piece_key[2][kCells];   // for `hash`
    u8 depth[kCells];
    u32 most_targets = 0;       // of any cell
    u8 target_count[kCells];
    Target target[kCells][kMostTargets];

    // Makes the tables of another size; `new_size` is odd, 5 to 31.
    void prepare(u32 new_size) {
        if (size == new_size) return;
        size = new_size;
        centre = size / 2;
        throne = cell_at(centre, centre);
        fill_ring();
        for (u32 file = 0; file < size; ++file)
            for (u32 rank = 0; rank < size; ++rank) fill_cell(file, rank);
        for (u32 file = 0; file < size; ++file)
            for (u32 rank = 0; rank < size; ++rank) fill_ways(file, rank);
        most_targets = 0;
        for (u32 file = 0; file < size; ++file)
            for (u32 rank = 0; rank < size; ++rank) fill_targets(cell_at(file, rank));
    }

    u32 depth_at(u32 file, u32 rank) const { return larger(off(file), off(rank)); }
    bool is_inner(Cell cell) const { return depth[cell] < centre; }
    Cell opposite(Cell cell) const {
        return cell_at(size - 1 - file_of(cell), size - 1 - rank_of(cell));
    }

private:
    u32 off(u32 k) const { return k < centre ? centre - k : k - centre; }

    void fill_ring() {
        const u32 last = size - 1;
        ring_length = 4 * last;
        for (u32 k = 0; k < last; ++k) {
            ring[k] = cell_at(0, k);
            ring[last + k] = cell_at(k, last);
            ring[2 * last + k] = cell_at(last, last - k);
            ring[3 * last + k] = cell_at(last - k, 0);
        }
    }
    void fill_cell(u32 file, u32 rank) {
        const Cell cell = cell_at(file, rank);
        depth[cell] = u8(depth_at(file, rank));
        line[cell][kAlongFile] = u8(file);
        line[cell][kAlongRank] = u8(rank);
        line[cell][kRising] = u8(file + size - 1 - rank);
        line[cell][kFalling] = u8(file + rank);
        for (u32 side = 0; side < 2; ++side)
            piece_key[side][cell] = mix((u64(size) << 32 | side << 16 | cell) + 1);
    }
    void fill_ways(u32 file, u32 rank) {
        const Cell cell = cell_at(file, rank);
        way_count[cell] = 0;
        // From the first band there is nowhere to go: nobody lands on the Throne.
        if (depth[cell] < 2) return;
        for (i32 files = -1; files <= 1; ++files)
            for (i32 ranks = -1; ranks <= 1; ++ranks)
                if (files || ranks) add_way(cell, files, ranks);
    }
    void add_way(Cell cell, i32 files, i32 ranks) {
        i32 file = i32(file_of(cell)) + files, rank = i32(rank_of(cell)) + ranks;
        u32 reach = 0, throne_at = 255;
        while (u32(file) < size && u32(rank) < size && depth_at(u32(file), u32(rank)) < depth[cell]) {
            ++reach;
            if (cell_at(u32(file), u32(rank)) == throne) throne_at = reach;
            file += files;
            rank += ranks;
        }
        if (!reach) return;
        const Axis axis = !files ? kAlongFile : !ranks ? kAlongRank : files == ranks ? kRising : kFalling;
        way[cell][way_count[cell]++] = {u8(axis), axis == kAlongFile ? ranks > 0 : files > 0, u8(reach),
                                        u8(throne_at), short(files * i32(kStride) + ranks)};
    }
    void fill_targets(Cell cell) {
        u32 count = 0;
        for (u32 k = 0; k < way_count[cell]; ++k) {
            const Way& along = way[cell][k];
            u32 path = 0;
            for (u32 far = 1; far <= along.reach; ++far) {
                const Cell end = Cell(i32(cell) + i32(far) * along.step);
                path |= 1u << place_on(along.axis, end);
                if (far != along.throne) target[cell][count++] = {path, u16(end), along.axis, line[cell][along.axis]};
            }
        }
        target_count[cell] = u8(count);
        most_targets = larger(most_targets, count);
    }
};

inline Board board;

}  // namespace kernel::morelli
