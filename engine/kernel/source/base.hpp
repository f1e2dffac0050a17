// What every game of the kernel stands on: integers, texts, sets of bits, chance, errors.
#pragma once

namespace kernel {

using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long long;
using i32 = int;
using i64 = long long;

template <class A, class B>
inline constexpr bool kIsSame = false;
template <class A>
inline constexpr bool kIsSame<A, A> = true;
template <class A>
struct Plain { using Type = A; };
template <class A>
struct Plain<A&> { using Type = A; };
template <class A>
struct Plain<const A&> { using Type = A; };
// That an expression has this type, as in `{ game.ply() } -> Same<u32>`.
template <class A, class B>
concept Same = kIsSame<typename Plain<A>::Type, B>;

static_assert(sizeof(u16) == 2 && sizeof(u32) == 4 && sizeof(u64) == 8);

// Why a call was refused. `engine/kernel/host.py` has the same numbers by name.
enum Error : u32 {
    kFine = 0,
    kUnknownRuleset = 1,  // no key of a rule set that the kernel plays, in its canonical form
    kBadPosition = 2,     // no text of a position of the rule set
    kIllegalMove = 3,     // no move that is legal here
    kNoPosition = 4,      // nothing has been loaded
    kTextTooLong = 5,     // longer than the buffer of input or of output
    kTooDeep = 6,         // more moves to keep at once than there is room for
    kBadWord = 7,         // a word that a search does not know, or with a value out of its range
    kNoSearch = 8,        // no search has begun since the position was loaded
    kGameOver = 9,        // nobody is to move
};

// How a game stands. Sides are persons: a colour may change hands.
enum Outcome : u32 { kGoesOn = 0, kFirstWon = 1, kSecondWon = 2, kDraw = 3 };
enum Side : u32 { kFirst = 0, kSecond = 1 };

// A stretch of text that belongs to somebody else.
struct Text {
    const char* data = nullptr;
    u32 length = 0;

    constexpr Text() = default;
    constexpr Text(const char* data_, u32 length_) : data(data_), length(length_) {}
    template <u32 N>
    constexpr Text(const char (&literal)[N]) : data(literal), length(N - 1) {}

    constexpr bool operator==(Text other) const {
        if (length != other.length) return false;
        for (u32 k = 0; k < length; ++k)
            if (data[k] != other.data[k]) return false;
        return true;
    }
};

// Reads a text from its beginning. What is not there is not taken, and nothing traps.
class Reader {
public:
    constexpr explicit Reader(Text text) : text_(text) {}

    constexpr bool is_done() const { return at_ == text_.length; }
    constexpr u32 length_left() const { return text_.length - at_; }
    // The next character, or 0 at the end.
    constexpr char peek() const { return is_done() ? '\0' : text_.data[at_]; }
    constexpr void skip() { at_ += !is_done(); }
    constexpr Text rest() const { return {text_.data + at_, length_left()}; }

    constexpr bool take(char c) {
        if (is_done() || text_.data[at_] != c) return false;
        ++at_;
        return true;
    }
    constexpr bool take(Text word) {
        if (length_left() < word.length || !(Text(text_.data + at_, word.length) == word)) return false;
        at_ += word.length;
        return true;
    }
    // The text up to the first character of `ends` (which is not taken) or to the end.
    constexpr Text until(Text ends) {
        const u32 start = at_;
        for (; !is_done(); ++at_)
            for (u32 k = 0; k < ends.length; ++k)
                if (text_.data[at_] == ends.data[k]) return {text_.data + start, at_ - start};
        return {text_.data + start, at_ - start};
    }
    // A number without leading zeros, of `most` digits (nine or fewer).
    constexpr bool number(u32& value, u32 most = 9) {
        u32 digits = 0, sum = 0;
        while (digits < length_left() && digits < most && is_digit(text_.data[at_ + digits]))
            sum = sum * 10 + u32(text_.data[at_ + digits++] - '0');
        if (!digits || (digits > 1 && text_.data[at_] == '0')) return false;
        at_ += digits;
        value = sum;
        return true;
    }

private:
    static constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

    Text text_;
    u32 at_ = 0;
};

// Writes into a buffer of fixed length. What does not fit is left out, and `is_full` says so.
class Writer {
public:
    constexpr Writer(char* data, u32 capacity) : data_(data), capacity_(capacity) {}

    constexpr u32 length() const { return length_; }
    constexpr bool is_full() const { return is_full_; }
    constexpr Text text() const { return {data_, length_}; }

    constexpr void put(char c) {
        if (length_ < capacity_)
            data_[length_++] = c;
        else
            is_full_ = true;
    }
    constexpr void put(Text text) {
        for (u32 k = 0; k < text.length; ++k) put(text.data[k]);
    }
    constexpr void number(u64 value) {
        char digits[20];
        u32 count = 0;
        do digits[count++] = char('0' + value % 10);
        while (value /= 10);
        while (count) put(digits[--count]);
    }
    constexpr void integer(i64 value) {
        if (value < 0) put('-');
        number(value < 0 ? -u64(value) : u64(value));
    }

private:
    char* data_;
    u32 capacity_;
    u32 length_ = 0;
    bool is_full_ = false;
};

// The output function of SplitMix64 (Steele, Lea and Flood 2014).
constexpr u64 mix(u64 x) {
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ x >> 27) * 0x94D049BB133111EBull;
    return x ^ x >> 31;
}

// SplitMix64: the same numbers from the same seed everywhere.
class Rng {
public:
    constexpr explicit Rng(u64 seed) : state_(seed) {}

