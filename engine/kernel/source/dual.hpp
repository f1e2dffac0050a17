// Evaluations with their derivatives by the weights, which is what each weight is multiplied by: for a
// regression outside. Forward-mode differentiation (Wengert 1964).
#pragma once

#include "base.hpp"

namespace kernel {

// An integer, and its partial derivative by each weight in millionths.
template <u32 kCount>
struct Dual {
    static constexpr i64 kOne = 1'000'000;

    i32 value = 0;
    i64 slope[kCount] = {};

    // The weight of this place.
    static constexpr Dual weight(u32 place, i32 value) {
        Dual dual;
        dual.value = value;
        dual.slope[place] = kOne;
        return dual;
    }
    static constexpr Dual constant(i32 value) {
        Dual dual;
        dual.value = value;
        return dual;
    }

    constexpr Dual& operator+=(const Dual& other) { return change([](auto a, auto b) { return a + b; }, other); }
    constexpr Dual& operator-=(const Dual& other) { return change([](auto a, auto b) { return a - b; }, other); }
    friend constexpr Dual operator+(Dual a, const Dual& b) { return a += b; }
    friend constexpr Dual operator-(Dual a, const Dual& b) { return a -= b; }
    friend constexpr Dual operator-(const Dual& a) { return Dual() - a; }
    friend constexpr Dual operator*(Dual a, i32 factor) {
        a.value *= factor;
        for (i64& k : a.slope) k *= factor;
        return a;
    }
    friend constexpr Dual operator/(Dual a, i32 divisor) {
        a.value /= divisor;
        for (i64& k : a.slope) k /= divisor;
        return a;
    }
    // Beyond a bound no weight changes anything.
    friend constexpr Dual larger(const Dual& a, i32 bound) { return a.value < bound ? constant(bound) : a; }
    friend constexpr Dual smaller(const Dual& a, i32 bound) { return bound < a.value ? constant(bound) : a; }

    // The value, then a line for each weight: the weight and its term in millionths.
    void write(const i32 (&weights)[kCount], Writer& writer) const {
        writer.integer(value);
        writer.put('\n');
        for (u32 k = 0; k < kCount; ++k) {
            writer.integer(weights[k]);
            writer.put(' ');
            writer.integer(slope[k]);
            writer.put('\n');
        }
    }

private:
    template <class Change>
    constexpr Dual& change(Change result, const Dual& other) {
        value = result(value, other.value);
        for (u32 k = 0; k < kCount; ++k) slope[k] = result(slope[k], other.slope[k]);
        return *this;
    }
};

// Weights that an evaluation can be computed with in place of integers.
template <u32 kCount>
struct DualWeights {
    const i32 (&values)[kCount];

    constexpr explicit DualWeights(const i32 (&weights)[kCount]) : values(weights) {}
    constexpr Dual<kCount> operator[](u32 k) const { return Dual<kCount>::weight(k, values[k]); }
};

}  // namespace kernel
