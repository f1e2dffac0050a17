// The main phase of The Perfect Game?: steps, series of jumps, captures and re-entry.
#pragma once

#include "perfect_board.hpp"

namespace kernel::perfect {

// One move: its kind, the square it begins on, and for each link of its path the way (2 bits).
class Turn {
public:
    enum Kind : u32 { kNone, kLay, kEnter, kStep, kSeries, kPass };

    constexpr Turn() = default;
    constexpr explicit Turn(u64 code) : code_(code) {}
    constexpr Turn(Kind kind, u32 square) : code_(kind | square << 3) {}

    constexpr u64 code() const { return code_; }
    constexpr Kind kind() const { return Kind(code_ & 7); }
    constexpr u32 start() const { return code_ >> 3 & 127; }
    constexpr u32 links() const { return code_ >> 10 & 31; }
    constexpr u32 way(u32 link) const { return code_ >> (16 + 2 * link) & 3; }
    constexpr i32 offset(u32 link) const {
        return kind() == kStep ? kSteps[way(link)] : 2 * kDiagonals[way(link)];
    }
    // The same with one link more, `way` being a place in `kSteps` or `kDiagonals`.
    constexpr Turn with_link(u32 way) const {
        return Turn((code_ + (1 << 10)) | u64(way) << (16 + 2 * links()));
    }
    constexpr u32 end() const {
        u32 square = start();
        for (u32 link = 0; link < links(); ++link) square += u32(offset(link));
        return square;
    }

private:
    u64 code_ = 0;
};

// The men and the ground under them as the side to move sees them.
struct MenBoard {
    Squares own, enemy;
    Squares home;     // the ten start squares of the side to move
    Squares shelter;  // the enemy's two colours, start squares and tiles: no capture there (D-P14)
    Squares neutral;  // flipped tiles, where a capture is compulsory

    // A man jumps each of the others once, and in one lattice 16 at most: with all of them he has
    // 1,536 series (counted), so that 16,384 is more than ten men can have.
    static constexpr u32 kMostTurns = 16384;

    Squares empty() const { return kBoard - own - enemy; }
    Squares capturable() const { return enemy - shelter; }
    bool has_men_in_hand() const { return own.count() < kMen; }
    Squares vacant_home() const { return home - own - enemy; }

    // Writes all legal turns, one pass when there is no other (D-P20); returns how many.
    u32 turns(u64* out) const {
        u32 count = 0;
        if (const Squares vacant = vacant_home(); has_men_in_hand() && vacant.any())
            vacant.each([&](u32 square) { out[count++] = Turn(Turn::kEnter, square).code(); });  // D-P18
        else if (has_men_in_hand())
            count = leaving_turns(out);
        else if (must_capture())
            count = series(own, out, true);
        else
            count = steps(own, out), count += series(own, out + count, false);
        if (!count) out[count++] = Turn(Turn::kPass, 0).code();
        return count;
    }

    // One of `turns`, each equally likely; `space` has room for kMostTurns.
    u64 random_turn(Rng& rng, u64* space) const {
        if (has_men_in_hand()) {
            if (const Squares vacant = vacant_home(); vacant.any())
                return Turn(Turn::kEnter, vacant.at(rng.below(vacant.count()))).code();
            return space[rng.below(turns(space))];
        }
        if (must_capture()) return space[rng.below(series(own, space, true))];
        const Squares targets[4] = {step_targets<0>(own), step_targets<1>(own), step_targets<2>(own),
                                    step_targets<3>(own)};
        u32 step_count = 0;
        for (const Squares& squares : targets) step_count += squares.count();
        const u32 count = step_count + series(own, space, false);
        if (!count) return Turn(Turn::kPass, 0).code();
        u32 index = rng.below(count), way = 0;
        if (index >= step_count) return space[index - step_count];
        for (u32 here; index >= (here = targets[way].count()); ++way) index -= here;
        return step_to(targets[way].at(index), way).code();
    }