    constexpr u64 next() { return mix(state_ += 0x9E3779B97F4A7C15ull); }

    // 0 .. n - 1, each exactly equally likely (Lemire 2019); n is 1 or more.
    constexpr u32 below(u32 n) { return below(n, u32(next() >> 32)); }

    struct Pair { u32 first, second; };
    // The same twice, with limits of their own, from one number of 64 bits.
    constexpr Pair pair_below(u32 first, u32 second) {
        const u64 number = next();
        return {below(first, u32(number >> 32)), below(second, u32(number))};
    }

private:
    constexpr u32 below(u32 n, u32 number) {
        u64 product = u64(number) * n;
        if (u32(product) < n) {
            const u32 threshold = (0u - n) % n;
            while (u32(product) < threshold) product = (next() >> 32) * n;
        }
        return u32(product >> 32);
    }

    u64 state_;
};

constexpr u32 lowest(u32 word) { return u32(__builtin_ctz(word)); }
constexpr u32 lowest(u64 word) { return u32(__builtin_ctzll(word)); }
constexpr u32 count_of(u32 word) { return u32(__builtin_popcount(word)); }
constexpr u32 count_of(u64 word) { return u32(__builtin_popcountll(word)); }
template <class T>
constexpr T smaller(T a, T b) { return b < a ? b : a; }
template <class T>
constexpr T larger(T a, T b) { return a < b ? b : a; }

// A set of the numbers 0 .. N - 1.
template <u32 N>
struct Bits {
    static constexpr u32 kWords = (N + 63) / 64;
    u64 word[kWords] = {};

    static constexpr Bits one(u32 k) { Bits b; b.set(k); return b; }
    // All numbers below n.
    static constexpr Bits below(u32 n) {
        Bits b;
        for (u32 w = 0; w < kWords; ++w)
            b.word[w] = n >= (w + 1) * 64 ? ~0ull : n > w * 64 ? (1ull << (n - w * 64)) - 1 : 0;
        return b;
    }

    constexpr bool test(u32 k) const { return word[k / 64] >> k % 64 & 1; }
    constexpr void set(u32 k) { word[k / 64] |= 1ull << k % 64; }
    constexpr void reset(u32 k) { word[k / 64] &= ~(1ull << k % 64); }
    constexpr void flip(u32 k) { word[k / 64] ^= 1ull << k % 64; }

    constexpr bool any() const {
        u64 all = 0;
        for (u64 w : word) all |= w;
        return all != 0;
    }
    constexpr bool none() const { return !any(); }
    constexpr u32 count() const {
        u32 sum = 0;
        for (u64 w : word) sum += count_of(w);
        return sum;
    }
    // The least number of the set, which must not be empty.
    constexpr u32 first() const {
        u32 w = 0;
        while (!word[w]) ++w;
        return w * 64 + lowest(word[w]);
    }
    // The k-th number of the set in order, k from 0 and less than `count()`.
    constexpr u32 at(u32 k) const {
        u32 w = 0;
        for (u32 here; k >= (here = count_of(word[w])); ++w) k -= here;
        u64 rest = word[w];
        while (k--) rest &= rest - 1;
        return w * 64 + lowest(rest);
    }
    template <class Visit>
    constexpr void each(Visit visit) const {
        for (u32 w = 0; w < kWords; ++w)
            for (u64 rest = word[w]; rest; rest &= rest - 1) visit(w * 64 + lowest(rest));
    }

    constexpr Bits& operator&=(const Bits& o) { for (u32 w = 0; w < kWords; ++w) word[w] &= o.word[w]; return *this; }
    constexpr Bits& operator|=(const Bits& o) { for (u32 w = 0; w < kWords; ++w) word[w] |= o.word[w]; return *this; }
    constexpr Bits& operator^=(const Bits& o) { for (u32 w = 0; w < kWords; ++w) word[w] ^= o.word[w]; return *this; }
    // Without the numbers of `o`.
    constexpr Bits& operator-=(const Bits& o) { for (u32 w = 0; w < kWords; ++w) word[w] &= ~o.word[w]; return *this; }
    friend constexpr Bits operator&(Bits a, const Bits& b) { return a &= b; }
    friend constexpr Bits operator|(Bits a, const Bits& b) { return a |= b; }
    friend constexpr Bits operator^(Bits a, const Bits& b) { return a ^= b; }
    friend constexpr Bits operator-(Bits a, const Bits& b) { return a -= b; }
    constexpr bool operator==(const Bits& o) const {
        u64 differs = 0;
        for (u32 w = 0; w < kWords; ++w) differs |= word[w] ^ o.word[w];
        return !differs;
    }
    // Every number larger by n; those that reach the last word's end fall out.
    constexpr Bits up(u32 n) const {
        Bits b;
        const u32 words = n / 64, bits = n % 64;
        for (u32 w = words; w < kWords; ++w) {
            b.word[w] = word[w - words] << bits;
            if (bits && w > words) b.word[w] |= word[w - words - 1] >> (64 - bits);
        }
        return b;
    }
    // Every number smaller by n; those below 0 fall out.
    constexpr Bits down(u32 n) const {
        Bits b;
        const u32 words = n / 64, bits = n % 64;
        for (u32 w = 0; w + words < kWords; ++w) {
            b.word[w] = word[w + words] >> bits;
            if (bits && w + words + 1 < kWords) b.word[w] |= word[w + words + 1] << (64 - bits);
        }
        return b;
    }
};

}  // namespace kernel
