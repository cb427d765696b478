// Checks the full grammar of RFC 8259 byte by byte, and reports what is wrong and where.
#pragma once
#include <cstring>

#include "json_text.h"
#include "record_fields.h"
#include "record_scan.h"

namespace record_scan {

constexpr size_t kMaxDepth = 1000;

struct Fault {
    trs_status status = TRS_OK;
    size_t offset = 0;
    const char *reason = "";
};

class Checker {
  public:
    Checker(const uint8_t *text, size_t length, size_t max_depth)
        : begin_(text), p_(text), end_(text + length), max_depth_(max_depth > kMaxDepth ? kMaxDepth : max_depth) {}

    Fault fault;

    size_t offset() const { return static_cast<size_t>(p_ - begin_); }
    bool at_end() const { return p_ == end_; }
    uint8_t peek() const { return p_ == end_ ? 0 : *p_; }
    void step() { ++p_; }

    void blanks() {
        while (p_ != end_ && (*p_ == ' ' || *p_ == '\t' || *p_ == '\n' || *p_ == '\r')) ++p_;
    }

    bool fail(trs_status status, const char *reason) { return fail(status, reason, offset()); }

    bool fail(trs_status status, const char *reason, size_t offset) {
        fault = {status, offset, reason};
        return false;
    }

    bool expected(const char *reason) {
        return fail(TRS_SYNTAX, at_end() ? "the record ends too early" : reason);
    }

    bool end_of_text() {
        blanks();
        return at_end() || fail(TRS_SYNTAX, "unexpected text after the end of the record");
    }

    // Checks a string from its opening quote; decodes it into the arena if one is given.
    bool string(Arena *arena, trs_span *span) {
        const size_t start = arena ? arena->used : 0;
        ++p_;
        for (;;) {
            const uint8_t *run = p_;
            plain_run();
            if (arena && !append(*arena, run, static_cast<size_t>(p_ - run))) return false;
            if (at_end()) return fail(TRS_SYNTAX, "a string is not closed");
            const uint8_t byte = *p_;
            if (byte == '"') {
                ++p_;
                break;
            }
            if (byte == '\\') {
                if (!escape(arena)) return false;
            } else if (byte < 0x20) {
                return fail(TRS_SYNTAX, "a control character stands unescaped in a string");
            } else {
                const size_t length = utf8_length(p_, static_cast<size_t>(end_ - p_));
                if (length == 0) return fail(TRS_UTF8, "the bytes are not valid UTF-8");
                if (arena && !append(*arena, p_, length)) return false;
                p_ += length;
            }
        }
        if (arena) *span = {static_cast<uint32_t>(start), static_cast<uint32_t>(arena->used - start)};
        return true;
    }

    bool number(Value &value) {
        const uint8_t *start = p_;
        if (peek() == '-') ++p_;
        if (peek() == '0') {
            ++p_;
            if (is_digit(peek())) return fail(TRS_SYNTAX, "a number begins with a zero");
        } else if (!digits()) {
            return expected("a number has no digits");
        }
        const uint8_t *whole_end = p_;
        if (peek() == '.') {
            ++p_;
            if (!digits()) return expected("a number has no digits behind its point");
        }
        const uint8_t *mantissa_end = p_;
        if (peek() == 'e' || peek() == 'E') {
            ++p_;
            if (peek() == '+' || peek() == '-') ++p_;
            if (!digits()) return expected("a number has no digits in its exponent");
        }
        measure(start, whole_end, mantissa_end, p_, value);
        return true;
    }

    // Checks any value; `depth` is the number of enclosing containers.
    bool skip(size_t depth) {
        uint8_t is_object[kMaxDepth + 1];
        const size_t base = depth;
        for (;;) {
            blanks();
            const uint8_t byte = peek();
            if (byte == '{' || byte == '[') {
                if (depth >= max_depth_) return fail(TRS_DEPTH, "nested deeper than 1,000 levels");
                ++p_;
                blanks();
                if (peek() == (byte == '{' ? '}' : ']')) {
                    ++p_;
                } else {
                    is_object[depth++] = byte == '{';
                    if (byte == '{' && !key_and_colon()) return false;
                    continue;
                }
            } else {
                Value ignored;
                if (!scalar(nullptr, ignored)) return false;
            }
            // A value is complete: close the containers that end here.
            for (;;) {
                if (depth == base) return true;
                blanks();
                const uint8_t next = peek();
                if (next == ',') {
                    ++p_;
                    if (is_object[depth - 1] && !key_and_colon()) return false;
                    break;
                }
                if (is_object[depth - 1]) {
                    if (next != '}') return expected("expected ',' or '}'");
                } else if (next != ']') {
                    return expected("expected ',' or ']'");
                }
                ++p_;
                --depth;
            }
        }
    }

