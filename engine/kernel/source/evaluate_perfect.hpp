// What the search knows of The Perfect Game?: the race of the men, their dangers, and the ground.
#pragma once

#include "guide.hpp"
#include "perfect.hpp"

namespace kernel {

namespace perfect {

// So much is 1 in the logarithm of the odds of winning.
inline constexpr i32 kUnit = 4500;

// By logistic regression over games of the search with itself: `engine/kernel/EXPERIMENTS.md`.
enum Weight : u32 {
    kStep,         // of progress towards the opposite corner
    kTurn,         // to be on the move
    kAttack,       // an enemy's man that can be jumped and taken now
    kDanger,       // one's own man that the enemy could take, were it his turn
    kArrival,      // a man on a start square of the enemy
    kStraggler,    // each step of the last man
    kTile,         // a tile that stands, in the first phase
    kLastOpening,  // a tile of a group with one opening
    kWeights,
};
inline constexpr i32 kInPlay[kWeights] = {36, 103, 800, 454, 1090, 202, 18, 1};
inline WeightList<kWeights> weights(kInPlay);

// The men of `men` over which one of `jumpers` could jump to one of `free`.
inline Squares victims_of(const Squares& men, const Squares& jumpers, const Squares& free) {
    const auto along = [&]<i32 kWay>() { return shift<kWay>(jumpers) & shift<-kWay>(free); };
    return men & (along.template operator()<kDiagonals[0]>() | along.template operator()<kDiagonals[1]>() |
                  along.template operator()<kDiagonals[2]>() | along.template operator()<kDiagonals[3]>());
}

}  // namespace perfect

template <>
struct Guide<Perfect> {
    using Squares = perfect::Squares;
    using Turn = perfect::Turn;
    static constexpr Level kLevels[8] = {
        {210, 629}, {260, 549}, {330, 451}, {490, 345}, {940, 212}, {1800, 86}, {4200, 25}, {12000, 0},
    };
    static constexpr float kExploration = 0.3f;
    static constexpr float kAmaf = 300;
    static constexpr bool kLooksAhead = false;

    static auto& weights() { return perfect::weights; }
    static u32 kind(Move move) { return u32(mix(move) >> 50); }

    static Method method(const Perfect&) { return kPrincipal; }
    static Method level_method(const Perfect&) { return kPrincipal; }
    static i32 permille(i32 value) {
        return smaller(larger(logistic(value * 1000 / perfect::kUnit), 10), 990);
    }
    // A capture is compulsory: no moment to judge.
    static bool is_restless(const Perfect& position) {
        return !position.is_tile_phase() && position.men_board().must_capture();
    }
    static u32 urgent_moves(const Perfect&, Move*) { return 0; }
    // Whether a late move may be searched less deeply than the first ones.
    static bool may_reduce(const Perfect& position, Move move) {
        return position.is_tile_phase() || !captures(position.men_board(), Turn(move));
    }
    // How promising a move is before anything is searched.
    static i32 rank(const Perfect& position, Move move) {
        const Turn turn(move);
        if (position.is_tile_phase()) return 0;
        const perfect::MenBoard men = position.men_board();
        if (turn.kind() == Turn::kPass || turn.kind() == Turn::kEnter) return advance(turn.start(), position.turn());
        const i32 way = advance(turn.end(), position.turn()) - advance(turn.start(), position.turn());
        return 16 * way + 400 * captures(men, turn);
    }

    template <class Weights>
    static auto evaluate(const Perfect& position, const Weights& weights) {
        const auto value = position.is_tile_phase() ? ground(position, weights) : race(position, weights);
        return smaller(larger(value, -20000), 20000);
    }

private:
    // How far a square is from the corner that `colour` comes from.
    static i32 advance(u32 square, u32 colour) {
        const i32 far = i32(perfect::file_of(square) + perfect::rank_of(square));
        return colour == perfect::kRed ? far : 18 - far;
    }
    static i32 captures(const perfect::MenBoard& men, Turn turn) {
        if (turn.kind() != Turn::kSeries) return 0;
        const Squares victims = men.capturable();
        i32 count = 0;
        u32 at = turn.start();
        for (u32 link = 0; link < turn.links(); ++link) {
            const u32 next = at + u32(turn.offset(link));
            count += victims.test((at + next) / 2);
            at = next;
        }
        return count;
    }

    template <class Weights>
    static auto race(const Perfect& position, const Weights& weights) {
        using namespace perfect;
        const MenBoard men = position.men_board();
        const u32 own = position.turn();
        const Squares free = men.empty(), own_ground = position.tiles().of[own] | kHomes[own];
        const i32 targets = i32(victims_of(men.capturable(), men.own, free).count());
        const i32 risks = i32(victims_of(men.own - own_ground, men.enemy, free).count());
        return side_value(men.own, own, weights) - side_value(men.enemy, own ^ 1, weights) + weights[kTurn] +
               weights[kAttack] * smaller(targets, 2) - weights[kDanger] * smaller(risks, 3);
    }
    template <class Weights>
    static auto side_value(const Squares& men, u32 colour, const Weights& weights) {
        using namespace perfect;
        i32 way = 0, last = 18;
        men.each([&](u32 square) {
            const i32 here = advance(square, colour);
            way += here;
            last = smaller(last, here);
        });
        if (men.count() < kMen) last = 0;
        return weights[kStep] * way + weights[kArrival] * i32((men & kHomes[colour ^ 1]).count()) +
               weights[kStraggler] * last;
    }

    template <class Weights>
    static auto ground(const Perfect& position, const Weights& weights) {
        const u32 own = position.turn();
        return standing(position.tiles(), own, false, weights) - standing(position.tiles(), own ^ 1, true, weights);
    }
    // Tiles that stand; those in a group with one opening count less, the more so before the enemy's turn.
    template <class Weights>
    static auto standing(const perfect::Tiles& tiles, u32 colour, bool is_enemys_turn, const Weights& weights) {
        using namespace perfect;
        const Squares refuge = tiles.flipped | kHomes[colour], bare = tiles.bare();
        auto value = weights[kTile] * i32(tiles.of[colour].count());
        for (Squares others = tiles.of[colour]; others.any();) {
            const Squares group = group_of(others.first(), tiles.of[colour]), around = spread(group);
            others -= group;
            if ((around & refuge).any()) continue;
            if ((around & bare).count() == 1)
                value -= weights[is_enemys_turn ? kTile : kLastOpening] * i32(group.count());
        }
        return value;
    }
};

}  // namespace kernel
