// The starting phase of The Perfect Game?: laying tiles and flipping enclosed ones.
#pragma once

#include "perfect_board.hpp"

namespace kernel::perfect {

// The tiles on the board and those not yet laid. A flipped tile belongs to nobody.
struct Tiles {
    Squares of[2];
    Squares flipped;
    // Left of each colour, for purple and for yellow squares.
    u8 stock[2][2] = {{kTilesOf[0], kTilesOf[1]}, {kTilesOf[0], kTilesOf[1]}};

    Squares bare() const { return kNeutral - of[kRed] - of[kBlue] - flipped; }

    // Where `colour` can lay a tile. D-P3.
    Squares free_squares(u32 colour) const {
        Squares kinds;
        for (u32 ground = 0; ground < 2; ++ground)
            if (stock[colour][ground]) kinds |= kGrounds[ground];
        return bare() & kinds;
    }

    // Lays a tile of `colour`, by which enclosed groups of the other colour next to it are flipped.
    // D-P9: each on its own; D-P8: suicide flips nothing.
    void lay(u32 square, u32 colour) {
        of[colour].set(square);
        --stock[colour][kGrounds[1].test(square)];
        const u32 other = colour ^ 1;
        // Enclosed is what touches no bare square, no flipped tile (D-P6) and no start square of
        // its own (D-P7); the edge and the start squares of the other side enclose (D-P4, D-P5).
        const Squares refuge = bare() | flipped | kHomes[other];
        Squares candidates = spread(Squares::one(square)) & of[other], prisoners;
        while (candidates.any()) {
            const Squares group = group_of(candidates.first(), of[other]);
            if ((spread(group) & refuge).none()) prisoners |= group;
            candidates -= group;
        }
        of[other] -= prisoners;
        flipped |= prisoners;
    }

    // Whether these tiles can have been laid when `stock` is left.
    bool fits() const {
        const Squares all = of[kRed] | of[kBlue] | flipped;
        for (u32 ground = 0; ground < 2; ++ground) {
            const u32 supply = stock[kRed][ground] + stock[kBlue][ground];
            if ((all & kGrounds[ground]).count() + supply != 2 * kTilesOf[ground]) return false;
            for (u32 colour = 0; colour < 2; ++colour)
                if ((of[colour] & kGrounds[ground]).count() + stock[colour][ground] > kTilesOf[ground])
                    return false;
        }
        return true;
    }
};

}  // namespace kernel::perfect