    // A string, number or literal.
    bool scalar(Arena *arena, Value &value) {
        switch (peek()) {
            case '"':
                value.kind = Kind::string;
                return string(arena, &value.span);
            case 't':
                value.kind = Kind::boolean;
                value.truth = true;
                return literal("true", 4);
            case 'f':
                value.kind = Kind::boolean;
                value.truth = false;
                return literal("false", 5);
            case 'n':
                value.kind = Kind::null;
                return literal("null", 4);
            case '-': case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8':
            case '9': return number(value);
            default: return expected("expected a value");
        }
    }

    bool colon() {
        blanks();
        if (peek() != ':') return expected("expected ':'");
        ++p_;
        return true;
    }

  private:
    const uint8_t *begin_;
    const uint8_t *p_;
    const uint8_t *end_;
    const size_t max_depth_;

    bool digits() {
        const uint8_t *start = p_;
        while (p_ != end_ && is_digit(*p_)) ++p_;
        return p_ != start;
    }

    bool key_and_colon() {
        blanks();
        if (peek() != '"') return expected("expected a key in quotes");
        return string(nullptr, nullptr) && colon();
    }

    bool literal(const char *name, size_t length) {
        for (size_t i = 0; i < length; ++i, ++p_) {
            if (at_end() || *p_ != static_cast<uint8_t>(name[i])) return expected("expected a value");
        }
        return true;
    }

    // Stops at a quote, a backslash, a control character or the first non-ASCII byte.
    void plain_run() {
        constexpr uint64_t ones = 0x0101010101010101u, highs = 0x8080808080808080u;
        while (end_ - p_ >= 8) {
            uint64_t word;
            memcpy(&word, p_, 8);
            const uint64_t quote = word ^ (ones * '"'), slash = word ^ (ones * '\\');
            const uint64_t stop =
                ((word - ones * 0x20) | word | ((quote - ones) & ~quote) | ((slash - ones) & ~slash)) & highs;
            if (stop != 0) break;
            p_ += 8;
        }
        while (p_ != end_ && *p_ >= 0x20 && *p_ < 0x80 && *p_ != '"' && *p_ != '\\') ++p_;
    }

    bool append(Arena &arena, const uint8_t *bytes, size_t count) {
        if (arena.capacity - arena.used < count) return fail(TRS_ARENA_FULL, "the arena is too small");
        if (count != 0) memcpy(arena.bytes + arena.used, bytes, count);
        arena.used += count;
        return true;
    }

    bool escape(Arena *arena) {
        if (end_ - p_ < 2) {
            p_ = end_;
            return fail(TRS_SYNTAX, "a string is not closed");
        }
        if (const uint8_t plain = simple_escape(p_[1])) {
            p_ += 2;
            return !arena || append(*arena, &plain, 1);
        }
        if (p_[1] != 'u') return fail(TRS_SYNTAX, "an unknown escape stands in a string");
        uint8_t out[4];
        const size_t count = unicode_escape(p_, end_, out);
        if (count == 0) return fail(TRS_SYNTAX, "\\u is not followed by four hexadecimal digits");
        return !arena || append(*arena, out, count);
    }

    // Whether the number is an integer of at most 63 bits in any notation (12, 12.0, 1.2e1), and its value.
    static void measure(const uint8_t *start, const uint8_t *whole_end, const uint8_t *mantissa_end,
                        const uint8_t *end, Value &value) {
        value.kind = Kind::other_number;
        const bool negative = *start == '-';
        int64_t exponent = 0;
        if (mantissa_end != end) {
            const uint8_t *p = mantissa_end + 1;
            const bool down = *p == '-';
            if (*p == '-' || *p == '+') ++p;
            for (; p != end; ++p) {
                if (exponent < 1000000000000) exponent = exponent * 10 + (*p - '0');
            }
            if (down) exponent = -exponent;
        }
        // The decimal point moves right by `exponent`; every digit after it must be zero.
        const int64_t whole_digits = whole_end - start - (negative ? 1 : 0);
        const int64_t point = whole_digits + exponent;
        uint64_t total = 0;
        int64_t index = 0;
        bool any = false;
        for (const uint8_t *p = start + (negative ? 1 : 0); p != mantissa_end; ++p) {
            if (*p == '.') continue;
            const uint64_t digit = *p - '0';
            if (index < point) {
                if (total > (static_cast<uint64_t>(INT64_MAX) - digit) / 10) return;
                total = total * 10 + digit;
            } else if (digit != 0) {
                return;
            }
            any = any || digit != 0;
            ++index;
        }
        for (; any && index < point; ++index) {
            if (total > static_cast<uint64_t>(INT64_MAX) / 10) return;
            total *= 10;
        }
        value.kind = Kind::integer;
        value.integer = negative ? -static_cast<int64_t>(total) : static_cast<int64_t>(total);
    }
};

}  // namespace record_scan
