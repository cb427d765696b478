// Decodes JSON strings: UTF-8 and escapes.
#pragma once
#include <cstddef>
#include <cstdint>

namespace record_scan {

inline bool is_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }

// Length of the well-formed non-ASCII sequence at `p` (Unicode, table 3-7); 0 if it is malformed.
inline size_t utf8_length(const uint8_t *p, size_t left) {
    const uint8_t lead = p[0];
    auto follows = [p](size_t i, uint8_t low, uint8_t high) { return p[i] >= low && p[i] <= high; };
    if (lead >= 0xC2 && lead <= 0xDF) return left >= 2 && follows(1, 0x80, 0xBF) ? 2 : 0;
    if (lead >= 0xE0 && lead <= 0xEF) {
        const uint8_t low = lead == 0xE0 ? 0xA0 : 0x80, high = lead == 0xED ? 0x9F : 0xBF;
        return left >= 3 && follows(1, low, high) && follows(2, 0x80, 0xBF) ? 3 : 0;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        const uint8_t low = lead == 0xF0 ? 0x90 : 0x80, high = lead == 0xF4 ? 0x8F : 0xBF;
        return left >= 4 && follows(1, low, high) && follows(2, 0x80, 0xBF) && follows(3, 0x80, 0xBF) ? 4 : 0;
    }
    return 0;
}

// The character that a backslash and this byte stand for; 0: not an escape, or \u.
inline uint8_t simple_escape(uint8_t byte) {
    switch (byte) {
        case '"': case '\\': case '/': return byte;
        case 'b': return '\b';
        case 'f': return '\f';
        case 'n': return '\n';
        case 'r': return '\r';
        case 't': return '\t';
        default: return 0;
    }
}

inline int hex_digit(uint8_t byte) {
    if (is_digit(byte)) return byte - '0';
    if (byte >= 'a' && byte <= 'f') return byte - 'a' + 10;
    if (byte >= 'A' && byte <= 'F') return byte - 'A' + 10;
    return -1;
}

// The code unit given by four hex digits, or -1.
inline int32_t code_unit(const uint8_t *at, const uint8_t *end) {
    if (end - at < 4) return -1;
    int32_t code = 0;
    for (int i = 0; i < 4; ++i) {
        const int digit = hex_digit(at[i]);
        if (digit < 0) return -1;
        code = code * 16 + digit;
    }
    return code;
}

inline size_t encode_utf8(int32_t code, uint8_t out[4]) {
    auto trail = [code](int shift) { return static_cast<uint8_t>(0x80 | ((code >> shift) & 0x3F)); };
    if (code < 0x80) {
        out[0] = static_cast<uint8_t>(code);
        return 1;
    }
    if (code < 0x800) {
        out[0] = static_cast<uint8_t>(0xC0 | (code >> 6));
        out[1] = trail(0);
        return 2;
    }
    if (code < 0x10000) {
        out[0] = static_cast<uint8_t>(0xE0 | (code >> 12));
        out[1] = trail(6);
        out[2] = trail(0);
        return 3;
    }
    out[0] = static_cast<uint8_t>(0xF0 | (code >> 18));
    out[1] = trail(12);
    out[2] = trail(6);
    out[3] = trail(0);
    return 4;
}

// Decodes \uXXXX at `p`, including both halves of a surrogate pair, and advances past it; a lone half becomes U+FFFD.
// Returns its length in UTF-8; 0: four hex digits are missing, and `p` stays.
inline size_t unicode_escape(const uint8_t *&p, const uint8_t *end, uint8_t out[4]) {
    int32_t code = code_unit(p + 2, end);
    if (code < 0) return 0;
    p += 6;
    if (code >= 0xD800 && code <= 0xDBFF) {
        const bool has_next = end - p >= 6 && p[0] == '\\' && p[1] == 'u';
        const int32_t low = has_next ? code_unit(p + 2, end) : -1;
        if (low >= 0xDC00 && low <= 0xDFFF) {
            p += 6;
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        } else {
            code = 0xFFFD;
        }
    } else if (code >= 0xDC00 && code <= 0xDFFF) {
        code = 0xFFFD;
    }
    return encode_utf8(code, out);
}

}  // namespace record_scan