    // The men after a turn. Captured men leave at once (D-P13).
    void play(Turn turn) {
        if (turn.kind() == Turn::kPass) return;
        u32 at = turn.start();
        own.reset(at);
        const Squares victims = capturable();
        for (u32 link = 0; link < turn.links(); ++link) {
            const u32 next = at + u32(turn.offset(link));
            if (const u32 over = (at + next) / 2; turn.kind() == Turn::kSeries && victims.test(over))
                enemy.reset(over);
            at = next;
        }
        own.set(at);
    }

    // Whether a single jump of some man captures a man on a neutral square. D-P15.
    bool must_capture() const {
        const Squares victims = enemy & neutral;
        return victims.any() && jumpers(own, victims).any();
    }

private:
    template <u32 kWay>
    Squares step_targets(const Squares& men) const {
        return shift<kSteps[kWay]>(men) & empty();
    }

    static Turn step_to(u32 square, u32 way) {
        return Turn(Turn::kStep, square - u32(kSteps[way])).with_link(way);
    }

    // D-P10: one square orthogonally, any way.
    u32 steps(const Squares& men, u64* out) const {
        u32 count = 0;
        const auto add = [&]<u32 kWay>() {
            step_targets<kWay>(men).each([&](u32 square) { out[count++] = step_to(square, kWay).code(); });
        };
        add.template operator()<0>();
        add.template operator()<1>();
        add.template operator()<2>();
        add.template operator()<3>();
        return count;
    }

    // D-P19: the start area is full and a man of one's own must leave it; no duty to capture.
    u32 leaving_turns(u64* out) const {
        const Squares men = own & home;
        u32 all = steps(men, out), count = 0;
        all += series(men, out + all, false);
        for (u32 k = 0; k < all; ++k)
            if (!home.test(Turn(out[k]).end())) out[count++] = out[k];
        return count;
    }

    // Those of `men` with a jump over a man of `over` to an empty square.
    Squares jumpers(const Squares& men, const Squares& over) const {
        const Squares free = empty();
        return men & (from<kDiagonals[0]>(over, free) | from<kDiagonals[1]>(over, free) |
                      from<kDiagonals[2]>(over, free) | from<kDiagonals[3]>(over, free));
    }
    template <i32 kWay>
    static Squares from(const Squares& over, const Squares& free) {
        return shift<-kWay>(over & shift<-kWay>(free));
    }

    // Writes the series of jumps of `men`, one for each path (D-P11): all of them, or only those
    // that take a man from a neutral square (D-P15).
    u32 series(const Squares& men, u64* out, bool is_duty) const {
        Walk walk{capturable(), enemy & neutral, own | enemy, {}, out, 0, is_duty, 0};
        jumpers(men, own | enemy).each([&](u32 start) { walk.begin(start); });
        return walk.count;
    }

    // A man under way on his jumps, and the series written so far. Men taken stay `solid`: he lands
    // on every second file only and jumps over the others, so that they are never in his way (D-P13).
    struct Walk {
        Squares capturable, neutral;
        Squares solid;     // men in the way of a landing
        Squares jumpable;  // those of them not jumped in this series (D-P12)
        u64* out;
        u32 count;
        bool is_duty;
        u32 start;

        void begin(u32 square) {
            start = square;
            solid.reset(start);
            jumpable = solid;
            go_on(start, Turn(Turn::kSeries, start), false, false);
            solid.set(start);
        }

        void go_on(u32 at, Turn turn, bool has_captured, bool has_done_duty) {
            bool may_end = at != start || has_captured;  // D-P12
            for (u32 ways = kJumps.ways[at]; ways; ways &= ways - 1) {
                const u32 way = lowest(ways);
                const u32 over = at + u32(kDiagonals[way]), landing = over + u32(kDiagonals[way]);
                if (!jumpable.test(over) || solid.test(landing)) continue;
                const bool is_neutral = neutral.test(over), is_capture = capturable.test(over);
                if (is_neutral) may_end = false;  // D-P16
                jumpable.reset(over);
                go_on(landing, turn.with_link(way), has_captured || is_capture, has_done_duty || is_neutral);
                jumpable.set(over);
            }
            if (may_end && turn.links() && (has_done_duty || !is_duty)) out[count++] = turn.code();
        }
    };
};

}  // namespace kernel::perfect
