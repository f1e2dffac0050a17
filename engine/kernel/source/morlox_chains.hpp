// Chains of a Morlox board as a random game needs them: which may exist.
#pragma once

#include "morlox_board.hpp"

namespace kernel {

// Which stones of each colour may be connected: a forest that joins the stones as they are put.
//
// A flip takes a stone out of its chain, and the forest does not forget it. So two stones may be
// one tree and not one chain, but never the other way round: a colour whose trees join no two edges
// has no chain, and almost all turns of a random game need no walk over the stones.
template <u32 kCapacity>
class MorloxChains {
public:
    using Board = MorloxBoard<kCapacity>;

    explicit MorloxChains(const Board& board) {
        for (u32 colour = 0; colour < 2; ++colour)
            for (u32 rank = 0; rank < board.size(); ++rank)
                for (u32 file = 0; file < board.size(); ++file) {
                    const u32 cell = Board::cell(file, rank);
                    parent_[colour][cell] = u16(cell);
                    edges_[colour][cell] = u8(board.edges_of(cell, colour));
                }
        for (u32 rank = 0; rank < board.size(); ++rank)
            for (u32 file = 0; file < board.size(); ++file) {
                const u32 cell = Board::cell(file, rank);
                if (board.is_empty(cell)) continue;
                const u32 colour = board.has_stone(cell, Board::kWhite);
                join(board, cell, cell - 1, colour);
                join(board, cell, cell - Board::kStride, colour);
            }
    }

    // Joins the stone of `colour` on `cell` with its neighbours.
    void add(const Board& board, u32 cell, u32 colour) {
        join(board, cell, cell + 1, colour);
        join(board, cell, cell - 1, colour);
        join(board, cell, cell + Board::kStride, colour);
        join(board, cell, cell - Board::kStride, colour);
    }

    // Whether the stone of `colour` on `cell` is in a tree that joins both edges.
    bool may_join_edges(u32 cell, u32 colour) { return edges_[colour][root(cell, colour)] == 3; }

private:
    u32 root(u32 cell, u32 colour) {
        u16* parent = parent_[colour];
        while (parent[cell] != cell) {
            parent[cell] = parent[parent[cell]];
            cell = parent[cell];
        }
        return cell;
    }

    void join(const Board& board, u32 cell, u32 neighbour, u32 colour) {
        if (!board.has_stone(neighbour, colour)) return;
        const u32 from = root(cell, colour), to = root(neighbour, colour);
        parent_[colour][from] = u16(to);
        edges_[colour][to] |= edges_[colour][from];
    }

    u16 parent_[2][Board::kCells];
    u8 edges_[2][Board::kCells];
};

}  // namespace kernel
